// The ground of the sessions that drive the page of `fathom explore` in a real Chromium. Each reads from standard input
// what it is about, as JSON, and prints, as JSON, of each check `ok` or what was wrong. With `late`, a number, the pages are
// slow, and hear late of what the server says: no check may fail of that.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

const home = new URL('../../../explore/package.json', import.meta.url);
/** The packages that the page is built from. */
export const packages = createRequire(home);
export const given = JSON.parse(readFileSync(0, 'utf8'));
const PATIENCE = 180_000;
/** Milliseconds by which a message comes late at the most, and how many times as slow the processor is. */
const LATEST = 400;
const SLOWEST = 4;
const { chromium } = packages('playwright-core');
export const browser = await chromium.launch({ executablePath: given.chromium, args: ['--no-sandbox'] });
const results = {};

/** The numbers from 0 to 1 that the seed stands for. */
function drawing() {
  let count = 0;
  return () => createHash('sha256').update(`${given.late} ${count++}`).digest().readUInt32BE() / 2 ** 32;
}

/** Makes a page slow, and has it hear late of what the server says: in its order, each by a time that is drawn. */
export async function hinder(page) {
  if (given.late === undefined) return;
  const drawn = drawing();
  await page.routeWebSocket(/./, (socket) => {
    let before = Promise.resolve();
    socket.connectToServer().onMessage((message) => {
      const rest = new Promise((resolve) => { setTimeout(resolve, drawn() ** 2 * LATEST); });
      before = Promise.all([before, rest]).then(() => { socket.send(message); });
    });
  });
  const session = await page.context().newCDPSession(page);
  await session.send('Emulation.setCPUThrottlingRate', { rate: 1 + drawn() * (SLOWEST - 1) });
}

/** A page of its own, of which all is noted that went wrong or was asked of elsewhere. `before` is done with it first. */
export async function opened(url, options = {}, before = () => undefined) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, acceptDownloads: true, ...options });
  const page = await context.newPage();
  page.setDefaultTimeout(PATIENCE);
  const wrong = [];
  page.on('pageerror', (error) => wrong.push(`error: ${error.message}`));
  page.on('console', (message) => { if (['error', 'warning'].includes(message.type())) wrong.push(message.text()); });
  page.on('dialog', (dialog) => { wrong.push(`dialog: ${dialog.message()}`); void dialog.dismiss(); });
  const { origin } = new URL(url);
  page.on('request', (request) => {
    const to = request.url();
    if (!to.startsWith(`${origin}/`) && !/^(data|blob):/.test(to)) wrong.push(`asked for ${to}`);
  });
  await hinder(page);
  await before(page);
  await page.goto(url);
  await page.locator('#source .cm-content').waitFor();
  return { page, wrong };
}

export async function check(name, what) {
  try {
    await what();
    results[name] = 'ok';
  } catch (problem) {
    results[name] = `${problem.stack ?? problem}`;
  }
}

/** Waits until something is so. */
export async function until(what, says) {
  const end = Date.now() + PATIENCE;
  let last;
  while (Date.now() < end) {
    last = await what();
    if (last) return last;
    await new Promise((resolve) => { setTimeout(resolve, 50); });
  }
  assert.fail(`${says}: ${JSON.stringify(last)}`);
}

export const text = (page, of) => page.locator(`${of} .cm-content`).innerText();
export const stage = (page) => page.getByLabel('Stage', { exact: true }).and(page.locator('select:visible'));

/** Takes back what was typed, until the source is as it was `before`: of what is typed slowly, less goes at once. */
export async function undo(page, before) {
  await until(async () => {
    if ((await text(page, '#source')) === before) return true;
    await page.keyboard.press('Control+Z');
    return false;
  }, 'it is taken back');
}

/** Has the browser note what a page does, until `longestTasks` is asked. */
export async function trace(page) {
  await browser.startTracing(page, { categories: ['toplevel', 'devtools.timeline', '__metadata'] });
}

/** How long the main threads of pages worked at once, in milliseconds of the processor, the longest first. */
export async function longestTasks() {
  const { traceEvents: events } = JSON.parse(await browser.stopTracing());
  const isMain = (each) => each.name === 'thread_name' && each.args.name === 'CrRendererMain';
  const main = new Set(events.filter(isMain).map(({ pid, tid }) => `${pid} ${tid}`));
  const tasks = events.filter((each) => /RunTask$/.test(each.name) && main.has(`${each.pid} ${each.tid}`));
  return tasks.map(({ tdur }) => Math.round((tdur ?? 0) / 1000)).sort((a, b) => b - a).slice(0, 4);
}

/** Ends the session, with what came of it. */
export async function end() {
  await browser.close();
  console.log(JSON.stringify(results));
}
