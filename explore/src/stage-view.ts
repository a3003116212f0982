/** A stage of the lowering beside the source, each with the lines that the cursor in the other belongs to. */

import { contains, linked, linesOf } from '../../vscode-client/src/mapping';
import { Method } from '../../vscode-client/src/protocol';
import type { Position, PreviewResult, Range, Stage } from '../../vscode-client/src/protocol';
import { Choice, element } from './dom';
import { latest } from './latest';
import { mark } from './marks';
import { Reader } from './reader';
import type { Context, View } from './view';

export function stageView(context: Context): View {
  const stages = new Choice('Stage', () => { refresh(); });
  const note = element('div', { class: 'note', role: 'status', hidden: true });
  const text = element('div', { class: 'text' });
  const root = element('div', { class: 'column' }, element('div', { class: 'tools' }, stages.element), note, text);
  const reader = new Reader(text, 'Stage', (place) => {
    if (shown !== undefined && !shown.stale) context.mark(linked(shown.map, 'target', place), true);
  });
  const asking = latest((problem) => { context.say(problem, true); });
  let shown: PreviewResult | undefined;
  /** Whether a part of the function was asked for. */
  let isPart = false;

  /** Whether the function that is chosen is big, and the cursor in it. */
  function isInBig(): boolean {
    const info = context.functions().find(({ name }) => name === context.chosen());
    return info?.isBig === true && contains(info.range, context.cursor());
  }

  function refresh(): void {
    void asking(async (isLast) => {
      const function_ = context.chosen();
      const named = function_ === undefined ? {} : { function: function_ };
      const listed = await context.ask<Stage[]>(Method.stages, named);
      if (!isLast()) return;
      stages.fill(listed.map(({ id, title }) => [id, title]), 'llvm-dialect');
      if (stages.value === '') return;
      isPart = isInBig();
      const part = isPart ? { part: context.cursor() } : {};
      const result = await context.ask<PreviewResult>(Method.preview, { ...named, ...part, stage: stages.value });
      if (isLast()) show(result);
    });
  }

  function show(result: PreviewResult): void {
    shown = result;
    const said = [result.staleReason, result.part === undefined ? undefined : 'The function is big: this is the part of it around the cursor.'];
    note.textContent = said.filter(Boolean).join('\n');
    note.hidden = note.textContent === '';
    note.classList.toggle('plain', !result.stale);
    reader.show(result.text, result.languageId);
    follow(context.cursor());
  }

  function follow(place: Position): void {
    const result = shown;
    if (result === undefined) return;
    if (hasLeft(result, place) || (isInBig() && !isPart)) { refresh(); return; }
    if (result.stale) return;
    reader.quietly(() => { mark(reader.view, linesOf(linked(result.map, 'source', place)), true); });
  }

  return { id: 'stage', title: 'Stages', element: root, refresh, follow };
}

/** Whether another part of the function is wanted than the one that is shown. */
function hasLeft({ part }: PreviewResult, place: Position): boolean {
  if (part === undefined) return false;
  const isIn = ({ start, end }: Range): boolean => start.line <= place.line && place.line <= end.line;
  return isIn(part.function) && !isIn(part.range);
}
