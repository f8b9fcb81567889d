// The expected files of an archive.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace actlab {

/// Writes FOLDER/NAME of a .tar.gz to `to`/NAME, for every name of a list. Throws Error with the reason
/// alone: an archive that is damaged, lacks one of them or holds anything else (another name, a link, a
/// device).
void unpack(const std::filesystem::path& archive, const std::string& folder, std::vector<std::string> names,
            const std::filesystem::path& to);

}  // namespace actlab
