// A session in the real VS Code, in a browser without a screen: what a person does with Fathom, checked step by step.
//
//   node tests/clients/vscode/session.mjs --python .venv/bin/python [--home build/vscode] [--images docs/images]
//
// `--home` is where install.sh put code-server; the extension is the one that `make vsix` packaged. With `--images`, the
// pictures for the documentation are taken on the way. With `--only REGEX`, the steps are those with such a title. The
// exit status is 1 if a step failed.
import { spawn, spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const repository = resolve(dirname(fileURLToPath(import.meta.url)), '../../..');
const { values: options } = parseArgs({
  options: {
    python: { type: 'string', default: join(repository, '.venv/bin/python') },
    home: { type: 'string', default: join(repository, 'build/vscode') },
    images: { type: 'string' },
    only: { type: 'string', default: '' },
    chromium: { type: 'string', default: '/usr/bin/chromium' },
  },
});
const home = resolve(options.home);
const code = join(home, 'node_modules/code-server/out/node/entry.js');
const vsix = join(repository, 'vscode-client/fathom.vsix');
for (const [path, hint] of [[code, 'tests/clients/vscode/install.sh'], [vsix, 'make vsix'], [options.chromium, 'apt-get install chromium']]) {
  if (!existsSync(path)) throw new Error(`${path} is missing; make it with: ${hint}`);
}
const { chromium } = createRequire(join(home, 'package.json'))('playwright-core');

const PATIENCE = 40_000;
const scratch = mkdtempSync(join(tmpdir(), 'fathom-vscode-'));
const workspace = join(scratch, 'kernels');
const profile = ['--user-data-dir', join(scratch, 'data'), '--extensions-dir', join(scratch, 'extensions')];
const settings = {
  'fathom.python': resolve(options.python),
  'fathom.run.timeoutSeconds': 8,
  'fathom.compile.remarks': true,
  'security.workspace.trust.enabled': false,
  // With it the list of tasks never opens in code-server, whatever extensions there are.
  'task.autoDetect': 'off',
  'breadcrumbs.enabled': false,
  'chat.commandCenter.enabled': false,
  'editor.fontSize': 14,
  'editor.minimap.enabled': false,
  'editor.stickyScroll.enabled': false,
  'extensions.ignoreRecommendations': true,
  'files.simpleDialog.enable': true,
  'telemetry.telemetryLevel': 'off',
  'update.mode': 'none',
  'window.commandCenter': false,
  'workbench.activityBar.location': 'hidden',
  'workbench.colorTheme': 'Default Dark Modern',
  'workbench.layoutControl.enabled': false,
  'workbench.startupEditor': 'none',
  'workbench.tips.enabled': false,
};

const ENDLESS = `func.func @endless() {
  cf.br ^again
^again:
  cf.br ^again
}
`;

const TESTED = `// RUN: mlir-opt %s | mlir-opt
// RUN: mlir-opt %s -verify-diagnostics
func.func @identity(%a: i32) -> i32 {
  // expected-error@+1 {{something else}}
  return %a : i32
}

func.func @twice(%a: i32) -> i32 {
  %b = func.call @identity(%a) : (i32) -> i32
  %c = arith.addi %b, %b : i32
  return %c : i32
}
`;

const TASKS = {
  version: '2.0.0',
  tasks: [{ label: 'check it', type: 'fathom', command: 'opt', file: 'broken.mlir', problemMatcher: '$fathom' }],
};

const MARKDOWN = `# Notes

\`\`\`mlir
func.func @f(%a: i32) { return }
\`\`\`
`;

const CPP = `const char *module = R"mlir(
func.func @f(%a: i32) { return }
)mlir";
`;

const PRODUCT = `func.func @product(%a: memref<8x8xf32>, %b: memref<8x8xf32>, %c: memref<8x8xf32>) {
  affine.for %i = 0 to 8 {
    affine.for %j = 0 to 8 {
      affine.for %k = 0 to 8 {
        %x = affine.load %a[%i, %k] : memref<8x8xf32>
        %y = affine.load %b[%k, %j] : memref<8x8xf32>
        %z = affine.load %c[%i, %j] : memref<8x8xf32>
        %p = arith.mulf %x, %y : f32
        %s = arith.addf %z, %p : f32
        affine.store %s, %c[%i, %j] : memref<8x8xf32>
      }
    }
  }
  return
}
`;

/** What a run on a build server printed, with dumps of IR in it. */
function log() {
  const passes = ['--canonicalize', '--lower-affine', '--cse', '--convert-scf-to-cf', '--convert-to-llvm', '--reconcile-unrealized-casts'];
  const words = ['-m', 'fathom.cli', 'opt', ...passes, '--mlir-print-ir-after-all', '-o', '/dev/null', join(workspace, 'product.mlir')];
  const { stderr } = spawnSync(options.python, words, { encoding: 'utf8' });
  return ['Run ninja check', ...stderr.split('\n')].map((line) => `2026-11-28T21:46:31.0412Z ${line}`).join('\n');
}

function freePort() {
  return new Promise((done) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address();
      server.close(() => done(port));
    });
  });
}

