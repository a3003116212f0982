/** The page about a trace, a file that `fathom opt --record` wrote: its source, the timeline and the recorder. No pass runs. */

import type { LSPClient } from '@codemirror/lsp-client';
import { linesOf } from '../../vscode-client/src/mapping';
import { inWords } from '../../vscode-client/src/problems';
import { Method } from '../../vscode-client/src/protocol';
import type { TraceResult } from '../../vscode-client/src/protocol';
import { Choice, element } from './dom';
import { latest } from './latest';
import { mark } from './marks';
import { Reader } from './reader';
import { recorderView } from './recorder-view';
import { tabs } from './tabs';
import { timelineView } from './timeline-view';
import type { Context } from './view';
import { Working } from './working';

async function tracePage(client: LSPClient, uri: string, name: string, say: Context['say']): Promise<void> {
  const told = await client.request<object, TraceResult>(Method.trace, { uri });
  const parts = new Choice('Part', () => { show(); });
  const source = element('section', { id: 'source', 'aria-label': 'Source' });
  const reader = new Reader(source, told.name, () => { beside.shown().follow?.(reader.cursor()); });
  const reading = latest((problem) => { say(problem, true); });
  const working = new Working();

  /** What the views ask of passes is asked of the trace: about a part of it, and not about a function. */
  const context: Context = {
    client,
    uri,
    functions: () => [],
    chosen: () => undefined,
    cursor: () => reader.cursor(),
    mark: (ranges, shown) => { reader.quietly(() => { mark(reader.view, linesOf(ranges), shown); }); },
    go: (place) => {
      const { doc } = reader.view.state;
      const at = doc.line(Math.min(place.line + 1, doc.lines)).from + place.character;
      reader.view.dispatch({ selection: { anchor: Math.min(at, doc.length) }, scrollIntoView: true });
      reader.view.focus();
    },
    ask: async <T>(method: string, params: object) => {
      if (method === Method.stages) return [] as T;
      return working.until(about<T>(method.slice(method.indexOf('/') + 1), params));
    },
    say,
  };
  const beside = tabs([timelineView(context), recorderView(context)]);
  parts.fill(told.parts.map(({ pipeline }, number) => [`${number}`, `${number + 1}: ${pipeline}`] as const), '0');
  parts.element.hidden = told.parts.length < 2;
  document.body.prepend(
    element('header', {}, element('h1', {}, name), parts.element, working.element),
    element('main', {}, source, beside.element),
  );
  beside.changed(() => { beside.shown().refresh(); });
  show();

  async function about<T>(question: string, params: object): Promise<T> {
    return client.request<object, T>(Method.trace, { ...params, uri, part: Number(parts.value), question });
  }

  function show(): void {
    void reading(async (isLast) => {
      const { text } = await about<{ text: string }>('source', {});
      if (!isLast()) return;
      reader.show(text, 'mlir');
      beside.shown().refresh();
    });
  }
}

/** Shows the page about a trace, or says why that cannot be. */
export function openTrace(client: LSPClient, uri: string, name: string, say: Context['say']): void {
  document.title = `${name} – Fathom`;
  tracePage(client, uri, name, say).catch((problem: unknown) => { say(inWords(problem), true); });
}
