// The command line, for the program `actlab` and for a user's own program that adds activations.
#pragma once

namespace actlab {

/// Runs the verb that the arguments name; returns the exit code (0 ok, 1 failure, 2 usage or config, 3 data
/// missing or damaged, 4 some run diverged or failed, 5 a check failed).
int cli_main(int argc, char** argv);

}  // namespace actlab
