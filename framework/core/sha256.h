// Checksums by which a file is known again.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace actlab {

/// SHA-256 of bytes: 64 lower-case hexadecimal digits.
std::string sha256(std::string_view bytes);
/// Of a file's content; throws Error naming the path where it cannot be read.
std::string sha256_of_file(const std::filesystem::path& path);

}  // namespace actlab
