// What the mains of the peers share.
#pragma once

#include <functional>

namespace CLI {
class App;
}

namespace actlab {

/// Reads the command line, runs the body, and says on one line what it throws. The exit code: 0, 1 for a
/// failure, 2 for the usage.
int peer_main(CLI::App& app, int argc, char** argv, const std::function<void()>& body);

}  // namespace actlab
