#!/usr/bin/env bash
# Gathers in build/for_gpu what a machine without apt lacks to build actlab with CUDA: the headers of the libraries, the
# sources of GoogleTest, zlib and libcrypto as static libraries; and the headers of cuBLASLt and cuDNN, which a toolkit may
# lack whose libraries are those of Python's packages. To be run where the packages are installed; carry the
# folder to the other machine and run tests/run_on_gpu.sh there.
set -euo pipefail
cd "$(dirname "$0")/.."

bash experiments/install_packages.sh tests
to=build/for_gpu
rm -rf "$to"
mkdir -p "$to"/{include,lib,cmake}
for header in CLI toml++ nlohmann spdlog fmt Random123 stb openssl zlib.h zconf.h; do
  cp -rL "/usr/include/$header" "$to/include/"
done
# Headers of one processor architecture stand in a folder of their own.
multiarch=$(gcc -print-multiarch)
cp -rL "/usr/include/$multiarch/openssl/." "$to/include/openssl/"
[ -f "$to/include/zconf.h" ] || cp -L "/usr/include/$multiarch/zconf.h" "$to/include/"
cp -L "/usr/lib/$multiarch/"{libz.a,libcrypto.a} "$to/lib/"
cp -rL /usr/src/googletest "$to/googletest"
mkdir "$to/nvidia"
find -L /usr/local/cuda/include /usr/include "/usr/include/$multiarch" -maxdepth 1 '(' -name 'cublas*.h' -o -name 'cudnn*.h' ')' \
  -exec cp -Ln {} "$to/nvidia/" ';' || true  # where there are such folders

# config PACKAGE TARGET LINES: what find_package(PACKAGE) reads.
config() {
  {
    echo "# $1 as gathered here, from its headers."
    echo "if(NOT TARGET $2)"
    echo "  add_library($2 INTERFACE IMPORTED)"
    echo "  target_include_directories($2 SYSTEM INTERFACE \${CMAKE_CURRENT_LIST_DIR}/../include)"
    [ -n "$3" ] && echo "  $3"
    echo "endif()"
  } >"$to/cmake/$1Config.cmake"
}
config nlohmann_json nlohmann_json::nlohmann_json ""
config CLI11 CLI11::CLI11 ""
config spdlog spdlog::spdlog "target_compile_definitions(spdlog::spdlog INTERFACE SPDLOG_FMT_EXTERNAL FMT_HEADER_ONLY)"
config tomlplusplus tomlplusplus::tomlplusplus \
  "target_compile_definitions(tomlplusplus::tomlplusplus INTERFACE TOML_HEADER_ONLY=1)"
cat >"$to/cmake/GTestConfig.cmake" <<'END'
# GoogleTest as gathered here, from its source.
if(NOT TARGET GTest::gtest_main)
  set(INSTALL_GTEST OFF CACHE BOOL "" FORCE)
  add_subdirectory(${CMAKE_CURRENT_LIST_DIR}/../googletest ${CMAKE_BINARY_DIR}/googletest EXCLUDE_FROM_ALL)
endif()
END
du -sm "$to" | awk '{print $2 ": " $1 " MB"; exit $1 > 60}'
