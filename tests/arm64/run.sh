#!/usr/bin/env bash
# Builds the walker's AArch64 logic with its tests and runs them under qemu.   tests/arm64/run.sh BUILD [GTEST ARGS]
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
build=${1:?usage: run.sh BUILD [GTEST ARGS]}
shift
launcher=$(type -P ccache || true)
cmake -S "$here" -B "$build" -G Ninja -DCMAKE_BUILD_TYPE=RelWithDebInfo --toolchain "$here/aarch64.cmake" \
  -DCMAKE_C_COMPILER_LAUNCHER="$launcher" -DCMAKE_CXX_COMPILER_LAUNCHER="$launcher" --log-level=WARNING
cmake --build "$build" --target arm64_test
exec qemu-aarch64 -L /usr/aarch64-linux-gnu "$build/arm64_test" "$@"
