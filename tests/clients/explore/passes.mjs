// The timeline and the recorder of the page: {address, pictures}, of the page about a file with a pipeline of
// its own; `pictures` is a folder.
import assert from 'node:assert/strict';
import { check, end, given, opened, text, until } from './driving.mjs';

const { page, wrong } = await opened(given.address);
const panel = (name) => page.getByRole('tabpanel', { name });
const passes = page.getByRole('listbox', { name: 'Passes of @f' });
const status = (name) => panel(name).locator('> div > [role=status]').innerText();
const at = (needle) => page.locator('#source .cm-line', { hasText: needle }).first().click();
const rows = async (list) => (await list.getByRole('option').allInnerTexts()).map((row) => row.split('\n')[0].replace(/ ?\(.*/, ''));

async function picture(name) {
  if (given.pictures) await page.screenshot({ path: `${given.pictures}/${name}.png` });
}

await check('the passes that ran, and those that changed nothing folded away', async () => {
  await at('arith.divsi');
  await page.getByRole('tab', { name: 'Timeline' }).click();
  await until(async () => (await passes.getByRole('option').count()) === 5, 'rows');
  assert.deepEqual(await rows(passes), [
    '1 that changed nothing: cse', 'canonicalize', 'convert-scf-to-cf', 'convert-to-llvm', '1 that changed nothing: reconcile-unrealized-casts',
  ]);
  assert.match(await passes.getByRole('option').nth(1).innerText(), /9 → 8 operations\s+1 steps/);
  await passes.focus();
  await page.keyboard.press('Home');
  await page.keyboard.press('Enter');
  await until(async () => (await rows(passes))[1] === 'cse', 'unfolded');
  await page.keyboard.press('Enter');
  await until(async () => (await passes.getByRole('option').count()) === 5, 'folded');
});

await check('what a pass changed, side by side, by the arrow keys', async () => {
  await page.keyboard.press('ArrowDown');
  await until(async () => (await status('Timeline')).startsWith('source → canonicalize: 1 removed'), 'the change');
  assert.equal(await passes.getByRole('option', { selected: true }).getAttribute('id'), await passes.getAttribute('aria-activedescendant'));
  const [before, after] = [page.getByLabel('Before: source'), page.getByLabel('After: canonicalize')];
  assert.match(await before.innerText(), /%same = arith\.addi %a, %zero : i32\s*removed/);
  assert.doesNotMatch(await after.innerText(), /%same/);
  await page.keyboard.press('End');
  await page.keyboard.press('ArrowUp');
  await until(async () => (await status('Timeline')).startsWith('convert-scf-to-cf → convert-to-llvm: '), 'the next change');
  await until(async () => (await page.getByLabel('After: convert-to-llvm').innerText()).includes('llvm.sdiv'), 'the next text');
  await picture('explore-timeline');
});

await check('any two stages, in one and by operation', async () => {
  await panel('Timeline').getByLabel('Before', { exact: true }).selectOption('source');
  await panel('Timeline').getByLabel('As', { exact: true }).selectOption('one');
  const one = page.getByLabel('What changed: convert-to-llvm');
  await until(async () => /%twice = arith\.divsi/.test(await one.innerText()), 'what is gone stands in it');
  assert.match(await one.innerText(), /llvm\.sdiv %a, %a : i32\s*rewritten/);
  await panel('Timeline').getByLabel('As', { exact: true }).selectOption('operations');
  const list = page.getByRole('listbox', { name: 'What became of operations' });
  await until(async () => (await list.innerText()).includes('%twice = arith.divsi %same, %a : i32 → %twice = llvm.sdiv %a, %a : i32'), 'by operation');
  await panel('Timeline').getByLabel('Source names').uncheck();
  await until(async () => (await list.innerText()).includes('= arith.divsi %0, %arg0 : i32'), 'names of MLIR');
  await panel('Timeline').getByLabel('Source names').check();
});

await check('who changed which line, and where that comes from', async () => {
  await panel('Timeline').getByLabel('Show', { exact: true }).selectOption('blame');
  await until(async () => /llvm\.sdiv %a, %a : i32\s*convert-to-llvm: VectorConvertToLLVMPattern/.test(await text(page, '#view-timeline .text')), 'blame');
  await page.locator('#view-timeline .text .cm-line', { hasText: 'llvm.sdiv' }).click();
  await until(async () => (await page.locator('#source .cm-linked').allInnerTexts()).join().includes('arith.divsi'), 'marked in the source');
  assert.equal(await status('Timeline'), 'convert-to-llvm: VectorConvertToLLVMPattern on arith.divsi');
});

await check('the life of an operation, of a line of a stage or at the cursor', async () => {
  const life = page.getByRole('region', { name: 'Life of the operation' });
  await panel('Timeline').getByLabel('Show', { exact: true }).selectOption('life');
  await until(async () => (await life.innerText()).includes('sdiv i32 %0, %0'), 'the life');
  assert.match(await status('Timeline'), /in convert-to-llvm$/);
  await at('arith.addi');
  await until(async () => /a fold[^]*- %same = arith.addi %a, %zero : i32[^]*\(gone\)/.test(await life.innerText()), 'another life');
  await life.getByRole('button').first().click();
  assert.match(await page.locator('#source .cm-activeLine').innerText(), /arith\.addi/);
});

await check('a pass goes forwards and backwards, by keys', async () => {
  await page.getByRole('tab', { name: 'Recorder' }).click();
  await panel('Recorder').getByLabel('Pass', { exact: true }).locator('option').nth(2).waitFor({ state: 'attached' });
  await panel('Recorder').getByLabel('Pass', { exact: true }).selectOption('convert-to-llvm');
  const steps = page.getByRole('listbox', { name: 'Steps' });
  await until(async () => /^1 of \d+: convert-to-llvm: /.test(await status('Recorder')), 'the first step of that pass');
  await steps.focus();
  for (const key of ['ArrowDown', ']']) await page.keyboard.press(key);
  await until(async () => /^3 of \d+: convert-to-llvm: CondBranchOpLowering on cf\.cond_br: 1 rewritten/.test(await status('Recorder')), 'the third step');
  await until(async () => /cf\.cond_br[^]*llvm\.cond_br[^]*rewritten/.test(await text(page, '#view-recorder .difference')), 'what it did');
  assert.match((await page.locator('#source .cm-linked').allInnerTexts()).join(), /scf\.if/);
  await picture('explore-recorder');
  await page.keyboard.press('[');
  await until(async () => (await status('Recorder')).startsWith('2 of '), 'back');
  await page.keyboard.press('Home');
  await until(async () => (await status('Recorder')) === 'before the first step', 'the beginning');
  assert.doesNotMatch(await text(page, '#view-recorder .difference'), /llvm\./);
  await page.getByRole('button', { name: 'Forward' }).click();
  await until(async () => (await status('Recorder')).startsWith('1 of '), 'forward');
});

await check('a pass can be chosen before those of another function are told', async () => {
  const pass = panel('Recorder').getByLabel('Pass', { exact: true });
  await page.evaluate(() => {
    const { send } = WebSocket.prototype;
    globalThis.held = [];
    WebSocket.prototype.send = function (message) {
      if (String(message).includes('"fathom/timeline"')) globalThis.held.push(() => { send.call(this, message); });
      else send.call(this, message);
    };
    globalThis.letGo = () => {
      WebSocket.prototype.send = send;
      for (const each of globalThis.held) each();
    };
  });
  await at('arith.addf %t, %t');
  await until(() => page.evaluate(() => globalThis.held.length > 0), 'the passes are asked for');
  await pass.selectOption('canonicalize');
  await page.evaluate(() => { globalThis.letGo(); });
  await until(async () => (await status('Recorder')) === 'no pass has taken steps here', 'the passes of the other function');
  assert.equal(await pass.locator('option').count(), 0);
  await at('arith.divsi');
  await until(async () => (await pass.locator('option').count()) === 3, 'those of the first one');
});

await check('why an operation is left', async () => {
  await page.getByText('Why is the operation at the cursor left?').click();
  await at('arith.addf %t, %t');
  const told = panel('Recorder').getByRole('status', { name: 'Why it is left' });
  await until(async () => (await told.innerText()).includes("VectorConvertToLLVMPattern: unable to convert type for operand #0, type was 'tensor<4xf32>'"), 'the reason');
});

await check('of what is broken it is said what is wrong, and after that it is all there again', async () => {
  await page.getByRole('tab', { name: 'Timeline' }).click();
  await at('arith.divsi');
  await page.keyboard.press('End');
  await page.keyboard.type('x');
  await until(async () => /line 7/.test(await status('Timeline')), 'the problem');
  await until(async () => (await page.getByRole('listbox', { name: /^Passes/ }).getByRole('option').count()) === 0, 'no passes');
  await page.keyboard.press('Backspace');
  await until(async () => (await passes.getByRole('option').count()) === 5, 'there again');
});

await check('nothing was wrong, and nothing was asked of elsewhere', () => { assert.deepEqual(wrong, []); });

await end();
