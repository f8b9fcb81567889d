#!/usr/bin/env bash
# Checks what the sources have in common: check.sh NAME. Prints what offends and exits with 1; with 77 where the tool
# that the check needs is absent.
set -u
cd "$(dirname "$0")/../.." || exit 1

layers=(kernels framework models datasets experiments)
mapfile -t sources < <(find "${layers[@]}" tests -name '*.h' -o -name '*.cpp' -o -name '*.cu' | sort)
mapfile -t scripts < <(find experiments tests .ci -name '*.sh' -o -path '.ci/*' -type f | sort)
mapfile -t build_files < <(find . -path ./build -prune -o \( -name CMakeLists.txt -o -name '*.cmake' -o -name '*.cmake.in' \) -print | sort)

if [ ${#sources[@]} -lt 50 ] || [ ${#scripts[@]} -lt 3 ] || [ ${#build_files[@]} -lt 5 ]; then
  echo "the sources were not found below $PWD"
  exit 1
fi

# offences MESSAGE: fails with the message and the lines of standard input, where there are any.
offences() {
  local lines
  lines=$(cat)
  [ -z "$lines" ] && return 0
  echo "$1"
  echo "$lines"
  return 1
}

# kernels <- framework <- {models, datasets} <- experiments.
include_direction() {
  while read -r folder above; do
    grep -rnE "#include [\"<]($above)/" --include='*.h' --include='*.cpp' --include='*.cu' "$folder"
  done <<'END' | offences "these include what stands above or beside them:"
kernels framework|models|datasets|experiments|tests
framework models|datasets|experiments|tests
models datasets|experiments|tests
datasets models|experiments|tests
experiments tests
END
}

build_options() {
  grep -nE 'ACTLAB_WITH_' "${sources[@]}" | grep -vE '^(kernels/backends|datasets/sources)\.cpp:' |
    offences "only kernels/backends.cpp and datasets/sources.cpp know the build's options:"
}

heavy_headers() {
  grep -nE '#include [<"](spdlog|fmt|nlohmann|toml\+\+|CLI|oneapi)/' "${sources[@]}" | grep -E '^[^:]*\.h:' |
    grep -v '^kernels/cpu/onednn/' | offences "headers that are slow to compile belong into .cpp files:"
}

file_sizes() {
  wc -l "${sources[@]}" "${scripts[@]}" "${build_files[@]}" | awk '$2 != "total" && $1 > 400 {print $2 ":" $1 ": lines"}' |
    offences "over 400 lines there are two ideas in a file:"
}

first_comments() {
  {
    for file in "${sources[@]}"; do [[ $(head -n 1 "$file") == '// '* ]] || echo "$file:1: no comment"; done
    for file in "${scripts[@]}"; do [[ $(sed -n 2p "$file") == '# '* ]] || echo "$file:2: no comment"; done
    for file in "${build_files[@]}"; do
      grep -vE '^(cmake_minimum_required|project)' "$file" | head -n 1 | grep -q '^# ' || echo "$file:1: no comment"
    done
  } | offences "each file begins with a comment that says what it is for:"
}

machine_paths() {
  grep -nE '(^|[^A-Za-z0-9_.}])/(work|root|home|tmp|mnt)/' "${sources[@]}" "${scripts[@]}" "${build_files[@]}" |
    grep -v '^tests/structure/check.sh:' | offences "paths of one machine:"
}

# An activation is added by its header alone: no other source knows its name, except as a default, a baseline or an
# example of the help text.
activation_names() {
  local names allowed
  names=$(basename -s .h kernels/activations/*.h | paste -sd '|')
  allowed='experiments/(analysis/[a-z_]+\.cpp|cli/(cli\.cpp|claims(_speed)?\.cpp|[a-z]+_verbs\.cpp|bench_(kernel|step)\.cpp|(bench|curves)\.h)|config/(experiment\.h|schema\.cpp)|results/comparison\.cpp|runner/build\.cpp|peers/[a-z_]+\.cpp)'
  for file in "${sources[@]}"; do
    [[ $file =~ ^(kernels/(activations|math)/|tests/|experiments/examples/) || $file =~ ^$allowed$ ]] && continue
    sed 's://.*::' "$file" | grep -nwE "$names" | sed "s|^|$file:|"
  done | offences "these know an activation's name:"
}

clang_format() {
  clang-format --version 2>/dev/null | grep -q 'version 14\.' || { echo "clang-format 14 is not installed"; exit 77; }
  clang-format --dry-run "${sources[@]}" 2>&1 | grep 'code should be clang-formatted' |
    offences "run clang-format -i on these files:"
}

shell_scripts() {
  for script in "${scripts[@]}"; do bash -n "$script" 2>&1; done | offences "bash does not read these:" || return 1
  command -v shellcheck > /dev/null || { echo "read by bash; shellcheck is not installed"; exit 77; }
  shellcheck --format gcc "${scripts[@]}" | offences "shellcheck finds:"
}

"$1"
