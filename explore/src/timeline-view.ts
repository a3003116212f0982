/**
 * What each pass did: the passes that ran, two stages and what differs in them, who changed which line, and the life of
 * the operation at the cursor.
 */

import { inWords } from '../../vscode-client/src/problems';
import { Method } from '../../vscode-client/src/protocol';
import type { BlameResult, Difference, LifeResult, Position, Stage, TimelineResult } from '../../vscode-client/src/protocol';
import { blame, setBlame } from './blame';
import { about, asked, passColumns, rowsOf, whoSaid } from './did';
import type { PassRow } from './did';
import { DifferencePane, LAYOUTS } from './difference';
import type { DifferenceLayout } from './difference';
import { Choice, element, Switch } from './dom';
import { latest } from './latest';
import { List } from './list';
import { functionMeant } from './meant';
import { Reader } from './reader';
import type { Context, View } from './view';

const SHOWN = [['difference', 'What changed'], ['blame', 'Who changed it'], ['life', 'Life of the operation']] as const;
const REST = 150;
const MOST_OF_A_LIFE = 200;

export function timelineView(context: Context): View {
  const names = new Switch('Source names', true, () => { show(); });
  const whose = new Choice('Passes of', () => { refresh(); });
  const shown = new Choice('Show', () => { show(); });
  const before = new Choice('Before', () => { show(); });
  const after = new Choice('After', () => { show(); });
  const layout = new Choice('As', () => { show(); });
  shown.fill(SHOWN);
  whose.element.hidden = true;
  layout.fill(LAYOUTS);
  const status = element('div', { class: 'note plain', role: 'status' });
  const list = new List<PassRow>('Passes', { drawn: columns, chosen: choose, entered: unfold });
  const pane = new DifferencePane();
  const blamed = element('div', { class: 'text' });
  const lived = element('div', { class: 'life', tabindex: '0', role: 'region', 'aria-label': 'Life of the operation' });
  const tools = [before, after, layout].map((choice) => choice.element);
  const root = element(
    'div',
    { class: 'column' },
    element('div', { class: 'tools' }, whose.element, shown.element, ...tools, names.element),
    list.element,
    status,
    pane.element,
    blamed,
    lived,
  );
  const reader = new Reader(blamed, 'Who changed which line', lookedAt, blame);
  const listing = latest(failed);
  const showing = latest(failed);
  const unfolded = new Set<string>();
  let looked: string | undefined;
  let lines: BlameResult['lines'] = [];
  let passes: TimelineResult['passes'] = [];
  let timer: number | undefined;
  /** Where the operation is whose life is shown: at a place in the text of a stage, or undefined for the cursor. */
  let place: { stage: string; target: Position } | undefined;

  function failed(problem: string): void {
    status.textContent = problem;
  }

  function refresh(): void {
    looked = functionMeant(context);
    void listing(async (isLast) => {
      const of = about(looked, names.isOn);
      const tools = await toolsOf(context, looked);
      if (!isLast()) return;
      whose.fill([['', 'Fathom'], ...tools.map((name) => [name, name] as const)], '');
      whose.element.hidden = tools.length === 0;
      const tool = whose.value === '' ? {} : { tool: whose.value };
      const answer = await asked<TimelineResult>(context, Method.timeline, { ...of, ...tool }).catch((problem: unknown) => {
        if (isLast()) clear();
        throw problem;
      });
      if (!isLast()) return;
      passes = answer.passes;
      const stages = ['source', ...passes.map(({ stage }) => stage)].map((stage) => [stage, stage] as const);
      before.fill(stages, 'source');
      after.fill(stages, stages.at(-1)?.[0]);
      fill();
      show();
    });
  }

  function clear(): void {
    passes = [];
    fill();
    pane.clear();
    reader.show('', 'mlir');
    lived.replaceChildren();
  }

  /** The rows, of which the one stays chosen that is. */
  function fill(): void {
    const stage = keyOf(list.row);
    const rows = rowsOf(passes, unfolded);
    list.fill(rows, rows.findIndex((row) => keyOf(row) === stage));
    list.element.setAttribute('aria-label', looked === undefined ? 'Passes' : `Passes of @${looked}`);
  }

  function choose(row: PassRow): void {
    if ('idle' in row) return;
    before.value = row.before;
    after.value = row.pass.stage;
    show();
  }

  function unfold(row: PassRow): void {
    const first = 'idle' in row ? row.idle[0] : undefined;
    if (first === undefined) return;
    if (!unfolded.delete(first.stage)) unfolded.add(first.stage);
    fill();
  }

  function show(): void {
    const what = shown.value;
    pane.element.hidden = what !== 'difference';
    blamed.hidden = what !== 'blame';
    lived.hidden = what !== 'life';
    before.element.hidden = layout.element.hidden = what !== 'difference';
    after.element.hidden = what === 'life';
    if (passes.length === 0 && what !== 'life') return;
    void showing(async (isLast) => {
      if (what === 'difference') await showDifference(isLast);
      else if (what === 'blame') await showBlame(isLast);
      else await showLife(isLast);
    });
  }

  async function showDifference(isLast: () => boolean): Promise<void> {
    const params = { ...about(looked, names.isOn), before: before.value, after: after.value };
    const answer = await asked<Difference>(context, Method.difference, params);
    if (isLast()) status.textContent = `${before.value} → ${after.value}: ${pane.show(answer, layout.value as DifferenceLayout)}`;
  }

  async function showBlame(isLast: () => boolean): Promise<void> {
    const answer = await asked<BlameResult>(context, Method.blame, { ...about(looked, names.isOn), stage: after.value });
    if (!isLast()) return;
    lines = answer.lines;
    reader.show(answer.text, 'mlir');
    reader.quietly(() => { reader.view.dispatch({ effects: setBlame.of(lines) }); });
    status.textContent = `Who last changed each line of ${after.value}`;
  }

  async function showLife(isLast: () => boolean): Promise<void> {
    const where = place ?? { position: context.cursor() };
    const of = about(looked, names.isOn);
    try {
      const answer = await asked<LifeResult>(context, Method.life, { ...of, ...where });
      if (!isLast()) return;
      status.textContent = `The life of ${answer.operation ?? 'the operation'}${place === undefined ? ' at the cursor' : ` in ${place.stage}`}`;
      lived.replaceChildren(lifeOf(answer, context));
    } catch (problem) {
      if (!isLast()) return;
      status.textContent = inWords(problem);
      lived.replaceChildren();
    }
  }

  /** A line of the blamed text is looked at: its place in the source is marked, and its life is at hand. */
  function lookedAt({ line }: Position): void {
    const who = lines[line] ?? undefined;
    const text = reader.view.state.doc.line(line + 1).text;
    place = { stage: after.value, target: { line, character: text.length - text.trimStart().length } };
    context.mark(who?.source === undefined ? [] : [who.source], true);
    status.textContent = who === undefined ? 'nobody changed this line' : whoSaid(who);
  }

  function follow(): void {
    place = undefined;
    clearTimeout(timer);
    timer = setTimeout(() => {
      if (functionMeant(context) !== looked) refresh();
      else if (shown.value === 'life') show();
    }, REST);
  }

  show();
  return { id: 'timeline', title: 'Timeline', element: root, refresh, follow };
}

