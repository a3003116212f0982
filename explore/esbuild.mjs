// Bundles the page into server/fathom_server/explore/page, from where the wheel takes it: index.html with style sheets,
// the script of the page, that of the worker which lays out graphs, and the licences of what went into them.
import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import esbuild from 'esbuild';

const page = '../server/fathom_server/explore/page';
rmSync(page, { recursive: true, force: true });
mkdirSync(page, { recursive: true });
const { metafile } = await esbuild.build({
  bundle: true,
  format: 'esm',
  target: 'es2022',
  entryPoints: { page: 'src/main.ts', layout: 'src/layout-worker.ts' },
  outdir: page,
  minify: true,
  metafile: true,
  legalComments: 'none',
  logLevel: 'warning',
});
const colours = '../lowering/fathom/recording/page/colours.css';
for (const path of ['src/index.html', 'src/page.css', colours, '../vscode-client/webview/graph.css']) {
  copyFileSync(path, `${page}/${path.split('/').at(-1)}`);
}
writeFileSync(`${page}/THIRD-PARTY-NOTICES.txt`, notices(Object.keys(metafile.inputs)));

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