async function startCode() {
  // Settings about the machine are those of the remote one, which this is.
  for (const kind of ['User', 'Machine']) {
    mkdirSync(join(scratch, 'data', kind), { recursive: true });
    writeFileSync(join(scratch, 'data', kind, 'settings.json'), JSON.stringify(settings));
  }
  cpSync(join(repository, 'examples'), workspace, { recursive: true });
  cpSync(join(repository, 'tests/fixtures/graphs/model.mlir'), join(workspace, 'model.mlir'));
  for (const [name, text] of [['endless.mlir', ENDLESS], ['tested.mlir', TESTED], ['product.mlir', PRODUCT], ['notes.md', MARKDOWN], ['module.cpp', CPP]]) {
    writeFileSync(join(workspace, name), text);
  }
  writeFileSync(join(workspace, 'broken.mlir'), 'func.func @f() {\n  return %x : i32\n}\n');
  writeFileSync(join(workspace, 'ci.log'), log());
  writeFileSync(join(workspace, 'binary.log'), Buffer.from(Array.from({ length: 65_536 }, (_, at) => (at * 7919) % 256)));
  mkdirSync(join(workspace, '.vscode'));
  writeFileSync(join(workspace, '.vscode/tasks.json'), JSON.stringify(TASKS));
  const environment = { ...process.env, XDG_CONFIG_HOME: join(scratch, 'config'), XDG_DATA_HOME: join(scratch, 'share') };
  const installed = spawnSync(process.execPath, [code, ...profile, '--install-extension', vsix], { env: environment, encoding: 'utf8' });
  if (installed.status !== 0) throw new Error(`the extension was not installed: ${installed.stdout}${installed.stderr}`);
  const port = await freePort();
  const flags = ['--auth', 'none', '--bind-addr', `127.0.0.1:${port}`, '--disable-workspace-trust', '--disable-telemetry', '--disable-update-check'];
  const server = spawn(process.execPath, [code, ...profile, ...flags], { env: environment, stdio: 'ignore', detached: true });
  for (let tries = 0; ; tries++) {
    const answer = await fetch(`http://127.0.0.1:${port}/healthz`).catch(() => undefined);
    if (answer?.ok) return { server, port };
    if (tries > 300) throw new Error('code-server did not start');
    await new Promise((done) => setTimeout(done, 100));
  }
}

const { server, port } = await startCode();
const browser = await chromium.launch({
  executablePath: options.chromium,
  args: ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync'],
});
const page = await browser.newPage({ viewport: { width: 1440, height: 810 }, deviceScaleFactor: 1 });
page.setDefaultTimeout(PATIENCE);

const failures = [];
async function step(title, action) {
  if (!new RegExp(options.only).test(title)) return;
  try {
    await action();
    console.log(`ok      ${title}`);
  } catch (error) {
    failures.push(title);
    console.log(`FAILED  ${title}\n        ${String(error.message ?? error).split('\n').slice(0, 6).join('\n        ')}`);
    await page.screenshot({ path: join(scratch, `failed-${failures.length}.png`) });
    await page.keyboard.press('Escape');
  }
}

async function picture(name) {
  if (options.images === undefined) return;
  mkdirSync(options.images, { recursive: true });
  await page.waitForTimeout(400);
  await page.screenshot({ path: join(options.images, `${name}.png`) });
}

