#!/bin/sh
# Installs the tools of package-lock.json into web/node_modules, unless they are there. Builds in several directories
# may run this at once.
set -eu
cd "$(dirname "$0")"
STAMP=node_modules/.installed
exec flock . sh -c "cmp -s package-lock.json $STAMP || { npm ci --no-audit --no-fund && cp package-lock.json $STAMP; }"
