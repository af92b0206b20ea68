#!/usr/bin/env bash
# clang-format and clang-tidy over the C++ of this repository.   tools/lint.sh [--most N] [FILE…]
# Without files: all of it. --most: clang-tidy, some seconds a file, looks at so many. A header is looked at through the
# .cc beside it, or through its test.
# Needs build/release/compile_commands.json (./dev build); files that are of the Windows build alone are looked at if
# there is one (./dev build windows). clang-tidy remembers what was clean: a file is looked at again when it, a header of
# this repository or the configuration has changed.
set -uo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
database=build/release windows=build/windows
most=1000000
if [[ ${1:-} == --most ]]; then
  most=${2:?}
  shift 2
fi
files=("$@")
((${#files[@]})) || mapfile -t files < <(git ls-files --cached --others --exclude-standard '*.cc' '*.h')
status=0
[[ -e $database/compile_commands.json ]] || { echo "lint: no $database; ./dev build first" >&2; exit 1; }
clang-format --dry-run -Werror "${files[@]}" || status=1

cache=$database/lint
mkdir -p "$cache"
python3 -B tools/compile_commands.py $database >"$cache/compile_commands.json"
if [[ -e $windows/compile_commands.json ]]; then
  mkdir -p $windows/lint
  python3 -B tools/compile_commands.py $windows >$windows/lint/compile_commands.json
fi
export everything
everything=$( (git ls-files --cached --others --exclude-standard '*.h' | xargs cat; cat .clang-tidy; clang-tidy --version) | sha1sum)
tidy() { # FILE CACHE DATABASE [ARGUMENT…]
  local mark file=$1 cache=$2 of=$3
  mark=$file-$( (echo "$everything"; cat "$file") | sha1sum | cut -c1-40)
  mark=$cache/${mark//\//_}
  [[ -e $mark ]] && return
  clang-tidy --quiet -p "$of" "${@:4}" "$file" 2>/dev/null && touch "$mark" && return
  echo "clang-tidy: $file" >&2
  return 1
}
export -f tidy
has() { [[ -e $1/compile_commands.json ]] && grep -q "\"file\": \"$PWD/$2\"" "$1/compile_commands.json"; }
sources() { # FILE…: what clang-tidy looks at for them
  local file beside
  for file in "$@"; do
    for beside in "${file%.*}.cc" "${file%.*}_test.cc"; do
      if [[ -e $beside ]]; then echo "$beside" && break; fi
    done
  done | sort -u
}
mapfile -t looked_at < <(sources "${files[@]}")
((${#looked_at[@]} <= most)) || echo "lint: clang-tidy looks at $most of ${#looked_at[@]} files"
linux_files=() windows_files=() others=0
for file in "${looked_at[@]:0:most}"; do
  if has "$cache" "$file"; then linux_files+=("$file"); elif has $windows/lint "$file"; then windows_files+=("$file"); else ((++others)); fi
done
gcc_warnings=--extra-arg=-Wno-unknown-warning-option # tests are compiled without some that clang does not know
each() { xargs -r -P "$(nproc)" -I{} bash -c 'tidy "$@"' _ {} "$cache" "$@"; }
((${#linux_files[@]} == 0)) || printf '%s\n' "${linux_files[@]}" | each "$cache" "$gcc_warnings" || status=1
if ((${#windows_files[@]})); then
  # clang takes the C headers of that gcc by itself, but not those of its libstdc++.
  library=$(dirname "$(x86_64-w64-mingw32-g++-posix -print-libgcc-file-name)")/include/c++
  printf '%s\n' "${windows_files[@]}" | each $windows/lint --extra-arg=--target=x86_64-w64-mingw32 \
    --extra-arg=-isystem"$library" --extra-arg=-isystem"$library/x86_64-w64-mingw32" || status=1
fi
((others == 0)) || echo "lint: $others files are in no build there is, and clang-tidy has not looked at them"
((status)) || echo "lint: clean"
exit $status
