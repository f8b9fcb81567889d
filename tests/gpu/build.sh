# For tests/run_on_gpu.sh, which reads this: finds NVIDIA's libraries and builds actlab with them.
# shellcheck shell=bash
staged=$PWD/build/for_gpu
build=build/gpu
if [ ! -d "$staged" ]; then
  echo "build/for_gpu is not there: run tests/stage_for_gpu.sh where the packages are installed, and carry it here" >&2
  exit 1
fi
mkdir -p "$build/include"
export PATH=$PATH:/usr/local/cuda/bin

# Where the libraries and their headers may lie: with the toolkit, in Python's packages, in the system; and the headers at
# last among what was gathered.
mapfile -t folders < <(
  printf '%s\n' /usr/local/cuda/{lib64,include}
  python3 -c 'import glob, sys
for folder in sys.path:
    print(*glob.glob(folder + "/nvidia/*/lib") + glob.glob(folder + "/nvidia/*/include"), sep="\n")'
  printf '%s\n' /usr/{lib,include}{"/$(uname -m)-linux-gnu",} "$staged/nvidia"
)
# found NAME: the first file of that name.
found() { find -L "${folders[@]}" -maxdepth 1 -name "$1" -print -quit 2>/dev/null; }

cuda=$(nvcc --version | sed -n 's/.*release \([0-9]*\).*/\1/p')
cublaslt=$(found "libcublasLt.so.$cuda*")
cudnn=$(found 'libcudnn.so.9*')
# A toolkit may lack these headers and have the others, which are not to be mixed with those of a package.
for header in cublasLt.h cublas_api.h; do
  ln -sf "$(found "$header")" "$build/include/$header"
done
library_path=${LD_LIBRARY_PATH-}  # as it was
export LD_LIBRARY_PATH=${cublaslt%/*}:${cudnn%/*}${library_path:+:$library_path}

machine() {
  nvidia-smi --query-gpu=name,driver_version --format=csv,noheader || echo "failed: no nvidia-smi"
  nvcc --version | tail -n 1
  ls "${cublaslt:-no libcublasLt.so.$cuda}" "${cudnn:-no libcudnn.so.9}"
}

# build_program LOG
build_program() {
  local generator=() architecture
  command -v ninja >/dev/null && generator=(-G Ninja)
  architecture=$(nvidia-smi --query-gpu=compute_cap --format=csv,noheader 2>/dev/null | head -n 1 | tr -d .)
  if timeout -k 5 60 cmake -S . -B "$build" "${generator[@]}" -DCMAKE_BUILD_TYPE=Release \
    -DCMAKE_CUDA_ARCHITECTURES="${architecture:-90}" -DACTLAB_TESTS=ON -DACTLAB_WERROR=OFF -DACTLAB_WITH_CUDA=ON \
    -DACTLAB_WITH_ONEDNN=OFF -DACTLAB_WITH_OPENBLAS=OFF -DACTLAB_WITH_DOWNLOAD=OFF -DCMAKE_PREFIX_PATH="$staged" \
    -DCMAKE_MODULE_PATH="$staged/cmake" -DCMAKE_CXX_FLAGS="-isystem $staged/include" \
    -DCMAKE_CUDA_FLAGS="-isystem $staged/include" -DOPENSSL_ROOT_DIR="$staged" -DOPENSSL_USE_STATIC_LIBS=TRUE \
    -DACTLAB_CUBLASLT_HEADERS="$PWD/$build/include" -DACTLAB_CUDNN_HEADERS="$(dirname "$(found cudnn_version.h)")" >"$1" 2>&1 &&
    timeout -k 5 300 cmake --build "$build" --target actlab --parallel "$(nproc)" >>"$1" 2>&1; then
    grep 'actlab: CUDA\|actlab: cuDNN' "$1" || true
  else
    tail -n 30 "$1"
    echo "failed: the build"
    return 1
  fi
}

# build_tests LOG
build_tests() {
  [ "$SECONDS" -lt 300 ] || { echo "skipped after $SECONDS s: the build of the tests"; return; }
  timeout -k 5 120 cmake --build "$build" --target test_cuda_device --parallel "$(nproc)" >"$1" 2>&1 && return
  grep -m 10 -A 5 'error' "$1"
  echo "failed: the build of the tests"
}
