#!/bin/sh
# Builds vscode-client/fathom.vsix from the sources and the locked versions of its build tools.
set -eu
cd "$(dirname "$0")"
command -v npm >/dev/null || { echo "make vsix needs Node.js 20 or later with npm (https://nodejs.org)" >&2; exit 1; }
[ -f ../LICENSE ] && cp ../LICENSE LICENSE
npm ci --ignore-scripts --no-audit --no-fund
npm run package
