#!/usr/bin/env bash
# Runs libFuzzer targets, two at a time, each from its corpus.   fuzz/run.sh BIN SECONDS [TARGET…]   (without: all)
# One line a target. What was found new stays in BIN/../fuzz-work/TARGET (it is where the next run goes on), what crashed,
# hung or took too much memory in BIN/../fuzz-found; then the exit code is 1. A hang is 10 s, too much 2 GiB.
# fuzz/minimise.py takes what is worth keeping into the corpus; a crash goes there by hand, with a name that says what it was.
set -uo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
bin=$(cd "$1" && pwd) seconds=$2
shift 2
work=$bin/../fuzz-work found=$bin/../fuzz-found
targets=("$@")
((${#targets[@]})) || targets=("$here"/corpus/*)
# Freed memory is kept back for a while to find late uses; a little of it is enough for small inputs.
export ASAN_OPTIONS=quarantine_size_mb=32:detect_leaks=1 UBSAN_OPTIONS=print_stacktrace=1

statistic() { sed -n "s/^stat::$1: *//p" "$2"; }

run_one() { # TARGET
  local name=$1 log status=0
  log=$found/$name.log
  mkdir -p "$work/$name" "$found"
  rm -f "$found/$name"-*
  "$bin/${name}_fuzz" -max_total_time="$seconds" -timeout=10 -rss_limit_mb=2048 -max_len=8192 -print_final_stats=1 \
    -artifact_prefix="$found/$name-" "$work/$name" "$here/corpus/$name" >"$log" 2>&1 || status=$?
  printf '%-12s %10s runs %7s/s  corpus %4s  peak %4s MiB  %s\n' "$name" "$(statistic number_of_executed_units "$log")" \
    "$(statistic average_exec_per_sec "$log")" "$(find "$work/$name" "$here/corpus/$name" -type f | wc -l)" \
    "$(statistic peak_rss_mb "$log")" "$( ((status)) && echo FAILED || echo ok)"
  ((status)) || return 0
  sed -n -e '/expectation broken/p' -e '/^SUMMARY/p' -e '/runtime error/p' "$log"
  echo "  input: $(compgen -G "$found/$name-*" || echo none)   log: $log"
  return 1
}

export -f run_one statistic
export here bin seconds work found
printf '%s\n' "${targets[@]##*/}" | xargs -P 2 -I{} bash -c 'run_one {}' || exit 1
