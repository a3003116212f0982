/** The page: the source on one side, views of what becomes of it on the other. */

import { autocompletion, completionKeymap } from '@codemirror/autocomplete';
import { defaultKeymap, history, historyKeymap } from '@codemirror/commands';
import { lintGutter, lintKeymap } from '@codemirror/lint';
import {
  findReferencesKeymap, formatKeymap, hoverTooltips, jumpToDefinitionKeymap, LSPClient, renameKeymap, serverCompletion,
  serverDiagnostics, signatureHelp,
} from '@codemirror/lsp-client';
import { search, searchKeymap } from '@codemirror/search';
import { EditorState } from '@codemirror/state';
import { drawSelection, EditorView, highlightActiveLine, keymap, lineNumbers } from '@codemirror/view';
import { linesOf } from '../../vscode-client/src/mapping';
import { inWords } from '../../vscode-client/src/problems';
import { Method } from '../../vscode-client/src/protocol';
import type { FunctionInfo, Position } from '../../vscode-client/src/protocol';
import { opened, token } from './connection';
import { Choice, download, element } from './dom';
import { prepareLayouts } from './layouts';
import { mark, marks } from './marks';
import { nonce } from './nonce';
import { shared } from './share';
import { tabs } from './tabs';
import { tokens } from './tokens';
import { openTrace } from './trace';
import { guard, sanitized } from './trusted';
import type { Context, View } from './view';
import { VIEWS } from './views';
import { Working } from './working';

/** A trace, of which the server is asked what it tells. */
interface ExploredTrace {
  readonly uri: string;
  readonly name: string;
  readonly trace: true;
}

interface Explored {
  readonly uri: string;
  readonly name: string;
  readonly languageId: string;
  readonly text: string;
  /** By which the file is known again: nothing is written over what this page has not seen. */
  readonly mark: string;
}

const PAUSE = 150;
const LONGEST_PAUSE = 2000;
const IDLE = 5000;
const PATIENCE = 300_000;
const WHOLE = '';

async function main(): Promise<void> {
  guard();
  const status = element('div', { id: 'status', role: 'status' });
  const say = (text: string, isBad = false): void => {
    status.textContent = text;
    status.className = isBad ? 'bad' : '';
  };
  document.body.append(status);
  const client = new LSPClient({
    timeout: PATIENCE,
    sanitizeHTML: sanitized,
    initializationOptions: { workspace: { index: false } },
    extensions: [serverCompletion(), hoverTooltips(), signatureHelp(), serverDiagnostics(), tokens],
    notificationHandlers: {
      'fathom/previewDidChange': () => true,
      'window/showMessage': (_, params: { message: string; type: number }) => { say(params.message, params.type < 3); return true; },
    },
  });
  try {
    client.connect(await opened(token(), () => { say('The server has ended. What is in the editor is still there.', true); }));
    await client.initializing;
    const file = await client.request<object, Explored | ExploredTrace>('fathom/explored', {});
    if ('trace' in file) { openTrace(client, file.uri, file.name, say); return; }
    // Of a long file it takes its time to read the message, and again to make the editor: others come in between.
    await new Promise((resolve) => { setTimeout(resolve); });
    page(client, file, say);
  } catch (problem) {
    say(inWords(problem), true);
  }
}

