/** A text that is only read: of what is long, no more is made than is seen. */

import { search, searchKeymap } from '@codemirror/search';
import { Compartment, EditorState } from '@codemirror/state';
import type { ChangeSpec, Extension } from '@codemirror/state';
import { drawSelection, EditorView, keymap, lineNumbers } from '@codemirror/view';
import type { Position } from '../../vscode-client/src/protocol';
import { colours } from './colours';
import { marks } from './marks';
import { nonce } from './nonce';

/** What texts have that are only read. */
export function reading(label: string): Extension {
  return [
    EditorView.cspNonce.of(nonce()),
    EditorState.readOnly.of(true),
    EditorView.contentAttributes.of({ 'aria-label': label, tabindex: '0' }),
    lineNumbers(),
    drawSelection(),
    search({ top: true }),
    keymap.of(searchKeymap),
    marks,
  ];
}

export class Reader {
  readonly view: EditorView;
  private readonly painted = new Compartment();
  private isOurs = false;
  private text = '';

  /** `moved` is called when somebody has moved the cursor in it. */
  constructor(parent: HTMLElement, label: string, moved: (place: Position) => void, more: Extension = []) {
    this.view = new EditorView({
      parent,
      state: EditorState.create({
        extensions: [
          reading(label),
          this.painted.of([]),
          more,
          EditorView.updateListener.of((update) => {
            if (update.selectionSet && !this.isOurs) moved(this.cursor());
          }),
        ],
      }),
    });
  }

  cursor(): Position {
    const { head } = this.view.state.selection.main;
    const line = this.view.state.doc.lineAt(head);
    return { line: line.number - 1, character: head - line.from };
  }

  /** Shows a text; what it has in common with the one before, at both ends, stays where it is. */
  show(text: string, languageId: string): void {
    this.quietly(() => {
      // To the editor each end of a line is one character.
      const plain = text.replaceAll(/\r\n?/g, '\n');
      const changes = changed(this.text, plain);
      this.text = plain;
      this.view.dispatch({ changes, effects: this.painted.reconfigure(colours(languageId)) });
    });
  }

  /** Does something to it that is no movement of somebody. */
  quietly(what: () => void): void {
    this.isOurs = true;
    what();
    this.isOurs = false;
  }
}

function changed(before: string, after: string): ChangeSpec {
  if (before === after) return [];
  const shorter = Math.min(before.length, after.length);
  let same = 0;
  while (same < shorter && before.charCodeAt(same) === after.charCodeAt(same)) same++;
  let end = 0;
  while (end < shorter - same && before.charCodeAt(before.length - 1 - end) === after.charCodeAt(after.length - 1 - end)) end++;
  return { from: same, to: before.length - end, insert: after.slice(same, after.length - end) };
}
