#!/usr/bin/env bash
# Builds and tests actlab on a machine that has a GPU, the CUDA toolkit, CMake and Python, but no apt: what else it needs
# stands in build/for_gpu (tests/stage_for_gpu.sh). Runs the tests of the backend, a training of two epochs of each
# model and the benchmarks; the table is printed last. Meant for less than eight minutes; the exit code is 1 where anything
# failed.
#   tests/run_on_gpu.sh [FOLDER]    FOLDER: where the table is written too, as gpu.md
set -uo pipefail
cd "$(dirname "$0")/.." || exit 1

out=${1:-build/gpu}
build=build/gpu
staged=$PWD/build/for_gpu
if [ ! -d "$staged" ]; then
  echo "build/for_gpu is not there: run tests/stage_for_gpu.sh where the packages are installed, and carry it here" >&2
  exit 1
fi
mkdir -p "$out"
failed=0

cmake -S . -B "$build" -DCMAKE_BUILD_TYPE=Release -DCMAKE_CUDA_ARCHITECTURES=native -DACTLAB_TESTS=ON \
  -DACTLAB_WERROR=OFF -DACTLAB_WITH_CUDA=ON -DACTLAB_WITH_ONEDNN=OFF -DACTLAB_WITH_OPENBLAS=OFF -DACTLAB_WITH_DOWNLOAD=OFF \
  -DCMAKE_PREFIX_PATH="$staged" -DCMAKE_MODULE_PATH="$staged/cmake" -DCMAKE_CXX_FLAGS="-isystem $staged/include" \
  -DCMAKE_CUDA_FLAGS="-isystem $staged/include" -DOPENSSL_ROOT_DIR="$staged" -DOPENSSL_USE_STATIC_LIBS=TRUE \
  -DCMAKE_DISABLE_PRECOMPILE_HEADERS=ON &&
  cmake --build "$build" --target actlab test_cuda_device --parallel "$(nproc)" || exit 1
actlab=$build/actlab

# Where cuDNN is too, it is held against our convolutions.
cudnn=$("$actlab" list gemm --format csv | sed -n "s/^gemm,cudnn,.*here: //p")
gemms=(auto)
tables=(small_cnn small_cnn_f16 bert_ffn bert_encoder kernels steps ffn conv)
case $cudnn in "cuDNN "*) gemms+=(cudnn) ;; esac

echo "== tests"
timeout 150 "$build/tests/cuda/test_cuda_device" --gtest_brief=1 '--gtest_filter=-*Slow*:*Exhaustive*' | tee "$out/tests.log" | tail -n 40
[ "${PIPESTATUS[0]}" -eq 0 ] || failed=1
tests=$(grep -E '^\[  (PASSED|FAILED) ' "$out/tests.log" | tr '\n' ' ')

# train NAME CONFIG SETTING...: two epochs on the GPU; fails as the run does.
train() {
  local name=$1 config=$2
  shift 2
  "$actlab" run "experiments/configs/$config" "name=$name" "run.root=$out/runs" device=cuda sweep.seed=0 "$@" \
    --format csv >"$out/$name.csv" || failed=1
}
echo "== training"
train small_cnn synthetic_smoke.toml sweep.activation=relu,gelu train.epochs=2 data.train=20000 data.size=32 data.batch=128 'model.widths=[32,64]'
for gemm in "${gemms[@]:1}"; do
  train "small_cnn_$gemm" synthetic_smoke.toml gemm="$gemm" sweep.activation=relu,gelu train.epochs=2 data.train=20000 data.size=32 data.batch=128 'model.widths=[32,64]'
  tables+=("small_cnn_$gemm")
done
train small_cnn_f16 synthetic_smoke.toml sweep.activation=gelu precision=f16 train.epochs=2 data.train=20000 data.size=32 data.batch=128 'model.widths=[32,64]'
train bert_ffn text_ffn.toml sweep.activation=gelu,geglu train.steps=400
train bert_encoder text_encoder_activations.toml sweep.activation=gelu train.steps=400

echo "== benchmarks"
# bench TABLE WHAT ARGUMENT...: adds a row of measured numbers to the table.
bench() {
  local table=$out/$1.csv what=$2 rows
  shift 2
  rows=$("$actlab" bench "$what" --device cuda --format csv "$@") || failed=1
  [ -s "$table" ] && rows=$(tail -n +2 <<<"$rows")
  echo "$rows" >>"$table"
}
rm -f "$out"/{kernels,steps,ffn,conv}.csv
for dtype in f32 bf16; do
  for activation in relu gelu gelu_tanh silu mish geglu; do
    bench kernels kernel --activation "$activation" --dtype "$dtype" --elements $((1 << 26)) --roofline
  done
done
for precision in f32 bf16 f16; do
  bench steps step --activation gelu --precision "$precision"
  bench ffn ffn --activation gelu --tokens 4096 --precision "$precision"
  for gemm in "${gemms[@]}"; do
    for sizes in "--size 32 --in 3 --out 64" "--size 16 --in 64 --out 128" "--size 8 --in 256 --out 256"; do
      # shellcheck disable=SC2086
      bench conv conv --batch 256 $sizes --gemm "$gemm" --precision "$precision"
    done
  done
done

{
  echo "# actlab on $(nvidia-smi --query-gpu=name,driver_version --format=csv,noheader)"
  echo
  echo "tests: $tests"
  echo "cuDNN: ${cudnn:-not built in}"
  for table in "${tables[@]}"; do
    printf '\n%s\n\n```\n' "$table"
    cat "$out/$table.csv"
    echo '```'
  done
} >"$out/gpu.md"
cat "$out/gpu.md"
exit "$failed"
