// The editor, stages, graphs and runs of the page: {address, hostile, pictures}, where `address` is of the page about a plain
// file, `hostile` of one about a file that attacks, and `pictures` is a folder.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { browser, check, end, given, opened, stage, text, undo, until } from './driving.mjs';

const { address, hostile, pictures } = given;

await check('the token leaves the address and a reload still works', async () => {
  const { page, wrong } = await opened(address);
  assert.equal(new URL(page.url()).hash, '');
  await page.reload();
  await until(async () => (await text(page, '#source')).includes('@gcd'), 'the text is there again');
  assert.deepEqual(wrong, []);
});

await check('who has no token sees nothing of the file', async () => {
  const context = await browser.newContext();
  const page = await context.newPage();
  await page.goto(new URL(address).origin);
  await page.getByRole('status').filter({ hasText: 'does not answer' }).waitFor();
  assert.equal((await page.content()).includes('@gcd'), false);
});

const { page, wrong } = await opened(address);

await check('colours come from the server', async () => {
  await page.locator('#source .t-function', { hasText: '@gcd' }).first().waitFor();
  await page.locator('#source .t-macro', { hasText: 'scf.while' }).first().waitFor();
});

await check('a stage is shown, and the lines that belong together are marked', async () => {
  await until(async () => (await text(page, '#view-stage')).includes('llvm.func @gcd'), 'the LLVM dialect');
  await page.locator('#source .cm-line', { hasText: 'arith.remui %x, %y' }).first().click();
  await until(async () => (await page.locator('#view-stage .cm-linked').allInnerTexts()).some((line) => line.includes('llvm.urem')), 'marked');
  await page.locator('#view-stage .cm-line', { hasText: 'llvm.icmp "ne"' }).first().click();
  await until(async () => (await page.locator('#source .cm-linked').allInnerTexts()).some((line) => line.includes('arith.cmpi ne')), 'marked in the source');
});

await check('other stages are chosen by keyboard', async () => {
  await stage(page).focus();
  await page.keyboard.press('End');
  await stage(page).selectOption('llvm-ir');
  await until(async () => (await text(page, '#view-stage')).includes('define i32 @gcd'), 'LLVM IR');
});

await check('an edit reaches the stage, and a mistake is underlined and told', async () => {
  const before = await text(page, '#source');
  await page.locator('#source .cm-line', { hasText: '%zero = arith.constant 0' }).first().click();
  await page.keyboard.press('End');
  await page.keyboard.press('Enter');
  await page.keyboard.type('%fresh = arith.addi %a, %nowhere : i32');
  await page.locator('#source .cm-lintRange-error').first().waitFor();
  await undo(page, before);
  await until(async () => (await page.locator('#source .cm-lintRange-error').count()) === 0, 'the mistake is gone');
});

await check('completion and hover', async () => {
  const before = await text(page, '#source');
  await page.locator('#source .cm-line', { hasText: '%zero = arith.constant 0' }).first().click();
  await page.keyboard.press('End');
  await page.keyboard.press('Enter');
  await page.keyboard.type('%p = arith.ad');
  await page.locator('.cm-tooltip-autocomplete', { hasText: 'arith.addi' }).waitFor();
  await page.keyboard.press('Escape');
  await undo(page, before);
  await page.locator('#source .t-macro', { hasText: 'scf.while' }).first().hover();
  await page.locator('.cm-tooltip-hover', { hasText: 'scf.while' }).waitFor();
  await page.mouse.move(2, 2);
});

await check('a graph follows the cursor, and a node leads to its lines', async () => {
  await page.getByRole('tab', { name: 'Graphs' }).click();
  await page.getByLabel('Function', { exact: true }).selectOption('gcd_blocks');
  await stage(page).selectOption('llvm-dialect');
  await until(async () => {
    const nodes = await page.locator('.graph .node').allTextContents();
    return nodes.length === 4 && nodes.some((node) => node.includes('llvm.'));
  }, 'four blocks of the stage');
  assert.equal(await page.locator('.graph .edge').count(), 4);
  assert.equal(await page.locator('.graph .edge.back').count(), 1);
  await page.locator('#source .cm-line', { hasText: 'cf.br ^head(%y, %rest' }).click();
  await until(async () => (await page.locator('.graph .node.at').textContent())?.includes('llvm.urem'), 'the block of the cursor');
  await page.locator('.graph .node', { hasText: 'llvm.return' }).focus();
  await page.keyboard.press('Enter');
  await until(async () => (await page.locator('#source .cm-activeLine').innerText()).includes('return %x'), 'the cursor is there');
});

