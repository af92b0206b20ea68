#!/usr/bin/env bash
# Compiles the generated project with the SDK's compiler in one process.   tests/apps/compile/compile.sh DIR [CLASSES]
set -euo pipefail
mapfile -t command < <(python3 "$(dirname "${BASH_SOURCE[0]}")/generate.py" "$@")
((${#command[@]})) || exit 1
exec "${command[@]}"
