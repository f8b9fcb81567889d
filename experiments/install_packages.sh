#!/usr/bin/env bash
# Installs the Debian or Ubuntu packages that the build lacks; with `tests` as argument those of the tests too.
# Without root it prints the line to run and stops.
set -euo pipefail

packages=(g++ cmake ninja-build libdnnl-dev ocl-icd-opencl-dev libopenblas-openmp-dev libspdlog-dev libfmt-dev
  libcli11-dev libtomlplusplus-dev nlohmann-json3-dev librandom123-dev zlib1g-dev libssl-dev libstb-dev
  libcurl4-openssl-dev libarchive-dev dataset-fashion-mnist)
if [ "${1:-}" = tests ]; then
  packages+=(libgtest-dev ccache locales)
fi

missing=()
for package in "${packages[@]}"; do
  dpkg-query -W -f='${Status}' "$package" 2>/dev/null | grep -q 'ok installed' || missing+=("$package")
done
[ ${#missing[@]} -eq 0 ] && exit 0

if [ "$(id -u)" -ne 0 ]; then
  echo "packages are missing; install them and run this again:" >&2
  echo "  sudo apt-get install ${missing[*]}" >&2
  exit 1
fi
export DEBIAN_FRONTEND=noninteractive
if ! { apt-get update -qq && apt-get install -y -qq --no-install-recommends "${missing[@]}"; } >&2; then
  echo "apt-get could not install: ${missing[*]}" >&2
  echo "check the network and run: apt-get update && apt-get install ${missing[*]}" >&2
  exit 1
fi