async function openFile(name) {
  const payload = encodeURIComponent(JSON.stringify([['openFile', `vscode-remote://127.0.0.1:${port}${join(workspace, name)}`]]));
  await page.goto(`http://127.0.0.1:${port}/?folder=${encodeURIComponent(workspace)}&payload=${payload}`);
  await page.locator('.tab', { hasText: name }).waitFor();
  await page.locator('.monaco-editor .view-lines').first().waitFor();
}

const source = () => page.locator('.editor-group-container').first();
const beside = () => page.locator('.editor-group-container').nth(1);
const pane = (title) => page.locator('.pane', { has: page.locator('.pane-header', { hasText: title }) });
const inside = () => page.frameLocator('iframe.webview.ready').frameLocator('iframe');
/** Monaco draws spaces as U+00A0. */
const textOf = async (group) => (await group.locator('.view-line').allInnerTexts()).join('\n').replaceAll('\u00a0', ' ');

async function until(what, condition) {
  const deadline = Date.now() + PATIENCE;
  while (!(await condition())) {
    if (Date.now() > deadline) throw new Error(`waited in vain until ${what}`);
    await page.waitForTimeout(50);
  }
}

async function goToLine(line, column = 1) {
  await source().locator('.view-lines').first().click();
  await page.keyboard.press('Control+g');
  await page.locator('.quick-input-widget input').fill(`:${line}:${column}`);
  await page.keyboard.press('Enter');
  await page.locator('.quick-input-widget').waitFor({ state: 'hidden' });
}

/** Where `text` stands first in the example, as it was opened; each step leaves the lines where they were. */
function find(text) {
  const lines = readFileSync(join(repository, 'examples/saxpy.mlir'), 'utf8').split('\n');
  const line = lines.findIndex((each) => each.includes(text));
  return { line: line + 1, column: lines[line].indexOf(text) + 1, end: lines[line].length + 1 };
}

const running = async () =>
  (await page.locator('.statusbar-item', { hasText: 'Fathom' }).locator('.codicon-check').count()) > 0;

async function command(title) {
  await page.keyboard.press('F1');
  await page.locator('.quick-input-widget input').fill(`>${title}`);
  await page.locator('.quick-input-list .monaco-list-row', { hasText: title }).first().click();
}

async function pick(text) {
  await page.locator('.quick-input-list .monaco-list-row', { hasText: text }).first().click();
}

await step('a file opens and the server starts', async () => {
  await openFile('saxpy.mlir');
  await page.keyboard.press('Control+b');
  await until('the status bar says that Fathom runs', running);
});

await step('hovering says what a type becomes', async () => {
  const { line, column } = find('%x: memref<?xf32>');
  await goToLine(line, column);
  await page.keyboard.press('Control+k');
  await page.keyboard.press('Control+i');
  const hover = page.locator('.monaco-hover:visible .hover-contents').first();
  await until('the hover shows the descriptor', async () => (await hover.innerText().catch(() => '')).includes('llvm.struct'));
  await picture('vscode-hover');
  await page.keyboard.press('Escape');
});

await step('a preview opens beside the source', async () => {
  const { line, column } = find('arith.mulf');
  await goToLine(line, column);
  await command('Fathom: Open Preview');
  await pick('llvm-ir');
  await pick('@saxpy');
  await until('it shows LLVM IR', async () => (await textOf(beside())).includes('define void @saxpy'));
});

await step('the cursor lights up what its line became', async () => {
  const { line, column } = find('arith.addf');
  await goToLine(line, column);
  await until('the fadd is visible', async () => (await textOf(beside())).includes('fadd float'));
  await until('a line is highlighted', async () => (await beside().locator('.view-overlays .cdr').count()) > 0);
  await picture('vscode-preview');
});

await step('a broken line: a diagnostic, and the preview is stale', async () => {
  const { line, end } = find('arith.mulf');
  await goToLine(line, end);
  await page.keyboard.press('Control+Backspace');
  await page.keyboard.press('Control+Backspace');
  await page.keyboard.press('Control+Backspace');
  await until('there is a squiggle', async () => (await source().locator('.squiggly-error').count()) > 0);
  await until('the preview says that it is stale', async () =>
    (await page.locator('.tab', { hasText: '@saxpy' }).innerHTML()).includes('Stale') || (await textOf(beside())).includes('stale:'));
  await picture('vscode-broken');
});

