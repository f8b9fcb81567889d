// The command line, for the program `actlab` and for a user's own program that adds activations, models and
// the like.
#pragma once

#include <functional>

namespace actlab {

/// Runs the verb that the arguments name; returns the exit code (0 ok, 1 failure, 2 usage or config, 3 data
/// missing or damaged, 4 some run diverged or failed, 5 a check failed). `add` runs before the verb: the
/// place of add_model, add_dataset, add_optimizer and add_schedule, whose errors become a line and an exit
/// code too.
int cli_main(int argc, char** argv, const std::function<void()>& add = {});

}  // namespace actlab
