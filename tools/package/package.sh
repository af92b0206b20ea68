#!/usr/bin/env bash
# Makes what people install on Debian 12, amd64.    package.sh BUILD OUT
#   OUT/walkabout_VERSION_amd64.deb            the system's libraries, by its dependencies
#   OUT/walkabout-VERSION-linux-x64.tar.gz     carries its libraries in lib/walkabout: unpack it anywhere
# The same sources give the same bytes: times are those of the last commit.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
root=$here/../..
build=$1 out=$2
version=$("$build/bin/walkabout" version | cut -d' ' -f2)
SOURCE_DATE_EPOCH=$(git -C "$root" log -1 --format=%ct 2>/dev/null || stat -c %Y "$root/CHANGELOG.md")
export SOURCE_DATE_EPOCH
mkdir -p "$out"
out=$(cd "$out" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
umask 022

make_deb() {
  local tree=$work/deb
  "$here/install_tree.sh" "$build" "$tree/usr" --strip
  install -D -m 644 "$root/LICENSE" "$tree/usr/share/doc/walkabout/copyright"
  gzip -9nc "$root/CHANGELOG.md" | install -D -m 644 /dev/stdin "$tree/usr/share/doc/walkabout/changelog.gz"
  mkdir -p "$work/shlibdeps/debian" "$tree/DEBIAN"
  printf 'Source: walkabout\n\nPackage: walkabout\nArchitecture: amd64\n' >"$work/shlibdeps/debian/control"
  local depends
  depends=$(cd "$work/shlibdeps" && dpkg-shlibdeps -O "$tree/usr/bin/walkabout" | sed -n 's/^shlibs:Depends=//p')
  cat >"$tree/DEBIAN/control" <<CONTROL
Package: walkabout
Version: $version
Architecture: amd64
Maintainer: the walkabout authors <walkabout@localhost>
Installed-Size: $(du -sk --apparent-size "$tree/usr" | cut -f1)
Depends: $depends
Recommends: libcurl3-gnutls, libdebuginfod1
Section: devel
Priority: optional
Description: CPU profiler for .NET that shows whole stacks
 Managed, native and runtime frames in one flame graph, without root and
 without stopping the runtime.
CONTROL
  find "$tree" -exec touch -h -d "@$SOURCE_DATE_EPOCH" {} +
  dpkg-deb --root-owner-group --build "$tree" "$out/walkabout_${version}_amd64.deb" >/dev/null
}

# glibc's own libraries come with the system; all others are carried.
is_glibc() { [[ $1 =~ ^(ld-linux-x86-64|libc|libm|libpthread|libdl|librt)\.so ]]; }

make_tar() {
  local name=walkabout-$version-linux-x64 tree library
  tree=$work/tar/$name
  "$here/install_tree.sh" "$build" "$tree" --strip
  ldd "$build/bin/walkabout" | awk '$2 == "=>" {print $3}' | while read -r library; do
    is_glibc "${library##*/}" && continue
    install -m 644 "$library" "$tree/lib/walkabout/"
    local package
    package=$(dpkg -S "*/$(basename "$(readlink -f "$library")")" | head -n 1 | cut -d: -f1)
    install -D -m 644 "/usr/share/doc/$package/copyright" "$tree/share/doc/walkabout/$package.copyright"
  done
  install -m 644 "$root/LICENSE" "$root/README.md" "$root/CHANGELOG.md" "$tree/share/doc/walkabout/"
  tar -C "$work/tar" --sort=name --owner=0 --group=0 --numeric-owner --mtime="@$SOURCE_DATE_EPOCH" -c "$name" |
    gzip -9n >"$out/$name.tar.gz"
}

make_deb
make_tar
ls -l "$out" | awk 'NR > 1 {print $5, $9}'
