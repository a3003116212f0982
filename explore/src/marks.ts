/** Lines of a text that are marked, because they belong to what the cursor is at elsewhere. */

import { RangeSetBuilder, StateEffect, StateField } from '@codemirror/state';
import type { Extension } from '@codemirror/state';
import { Decoration, EditorView } from '@codemirror/view';
import type { DecorationSet } from '@codemirror/view';

const setLines = StateEffect.define<readonly number[]>();
const line = Decoration.line({ class: 'cm-linked' });

const field = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update(marked, transaction) {
    for (const effect of transaction.effects) {
      if (!effect.is(setLines)) continue;
      const builder = new RangeSetBuilder<Decoration>();
      const { doc } = transaction.state;
      for (const number of effect.value) {
        if (number >= doc.lines) break;
        const { from } = doc.line(number + 1);
        builder.add(from, from, line);
      }
      return builder.finish();
    }
    return transaction.docChanged ? Decoration.none : marked;
  },
  provide: (of) => EditorView.decorations.from(of),
});

export const marks: Extension = field;

/** Marks lines, in order from 0 on, and shows the first one if it is to be `shown`. */
export function mark(view: EditorView, lines: readonly number[], shown: boolean): void {
  const first = lines[0];
  const effects: StateEffect<unknown>[] = [setLines.of(lines)];
  if (shown && first !== undefined && first < view.state.doc.lines) {
    effects.push(EditorView.scrollIntoView(view.state.doc.line(first + 1).from, { y: 'center' }));
  }
  view.dispatch({ effects });
}
