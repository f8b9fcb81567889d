#!/usr/bin/env bash
# Kills a training at random moments (kill -9) and resumes it, COUNT times (200 without it): a checkpoint can always be
# loaded once there was one, and every training ends in the bytes of one that was never killed.
#   tests/kill_and_resume.sh [COUNT [PROGRAM]]
set -euo pipefail
root=$(cd "$(dirname "$0")/.." && pwd)
count=${1:-200}
program=$(realpath "${2:-$root/build/release/actlab}")
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
export OMP_NUM_THREADS=1

# A checkpoint every two updates: many moments lie within the writing of one.
job=(run "$root/experiments/configs/synthetic_smoke.toml" sweep.activation=gelu sweep.seed=0 data.train=64 data.test=40
  data.size=8 data.batch=32 'model.widths=[4,4]' model.dropout=0.2 data.augment=true optimizer.name=adamw optimizer.lr=0.01
  train.epochs=150 train.eval_every=1 --log-level error --format csv)

# fingerprint RUN: the bytes of the last checkpoint and of the metrics.
fingerprint() { cat "$1/metrics.jsonl" "$1"/checkpoints/step-300/* | sha256sum; }

"$program" "${job[@]}" run.root=whole >whole.csv
wanted=$(fingerprint whole/synthetic_smoke/latest)

kills=0 round=0
while [ "$kills" -lt "$count" ]; do
  round=$((round + 1))
  run=killed-$round/synthetic_smoke/latest
  while true; do
    "$program" "${job[@]}" run.root="killed-$round" >killed.csv 2>errors.txt &
    process=$!
    sleep "0.$(printf '%03d' $((RANDOM % 400)))"
    kill -9 "$process" 2>/dev/null && kills=$((kills + 1))
    if wait "$process" 2>/dev/null; then break; fi
    if compgen -G "$run/checkpoints/step-*[0-9]" >/dev/null; then
      "$program" evaluate "$run" --format csv >evaluated.csv || {
        echo "after $kills kills no checkpoint of $run can be loaded" >&2
        exit 1
      }
    fi
  done
  if [ "$(fingerprint "$run")" != "$wanted" ]; then
    echo "the training $round differs from the one that was never killed" >&2
    exit 1
  fi
  rm -rf "killed-$round"
done
echo "$kills kills in $round trainings: every checkpoint could be loaded, every training ended in the same bytes"
