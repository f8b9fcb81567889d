#!/usr/bin/env bash
# Builds, tests and times actlab on a machine that has a GPU, the CUDA toolkit, CMake and Python, but no apt: what else it
# needs stands in build/for_gpu (tests/stage_for_gpu.sh). The pieces are the table at the end, the most telling ones first;
# each runs in processes of its own, none begins after the seventh minute, and all take less than ten. What is printed stands
# in FOLDER/gpu.md too, as it comes, beside the logs. The exit code is 1 where anything failed or was skipped.
#   tests/run_on_gpu.sh [FOLDER]
set -uo pipefail
cd "$(dirname "$0")/.." || exit 1

. tests/gpu/build.sh
. tests/gpu/report.sh
out=${1:-$scratch}
mkdir -p "$out"
actlab=$build/actlab
suites=$build/tests/cuda/test_cuda_device

bench() { rows 60 "$actlab" bench "$@" --device cuda --format csv; }

kernels() {
  local activation dtype
  for activation in "$@"; do
    for dtype in f32 bf16; do
      bench kernel --activation "$activation" --dtype "$dtype" --elements $((1 << 26)) --roofline
    done
  done
}

steps() {
  local gemm=$1 precision batch
  for precision in f32 bf16 f16; do
    for batch in 128 1024; do
      bench step --activation gelu --batch "$batch" --precision "$precision" --gemm "$gemm"
    done
  done
}

ffn() {
  local precision
  for precision in f32 bf16 f16; do
    bench ffn --activation gelu --tokens 4096 --precision "$precision"
  done
}

convolutions() {
  local precision sizes gemm
  for precision in f32 bf16 f16; do
    for sizes in "--size 32 --in 3 --out 64" "--size 16 --in 64 --out 128" "--size 8 --in 256 --out 256"; do
      for gemm in "$@"; do
        # shellcheck disable=SC2086
        bench conv --batch 256 $sizes --gemm "$gemm" --precision "$precision"
      done
    done
  done
}

# The same steps in PyTorch, which brings libraries of its own.
pytorch() {
  local python=(env LD_LIBRARY_PATH="$library_path" python3)
  if timeout 60 "${python[@]}" -c 'import torch; assert torch.cuda.is_available()' 2>"$scratch/stderr"; then
    run 110 "${python[@]}" experiments/peers/torch_cuda_steps.py --batch 128 1024 --tokens 4096
    grep 'is not timed' "$scratch/stderr"
  else
    echo "failed: no PyTorch that sees the GPU: $(tail -n 1 "$scratch/stderr")"
  fi
}

# tests NAME LIMIT FILTER: a group of them. After an error a device does nothing more for the process.
tests() {
  local log=$out/tests_$1.log status
  run "$2" "$suites" --gtest_filter="$3" >"$log"
  status=$?
  echo "$1: exit status $status; $(grep -c '^\[       OK ' "$log") passed, $(grep -c '^\[  FAILED .*ms)$' "$log") failed," \
    "$(grep -c '^\[  SKIPPED .*ms)$' "$log") skipped"
  [ "$status" -eq 0 ] && return
  grep -q '^\[==========\] .* ran\.' "$log" || echo "it did not end: $(grep '^\[ RUN ' "$log" | tail -n 1)"
  grep -m 20 '^\[  FAILED .*ms)$' "$log"
  grep '^failed\|^skipped' "$log"
}

train() {
  local name=$1 config=$2
  shift 2
  echo "# $name"
  rows 60 "$actlab" run "experiments/configs/$config" "name=$name" "run.root=$scratch/runs" device=cuda sweep.seed=0 "$@" \
    --format csv
}

trainings() {
  local cnn=(synthetic_smoke.toml train.epochs=2 data.train=20000 data.size=32 data.batch=128 'model.widths=[32,64]') gemm
  train small_cnn_gelu "${cnn[@]}" sweep.activation=gelu
  ACTLAB_CUDA_SYNCHRONOUS=1 train small_cnn_gelu_synchronous "${cnn[@]}" sweep.activation=gelu
  if cmp "$scratch"/runs/{small_cnn_gelu,small_cnn_gelu_synchronous}/latest/metrics.jsonl; then
    echo "losses of the synchronous training: equal"
  else
    echo "failed: losses of the synchronous training differ"
  fi
  train small_cnn_relu "${cnn[@]}" sweep.activation=relu
  train small_cnn_gelu_f16 "${cnn[@]}" sweep.activation=gelu precision=f16
  train bert_ffn_gelu text_ffn.toml sweep.activation=gelu train.steps=400
  train bert_ffn_geglu text_ffn.toml sweep.activation=geglu train.steps=400
  train bert_encoder_gelu text_encoder_activations.toml sweep.activation=gelu train.steps=400
  for gemm in "$@"; do
    train "small_cnn_gelu_$gemm" "${cnn[@]}" sweep.activation=gelu gemm="$gemm"
  done
}

# Every test but the slow ones is in one group: each leaves out what others have.
slow='*Slow*:*Exhaustive*'
products='*Matmul*:*Bfloat16*:*Convolution*'
training='*CudaTraining*:*CudaData*'
activations='*Activation*'

pieces() {
  section Machine machine
  section Build build_program "$out/build.log" || return
  local others=()
  case $(timeout 20 "$actlab" list gemm --format csv) in *"here: cuDNN "*) others=(cudnn) ;; esac
  section Program run 30 "$actlab" info
  section Kernels kernels relu gelu silu
  section Steps steps auto
  section "Feed-forward network" ffn
  section "Build of the tests" build_tests "$out/build_tests.log"
  section PyTorch pytorch
  section "Tests of products" tests products 100 "$products-$slow"
  section "Tests of training" tests training 60 "$training-$slow:$products"
  section "Tests of all else but activations" tests families 100 "-$slow:$products:$training:$activations"
  section Trainings trainings "${others[@]}"
  section Convolutions convolutions auto "${others[@]}"
  for gemm in "${others[@]}"; do section "Steps by $gemm" steps "$gemm"; done
  section "Other kernels" kernels gelu_tanh mish geglu
  section "Tests of activations" tests activations 150 "$activations-$slow:$products:$training"
}

pieces 2>&1 | tee "$out/gpu.md"
[ -s "$out/gpu.md" ] && ! grep -Eq '^(failed|skipped)' "$out/gpu.md"
