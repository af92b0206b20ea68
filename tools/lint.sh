#!/usr/bin/env bash
# clang-format and clang-tidy over the C++ of this repository.   tools/lint.sh [FILE…]   (without files: all of it)
# Needs build/release/compile_commands.json (./dev build). clang-tidy remembers what was clean: a file is looked at
# again when it, a header of this repository or the configuration has changed.
set -uo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
database=build/release
files=("$@")
((${#files[@]})) || mapfile -t files < <(git ls-files --cached --others --exclude-standard '*.cc' '*.h')
status=0
clang-format --dry-run -Werror "${files[@]}" || status=1

cache=$database/lint
mkdir -p "$cache"
export everything
everything=$( (git ls-files --cached --others --exclude-standard '*.h' | xargs cat; cat .clang-tidy; clang-tidy --version) | sha1sum)
tidy() { # FILE
  local mark
  mark=$1-$( (echo "$everything"; cat "$1") | sha1sum | cut -c1-40)
  mark=$2/${mark//\//_}
  [[ -e $mark ]] && return
  clang-tidy --quiet -p "$3" "$1" 2>/dev/null && touch "$mark" && return
  echo "clang-tidy: $1" >&2
  return 1
}
export -f tidy
printf '%s\n' "${files[@]}" | grep '\.cc$' | while read -r file; do
  grep -q "\"file\": \"$PWD/$file\"" $database/compile_commands.json && echo "$file"
done | xargs -r -P "$(nproc)" -I{} bash -c 'tidy "$@"' _ {} "$cache" $database || status=1
((status)) || echo "lint: clean"
exit $status
