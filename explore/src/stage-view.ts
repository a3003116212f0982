/** A stage of the lowering beside the source, each with the lines that the cursor in the other belongs to. */

import { search, searchKeymap } from '@codemirror/search';
import { Compartment, EditorState } from '@codemirror/state';
import { drawSelection, EditorView, keymap, lineNumbers } from '@codemirror/view';
import { linked, linesOf } from '../../vscode-client/src/mapping';
import { Method } from '../../vscode-client/src/protocol';
import type { Position, PreviewResult, Stage } from '../../vscode-client/src/protocol';
import { colours } from './colours';
import { Choice, element } from './dom';
import { mark, marks } from './marks';
import { nonce } from './nonce';
import type { Context, View } from './view';

export function stageView(context: Context): View {
  const stages = new Choice('Stage', () => { void refresh(); });
  const note = element('div', { class: 'note', role: 'status', hidden: true });
  const text = element('div', { class: 'text' });
  const root = element('div', { class: 'text panel' }, element('div', { class: 'tools' }, stages.element), note, text);
  root.style.display = 'flex';
  root.style.flexDirection = 'column';
  const painted = new Compartment();
  let shown: PreviewResult | undefined;
  let asked = 0;
  let isOurs = false;

  const view = new EditorView({
    parent: text,
    state: EditorState.create({
      extensions: [
        EditorView.cspNonce.of(nonce()),
        EditorState.readOnly.of(true),
        EditorView.contentAttributes.of({ 'aria-label': 'Stage', tabindex: '0' }),
        lineNumbers(),
        drawSelection(),
        search({ top: true }),
        keymap.of(searchKeymap),
        marks,
        painted.of([]),
        EditorView.updateListener.of((update) => {
          if (update.selectionSet && !isOurs && shown !== undefined && !shown.stale) {
            context.mark(linked(shown.map, 'target', positionOf(view)), true);
          }
        }),
      ],
    }),
  });

  async function refresh(): Promise<void> {
    const mine = ++asked;
    const function_ = context.chosen();
    const named = function_ === undefined ? {} : { function: function_ };
    const listed = await context.ask<Stage[]>(Method.stages, named);
    if (mine !== asked) return;
    stages.fill(listed.map(({ id, title }) => [id, title]), 'llvm-dialect');
    if (stages.value === '') return;
    const result = await context.ask<PreviewResult>(Method.preview, { ...named, stage: stages.value });
    if (mine !== asked) return;
    show(result);
  }

  function show(result: PreviewResult): void {
    shown = result;
    note.hidden = !result.stale;
    note.textContent = result.staleReason ?? '';
    isOurs = true;
    if (view.state.doc.toString() !== result.text) {
      view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: result.text } });
    }
    view.dispatch({ effects: painted.reconfigure(colours(result.languageId)) });
    isOurs = false;
    follow(context.cursor());
  }

  function follow(place: Position): void {
    if (shown === undefined || shown.stale) return;
    isOurs = true;
    mark(view, linesOf(linked(shown.map, 'source', place)), true);
    isOurs = false;
  }

  return { id: 'stage', title: 'Stages', element: root, refresh: () => { void refresh().catch(told); }, follow };

  function told(problem: unknown): void {
    context.say(problem instanceof Error ? problem.message : String(problem), true);
  }
}

function positionOf(view: EditorView): Position {
  const { head } = view.state.selection.main;
  const line = view.state.doc.lineAt(head);
  return { line: line.number - 1, character: head - line.from };
}
