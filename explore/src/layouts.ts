/** Layouts of graphs, made beside the page. */

import type { GraphResult } from '../../vscode-client/src/protocol';
import type { Layout } from '../../vscode-client/webview/layout';
import type { Answered, Asked } from './layout-worker';
import { LAYOUT } from './trusted';

/** The worker that lays graphs out; the last question counts. */
export class Layouts {
  private readonly worker = new Worker(LAYOUT, { type: 'module' });
  private asked = 0;
  private waiting: { number: number; resolve: (layout: Layout) => void; reject: (problem: Error) => void } | undefined;

  constructor() {
    this.worker.onmessage = ({ data }: MessageEvent<Answered>) => {
      if (this.waiting?.number !== data.number) return;
      if (data.layout === undefined) this.waiting.reject(new Error(data.problem ?? 'no layout'));
      else this.waiting.resolve(data.layout);
      this.waiting = undefined;
    };
  }

  of(graph: GraphResult): Promise<Layout> {
    const question: Asked = { number: ++this.asked, graph };
    this.worker.postMessage(question);
    return new Promise((resolve, reject) => { this.waiting = { number: question.number, resolve, reject }; });
  }

  dispose(): void {
    this.worker.terminate();
  }
}