await step('the preview follows typing', async () => {
  for (let times = 0; times < 3; times++) await page.keyboard.press('Control+z');
  const { line, column } = find('arith.mulf');
  await goToLine(line, column + 'arith.'.length);
  await page.keyboard.press('Control+Delete');
  await page.keyboard.type('subf ');
  await until('the preview subtracts', async () => (await textOf(beside())).includes('fsub float'));
  await page.keyboard.press('Escape');
  for (let times = 0; times < 8 && !(await textOf(source())).includes('arith.mulf'); times++) await page.keyboard.press('Control+z');
});

await step('a function runs with the arguments that were asked for', async () => {
  const { line, column } = find('arith.mulf');
  await goToLine(line, column);
  await command('Fathom: Run Function');
  for (const value of ['2.0', '[1, 2, 3]', '[10, 10, 10]']) {
    const input = page.locator('.quick-input-widget input');
    await input.fill(value);
    await page.keyboard.press('Enter');
    await until('the next question, or none', async () => (await input.inputValue().catch(() => '')) !== value || !(await input.isVisible()));
  }
  await until('the memory is shown', async () => (await textOf(page.locator('.part.panel'))).includes('[12, 14, 16]'));
  await until('what changed is shown', async () => (await textOf(page.locator('.part.panel'))).includes('[2]: 10 -> 16'));
  await picture('vscode-run');
});

await step('a graph opens beside the source, follows the cursor, and a node leads to its line', async () => {
  const { line, column } = find('arith.mulf');
  await goToLine(line, column);
  await command('Fathom: Open Graph');
  await pick('Control flow');
  await pick('LLVM dialect');
  await inside().locator('.graph .node.at', { hasText: 'llvm.fmul' }).waitFor();
  await picture('vscode-graph');
  await inside().locator('.graph .node', { hasText: 'llvm.return' }).click();
  const { line: last } = find('return');
  await until('the cursor is there', async () => (await page.locator('.statusbar-item', { hasText: /^Ln \d+/ }).innerText()).startsWith(`Ln ${last},`));
});

/** Chooses what the menu of a row has. It takes no click when it has just opened, and closes when an editor opens. */
async function fromMenu(row, title) {
  const entry = page.locator('.monaco-menu .action-label', { hasText: title });
  await until(`the menu has ${title}`, async () => {
    if (!(await entry.isVisible())) await row.click({ button: 'right' });
    await page.waitForTimeout(500);
    return entry.isVisible();
  });
  await entry.click();
}

/** Leaves the source alone in the window. */
async function closeOthers() {
  await source().locator('.view-lines').first().click();
  await command('View: Close Editors in Other Groups');
  await until('no other group is left', async () => (await page.locator('.editor-group-container').count()) === 1);
}

/** Folds a pane, or unfolds it. It moves what is below, which takes a while: a click there would hit something else. */
async function fold(title) {
  await pane(title).locator('.pane-header').click();
  let before;
  await until('the panes are at rest', async () => {
    await page.waitForTimeout(300);
    const now = JSON.stringify(await page.locator('.pane').evaluateAll((all) => all.map((each) => each.getBoundingClientRect())));
    const isSame = now === before;
    before = now;
    return isSame;
  });
}

await step('what each pass did is listed, and a pass is shown as a difference', async () => {
  await closeOthers();
  await page.locator('.part.panel .codicon-panel-close, .part.panel .codicon-close').first().click().catch(() => undefined);
  const { line, column } = find('arith.mulf');
  await goToLine(line, column);
  await command('Fathom: Show What Each Pass Did');
  const row = pane('Passes').locator('.monaco-list-row', { hasText: 'convert-scf-to-cf' });
  await row.waitFor();
  await fold('kernels');
  await row.click();
  await until('the difference is shown', async () => (await textOf(page.locator('.editor.modified'))).includes('cf.cond_br'));
  await picture('vscode-timeline');
});

await step('a pass is gone through step by step', async () => {
  const row = pane('Passes').locator('.monaco-list-row', { hasText: 'finalize-memref-to-llvm' });
  await row.locator('.monaco-tl-twistie').click();
  const step = pane('Passes').locator('.monaco-list-row', { hasText: 'memref.load' });
  await step.first().click();
  await until('the step is shown', async () => (await page.locator('.tab.active', { hasText: 'LoadOp' }).count()) > 0);
  await picture('vscode-steps');
  await fold('kernels');
});

