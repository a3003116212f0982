/** Who last changed each line of a stage, said behind it. */

import { RangeSetBuilder, StateEffect, StateField } from '@codemirror/state';
import type { Extension } from '@codemirror/state';
import { Decoration, EditorView, ViewPlugin, WidgetType } from '@codemirror/view';
import type { DecorationSet, ViewUpdate } from '@codemirror/view';
import type { Who } from '../../vscode-client/src/protocol';
import { element } from './dom';

type Lines = readonly (Who | null)[];

export const setBlame = StateEffect.define<Lines>();

const told = StateField.define<Lines>({
  create: () => [],
  update(lines, transaction) {
    for (const effect of transaction.effects) if (effect.is(setBlame)) return effect.value;
    return lines;
  },
});

class Title extends WidgetType {
  constructor(private readonly title: string) {
    super();
  }

  override eq(other: Title): boolean {
    return other.title === this.title;
  }

  /** A click on it is a click on its line. */
  override ignoreEvent(): boolean {
    return false;
  }

  toDOM(): HTMLElement {
    return element('span', { class: 'kind' }, this.title);
  }
}

/** What is behind the lines that are seen. */
function seen(view: EditorView): DecorationSet {
  const builder = new RangeSetBuilder<Decoration>();
  const lines = view.state.field(told);
  for (const { from, to } of view.visibleRanges) {
    for (let at = from; at <= to;) {
      const line = view.state.doc.lineAt(at);
      const who = lines[line.number - 1];
      if (who) builder.add(line.to, line.to, Decoration.widget({ widget: new Title(who.title), side: 1 }));
      at = line.to + 1;
    }
  }
  return builder.finish();
}

export const blame: Extension = [
  told,
  ViewPlugin.fromClass(class {
    decorations: DecorationSet;

    constructor(view: EditorView) {
      this.decorations = seen(view);
    }

    update(update: ViewUpdate): void {
      const isOther = update.startState.field(told) !== update.state.field(told);
      if (isOther || update.docChanged || update.viewportChanged) this.decorations = seen(update.view);
    }
  }, { decorations: (of) => of.decorations }),
];
