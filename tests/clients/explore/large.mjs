// A file of 100,000 lines in the page: {address, figures}. What is not seen is not made, and a key sends itself. With
// `figures` it is told on standard error how long the main thread worked, in milliseconds of its processor.
import assert from 'node:assert/strict';
import { check, end, given, longestTasks, opened, text, trace, until } from './driving.mjs';


const figures = [];
const traffic = { sent: 0, received: 0 };
/** Whether the first of what is measured is over: that began before the page. */
let isNoted = false;

const { page, wrong } = await opened(given.address, {}, async (fresh) => {
  fresh.on('websocket', (socket) => {
    socket.on('framesent', ({ payload }) => { traffic.sent += payload.length; });
    socket.on('framereceived', ({ payload }) => { traffic.received += payload.length; });
  });
  if (!given.figures) return;
  await fresh.addInitScript(() => {
    globalThis.keys = [];
    const seen = (list) => { for (const each of list.getEntries()) if (each.name === 'keydown') globalThis.keys.push(each.duration); };
    new PerformanceObserver(seen).observe({ type: 'event', durationThreshold: 16 });
  });
  await trace(fresh);
});

/** Does something, and notes what it took: the longest tasks of the main thread, what was sent, and latencies of keys. */
async function measured(name, what) {
  if (given.figures && isNoted) await trace(page);
  if (isNoted) Object.assign(traffic, { sent: 0, received: 0 });
  isNoted = true;
  try {
    await what();
  } finally {
    if (given.figures) await note(name);
  }
}

async function note(name) {
  const longest = await longestTasks();
  const keys = await page.evaluate(() => globalThis.keys.splice(0).sort((a, b) => a - b));
  figures.push({ name, longest, ...traffic, nodes: await count('*'), keys });
}

const count = (of) => page.evaluate((selector) => document.querySelectorAll(selector).length, of);
const rest = (milliseconds) => new Promise((resolve) => { setTimeout(resolve, milliseconds); });

await check('only the lines that are seen are made', () => measured('opening', async () => {
  await page.locator('#source .t-macro').first().waitFor();
  await page.getByLabel('Function', { exact: true }).locator('option').nth(1).waitFor({ state: 'attached' });
  await rest(given.figures ? 3000 : 0);
  assert.ok((await count('#source .cm-line')) < 150);
}));

await check('a key sends itself, and the colours of what is seen', async () => {
  await page.locator('#source .cm-line', { hasText: '%3 = ' }).first().click();
  await page.keyboard.press('End');
  await measured('typing 30 keys', async () => {
    for (const key of ' // thirty keys are typed here') { await page.keyboard.type(key); await rest(80); }
    await until(() => traffic.sent > 300, 'the keys are sent');
    await rest(400);
    assert.ok(traffic.sent < 30 * 2000, `${traffic.sent} bytes`);
  });
});

await check('the end of the file is coloured too', () => measured('going to the end, and 20 pages up', async () => {
  await page.keyboard.press('Control+End');
  await until(async () => (await text(page, '#source')).includes('@last'), 'the end');
  await page.locator('#source .cm-line', { hasText: '@last' }).locator('.t-function').waitFor();
  for (let number = 0; number < 20; number++) { await page.keyboard.press('PageUp'); await rest(40); }
  assert.ok((await count('#source .cm-line')) < 150);
}));

await check('of a big function the stage of a part is shown, and it follows the cursor', () => measured('a stage', async () => {
  await page.getByLabel('Function', { exact: true }).selectOption('big');
  await page.locator('#source .cm-scroller').evaluate((scroller) => { scroller.scrollTop = 0; });
  await page.locator('#source .cm-line', { hasText: '%3 = ' }).first().click();
  await until(async () => /@big\.part/.test(await text(page, '#view-stage')), 'a part');
  await until(async () => (await page.locator('#view-stage .cm-linked').count()) > 0, 'marked');
  assert.ok((await count('#view-stage .cm-line')) < 150);
}));

await check('of the timeline and of thousands of steps only the rows that are seen are made', async () => {
  await measured('the timeline', async () => {
    await page.getByRole('tab', { name: 'Timeline' }).click();
    await page.locator('#view-timeline .cm-mergeView .did-rewritten').first().waitFor();
    assert.ok((await count('#view-timeline .cm-line')) < 400);
  });
  await measured('the recorder', async () => {
    await page.getByRole('tab', { name: 'Recorder' }).click();
    const steps = page.getByRole('listbox', { name: 'Steps' });
    await steps.getByRole('option').nth(5).waitFor();
    await steps.focus();
    await page.keyboard.press('End');
    await until(async () => (await steps.getByRole('option', { selected: true }).getAttribute('aria-posinset')) > 2000, 'the last step');
    assert.ok((await count('#view-recorder [role=option]')) < 60);
    await until(async () => /of \d+: convert-arith-to-llvm/.test(await page.locator('#view-recorder > div > .note').innerText()), 'it is shown');
  });
});

await check('nothing was wrong, and nothing was asked of elsewhere', () => { assert.deepEqual(wrong, []); });

if (given.figures) for (const each of figures) console.error(JSON.stringify(each));
await end();