await step('who changed each line of a stage is shown', async () => {
  await openFile('saxpy.mlir');
  await until('the status bar says that Fathom runs', running);
  const { line, column } = find('arith.mulf');
  await goToLine(line, column);
  await command('Fathom: Show Who Changed Each Line of a Stage');
  await pick('llvm-dialect');
  await until('the stage is shown', async () => (await textOf(beside())).includes('llvm.insertvalue'));
  await picture('vscode-blame');
});

await step('accesses to memory are drawn loop by loop', async () => {
  await openFile('product.mlir');
  await until('the status bar says that Fathom runs', running);
  await goToLine(4, 8);
  await command('Fathom: Open Graph');
  await pick('Accesses to memory');
  await pick('Source');
  await inside().locator('.graph .cells .touched').first().waitFor();
  await goToLine(5, 8);
  await inside().locator('.graph .node.at', { hasText: 'affine.load' }).waitFor();
  await picture('vscode-accesses');
});

await step('the data flow of a model is drawn', async () => {
  await openFile('model.mlir');
  await until('the status bar says that Fathom runs', running);
  await goToLine(3, 3);
  await command('Fathom: Open Graph');
  await pick('Data flow');
  await pick('Source');
  await inside().locator('.graph .node').first().waitFor();
  await picture('vscode-data-flow');
});

await step('a file is explored in the browser', async () => {
  await openFile('gcd.mlir');
  await until('the status bar says that Fathom runs', running);
  const opens = page.context().waitForEvent('page');
  await command('Fathom: Explore in the Browser');
  const explored = await opens;
  // In a browser VS Code leads to ports of its machine by a path of its own, and leaves out the token behind `#`.
  await explored.locator('#status').waitFor();
  if (await explored.title() !== 'Fathom') throw new Error(`${explored.url()} is another page`);
  await explored.close();
});

await step('the values of a run stand behind the lines', async () => {
  await openFile('gcd.mlir');
  await until('the status bar says that Fathom runs', running);
  await page.locator('.codelens-decoration a', { hasText: /^Run$/ }).first().click();
  for (const value of ['1071', '462']) {
    const input = page.locator('.quick-input-widget input');
    await input.waitFor();
    await input.fill(value);
    await page.keyboard.press('Enter');
    await until('the next question, or none', async () => (await input.inputValue().catch(() => '')) !== value || !(await input.isVisible()));
  }
  await until('there are values', async () => (await textOf(source())).includes('= 21'));
  await picture('vscode-values');
});

await step('what LLVM vectorised is told at the lines of the source', async () => {
  await openFile('product.mlir');
  await until('the status bar says that Fathom runs', running);
  await goToLine(4, 8);
  await command('Fathom: Open Preview');
  await pick('llvm-optimized');
  await pick('@product');
  await until('it shows LLVM IR', async () => (await textOf(beside())).includes('define'));
  await until('there are remarks', async () => (await source().locator('.squiggly-info').count()) > 0);
  await page.keyboard.press('Control+Shift+m');
  await page.locator('.markers-panel .monaco-list-row').first().waitFor();
  await picture('vscode-remarks');
  await page.keyboard.press('Control+Shift+m');
});

await step('a log of passes opens as a timeline, from the menu of the file', async () => {
  await openFile('product.mlir');
  await until('the status bar says that Fathom runs', running);
  await command('File: Focus on Files Explorer').catch(() => command('Explorer: Focus on Kernels View'));
  await fromMenu(page.locator('.explorer-folders-view .monaco-list-row', { hasText: 'ci.log' }), 'Open IR Dump');
  const rows = pane('IR Dumps').locator('.monaco-list-row');
  await rows.filter({ hasText: 'convert-scf-to-cf' }).first().click();
  await until('the difference is shown', async () => (await textOf(page.locator('.editor.modified'))).includes('cf.cond_br'));
  await picture('vscode-dumps');
  const [first, last] = [rows.filter({ hasText: 'lower-affine' }).first(), rows.filter({ hasText: 'convert-to-llvm' }).first()];
  await first.click();
  await last.click({ modifiers: ['Control'] });
  await fromMenu(last, 'Compare Dumps');
  await until('any two are compared', async () => (await page.locator('.tab.active', { hasText: 'lower-affine' }).count()) > 0);
  await until('the difference is shown', async () => (await textOf(page.locator('.editor.modified'))).includes('llvm.func'));
});

