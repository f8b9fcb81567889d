#!/usr/bin/env bash
# Installs what is missing, builds, trains the small CNN with four activations on Fashion-MNIST, prints the table.
set -euo pipefail
cd "$(dirname "$0")/.."

bash experiments/install_packages.sh
cmake --preset release -DACTLAB_TESTS=OFF
cmake --build --preset release
build/release/actlab run experiments/configs/quickstart.toml "$@"
