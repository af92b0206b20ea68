#!/usr/bin/env bash
# Do the packages run on a clean Debian 12? Makes one (debootstrap, minimal), installs the .deb with apt in it, unpacks
# the .tar.gz in another, and profiles hello world in both.    clean_debian.sh BUILD    (as root; a part of ./dev soak)
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
build=$(cd "$1" && pwd)
work=$(mktemp -d)
cleanup() {
  for mounted in "$work"/*/{proc,dotnet,app}; do umount "$mounted" 2>/dev/null || true; done
  rm -rf --one-file-system "$work"
}
trap cleanup EXIT
"$here/../../tools/package/package.sh" "$build" "$work/packages" >/dev/null
hello=$("$here/../apps/build.sh" hello net10.0 framework "$build/apps")
dotnet=$(dirname "$(readlink -f "$(type -P dotnet)")")

# Where this machine's apt gets bookworm, and through what.
mirror=$(apt-get indextargets --format '$(SITE) $(CODENAME) $(COMPONENT)' | awk '$2 == "bookworm" && $3 == "main" {site = $1} END {print site}')
eval "$(apt-config shell http_proxy Acquire::http::Proxy)"
export http_proxy=${http_proxy:-}
debootstrap --variant=minbase bookworm "$work/clean" "$mirror" >"$work/debootstrap.log" 2>&1 || { tail "$work/debootstrap.log"; exit 1; }
cp -a "$work/clean" "$work/deb"
mv "$work/clean" "$work/tar"
cp "$work"/packages/*.deb "$work/deb/tmp/"
tar xzf "$work"/packages/*.tar.gz -C "$work/tar/opt" --strip-components=1

inside() { # TREE COMMAND…
  local tree=$work/$1
  shift
  DOTNET_ROOT=/dotnet DOTNET_SYSTEM_GLOBALIZATION_INVARIANT=1 chroot "$tree" "$@"
}
profile() { # TREE WALKABOUT
  inside "$1" "$2" run -i 1ms -o /tmp/out.walk -- /dotnet/dotnet "/app/$(basename "$hello")"
  inside "$1" "$2" stats /tmp/out.walk
}
for tree in deb tar; do
  mkdir -p "$work/$tree"/{dotnet,app}
  mount -t proc proc "$work/$tree/proc"
  mount --bind "$dotnet" "$work/$tree/dotnet"
  mount --bind "$(dirname "$hello")" "$work/$tree/app"
done
chroot "$work/deb" sh -c 'apt-get install -y -q --no-install-recommends /tmp/*.deb' >"$work/apt.log" 2>&1 || { tail "$work/apt.log"; exit 1; }
# A machine with .NET has the runtime's libstdc++; the .deb brought it along.
cp -a "$(ldconfig -p | sed -n 's/.*=> \(.*libstdc++\.so\.6\)$/\1/p' | head -n 1)" "$work/tar/usr/lib/x86_64-linux-gnu/"
profile deb walkabout
profile tar /opt/bin/walkabout
echo "both packages run on a clean Debian 12"
