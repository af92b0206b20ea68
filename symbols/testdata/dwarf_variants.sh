#!/bin/sh
# dwarf_variants.sh SOURCE DIR OBJCOPY COMPILER...: DIR/NAME/inlined.so of SOURCE, as the compilers' options let DWARF be. What is
# there in the end is in DIR/variants, a name a line.
set -eu
source=$1 dir=$2 objcopy=$3
shift 3
rm -rf "$dir"
mkdir -p "$dir"
root=$(dirname "$source")/../..
common="-std=c++17 -O2 -fPIC -shared -ffunction-sections -I$root -Wl,--gc-sections -Wl,--build-id=sha1"
build() { # NAME COMPILER OPTION...
  name=$1 compiler=$2
  shift 2
  mkdir -p "$dir/$name"
  # In its folder: split DWARF is written beside the output. The source's path is a relative one, as makefiles have it.
  # shellcheck disable=SC2086
  (cd "$dir/$name" && "$compiler" $common "$@" -o inlined.so "$(realpath --relative-to=. "$source")") || { rm -rf "${dir:?}/$name"; return; }
  echo "$name" >>"$dir/variants"
}
for compiler; do
  command -v "$compiler" >/dev/null || continue
  of=$(basename "$compiler")
  build "$of-4" "$compiler" -gdwarf-4
  build "$of-5" "$compiler" -gdwarf-5
  build "$of-1" "$compiler" -g1
  build "$of-compressed" "$compiler" -g -gz=zlib
  build "$of-split-4" "$compiler" -gdwarf-4 -gsplit-dwarf
  build "$of-split-5" "$compiler" -gdwarf-5 -gsplit-dwarf
  build "$of-apart" "$compiler" -g
  (cd "$dir/$of-apart" && mkdir .debug && "$objcopy" --only-keep-debug inlined.so .debug/inlined.debug &&
    "$objcopy" --strip-all --add-gnu-debuglink=.debug/inlined.debug inlined.so stripped.so && mv stripped.so inlined.so)
done
if command -v dwz >/dev/null; then # what two files have in common is in a third: with a header there is enough
  build dwz "$1" -gdwarf-5 -include cstdlib
  mkdir -p "$dir/other"
  cp "$dir/dwz/inlined.so" "$dir/dwz/plain.so" # as it was before
  cp "$dir/dwz/inlined.so" "$dir/other/inlined.so"
  (cd "$dir" && dwz -m dwz/shared.debug -M shared.debug -h dwz/inlined.so other/inlined.so)
  rm -r "$dir/other"
fi
touch "$dir/variants"
