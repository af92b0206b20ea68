#!/usr/bin/env bash
# Lays out what a user needs below PREFIX.    install_tree.sh BUILD PREFIX [--strip]
# bin/walkabout, the agent in lib/walkabout, the man page and the shells' completions, made from the program's own help.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
build=$1 prefix=$2
strip=(${3:+--strip-program=strip -s})
install -D -m 755 "${strip[@]}" "$build/bin/walkabout" "$prefix/bin/walkabout"
install -D -m 755 "${strip[@]}" "$build/bin/libwalkabout.so" "$prefix/lib/walkabout/libwalkabout.so"
version=$("$build/bin/walkabout" version | cut -d' ' -f2)
write() { # FILE COMMAND…
  local file=$1
  shift
  install -D -m 644 /dev/null "$file"
  python3 -B "$here/$1" "$build/bin/walkabout" "${@:2}" >"$file"
}
write "$prefix/share/man/man1/walkabout.1" make_man.py "$version"
gzip -9nf "$prefix/share/man/man1/walkabout.1"
write "$prefix/share/bash-completion/completions/walkabout" make_completions.py bash
write "$prefix/share/zsh/vendor-completions/_walkabout" make_completions.py zsh
write "$prefix/share/fish/vendor_completions.d/walkabout.fish" make_completions.py fish
