// The page saves the file that it is about, and no other text than it has seen: {address, folder}, where the file is `saved.mlir`.
import assert from 'node:assert/strict';
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { check, end, given, opened, until } from './driving.mjs';

const file = `${given.folder}/saved.mlir`;
const onDisk = () => readFileSync(file, 'utf8');
const before = onDisk();
const { page, wrong } = await opened(given.address);
const says = (words) => page.locator('#status').filter({ hasText: words }).waitFor();
const isDisabled = () => page.getByRole('button', { name: 'Save', exact: true }).isDisabled();

await check('Ctrl+S writes what is in the editor, with the ends of lines of the file', async () => {
  assert.ok(await isDisabled());
  const { mode } = statSync(file);
  await page.locator('#source .cm-content').click();
  await page.keyboard.press('Control+Home');
  await page.keyboard.type('// é');
  await page.keyboard.press('Enter');
  await page.keyboard.press('Control+s');
  await says('saved.mlir is saved');
  assert.equal(onDisk(), `// é\r\n${before}`);
  assert.equal(statSync(file).mode, mode);
  assert.ok(await isDisabled());
});

await check('what another has written is not lost', async () => {
  writeFileSync(file, '// another\r\n');
  await page.keyboard.type('x');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await says('not saved: the file has changed on disk');
  assert.equal(onDisk(), '// another\r\n');
  assert.equal(await isDisabled(), false);
});

await check('it is saved from the other views too, again and again, once it is there again', async () => {
  writeFileSync(file, `// é\r\n${before}`);
  await page.getByRole('tab', { name: 'Run' }).focus();
  await page.keyboard.press('Control+s');
  await says('saved.mlir is saved');
  await until(() => onDisk() === `// é\r\nx${before}`, 'the text');
});

await check('nothing was wrong, and nothing was asked of elsewhere', () => { assert.deepEqual(wrong, []); });

await end();
