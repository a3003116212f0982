// The pages about traces, which the same server gives: {address, hostile}.
import assert from 'node:assert/strict';
import { check, end, given, opened, text, until } from './driving.mjs';

const { page, wrong } = await opened(given.address);
const panel = (name) => page.getByRole('tabpanel', { name });
const passes = page.getByRole('listbox', { name: 'Passes' });
const status = (name) => panel(name).locator('> div > [role=status]').innerText();
const at = (needle) => page.locator('#source .cm-line', { hasText: needle }).first().click();

await check('the source of a trace, and the passes that ran', async () => {
  await until(async () => (await text(page, '#source')).includes('%twice = arith.divsi'), 'the source');
  await until(async () => (await passes.innerText()).includes('convert-scf-to-cf'), 'the passes');
  assert.equal(await page.getByRole('tab').allInnerTexts().then((all) => all.join()), 'Timeline,Recorder');
  await passes.getByRole('option', { name: /^convert-scf-to-cf/ }).click();
  await until(async () => (await status('Timeline')).includes('rewritten'), 'what it changed');
});

await check('the life of the operation at the cursor', async () => {
  await panel('Timeline').getByLabel('Show', { exact: true }).selectOption('life');
  await at('arith.addi');
  const life = page.getByRole('region', { name: 'Life of the operation' });
  await until(async () => /a fold[^]*arith\.addi[^]*\(gone\)/.test(await life.innerText()), 'the life');
});

await check('a pass step by step, and why it left the operation at the cursor', async () => {
  await page.getByRole('tab', { name: 'Recorder' }).click();
  await panel('Recorder').getByRole('combobox', { name: 'Pass' }).selectOption('3-convert-scf-to-cf');
  await until(async () => /^1 of \d+: convert-scf-to-cf: /.test(await status('Recorder')), 'the first step of that pass');
  await page.getByText('Why is the operation at the cursor left?').click();
  await at('arith.divsi');
  const told = panel('Recorder').getByRole('status', { name: 'Why it is left' });
  await until(async () => (await told.innerText()) === 'convert-scf-to-cf: it tells no reason', 'no reason');
  await panel('Recorder').getByRole('combobox', { name: 'Pass' }).selectOption('4-convert-to-llvm');
  await at('arith.addf');
  await until(async () => (await told.innerText()).includes("unable to convert type for operand #0, type was 'tensor<4xf32>'"), 'the reason');
});

await check('what a trace says cannot run in the page', async () => {
  const { page: other, wrong: wrongThere } = await opened(given.hostile);
  await until(async () => (await other.getByRole('listbox', { name: 'Passes' }).getByRole('option').count()) > 2, 'the passes');
  await other.getByRole('listbox', { name: 'Passes' }).getByRole('option').nth(1).click();
  await other.getByRole('tabpanel', { name: 'Timeline' }).getByLabel('Show', { exact: true }).selectOption('blame');
  await other.getByRole('tab', { name: 'Recorder' }).click();
  await until(async () => (await other.getByRole('listbox', { name: 'Steps' }).getByRole('option').count()) > 1, 'the steps');
  assert.equal(await other.evaluate(() => globalThis.hacked), undefined);
  assert.equal(await other.locator('img:not(.cm-widgetBuffer)').count(), 0);
  assert.deepEqual(wrongThere, []);
});

await check('nothing was wrong, and nothing was asked of elsewhere', () => { assert.deepEqual(wrong, []); });

await end();
