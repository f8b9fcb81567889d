// Runs a peer.
#include "experiments/peers/peer_main.h"

#include <CLI/CLI.hpp>
#include <iostream>

#include "experiments/cli/log.h"
#include "kernels/error.h"

namespace actlab {

int peer_main(CLI::App& app, int argc, char** argv, const std::function<void()>& body) {
  constexpr int failure = 1, usage = 2;
  start_log();
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : usage;
  }
  try {
    body();
    return 0;
  } catch (const ConfigError& error) {
    std::cerr << app.get_name() << ": " << error.what() << '\n';
    return usage;
  } catch (const std::exception& error) {
    std::cerr << app.get_name() << ": " << error.what() << '\n';
    return failure;
  }
}

}  // namespace actlab
