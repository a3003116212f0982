/** A stage of the lowering beside the source, each with the lines that the cursor in the other belongs to. */

import { linked, linesOf } from '../../vscode-client/src/mapping';
import { Method } from '../../vscode-client/src/protocol';
import type { Position, PreviewResult, Stage } from '../../vscode-client/src/protocol';
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

  function refresh(): void {
    void asking(async (isLast) => {
      const function_ = context.chosen();
      const named = function_ === undefined ? {} : { function: function_ };
      const listed = await context.ask<Stage[]>(Method.stages, named);
      if (!isLast()) return;
      stages.fill(listed.map(({ id, title }) => [id, title]), 'llvm-dialect');
      if (stages.value === '') return;
      const result = await context.ask<PreviewResult>(Method.preview, { ...named, stage: stages.value });
      if (isLast()) show(result);
    });
  }

  function show(result: PreviewResult): void {
    shown = result;
    note.hidden = !result.stale;
    note.textContent = result.staleReason ?? '';
    reader.show(result.text, result.languageId);
    follow(context.cursor());
  }

  function follow(place: Position): void {
    const result = shown;
    if (result === undefined || result.stale) return;
    reader.quietly(() => { mark(reader.view, linesOf(linked(result.map, 'source', place)), true); });
  }

  return { id: 'stage', title: 'Stages', element: root, refresh, follow };
}
