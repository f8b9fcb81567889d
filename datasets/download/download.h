// A file from a URL.
#pragma once

#include "datasets/sources.h"

namespace actlab {

/// Writes what the URL gives to a new file. Throws Error with the reason alone: no connection, an answer
/// other than the file, a body shorter than announced, a full disk, or progress that ended it.
void download(const std::string& url, const std::filesystem::path& file, const FetchProgress& progress);

}  // namespace actlab
