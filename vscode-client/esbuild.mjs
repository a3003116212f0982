// Bundles the extension into dist/extension.js; with --tests, each file of test/ and webview/test/ into dist/test/ for node's test runner.
import { copyFileSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import esbuild from 'esbuild';

const tests = process.argv.includes('--tests');
const production = process.argv.includes('--production');
const common = { bundle: true, platform: 'node', target: 'node18', external: ['vscode'], logLevel: 'warning' };

if (tests) {
  rmSync('dist/test', { recursive: true, force: true });
  const entryPoints = ['test', 'webview/test']
    .flatMap((folder) => readdirSync(folder).map((name) => `${folder}/${name}`)).filter((path) => path.endsWith('.test.ts'));
  // Without an editor, another module has what commands use of it.
  const alias = { vscode: './test/editor.ts', 'vscode-languageclient/node': './test/editor.ts' };
  await esbuild.build({ ...common, entryPoints, outdir: 'dist/test', entryNames: '[name]', format: 'cjs', external: [], alias });
} else {
  const made = { metafile: true, minify: production, sourcemap: production ? false : 'linked' };
  const extension = await esbuild.build({
    ...common, ...made, entryPoints: ['src/extension.ts'], outfile: 'dist/extension.js', format: 'cjs',
  });
  // What a webview shows runs in a browser, with no module of Node.
  const browser = { ...common, ...made, format: 'iife', platform: 'browser', target: 'es2022' };
  // A worker of a webview is begun from a text that this has, since it may load no script but its own.
  const worker = await esbuild.build({
    ...browser, entryPoints: ['webview/layout-worker.ts'], minify: true, sourcemap: false, write: false,
  });
  const graph = await esbuild.build({
    ...browser, entryPoints: ['webview/graph.ts'], outfile: 'dist/graph.js',
    define: { LAYOUT_WORKER: JSON.stringify(worker.outputFiles[0].text) },
  });
  copyFileSync('webview/graph.css', 'dist/graph.css');
  const inputs = [extension, worker, graph].flatMap(({ metafile }) => Object.keys(metafile.inputs));
  writeFileSync('dist/THIRD-PARTY-NOTICES.txt', notices(inputs));
}

/** The licences of the packages that went into the bundle: each of them asks that its text goes along. */
function notices(inputs) {
  const folders = inputs.map((path) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path)?.[0]).filter(Boolean);
  return [...new Set(folders)].sort().map((folder) => {
    const { name, version, license } = JSON.parse(readFileSync(`${folder}/package.json`, 'utf8'));
    const file = readdirSync(folder).find((entry) => /^licen[cs]e/i.test(entry));
    const text = file && existsSync(`${folder}/${file}`) ? readFileSync(`${folder}/${file}`, 'utf8').trim() : '';
    return `${name} ${version} (${license})\n\n${text}\n`;
  }).join(`\n${'-'.repeat(80)}\n\n`);
}
