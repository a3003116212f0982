// A trace as a page of its own, from a file: {plain, hostile, large}, the addresses of such pages.
import assert from 'node:assert/strict';
import { browser, check, end, given, hinder, until } from './driving.mjs';

async function opened(url) {
  const page = await (await browser.newContext({ viewport: { width: 1280, height: 800 } })).newPage();
  const wrong = [];
  page.on('pageerror', (error) => wrong.push(`error: ${error.message}`));
  page.on('console', (message) => { if (['error', 'warning'].includes(message.type())) wrong.push(message.text()); });
  page.on('dialog', (dialog) => { wrong.push(`dialog: ${dialog.message()}`); void dialog.dismiss(); });
  page.on('request', (request) => { if (request.url() !== url) wrong.push(`asked for ${request.url()}`); });
  await hinder(page);
  await page.goto(url);
  await page.locator('#after .line').first().waitFor();
  return { page, wrong };
}

const said = (page) => page.locator('#details').innerText();

await check('passes are listed, and what each changed is marked', async () => {
  const { page, wrong } = await opened(given.plain);
  const listed = await page.locator('#passes li').allInnerTexts();
  assert.deepEqual(listed.map((row) => row.split('\n')[0]), ['source', 'canonicalize', 'cse: nothing changed', 'convert-scf-to-cf', 'convert-to-llvm']);
  await page.locator('#passes button', { hasText: 'convert-scf-to-cf' }).click();
  await page.locator('#before .line.gone', { hasText: 'scf.if' }).waitFor();
  await page.locator('#after .line.made', { hasText: 'cf.cond_br' }).waitFor();
  assert.match(await page.locator('#after .line', { hasText: 'cf.cond_br' }).innerText(), /convert-scf-to-cf: IfLowering$/);
  assert.deepEqual(wrong, []);
});

await check('of an operation it is told what became of it and why it was left', async () => {
  const { page } = await opened(given.plain);
  await page.locator('#passes button', { hasText: 'convert-scf-to-cf' }).click();
  await page.locator('#before .line', { hasText: 'arith.divsi' }).click();
  await until(async () => (await said(page)).includes('cse merge: no \'arith.divsi\' before it has the same operands'), 'why not');
  assert.match(await said(page), /convert-to-llvm: VectorConvertToLLVMPattern arith\.divsi → llvm\.sdiv/);
});

await check('all of it is to be had by keyboard', async () => {
  const { page } = await opened(given.plain);
  await page.keyboard.press('Alt+ArrowRight');
  await page.locator('#passes button[aria-current=true]', { hasText: 'convert-scf-to-cf' }).waitFor();
  await page.locator('#after .lines').focus();
  for (let count = 0; count < 3; count += 1) await page.keyboard.press('ArrowDown');
  await page.locator('#after .line[aria-selected=true]').waitFor();
  assert.equal(await page.locator('#after .lines').getAttribute('aria-activedescendant'), 'after-2');
  await page.keyboard.press('End');
  assert.notEqual(await page.locator('#after .lines').getAttribute('aria-activedescendant'), 'after-2');
});

await check('what a trace says runs nothing', async () => {
  const { page, wrong } = await opened(given.hostile);
  for (const button of await page.locator('#passes button').all()) {
    await button.click();
    for (const line of await page.locator('#after .line').all()) await line.click();
  }
  assert.equal(await page.evaluate(() => globalThis.hacked), undefined);
  assert.equal(await page.locator('img, iframe, svg, base, a').count(), 0);
  assert.deepEqual(wrong, []);
});

await check('of a large text the lines that are seen are made', async () => {
  const { page, wrong } = await opened(given.large);
  assert.ok(await page.locator('#after .line').count() < 300);
  await page.locator('#after .lines').focus();
  await page.keyboard.press('End');
  await page.locator('#after .line', { hasText: 'the last line' }).waitFor();
  assert.deepEqual(wrong, []);
});

await end();