function page(client: LSPClient, file: Explored, say: Context['say']): void {
  document.title = `${file.name} – Fathom`;
  let functions: readonly FunctionInfo[] = [];
  let timer: number | undefined;
  let pause = PAUSE;
  let known = file.mark;
  /** The names of the functions that can be chosen. */
  let listed: string | undefined;
  const chooser = new Choice('Function', () => { show(); });
  const source = element('section', { id: 'source', 'aria-label': 'Source' });

  const editor = new EditorView({
    parent: source,
    state: EditorState.create({
      doc: file.text,
      extensions: [
        EditorView.cspNonce.of(nonce()),
        EditorView.contentAttributes.of({ 'aria-label': file.name, spellcheck: 'false', tabindex: '0' }),
        lineNumbers(),
        lintGutter(),
        highlightActiveLine(),
        drawSelection(),
        history(),
        autocompletion(),
        search({ top: true }),
        marks,
        keymap.of([
          { key: 'Mod-s', run: () => { void save(); return true; } },
          ...completionKeymap, ...lintKeymap, ...searchKeymap, ...historyKeymap, ...renameKeymap, ...formatKeymap,
          ...jumpToDefinitionKeymap, ...findReferencesKeymap, ...defaultKeymap,
        ]),
        client.plugin(file.uri, file.languageId),
        EditorView.updateListener.of((update) => {
          if (update.docChanged) { later(); saving.disabled = false; }
          else if (update.selectionSet) moved();
        }),
      ],
    }),
  });

  const working = new Working();
  const context: Context = {
    client,
    uri: file.uri,
    functions: () => functions,
    chosen: () => (chooser.value === WHOLE ? undefined : chooser.value),
    cursor,
    mark: (ranges, shown) => { mark(editor, linesOf(ranges), shown); },
    go: (place) => {
      const at = editor.state.doc.line(Math.min(place.line + 1, editor.state.doc.lines)).from + place.character;
      editor.dispatch({ selection: { anchor: Math.min(at, editor.state.doc.length) }, scrollIntoView: true });
      editor.focus();
    },
    ask: <T>(method: string, params: object) => {
      client.sync();
      return working.until(client.request<object, T>(method, { textDocument: { uri: file.uri }, ...params }));
    },
    say,
  };
  const saving = element('button', { type: 'button', disabled: true, 'aria-keyshortcuts': 'Control+S', title: 'Ctrl+S', click: () => { void save(); } }, 'Save');
  const sharing = element('button', { type: 'button', click: () => { void share(); } }, 'Share as a file');
  const views: readonly View[] = VIEWS.map((make) => make(context));
  const beside = tabs(views);
  document.body.prepend(
    element('header', {}, element('h1', {}, file.name), chooser.element, saving, sharing, working.element),
    element('main', {}, source, beside.element),
  );
  beside.changed(() => { show(); });
  later(0);
  editor.focus();
  window.addEventListener('keydown', (event) => {
    if (!(event.ctrlKey || event.metaKey) || event.key !== 's' || event.defaultPrevented) return;
    event.preventDefault();
    void save();
  });
  window.addEventListener('beforeunload', (event) => { if (!saving.disabled) event.preventDefault(); });
  requestIdleCallback(prepareLayouts, { timeout: IDLE });

  function cursor(): Position {
    const { head } = editor.state.selection.main;
    const line = editor.state.doc.lineAt(head);
    return { line: line.number - 1, character: head - line.from };
  }

  async function save(): Promise<void> {
    const { doc } = editor.state;
    try {
      ({ mark: known } = await client.request<object, { mark: string }>('fathom/saveExplored', { text: doc.toString(), mark: known }));
      if (editor.state.doc.eq(doc)) saving.disabled = true;
      say(`${file.name} is saved`);
    } catch (problem) {
      say(inWords(problem), true);
    }
  }

  async function share(): Promise<void> {
    say('The file is made…');
    try {
      const text = await shared(context, file.name, editor.state.doc.toString());
      download(new Blob([text], { type: 'text/html' }), `${file.name.replaceAll(/[^\w.-]+/g, '_')}.html`);
      say('');
    } catch (problem) {
      say(inWords(problem), true);
    }
  }

  function moved(): void {
    mark(editor, [], false);
    beside.shown().follow?.(cursor());
  }

  function show(): void {
    beside.shown().refresh();
  }

  function later(rest = pause): void {
    clearTimeout(timer);
    timer = setTimeout(() => { void changed(); }, rest);
  }

  async function changed(): Promise<void> {
    const asked = performance.now();
    try {
      functions = await context.ask<FunctionInfo[]>(Method.functions, {});
      const names = functions.map(({ name }) => name);
      if (names.join('\n') !== listed) {
        listed = names.join('\n');
        chooser.fill([[WHOLE, 'the whole file'], ...names.map((name) => [name, `@${name}`] as const)]);
      }
      // The functions of a long file are a long answer, so it is not asked for behind each word.
      pause = Math.min(Math.max(PAUSE, 2 * (performance.now() - asked)), LONGEST_PAUSE);
      show();
    } catch (problem) {
      say(inWords(problem), true);
    }
  }
}

void main();
