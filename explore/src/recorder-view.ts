/** A pass replayed step by step, forwards and backwards, and why the operation at the cursor is left. */

import { inWords } from '../../vscode-client/src/problems';
import { Method } from '../../vscode-client/src/protocol';
import type { Difference, ListedStep, StepsResult, TimelineResult, WhyNotResult } from '../../vscode-client/src/protocol';
import { about, asked, whoSaid } from './did';
import { DifferencePane, LAYOUTS } from './difference';
import type { DifferenceLayout } from './difference';
import { Choice, element, Switch } from './dom';
import { latest } from './latest';
import { List } from './list';
import { functionMeant } from './meant';
import type { Context, View } from './view';

const REST = 150;

/** A step, or what there is before the first one. */
type Row = { readonly step: ListedStep } | { readonly run: number };

export function recorderView(context: Context): View {
  const passes = new Choice('Pass', () => { choose(); });
  const layout = new Choice('As', () => { show(); });
  const names = new Switch('Source names', true, () => { show(); });
  layout.fill([LAYOUTS[1], LAYOUTS[0], LAYOUTS[2]]);
  const list = new List<Row>('Steps', { drawn: columns, chosen: () => { show(); } });
  const status = element('div', { class: 'note plain', role: 'status' });
  const pane = new DifferencePane();
  const reasons = element('div', { role: 'status', 'aria-label': 'Why it is left' });
  const why = element('details', { class: 'why' }, element('summary', {}, 'Why is the operation at the cursor left?'), reasons);
  const root = element(
    'div',
    { class: 'column' },
    element(
      'div',
      { class: 'tools' },
      passes.element,
      button('Back', '[', -1),
      button('Forward', ']', 1),
      layout.element,
      names.element,
    ),
    list.element,
    status,
    pane.element,
    why,
  );
  const loading = latest(failed);
  const showing = latest(failed);
  const telling = latest(failed);
  let looked: string | undefined;
  let rows: readonly Row[] = [];
  let timer: number | undefined;

  root.addEventListener('keydown', (event) => {
    const by = { '[': -1, ']': 1 }[event.key];
    if (by === undefined || event.ctrlKey || event.metaKey || event.target instanceof HTMLInputElement) return;
    event.preventDefault();
    list.go(list.number + by);
  });
  why.addEventListener('toggle', () => { tell(); });

  function button(title: string, key: string, by: number): HTMLElement {
    return element('button', { type: 'button', 'aria-keyshortcuts': key, title: `${title} (${key})`, click: () => { list.go(list.number + by); } }, title);
  }

  function failed(problem: string): void {
    status.textContent = problem;
    pane.clear();
  }

  function refresh(): void {
    looked = functionMeant(context);
    void loading(async (isLast) => {
      const answer = await asked<TimelineResult>(context, Method.timeline, about(looked, names.isOn)).catch((problem: unknown) => {
        if (isLast()) { fill([]); tell(); }
        throw problem;
      });
      if (!isLast()) return;
      const steps = answer.passes.filter((pass) => pass.steps > 0);
      passes.fill(steps.map(({ stage, steps: count }) => [stage, `${stage}: ${count} steps`]));
      tell();
      await listSteps(isLast);
    });
  }

  /** Begins with the first step of another pass. The passes are asked for anew: what asked for them before gives up. */
  function choose(): void {
    fill([]);
    refresh();
  }

  /** Lists the steps of the pass, and shows the first. */
  async function listSteps(isLast: () => boolean): Promise<void> {
    if (passes.value === '') { fill([]); failed('no pass has taken steps here'); return; }
    const answer = await asked<StepsResult>(context, Method.steps, { ...about(looked, names.isOn), stage: passes.value });
    if (!isLast()) return;
    const steps = answer.steps.filter(({ number, depth }) => number > 0 && depth === 0);
    fill(steps.map((step) => ({ step })));
    if (steps.length === 0) failed(`what ${passes.value} did cannot be shown step by step`);
    else show();
  }

  function fill(steps: readonly { readonly step: ListedStep }[]): void {
    const before = list.number;
    const first = steps[0];
    rows = first === undefined ? [] : [{ run: first.step.run }, ...steps];
    list.fill(rows, Math.max(before, 1));
  }

  function show(): void {
    const row = list.row;
    if (row === undefined) return;
    void showing(async (isLast) => {
      const which = 'step' in row ? { run: row.step.run, number: row.step.number } : { run: row.run, number: 0 };
      const answer = await asked<Difference>(context, Method.step, { ...about(looked, names.isOn), stage: passes.value, ...which });
      if (!isLast()) return;
      const said = pane.show(answer, layout.value as DifferenceLayout);
      status.textContent = 'step' in row ? `${list.number} of ${rows.length - 1}: ${whoSaid(row.step)}: ${said}` : 'before the first step';
      context.mark('step' in row && row.step.source !== undefined ? [row.step.source] : [], false);
    });
  }

  function tell(): void {
    if (!why.open) return;
    void telling(async (isLast) => {
      const params = { ...about(looked, names.isOn), position: context.cursor(), ...(passes.value === '' ? {} : { stage: passes.value }) };
      try {
        const answer = await asked<WhyNotResult>(context, Method.whyNot, params);
        if (isLast()) reasons.replaceChildren(element('pre', {}, saidOf(answer, passes.value)));
      } catch (problem) {
        if (isLast()) reasons.replaceChildren(inWords(problem));
      }
    });
  }

  function follow(): void {
    clearTimeout(timer);
    timer = setTimeout(() => {
      if (functionMeant(context) !== looked) refresh();
      else tell();
    }, REST);
  }

  return { id: 'recorder', title: 'Recorder', element: root, refresh, follow };
}

function columns(row: Row): HTMLElement[] {
  if (!('step' in row)) return [element('span', { class: 'name faint' }, 'before the first step')];
  const { step } = row;
  return [
    element('span', { class: 'figure' }, `${step.number}`),
    element('span', { class: 'name' }, step.pattern ?? step.kind),
    element('span', { class: 'faint' }, step.operation ?? ''),
  ];
}

/** Why an operation is left, pass by pass. */
function saidOf({ operation, passes }: WhyNotResult, stage: string): string {
  const lines = passes.flatMap(({ pass, note, reasons }) => [
    note === undefined ? `${pass} leaves ${operation ?? 'it'}:` : `${pass}: ${note}`,
    ...reasons.map(({ pattern, reason }) => `  ${pattern}: ${reason}`),
    ...(reasons.length === 0 && note === undefined ? ['  nothing of it was tried on that'] : []),
  ]);
  return lines.join('\n') || `${operation ?? 'it'} is not there any more behind ${stage || 'any pass'}`;
}
