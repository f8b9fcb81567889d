// This program once more, in a process of its own.
#pragma once

#include <sys/types.h>

#include <cstddef>
#include <string>
#include <vector>

namespace actlab {

/// Its standard input is a text, its standard output is lost, its standard error is read by lines. Signals of
/// the terminal do not reach it; it is asked to stop where this process ends.
class Child {
 public:
  /// `arguments` after the program's name; the cores that it may use, empty: all.
  Child(const std::vector<std::string>& arguments, const std::string& input,
        const std::vector<std::size_t>& cores, const std::vector<std::string>& environment);
  Child(Child&& other) noexcept;
  Child& operator=(Child&&) = delete;
  ~Child();

  /// For poll(2).
  int descriptor() const { return error_; }
  /// Whole lines that have come since; `open` turns false with the last of them.
  std::vector<std::string> read_lines(bool& open);
  void send(int signal) const;
  /// Waits for its end: the exit code, or minus the signal that ended it.
  int wait();

 private:
  pid_t process_ = -1;
  int error_ = -1;
  std::string pending_;
};

/// The cores that this process may use.
std::vector<std::size_t> usable_cores();

}  // namespace actlab
