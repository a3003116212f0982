// Whether the page can be used by people who do not see it, or use no mouse, as far as axe-core finds out: {address}, of the
// page about a file with a pipeline of its own. All views, light and dark.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { check, end, given, opened, packages } from './driving.mjs';

const axe = readFileSync(packages.resolve('axe-core/axe.min.js'), 'utf8');
const { page, wrong } = await opened(given.address, { bypassCSP: true });
await page.evaluate(axe);

/** What axe finds wrong, each with where. */
async function findings() {
  const { violations } = await page.evaluate(() => globalThis.axe.run(document, { resultTypes: ['violations'] }));
  return violations.flatMap(({ id, nodes }) => nodes.slice(0, 5).map(({ target, failureSummary }) => `${id}: ${target.join(' ')}: ${failureSummary.replaceAll(/\s+/g, ' ')}`));
}

const panel = (name) => page.getByRole('tabpanel', { name });
const choose = (view, label, value) => panel(view).getByLabel(label, { exact: true }).selectOption(value);
const SHOWN = [
  ['Stages', () => page.locator('#view-stage .cm-linked').first().waitFor()],
  ['Timeline', () => page.locator('#view-timeline .did-rewritten').first().waitFor()],
  ['Timeline', async () => { await choose('Timeline', 'As', 'one'); await page.locator('#view-timeline .cm-deletedChunk').first().waitFor(); }],
  ['Timeline', async () => { await choose('Timeline', 'As', 'operations'); await page.locator('#view-timeline [role=option] .code').first().waitFor(); }],
  ['Timeline', async () => { await choose('Timeline', 'Show', 'blame'); await page.locator('#view-timeline .text .kind').first().waitFor(); }],
  ['Timeline', async () => { await choose('Timeline', 'Show', 'life'); await page.locator('.life li').first().waitFor(); }],
  ['Recorder', () => page.locator('#view-recorder .cm-deletedChunk').first().waitFor()],
  ['Graphs', async () => { await page.locator('.graph .node').first().waitFor(); }],
  ['Run', async () => { await page.locator('form.run input').first().waitFor(); }],
];

/** What axe finds wrong in each of the views. */
async function allFindings(colorScheme) {
  await page.emulateMedia({ colorScheme });
  await page.locator('#source .cm-line', { hasText: 'arith.divsi' }).first().click();
  await page.getByRole('tab', { name: 'Timeline' }).click();
  await choose('Timeline', 'Show', 'difference');
  await choose('Timeline', 'As', 'beside');
  const found = [];
  for (const [name, ready] of SHOWN) {
    await page.getByRole('tab', { name }).click();
    await ready();
    found.push(...(await findings()).map((each) => `${name}: ${each}`));
  }
  return found;
}

await check('in light colours', async () => { assert.deepEqual(await allFindings('light'), []); });

await check('in dark colours', async () => { assert.deepEqual(await allFindings('dark'), []); });

await check('the focus goes through the page in the order in which it stands', async () => {
  await page.getByRole('tab', { name: 'Timeline' }).click();
  await choose('Timeline', 'Show', 'difference');
  await page.getByLabel('Function', { exact: true }).focus();
  const gone = [];
  for (let count = 0; count < 10; count++) {
    gone.push(await page.evaluate(() => {
      const at = document.activeElement;
      return at.labels?.[0]?.textContent.trim() ?? at.getAttribute('aria-label') ?? at.textContent.trim();
    }));
    // In an editor the key Tab is text, but not behind Escape.
    if (gone.at(-1) === 'passes.mlir') await page.keyboard.press('Escape');
    await page.keyboard.press('Tab');
  }
  assert.deepEqual(gone, [
    'Function', 'Share as a file', 'passes.mlir', 'Timeline', 'Show', 'Before', 'After', 'As', 'Source names', 'Passes of @f',
  ]);
});

await check('nothing was wrong, and nothing was asked of elsewhere', () => { assert.deepEqual(wrong, []); });

await end();
