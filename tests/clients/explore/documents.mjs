// Documents made to hurt, in the page: {address, folder, figures}. The page is about `open.mlir` of the folder, which becomes
// one after the other of its folder `documents`. With `figures` it is told on standard error how long the main thread worked.
import assert from 'node:assert/strict';
import { copyFileSync, readdirSync, readFileSync } from 'node:fs';
import { check, end, given, longestTasks, opened, text, trace, until } from './driving.mjs';

const documents = `${given.folder}/documents`;
const figures = [];

/** Opens a document, types into it, and looks at its views. */
async function look(name) {
  copyFileSync(`${documents}/${name}`, `${given.folder}/open.mlir`);
  const source = readFileSync(`${documents}/${name}`, 'utf8');
  const published = [];
  const hear = (fresh) => {
    fresh.on('websocket', (socket) => {
      socket.on('framereceived', ({ payload }) => {
        const message = JSON.parse(payload.toString());
        if (message.method === 'textDocument/publishDiagnostics') published.push(message.params);
      });
    });
    return given.figures ? trace(fresh) : undefined;
  };
  let page;
  try {
    let wrong;
    ({ page, wrong } = await opened(given.address, {}, hear));
    const shown = source.slice(0, 40).split('\n')[0];
    await until(async () => (await text(page, '#source')).startsWith(shown), 'the text');
    await until(() => published.length > 0, 'diagnostics');
    const isFirst = published.at(-1).diagnostics.some(({ severity, range }) => severity === 1 && range.start.line === 0);
    if (isFirst) await page.locator('#source .cm-lint-marker-error').first().waitFor();
    await page.locator('#source .cm-content').focus();
    await page.keyboard.press('Control+Home');
    await page.keyboard.type('// ');
    await until(() => published.some(({ version }) => version > 0), 'diagnostics of the edit');
    assert.ok((await text(page, '#source')).startsWith(`// ${shown}`));
    await page.keyboard.press('Control+End');
    for (const tab of ['Timeline', 'Recorder', 'Graphs', 'Run', 'Stages']) {
      await page.getByRole('tab', { name: tab }).click();
      await until(() => page.getByRole('tabpanel', { name: tab }).isVisible(), tab);
    }
    const stage = page.locator('#view-stage .note, #view-stage .cm-content');
    await until(async () => (await stage.allInnerTexts()).some((shown) => shown.trim() !== ''), 'a stage, or why there is none');
    assert.ok((await page.evaluate(() => document.querySelectorAll('*').length)) < 10_000);
    assert.equal(await page.evaluate(() => globalThis.hacked), undefined);
    assert.deepEqual(wrong, []);
  } finally {
    if (given.figures) figures.push(`${(await longestTasks()).join(', ').padStart(20)}  ${name}`);
    await page?.context().close();
  }
}

await check('the page shows each of them, and goes on', async () => {
  const failed = [];
  for (const name of readdirSync(documents)) {
    await look(name).catch((problem) => failed.push(`${name}: ${problem.stack}`));
  }
  assert.deepEqual(failed, []);
});

if (given.figures) console.error(figures.join('\n'));
await end();
