#!/usr/bin/env bash
# Builds programs under test and prints the file to run of each: a .dll (run it with `dotnet`) or an executable.
#   tests/apps/build.sh APP [TFM] [MODE] OUTDIR
#   tests/apps/build.sh --all OUTDIR APP/TFM/MODE…
# MODE: framework (default), readytorun, selfcontained, singlefile, composite, windows (x64, self-contained). The result lies in OUTDIR/APP-TFM-MODE/ and is
# built again only when a source is newer. Safe to run several times at once: one of them builds.
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
usage() { sed -n '2,6s/^# \{0,1\}//p' "${BASH_SOURCE[0]}" >&2; exit 2; }

if [[ ${1:-} == --all ]]; then
  (($# >= 3)) || usage
  outdir=$2
  programs=("${@:3}")
else
  (($# >= 2 && $# <= 4)) || usage
  outdir=${*: -1}
  tfm=net10.0 mode=framework
  (($# >= 3)) && tfm=$2
  (($# == 4)) && mode=$3
  programs=("$1/$tfm/$mode")
fi
mkdir -p "$outdir"
outdir=$(cd "$outdir" && pwd)

# What MSBuild is told of a mode.
properties_of() { # MODE
  case $1 in
    framework) echo "UseAppHost=false" ;;
    readytorun) echo "RuntimeIdentifier=linux-x64;SelfContained=false;UseAppHost=false;PublishReadyToRun=true" ;;
    selfcontained) echo "RuntimeIdentifier=linux-x64;SelfContained=true" ;;
    singlefile) echo "RuntimeIdentifier=linux-x64;SelfContained=true;PublishSingleFile=true" ;;
    composite) echo "RuntimeIdentifier=linux-x64;SelfContained=true;PublishReadyToRun=true;PublishReadyToRunComposite=true" ;;
    windows) echo "RuntimeIdentifier=win-x64;SelfContained=true" ;;
    *) usage ;;
  esac
}

product_of() { # APP TFM MODE
  local suffix=
  case $3 in framework | readytorun) suffix=.dll ;; windows) suffix=.exe ;; esac
  echo "$outdir/$1-$2-$3/$1$suffix"
}

is_built() { # APP TFM MODE
  local stamp=$outdir/$1-$2-$3.stamp
  [[ -e $stamp && -e $(product_of "$@") && -z $(find "$here/$1" "$here/shared" "$here/Directory.Build.props" \
    "$here/programs.proj" "$here/build.sh" -type f -newer "$stamp" -print -quit) ]]
}

# Into `missing`: the items of programs.proj.
find_missing() {
  local program app tfm mode name properties project
  missing=() names=()
  for program in "${programs[@]}"; do
    IFS=/ read -r app tfm mode <<<"$program"
    project=$here/$app/$app.csproj
    [[ -f $project ]] || project=$here/$app/$app.fsproj
    [[ -f $project ]] || { echo "build.sh: there is no program '$app' in $here" >&2; exit 2; }
    properties=$(properties_of "$mode")
    is_built "$app" "$tfm" "$mode" && continue
    name=$app-$tfm-$mode
    names+=("$name")
    missing+=("<Program Include=\"$project\" AdditionalProperties=\"WalkaboutTfm=$tfm;WalkaboutObj=$outdir/obj/$name;PublishDir=$outdir/$name/;$properties\" />")
  done
}

# One MSBuild and one compiler for all of them: most of what a build of one takes is their start.
build_missing() {
  local started items log name status=0
  started=$(mktemp "$outdir/.stamp.XXXXXX") # what changes during the build is built next time
  items=$outdir/programs.props log=$outdir/build.log
  printf '%s\n' "<Project><ItemGroup>" "${missing[@]}" "</ItemGroup></Project>" >"$items"
  for name in "${names[@]}"; do rm -rf "${outdir:?}/$name" "$outdir/$name.stamp"; done
  trap 'pkill -f -- "-pipename:walkabout-$$" || true' EXIT # the compiler waits for more work
  dotnet msbuild "$here/programs.proj" -nologo -v:quiet -m -nodeReuse:false -p:Items="$items" \
    -p:SharedCompilationId="walkabout-$$" >"$log" 2>&1 9>&- || status=1
  if ((status)); then
    rm -f "$started"
    echo "build.sh: ${names[*]}: not built; what dotnet said is in $log:" >&2
    tail -20 "$log" >&2
    exit 1
  fi
  for name in "${names[@]}"; do cp -p "$started" "$outdir/$name.stamp"; done
  rm -f "$started"
}

find_missing
if ((${#missing[@]})); then
  exec 9>"$outdir/lock"
  flock 9
  find_missing # another may have built them meanwhile
  ((${#missing[@]} == 0)) || build_missing
fi
for program in "${programs[@]}"; do
  IFS=/ read -r app tfm mode <<<"$program"
  product_of "$app" "$tfm" "$mode"
done
