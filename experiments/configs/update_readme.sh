#!/usr/bin/env bash
# Writes the tables of keys in README.md anew, as the program prints them: update_readme.sh [PROGRAM].
set -euo pipefail
cd "$(dirname "$0")/../.."

page=experiments/configs/README.md
tables=$("${1:-build/release/actlab}" list keys --format md)
head=$(sed '/^<!-- The rest is printed by/q' "$page")
printf '%s\n\n%s\n' "$head" "$tables" > "$page"
