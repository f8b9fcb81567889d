// Whole files: read at once, written so that a reader sees the old content or the new, never a part.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace actlab {

/// The bytes of a file. Throws Error naming the path and the system's reason.
std::string read_file(const std::filesystem::path& path);

/// Replaces or creates a file: a temporary beside it, synced, renamed over it, and the folder synced. Where
/// that fails the old file stays, the temporary is removed, and Error names the path and the system's reason.
void write_file_atomically(const std::filesystem::path& path, std::string_view text);

/// Appends to a file, made where there is none, and syncs it. Throws Error as the above does; a part of the
/// text may then be in the file.
void append_to_file(const std::filesystem::path& path, std::string_view text);

/// Makes the names in a folder (created, renamed, removed) survive a power cut.
void sync_folder(const std::filesystem::path& folder);

}  // namespace actlab