await check('a picture is saved, with nothing in it but the picture', async () => {
  for (const kind of ['SVG', 'PNG']) {
    const waiting = page.waitForEvent('download');
    await page.getByRole('button', { name: `Save ${kind}` }).click();
    const download = await waiting;
    assert.equal(download.suggestedFilename(), `gcd_blocks.cfg.${kind.toLowerCase()}`);
    const data = readFileSync(await download.path());
    if (kind === 'PNG') assert.equal(data.subarray(1, 4).toString(), 'PNG');
    else assert.match(data.toString(), /^<svg [^>]*xmlns="http:\/\/www.w3.org\/2000\/svg"[^>]*>.*llvm\.urem.*<\/svg>$/s);
  }
});

/** The file that is shared, in a page without scripts and without a network. */
async function sharedFile(from) {
  const waiting = from.waitForEvent('download');
  await from.getByRole('button', { name: 'Share as a file' }).click();
  const download = await waiting;
  const text = readFileSync(await download.path(), 'utf8');
  const context = await browser.newContext({ offline: true });
  const alone = await context.newPage();
  const wrong = [];
  alone.on('console', (message) => wrong.push(message.text()));
  alone.on('request', (request) => { if (!request.url().startsWith('data:')) wrong.push(request.url()); });
  await alone.setContent(text);
  return { name: download.suggestedFilename(), alone, wrong };
}

await check('a file is shared that needs no server', async () => {
  const { name, alone, wrong: amiss } = await sharedFile(page);
  assert.equal(name, 'gcd.mlir.html');
  await alone.locator('summary', { hasText: '@gcd_blocks' }).click();
  const part = alone.locator('details', { has: alone.locator('> summary', { hasText: '@gcd_blocks' }) }).first();
  await part.locator('summary', { hasText: /^LLVM IR$/ }).click();
  assert.match(await part.locator('pre:visible').innerText(), /define i32 @gcd_blocks/);
  await part.locator('summary', { hasText: 'Timeline' }).click();
  assert.match(await part.locator('table').innerText(), /convert-arith-to-llvm\s+[\d.]+\s+9 → 9\s+3/);
  assert.equal(await part.locator('img').count(), 3);
  await part.locator('summary', { hasText: 'Control flow' }).click();
  await until(() => part.locator('img').first().evaluate((image) => image.complete && image.naturalWidth > 100), 'the picture');
  assert.equal(await alone.locator('script').count(), 0);
  assert.deepEqual(amiss, []);
});

await check('a function is run', async () => {
  await page.getByRole('tab', { name: 'Run' }).click();
  const [first, second] = [page.locator('form.run input').nth(0), page.locator('form.run input').nth(1)];
  await first.fill('1071');
  await second.fill('462');
  await second.press('Enter');
  await page.locator('pre', { hasText: '= 21' }).waitFor();
});

await check('tabs go by the arrow keys, and all that can be used has a name', async () => {
  await page.getByRole('tab', { name: 'Run' }).focus();
  await page.keyboard.press('ArrowRight');
  assert.equal(await page.getByRole('tab', { selected: true }).innerText(), 'Stages');
  const nameless = await page.evaluate(() => [...document.querySelectorAll('button, select, input, [tabindex], [contenteditable]')]
    .filter((each) => !(each.getAttribute('aria-label') || each.getAttribute('aria-labelledby') || each.textContent.trim() || each.labels?.length || each.closest('.cm-editor')))
    .map((each) => each.outerHTML));
  assert.deepEqual(nameless, []);
});

