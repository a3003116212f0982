/** Colours by the server's semantic tokens: of what is seen, and no more. */

import { LSPPlugin } from '@codemirror/lsp-client';
import type { LSPClientExtension } from '@codemirror/lsp-client';
import { StateEffect, StateField } from '@codemirror/state';
import { Decoration, EditorView, ViewPlugin } from '@codemirror/view';
import type { DecorationSet, ViewUpdate } from '@codemirror/view';

const TYPES = [
  'macro', 'variable', 'parameter', 'function', 'namespace', 'label', 'type', 'decorator', 'property', 'enumMember',
  'keyword', 'string', 'number', 'comment',
];
const MODIFIERS = ['definition', 'unused', 'unknown'];
const PAUSE = 60;

const setTokens = StateEffect.define<DecorationSet>();
const field = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update(tokens, transaction) {
    for (const effect of transaction.effects) if (effect.is(setTokens)) return effect.value;
    return tokens.map(transaction.changes);
  },
  provide: (of) => EditorView.decorations.from(of),
});

interface Legend { readonly tokenTypes: readonly string[]; readonly tokenModifiers: readonly string[] }
interface Tokens { readonly data: readonly number[] }

class Colours {
  private timer: number | undefined;

  constructor(private readonly view: EditorView) {
    this.later();
  }

  update(update: ViewUpdate): void {
    if (update.docChanged || update.viewportChanged) this.later();
  }

  destroy(): void {
    clearTimeout(this.timer);
  }

  private later(): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => { void this.ask(); }, PAUSE);
  }

  private async ask(): Promise<void> {
    const plugin = LSPPlugin.get(this.view);
    const legend = plugin?.client.serverCapabilities?.semanticTokensProvider?.legend;
    if (plugin === null || legend === undefined) return;
    const { doc } = this.view.state;
    const { from, to } = this.view.viewport;
    plugin.client.sync();
    const range = { start: plugin.toPosition(from), end: plugin.toPosition(to) };
    try {
      const params = { textDocument: { uri: plugin.uri }, range };
      const tokens = await plugin.client.request<unknown, Tokens | null>('textDocument/semanticTokens/range', params);
      if (this.view.state.doc !== doc || tokens === null) return;
      this.view.dispatch({ effects: setTokens.of(decorated(tokens.data, legend, this.view)) });
    } catch {
      // The text is another by now; what is asked about that one counts.
    }
  }
}

function decorated(data: readonly number[], legend: Legend, view: EditorView): DecorationSet {
  const { doc } = view.state;
  const made = [];
  let line = 0;
  let character = 0;
  for (let at = 0; at + 4 < data.length; at += 5) {
    const [down = 0, right = 0, length = 0, type = 0, modifiers = 0] = data.slice(at, at + 5);
    character = down > 0 ? right : character + right;
    line += down;
    if (line >= doc.lines) break;
    const from = doc.line(line + 1).from + character;
    const words = legend.tokenModifiers.filter((_, bit) => (modifiers >> bit) & 1);
    const names = [legend.tokenTypes[type] ?? '', ...words].map((word) => `t-${word}`).join(' ');
    if (from + length <= doc.length) made.push(Decoration.mark({ class: names }).range(from, from + length));
  }
  return Decoration.set(made);
}

export const tokens: LSPClientExtension = {
  clientCapabilities: {
    textDocument: {
      semanticTokens: {
        requests: { range: true, full: true },
        tokenTypes: TYPES,
        tokenModifiers: MODIFIERS,
        formats: ['relative'],
      },
    },
  },
  editorExtension: [field, ViewPlugin.fromClass(Colours)],
};