await step('a log that is none costs a message', async () => {
  await command('Fathom: Open IR Dump');
  await pick('A log');
  const input = page.locator('.quick-input-widget input');
  await until('a file is asked for', async () => (await input.inputValue()).startsWith('/'));
  await input.fill(join(workspace, 'binary.log'));
  await page.waitForTimeout(500);
  await page.keyboard.press('Enter');
  await page.locator('.notification-toast', { hasText: 'there is no dump of IR' }).waitFor();
});

await step('a function is lowered in place', async () => {
  await openFile('saxpy.mlir');
  await until('the status bar says that Fathom runs', running);
  const { line, column } = find('arith.mulf');
  await goToLine(line, column);
  await command('Fathom: Lower Function');
  await until('the dialect is LLVM', async () => (await textOf(source())).includes('llvm.func @saxpy'));
  await picture('vscode-lowered');
});

/** The colours in which the words of a line are drawn, in its order. */
const coloursOf = (text) =>
  source().locator('.view-line', { hasText: text }).first().locator('span > span').evaluateAll((spans) => spans.map((span) => getComputedStyle(span).color));

const lens = (text) => source().locator('.codelens-decoration a', { hasText: text });

await step('lenses stand above functions and RUN lines, and marks in the gutter', async () => {
  await openFile('tested.mlir');
  await until('the lenses are there', async () => (await lens('Run test').count()) === 2 && (await lens('1 use').count()) === 1);
  await until('two functions are marked', async () => (await source().locator('.cgmr').count()) >= 4);
});

await step('the lens Run asks for arguments and runs', async () => {
  await lens(/^Run$/).first().click();
  const input = page.locator('.quick-input-widget input');
  await input.waitFor();
  await input.fill('41');
  await page.keyboard.press('Enter');
  await until('the result is shown', async () => (await textOf(page.locator('.part.panel'))).includes('result 0 : i32 = 41'));
});

await step('the lens Bench asks for arguments and measures', async () => {
  await lens(/^Bench$/).first().click();
  const input = page.locator('.quick-input-widget input');
  await input.waitFor();
  await input.fill('41');
  await page.keyboard.press('Enter');
  await until('how long it takes is shown', async () => (await textOf(page.locator('.part.panel'))).includes('the median of'));
});

await step('the action asks for arguments and looks for the pass that breaks a function', async () => {
  await goToLine(3, 12);
  const action = page.locator('.action-widget .monaco-list-row', { hasText: 'Find the pass that breaks' });
  await until('the action is offered', async () => {
    if ((await action.count()) > 0) return true;
    await page.keyboard.press('Escape');
    await page.keyboard.press('Control+.');
    await page.waitForTimeout(1500);
    return (await action.count()) > 0;
  });
  const chosen = page.locator('.action-widget .monaco-list-row.focused', { hasText: 'Find the pass that breaks' });
  for (let times = 0; times < 9 && (await chosen.count()) === 0; times++) await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  const input = page.locator('.quick-input-widget input');
  await input.waitFor();
  await input.fill('41');
  await page.keyboard.press('Enter');
  await until('what was found is shown', async () => (await textOf(page.locator('.part.panel'))).includes('no pass changes what it does'));
});

await step('the test of a RUN line passes, and another fails at its line', async () => {
  await lens('Run test').first().click();
  await until('it passed', async () => (await lens('passed').count()) === 1);
  await lens('Run test').nth(1).click();
  await until('it failed', async () => (await lens('✗').count()) === 1);
  await until('the message stands in the text', async () => (await source().locator('.test-error-content-widget').count()) > 0);
  await picture('vscode-test');
  await page.keyboard.press('Escape');
});

/** Selects the name of the operation in line 10. */
async function selectOperation() {
  await goToLine(10, 8);
  for (const _ of 'arith.addi') await page.keyboard.press('Shift+ArrowRight');
}

