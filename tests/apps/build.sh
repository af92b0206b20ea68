#!/usr/bin/env bash
# Builds one program under test and prints the file to run: a .dll (run it with `dotnet`) or an executable.
#   tests/apps/build.sh APP [TFM] [MODE] OUTDIR
# MODE: framework (default), selfcontained, singlefile, composite, windows (x64, self-contained). The result lies in OUTDIR/APP-TFM-MODE/ and is
# built again only when a source is newer. Safe to run several times at once.
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
usage() { sed -n '2,5s/^# \{0,1\}//p' "${BASH_SOURCE[0]}" >&2; exit 2; }
(($# >= 2 && $# <= 4)) || usage
app=$1
outdir=${*: -1}
tfm=net10.0
mode=framework
(($# >= 3)) && tfm=$2
(($# == 4)) && mode=$3
[[ -f $here/$app/$app.csproj ]] || { echo "build.sh: there is no program '$app' in $here" >&2; exit 2; }

properties=(-p:WalkaboutTfm="$tfm" -p:UseSharedCompilation=false)
case $mode in
  framework) properties+=(-p:UseAppHost=false) ;;
  selfcontained) properties+=(-r linux-x64 --self-contained true) ;;
  singlefile) properties+=(-r linux-x64 --self-contained true -p:PublishSingleFile=true) ;;
  composite)
    properties+=(-r linux-x64 --self-contained true -p:PublishReadyToRun=true -p:PublishReadyToRunComposite=true) ;;
  windows) properties+=(-r win-x64 --self-contained true) ;;
  *) usage ;;
esac

mkdir -p "$outdir"
outdir=$(cd "$outdir" && pwd)
name=$app-$tfm-$mode
out=$outdir/$name
product=$out/$app
[[ $mode == framework ]] && product+=.dll
[[ $mode == windows ]] && product+=.exe

exec 9>"$outdir/$name.lock"
flock 9
stamp=$outdir/$name.stamp
sources=("$here/$app" "$here/shared" "$here/Directory.Build.props" "$here/build.sh")
if [[ ! -e $stamp || ! -e $product || -n $(find "${sources[@]}" -type f -newer "$stamp" -print -quit) ]]; then
  log=$outdir/$name.log
  started=$(mktemp "$outdir/.stamp.XXXXXX")  # what changes during the build is built next time
  rm -rf "$out"
  if ! dotnet publish "$here/$app/$app.csproj" -c Release -o "$out" --nologo -v quiet -nodeReuse:false \
      -p:WalkaboutObj="$outdir/obj/$name" "${properties[@]}" >"$log" 2>&1 9>&-; then
    rm -f "$started"
    echo "build.sh: $name does not build; what dotnet said is in $log:" >&2
    tail -20 "$log" >&2
    exit 1
  fi
  mv "$started" "$stamp"
fi
echo "$product"
