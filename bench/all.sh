#!/usr/bin/env bash
# Runs the benchmarks, all or those named, one after the other, and keeps the figures of each ("name value unit", one a
# line, as it prints them) in bench/results/BENCH.json.
#   bench/all.sh [walk|rooted|oracle_equal|handler_cost|unnamed|lines|lines_cost|async|agent_cost|hello|attach|killed|births|switches|continuous|memory|overhead|ticks|syscalls|wall|events|live|service|service_constant|culprits|calls|windows|peers|report]…
# Afterwards bench/write_overhead.py puts them into docs/overhead.md; those of peers are put into docs/peers.md at once
# (bench/write_peers.py). Each takes at most a few minutes, peers about ten, on a machine that does nothing else; on a
# busy one the figures mean nothing. windows is of build/windows under Wine, and docs/windows.md has its figures.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
export WALKABOUT_BUILD=${WALKABOUT_BUILD:-$root/build/release}
order=(walk rooted oracle_equal handler_cost unnamed lines lines_cost async agent_cost hello attach killed births switches continuous memory overhead ticks syscalls wall events live service service_constant culprits calls windows peers report)
figures=$root/build/bench
mkdir -p "$figures"

is_bench() { [[ " ${order[*]} " == *" $1 "* ]]; }

with_units() { # of figures that have theirs in the name only
  awk '{ unit = "count" } /_seconds/ { unit = "s" } /_mib/ { unit = "MiB" } /_bytes_/ { unit = "bytes" }
       { print $1, $2, unit; fflush() }'
}

run_bench() {
  # In a condition errexit is off: each step says itself that it failed.
  if [[ $1 == report ]]; then
    "$root/bench/report.sh" "$WALKABOUT_BUILD/bin" | with_units | tee "$figures/report.new" || return 1
  else
    python3 -B "$root/bench/$1.py" | tee "$figures/$1.new" || return 1
  fi
  machine >"$figures/machine"
  python3 -B "$root/bench/figures.py" keep "$1" "$figures/$1.new" "$figures/machine"  # a failed bench keeps its earlier figures
}

machine() {
  echo "machine_cpus $(nproc) cpus"
  echo "machine_model $(sed -nE '0,/^model name/s/^model name\s*: *(.*)/\1/p' /proc/cpuinfo | tr ' ' '_') text"
  echo "machine_kernel $(uname -r | sed 's/-.*//') text"
  echo "machine_dotnet $(dotnet --version) text"
  echo "machine_date $(date -u +%F) text"
}

(($#)) || set -- "${order[@]}"
for name in "$@"; do
  is_bench "$name" || { echo "bench: there is no '$name'; there are: ${order[*]}" >&2; exit 2; }
done
status=0
for name in "$@"; do
  echo "== $name" >&2
  run_bench "$name" || { echo "bench: $name failed" >&2; status=1; }
done
if [[ " $* " == *" peers "* && $status == 0 ]]; then
  python3 -B "$root/bench/write_peers.py"
fi
exit "$status"
