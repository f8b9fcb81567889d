# For tests/run_on_gpu.sh, which reads this: its sections, and the commands in them.
# shellcheck shell=bash
scratch=build/gpu_out
rm -rf "$scratch"
mkdir -p "$scratch"
deadline=420  # seconds, after which nothing is begun
header=

# section TITLE FUNCTION ARGUMENT...: what the function prints, and the seconds since the start.
section() {
  local title=$1 status
  shift
  header=
  printf '\n## %s\n\n```\n' "$title"
  "$@"
  status=$?
  printf '```\n\n%s s\n' "$SECONDS"
  return "$status"
}

# run LIMIT COMMAND...: what the command prints; in a further line why it failed, or that it is too late for it.
run() {
  local limit=$1 status
  shift
  if [ "$SECONDS" -ge "$deadline" ]; then
    echo "skipped after $SECONDS s: ${*##*/}"
    return 1
  fi
  timeout -k 5 "$limit" "$@" 2>"$scratch/stderr" && return
  status=$?
  # On a line of its own, also after one that was not finished.
  printf '\nfailed with %s: %s: %s\n' "$status" "${*##*/}" "$(tail -n 3 "$scratch/stderr")"
  return "$status"
}

# rows LIMIT COMMAND...: the rows of its CSV, under their header where the row before had another.
rows() {
  local table first
  table=$(run "$@") || { echo "$table"; return; }
  first=$(head -n 1 <<<"$table")
  [ "$first" = "$header" ] || echo "$first"
  header=$first
  tail -n +2 <<<"$table"
}
