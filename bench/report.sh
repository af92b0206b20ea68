#!/bin/sh
# `walkabout report` on a made-up recording of 10 million samples with 100,000 distinct stacks, and on one whose code has lines and
# inlined functions too; one line per figure.
# Usage: bench/report.sh [FOLDER]   FOLDER: of the programs, default build/release/bin
set -eu
bin=${1:-$(dirname "$0")/../build/release/bin}
rounds=${ROUNDS:-5}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
"$bin/report_bench" generate "$folder/large.walk" "${SAMPLES:-10000000}" "${STACKS:-100000}"
"$bin/report_bench" measure "$rounds" "$bin/walkabout" report "$folder/large.walk"
"$bin/report_bench" generate "$folder/large.walk" "${SAMPLES:-10000000}" "${STACKS:-100000}" lines | sed 's/^/lines_/'
"$bin/report_bench" measure "$rounds" "$bin/walkabout" report "$folder/large.walk" | sed 's/^report/report_inlined/'
"$bin/report_bench" measure "$rounds" "$bin/walkabout" report --lines "$folder/large.walk" | sed 's/^report/report_lines/'