await check('nothing was wrong, and nothing was asked of elsewhere', () => { assert.deepEqual(wrong, []); });

await check('light and dark', async () => {
  const ground = (of) => of.evaluate(() => getComputedStyle(document.body).backgroundColor);
  const light = await ground(page);
  await page.emulateMedia({ colorScheme: 'dark' });
  assert.notEqual(await ground(page), light);
  await page.getByRole('tab', { name: 'Graphs' }).click();
  await page.locator('.graph .node').first().waitFor();
  if (pictures) await page.screenshot({ path: `${pictures}/explore-dark.png` });
  await page.emulateMedia({ colorScheme: 'light' });
  if (pictures) await page.screenshot({ path: `${pictures}/explore.png` });
});

await check('what a file says runs nothing, and asks nothing of elsewhere', async () => {
  const attacked = await opened(hostile);
  const { page: at } = attacked;
  await until(async () => (await at.getByLabel('Function', { exact: true }).locator('option').count()) > 5, 'functions');
  await at.getByLabel('Function', { exact: true }).selectOption({ index: 1 });
  await until(async () => (await text(at, '#view-stage')).includes('llvm.func'), 'a stage');
  const functions = await at.getByLabel('Function', { exact: true }).locator('option').allTextContents();
  await at.getByRole('tab', { name: 'Graphs' }).click();
  // The last one is broken, and has a problem instead.
  for (const kind of ['calls', 'cfg', 'data-flow', 'loops']) {
    await at.getByLabel('Graph', { exact: true }).selectOption(kind);
    for (let number = 1; number < functions.length - 1; number++) {
      await at.getByLabel('Function', { exact: true }).selectOption({ index: number });
      await at.locator(`.drawing[data-kind="${kind}"] .graph .node`).first().waitFor();
    }
  }
  const shownAs = async (of, label, values, ready) => {
    for (const value of values) {
      await at.getByRole('tabpanel', { name: of }).getByLabel(label, { exact: true }).selectOption(value);
      await at.locator(ready).first().waitFor();
    }
  };
  await at.getByLabel('Function', { exact: true }).selectOption({ index: 1 });
  await at.getByRole('tab', { name: 'Timeline' }).click();
  await shownAs('Timeline', 'Show', ['difference'], '#view-timeline .did-rewritten');
  await shownAs('Timeline', 'As', ['operations', 'one', 'beside'], '#view-timeline .did-rewritten');
  await shownAs('Timeline', 'Show', ['blame'], '#view-timeline .text .kind');
  await at.locator('#source .cm-line', { hasText: 'cf.assert' }).first().click();
  await shownAs('Timeline', 'Show', ['life'], '.life li');
  await at.getByRole('tab', { name: 'Recorder' }).click();
  await shownAs('Recorder', 'As', ['operations', 'beside', 'one'], '#view-recorder .did-rewritten');
  await at.getByText('Why is the operation at the cursor left?').click();
  await at.getByRole('status', { name: 'Why it is left' }).filter({ hasText: /./ }).waitFor();
  await at.getByRole('tab', { name: 'Run' }).click();
  await at.getByRole('button', { name: 'Call' }).waitFor();
  await at.getByRole('tab', { name: 'Stages' }).click();
  for (const place of await at.locator('#source .t-function, #source .t-macro, #source .t-string').all()) {
    await at.mouse.move(2, 2);
    if (!(await place.isVisible())) continue;
    await place.hover({ force: true });
    await at.waitForTimeout(450);
  }
  const { alone, wrong: amiss } = await sharedFile(at);
  for (const summary of await alone.locator('body > details > summary').all()) await summary.click();
  assert.equal(await alone.evaluate(() => globalThis.hacked), undefined);
  assert.equal(await alone.locator('script, iframe, object, embed, form, base, img:not([src^="data:"])').count(), 0);
  assert.deepEqual(amiss, []);
  assert.equal(await at.evaluate(() => globalThis.hacked), undefined);
  assert.equal(await at.locator('img[src], iframe, script:not([src]), object, embed, form[action]').count(), 0);
  assert.deepEqual(attacked.wrong, []);
});

await end();