await step('a completion is accepted', async () => {
  await selectOperation();
  await page.keyboard.press('Delete');
  await page.keyboard.type('arith.mul');
  await page.keyboard.press('Control+Space');
  const list = page.locator('.suggest-widget.visible');
  await list.locator('.monaco-list-row', { hasText: 'arith.muli' }).first().click();
  await until('the operation is there', async () => (await textOf(source())).includes('arith.muli'));
  await page.keyboard.press('Escape');
  for (let times = 0; times < 12 && !(await textOf(source())).includes('= arith.addi %b, %b : i32'); times++) await page.keyboard.press('Control+z');
});

await step('a quick fix mends a name', async () => {
  await selectOperation();
  await page.keyboard.type('arith.addii');
  await page.keyboard.press('Escape');
  await until('there is a squiggle', async () => (await source().locator('.squiggly-error').count()) > 0);
  await goToLine(10, 10);
  const first = page.locator('.action-widget .monaco-list-row.focused', { hasText: 'arith.addi' });
  await until('the fix is offered first', async () => {
    if ((await first.count()) > 0) return true;
    await page.keyboard.press('Escape');
    await page.keyboard.press('Control+.');
    await page.waitForTimeout(1500);
    return (await first.count()) > 0;
  });
  await page.keyboard.press('Enter');
  await until('it is mended', async () => (await textOf(source())).includes('%c = arith.addi'));
});

await step('a value is renamed, and its uses with it', async () => {
  await goToLine(9, 4);
  await page.keyboard.press('F2');
  const input = page.locator('.rename-box input, .monaco-inputbox.rename-input input').first();
  await input.waitFor();
  await input.fill('same');
  await page.keyboard.press('Enter');
  await until('all places have the new name', async () => (await textOf(source())).includes('%same, %same'));
});

await step('a file is formatted', async () => {
  await goToLine(10, 3);
  await page.keyboard.type('      ');
  await until('the line is further in', async () => (await textOf(source())).includes('        %c = arith.addi'));
  await command('Format Document');
  await until('it is where it was', async () => !(await textOf(source())).includes('   %c = arith.addi'));
});

await step('the uses of a value are lit', async () => {
  await until('they are', async () => {
    // The editor asks when the cursor moves, and not again where the text has changed meanwhile.
    await goToLine(10, 3);
    await goToLine(9, 5);
    await page.waitForTimeout(1500);
    return (await source().locator('.wordHighlightStrong, .wordHighlight').count()) >= 3;
  });
});

await step('the menu of the status bar stops and starts the server', async () => {
  await page.locator('.statusbar-item', { hasText: 'Fathom' }).click();
  await pick('Stop server');
  await until('it is stopped', async () => (await page.locator('.statusbar-item', { hasText: 'stopped' }).count()) > 0);
  await page.locator('.statusbar-item', { hasText: 'Fathom' }).click();
  await pick('Start server');
  await until('the status bar says that Fathom runs', running);
});

await step('a task finds problems', async () => {
  await openFile('tested.mlir');
  await until('the status bar says that Fathom runs', running);
  await command('Tasks: Run Task');
  await pick('check it');
  await until('a problem in a file that is not open is listed', async () => {
    // The terminal of the task comes to the front when it starts, and takes the place of the list.
    await page.locator('.part.panel .composite-bar .action-item', { hasText: 'Problems' }).click();
    const listed = await page.locator('.markers-panel').innerText().catch(() => '');
    return listed.includes('broken.mlir') && listed.includes('[Ln 2');
  });
});

await step('MLIR is coloured in Markdown and in raw strings of C++', async () => {
  for (const name of ['notes.md', 'module.cpp']) {
    await openFile(name);
    await until(`the words of ${name} have colours`, async () => new Set(await coloursOf('func.func @f')).size >= 3);
  }
});

await step('an endless program is stopped, and the server goes on', async () => {
  await openFile('endless.mlir');
  await source().locator('.view-lines').first().click();
  await command('Fathom: Run Function');
  await until('the limit is named', async () => (await textOf(page.locator('.part.panel'))).includes('error:'));
  await command('Fathom: Restart Server');
  await until('the status bar says that Fathom runs', running);
});

await browser.close();
process.kill(-server.pid);
if (failures.length === 0) rmSync(scratch, { recursive: true, force: true });
else console.log(`${failures.length} failed; pictures of them are in ${scratch}`);
process.exit(failures.length === 0 ? 0 : 1);
