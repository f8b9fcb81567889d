// The program `actlab` as a child process in a folder of its own.
#pragma once

#include <gtest/gtest.h>
#include <sys/wait.h>

#include <cstdlib>
#include <initializer_list>
#include <string>

#include "framework/core/files.h"
#include "kernels/error.h"
#include "tests/support/temporary_folder.h"

namespace actlab {

struct Outcome {
  int code = -1;
  std::string out;
  std::string err;
};

class ActlabProgram {
 public:
  const std::filesystem::path& folder() const { return folder_.path(); }
  std::filesystem::path write(const std::string& name, const std::string& text) const {
    return folder_.write(name, text);
  }

  /// Runs `actlab ARGUMENTS` as the shell reads it, redirections included, in the folder; `setup` are shell
  /// commands before it: "ulimit -f 100;".
  Outcome run(const std::string& arguments, const std::string& setup = "") const {
    return run_program("actlab", arguments, setup);
  }
  /// The same of another program of the build.
  Outcome run_program(const std::string& name, const std::string& arguments,
                      const std::string& setup = "") const {
    const std::filesystem::path out = captured_.path() / "out", err = captured_.path() / "err";
    const std::string command = concat("( cd '", folder().string(), "' && export OMP_NUM_THREADS=1 && ",
                                       setup, " '" ACTLAB_BINARY_DIR "/", name, "' ", arguments, " ) >'",
                                       out.string(), "' 2>'", err.string(), "'");
    const int status = std::system(command.c_str());
    return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, read_file(out), read_file(err)};
  }

 private:
  TemporaryFolder folder_;
  TemporaryFolder captured_;
};

/// Expects an error: its exit code, nothing on standard output, one line "actlab: ..." on standard error that
/// holds every fragment.
inline void expect_refusal(const Outcome& outcome, int code, std::initializer_list<std::string> fragments) {
  EXPECT_EQ(outcome.code, code) << outcome.err;
  EXPECT_EQ(outcome.out, "");
  EXPECT_TRUE(outcome.err.starts_with("actlab: ")) << outcome.err;
  EXPECT_EQ(outcome.err.find('\n') + 1, outcome.err.size()) << outcome.err;
  for (const std::string& fragment : fragments)
    EXPECT_NE(outcome.err.find(fragment), std::string::npos) << fragment << "\nin " << outcome.err;
}

}  // namespace actlab
