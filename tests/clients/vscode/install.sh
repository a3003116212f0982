#!/bin/sh
# Installs the real VS Code for the browser (code-server) and what drives it, into the folder given (default: build/vscode).
#
# Needs Node.js 20 with its headers in /usr/include/node, a C++ compiler, and of Debian: libkrb5-dev, ripgrep, chromium.
# The packages' own install scripts fetch binaries from elsewhere; so they are not run, and what is native is built here.
set -eu
home=${1:-$(dirname "$0")/../../../build/vscode}
mkdir -p "$home"
cd "$home"
[ -f package.json ] || echo '{ "private": true }' > package.json
npm install --ignore-scripts --no-audit --no-fund code-server@4.100.3 playwright-core@1
code=$PWD/node_modules/code-server
gyp=$(npm root -g)/npm/node_modules/node-gyp/bin/node-gyp.js

cd "$code/lib/vscode"
npm install --ignore-scripts --no-audit --no-fund --omit=dev
(cd extensions && npm install --ignore-scripts --no-audit --no-fund --omit=dev)

argon2=$(cd "$code" && node -p "require('path').dirname(require.resolve('argon2/package.json'))")
(cd "$argon2" && node "$(cd "$code" && node -p "require.resolve('@mapbox/node-pre-gyp/bin/node-pre-gyp')")" \
  install --build-from-source --nodedir=/usr)
for module in node-pty @vscode/spdlog native-watchdog @parcel/watcher @vscode/deviceid kerberos; do
  (cd "node_modules/$module" && node "$gyp" rebuild --nodedir=/usr)
done
ln -sfn node_modules node_modules.asar
(cd extensions && ln -sfn node_modules node_modules.asar)
mkdir -p node_modules/@vscode/ripgrep/bin
ln -sf "$(command -v rg)" node_modules/@vscode/ripgrep/bin/rg
