// Unpacking of .gz bytes within a bound.
#pragma once

#include <string>
#include <string_view>

namespace actlab {

/// The first `most` bytes of the content. Where the content ends before them, the whole stream has been
/// checked: its end, its checksum, nothing behind it. Throws Error saying what is wrong, without a file's
/// name.
std::string gunzip(std::string_view packed, std::size_t most);

}  // namespace actlab