/** The tools of other people that have stages here: they stand in front of the names of their passes. */
async function toolsOf(context: Context, name: string | undefined): Promise<string[]> {
  const stages = await context.ask<Stage[]>(Method.stages, name === undefined ? {} : { function: name });
  return [...new Set(stages.flatMap(({ id }) => (id.includes(':') ? [id.slice(0, id.indexOf(':'))] : [])))];
}

function keyOf(row: PassRow | undefined): string | undefined {
  return row === undefined ? undefined : 'idle' in row ? `idle ${row.idle[0]?.stage ?? ''}` : row.pass.stage;
}

function columns(row: PassRow): HTMLElement[] {
  if ('pass' in row) return passColumns(row.pass);
  const listed = row.idle.map(({ pass }) => pass).join(', ');
  return [
    element('span', { class: 'name faint', title: 'Enter unfolds them' }, `${row.idle.length} that changed nothing: ${listed}`),
  ];
}

/** The steps of a life, each with what the operation was and what it became. */
function lifeOf({ steps }: LifeResult, context: Context): HTMLElement {
  const items = steps.slice(0, MOST_OF_A_LIFE).map((step) => {
    const { source } = step;
    const title = source === undefined
      ? element('span', {}, whoSaid(step))
      : element('button', { type: 'button', click: () => { context.go(source.start); } }, whoSaid(step));
    const note = step.note ?? (step.after.length > 0 ? undefined : 'gone');
    const became = note === undefined ? step.after : [...step.after, `(${note})`];
    const text = [...step.before.map((line) => `- ${line}`), ...became.map((line) => `+ ${line}`)];
    return element('li', {}, title, element('pre', {}, text.join('\n')));
  });
  const left = steps.length - items.length;
  return element('ol', {}, ...items, ...(left > 0 ? [element('li', {}, `and ${left} more`)] : []));
}
