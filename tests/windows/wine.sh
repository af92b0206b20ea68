#!/usr/bin/env bash
# Runs a Windows program under Wine, quietly, without a display, in a prefix of its own beside the build.
#   wine.sh PROGRAM [ARGS…]
# WALKABOUT_BUILD: the build folder (default: build/windows of this tree). The prefix is made once, at the first run.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
build=${WALKABOUT_BUILD:-$here/../../build/windows}
mkdir -p "$build"
export WINEPREFIX
WINEPREFIX=$(cd "$build" && pwd)/wine
export WINEDEBUG=${WINEDEBUG:--all} WINEDLLOVERRIDES='winemenubuilder.exe,winedbg.exe=d'
unset DISPLAY WAYLAND_DISPLAY
if [[ ! -e $WINEPREFIX/made ]]; then
  mkdir -p "$WINEPREFIX"
  exec 9>"$WINEPREFIX/lock"
  flock 9
  if [[ ! -e $WINEPREFIX/made ]]; then
    # Without Mono and Gecko, which it would ask for.
    WINEDLLOVERRIDES="mscoree,mshtml=;$WINEDLLOVERRIDES" wineboot -i >/dev/null 2>&1 9>&-
    touch "$WINEPREFIX/made"
  fi
  exec 9>&-
fi
exec wine "$@"
