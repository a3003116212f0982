// Bundles the extension into dist/extension.js; with --tests, each file of test/ into dist/test/ for node's test runner.
import { copyFileSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import esbuild from 'esbuild';

const tests = process.argv.includes('--tests');
const production = process.argv.includes('--production');
const common = { bundle: true, platform: 'node', target: 'node18', external: ['vscode'], logLevel: 'warning' };

if (tests) {
  rmSync('dist/test', { recursive: true, force: true });
  const entryPoints = readdirSync('test').filter((name) => name.endsWith('.test.ts')).map((name) => `test/${name}`);
  // Without an editor, another module has what commands use of it.
  const alias = { vscode: './test/editor.ts', 'vscode-languageclient/node': './test/editor.ts' };
  await esbuild.build({ ...common, entryPoints, outdir: 'dist/test', format: 'cjs', external: [], alias });
} else {
  const made = { metafile: true, minify: production, sourcemap: production ? false : 'linked' };
  const extension = await esbuild.build({
    ...common, ...made, entryPoints: ['src/extension.ts'], outfile: 'dist/extension.js', format: 'cjs',
  });
  // What a webview shows runs in a browser, with no module of Node.
  const graph = await esbuild.build({
    ...common, ...made, entryPoints: ['webview/graph.ts'], outfile: 'dist/graph.js', format: 'iife', platform: 'browser',
    target: 'es2022',
  });
  copyFileSync('webview/graph.css', 'dist/graph.css');
  const inputs = [extension, graph].flatMap(({ metafile }) => Object.keys(metafile.inputs));
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
