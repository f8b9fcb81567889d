#!/usr/bin/env bash
# Installs what is missing, builds and runs every test: the release build, then kernels and framework under AddressSanitizer and
# UndefinedBehaviorSanitizer, then the kernels without optional libraries. The last line counts.
#   tests/run.sh          all of it
#   tests/run.sh quick    the release build only, without the label `slow`
set -uo pipefail
cd "$(dirname "$0")/.." || exit 1

passed=0 failed=0 skipped=0
count() { grep -o "$2=\"[0-9]*\"" "$1" | head -n 1 | tr -dc 0-9; }

# run_tests PRESET [ctest arguments]: adds the preset's results to the counts; a build that ran no test counts as one failure.
run_tests() {
  local report=$PWD/build/$1/tests.xml
  rm -f "$report"
  ctest --preset "$@" --parallel 2 --output-junit "$report"
  if [ ! -s "$report" ]; then
    failed=$((failed + 1))
    return
  fi
  local all bad skip
  all=$(count "$report" tests) bad=$(count "$report" failures) skip=$(($(count "$report" skipped) + $(count "$report" disabled)))
  passed=$((passed + all - bad - skip)) failed=$((failed + bad)) skipped=$((skipped + skip))
  [ "$all" -gt 0 ] || failed=$((failed + 1))
}

# build PRESET [cmake arguments] -- [targets]: counts a failure and returns 1 where it does not build.
build() {
  local preset=$1 arguments=()
  shift
  while [ $# -gt 0 ] && [ "$1" != -- ]; do arguments+=("$1"); shift; done
  shift || true
  if ! { cmake --preset "$preset" -DACTLAB_TESTS=ON "${arguments[@]}" && cmake --build --preset "$preset" ${1:+--target "$@"}; }; then
    echo "the preset $preset does not build" >&2
    failed=$((failed + 1))
    return 1
  fi
}

bash experiments/install_packages.sh tests || exit 1

if [ "${1:-}" = quick ]; then
  build release && run_tests release -LE slow
else
  build release && run_tests release
  build asan -- test_kernels test_framework && run_tests asan -LE slow
  build bare -- test_kernels && run_tests bare -R 'Backends'
fi

echo "$passed passed, $failed failed, $skipped skipped"
[ "$failed" -eq 0 ]
