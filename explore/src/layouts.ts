/** Layouts of graphs, made beside the page. */

import type { GraphResult } from '../../vscode-client/src/protocol';
import type { Layout } from '../../vscode-client/webview/layout';
import type { Answered, Asked } from './layout-worker';
import { LAYOUT } from './trusted';

/** The worker that lays graphs out, one after the other. */
class Layouts {
  private readonly worker = new Worker(LAYOUT, { type: 'module' });
  private readonly waiting = new Map<number, { resolve: (layout: Layout) => void; reject: (problem: Error) => void }>();
  private asked = 0;

  constructor() {
    this.worker.onmessage = ({ data }: MessageEvent<Answered>) => {
      const { resolve, reject } = this.waiting.get(data.number) ?? {};
      this.waiting.delete(data.number);
      if (data.layout === undefined) reject?.(new Error(data.problem ?? 'no layout'));
      else resolve?.(data.layout);
    };
  }

  of(graph: GraphResult): Promise<Layout> {
    const question: Asked = { number: ++this.asked, graph };
    this.worker.postMessage(question);
    return new Promise((resolve, reject) => { this.waiting.set(question.number, { resolve, reject }); });
  }
}

let layouts: Layouts | undefined;

/** Has what lays graphs out made ready, so that the first of them does not wait for it. */
export function prepareLayouts(): void {
  layouts ??= new Layouts();
}

/** The layout of a graph. */
export function layoutOf(graph: GraphResult): Promise<Layout> {
  layouts ??= new Layouts();
  return layouts.of(graph);
}
