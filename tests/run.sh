#!/usr/bin/env bash
# Installs what is missing, builds and runs the tests: the release build, then kernels, those of CUDA on the CPU too,
# framework and data sets under AddressSanitizer and UndefinedBehaviorSanitizer, then matmul and convolution without
# optional libraries. The last line counts; the exit code is 1 where anything failed, a build too, or nothing ran.
#   tests/run.sh [all]         all of it
#   tests/run.sh quick         the release build only, without the label `slow`
#   tests/run.sh exhaustive    every float of the range where activations bend, where the others try every ninth
set -uo pipefail
cd "$(dirname "$0")/.." || exit 1

passed=0 failed=0 skipped=0

# build PRESET [target...]: all targets without names. A build that fails counts as one failure. Of the GPUs one kind
# will do: no test runs on it.
build() {
  local preset=$1
  shift
  cmake --preset "$preset" -DACTLAB_TESTS=ON -DCMAKE_CUDA_ARCHITECTURES=90 && cmake --build --preset "$preset" ${1:+--target "$@"} && return
  echo "the preset $preset does not build" >&2
  failed=$((failed + 1))
  return 1
}

# count WHAT REPORT: the number in this attribute of the report; 0 where there is none.
count() {
  local number
  number=$(grep -o -m 1 "^\s*$1=\"[0-9]*\"" "$2" 2>/dev/null | tr -dc 0-9)
  echo "${number:-0}"
}

# run_tests PRESET [ctest's arguments]: counts what CTest reports. That no test ran counts as one failure. Tests run beside
# each other: the presets give each one thread, and under sanitizers two that sleep while they wait.
run_tests() {
  local report=$PWD/build/$1/tests.xml status all bad skip absent
  rm -f "$report"
  # Folders whose tests were not built are no tests of this preset.
  ctest --preset "$@" --exclude-regex NOT_BUILT --no-tests=error --parallel 2 --output-junit "$report"
  status=$?
  # CTest fails for a test without its program, and reports it as skipped.
  absent=$(grep -s -c 'skipped message="Unable to find executable"' "$report")
  all=$(count tests "$report")
  bad=$(($(count failures "$report") + ${absent:=0}))
  skip=$(($(count skipped "$report") + $(count disabled "$report") - absent))
  passed=$((passed + all - bad - skip)) failed=$((failed + bad)) skipped=$((skipped + skip))
  if [ "$all" -eq "$skip" ] || { [ "$status" -ne 0 ] && [ "$bad" -eq 0 ]; }; then
    echo "the preset $1 ran no test" >&2
    failed=$((failed + 1))
  fi
}

# Those of CUDA need its headers, which CMake looks for too.
sanitized=(test_kernels test_framework test_datasets)
[ -n "$(find -L /usr/local/cuda/include /usr/include -maxdepth 1 -name cuda_runtime.h 2>/dev/null)" ] && sanitized+=(test_cuda test_cuda_emulation)

bash experiments/install_packages.sh tests || exit 1
# The presets release and bare share most objects; each is compiled once.
export CMAKE_CXX_COMPILER_LAUNCHER=ccache CCACHE_BASEDIR=$PWD CCACHE_NOHASHDIR=1

case ${1:-all} in
  all)
    build release && run_tests release --label-exclude exhaustive
    build asan "${sanitized[@]}" && run_tests asan --label-exclude 'slow|exhaustive'
    build bare test_kernels && run_tests bare --tests-regex 'Backend|Gemm|Matmul|Convolution'
    ;;
  quick) build release && run_tests release --label-exclude 'slow|exhaustive' ;;
  exhaustive) build release test_kernels && run_tests release --label-regex exhaustive ;;
  *)
    echo "tests/run.sh: '$1' is not all, quick or exhaustive" >&2
    exit 2
    ;;
esac

echo "$passed passed, $failed failed, $skipped skipped"
[ "$failed" -eq 0 ]
