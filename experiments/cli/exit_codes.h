// What the program's exit code says; a signal that ends it after saving adds its number to 128.
#pragma once

namespace actlab {

inline constexpr int exit_failure = 1;
inline constexpr int exit_usage = 2;
inline constexpr int exit_data = 3;
inline constexpr int exit_some_failed = 4;  ///< some run diverged or failed
inline constexpr int exit_check_failed = 5;

}  // namespace actlab
