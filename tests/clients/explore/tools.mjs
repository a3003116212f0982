// The passes of a tool that the project names in the page: {address}, of the page about a file of that project.
import assert from 'node:assert/strict';
import { check, end, given, opened, text, until } from './driving.mjs';

const { page, wrong } = await opened(given.address);
const timeline = page.getByRole('tabpanel', { name: 'Timeline' });
const passes = page.getByRole('listbox', { name: 'Passes of @f' });
const status = () => timeline.locator('> div > [role=status]').innerText();

await check('whose passes are shown can be chosen', async () => {
  await page.locator('#source .cm-line', { hasText: 'arith.divsi' }).first().click();
  await page.getByRole('tab', { name: 'Timeline' }).click();
  const whose = timeline.getByLabel('Passes of', { exact: true });
  await until(async () => (await whose.locator('option').allInnerTexts()).join() === 'Fathom,theirs', 'whose');
  await whose.selectOption('theirs');
  await until(async () => /cse[^]*canonicalize[^]*convert-arith-to-llvm/.test(await passes.innerText()), 'the passes of the tool');
});

await check('what a pass of the tool changed is told by operation', async () => {
  await passes.getByRole('option', { name: /^convert-arith-to-llvm/ }).click();
  await until(async () => (await status()).startsWith('theirs:canonicalize → theirs:convert-arith-to-llvm: '), 'the change');
  assert.match(await status(), /rewritten/);
  const after = page.getByLabel('After: theirs:convert-arith-to-llvm');
  await until(async () => /llvm\.sdiv %arg0, %arg0 : i32\s*rewritten/.test(await after.innerText()), 'what it did');
});

await check('who of them changed which line', async () => {
  await timeline.getByLabel('Show', { exact: true }).selectOption('blame');
  await until(async () => /llvm\.sdiv .*convert-arith-to-llvm/.test((await text(page, '#view-timeline .text')).replaceAll('\n', ' ')), 'blame');
});

await check('a stage of the tool is one of the stages', async () => {
  await page.getByRole('tab', { name: 'Stages' }).click();
  await page.getByRole('tabpanel', { name: 'Stages' }).getByRole('combobox', { name: 'Stage' }).selectOption('theirs:convert-arith-to-llvm');
  await until(async () => (await text(page, '#view-stage .text')).includes('llvm.sdiv %arg0, %arg0'), 'the stage');
});

await check('nothing was wrong, and nothing was asked of elsewhere', () => { assert.deepEqual(wrong, []); });

await end();
