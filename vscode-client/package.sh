#!/bin/sh
# Builds vscode-client/fathom.vsix from the sources and the locked versions of its build tools. In a checkout the server
# goes along, as a wheel, and so do the pictures of the walkthrough. PYTHON: one that has `build` and `hatchling`.
set -eu
cd "$(dirname "$0")"
command -v npm >/dev/null || { echo "make vsix needs Node.js 20 or later with npm (https://nodejs.org)" >&2; exit 1; }
if [ -f ../pyproject.toml ]; then
  cp ../LICENSE LICENSE
  rm -f images/vscode-*.png
  for picture in $(grep -o 'vscode-[a-z]*\.png' package.json | sort -u); do cp "../docs/images/$picture" images/; done
  rm -rf server
  "${PYTHON:-python3}" -m build --wheel --no-isolation --outdir server .. >/dev/null
fi
test node_modules/.package-lock.json -nt package-lock.json || npm ci --ignore-scripts --no-audit --no-fund
npm run package
