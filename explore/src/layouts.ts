/** Layouts of graphs, made beside the page. */

import type { GraphResult } from '../../vscode-client/src/protocol';
import type { Layout } from '../../vscode-client/webview/layout';
import { Layouts } from '../../vscode-client/webview/layouts';
import { LAYOUT } from './trusted';

const layouts = new Layouts(() => new Worker(LAYOUT, { type: 'module' }));

/** Has what lays graphs out made ready, so that the first of them does not wait for it. */
export function prepareLayouts(): void {
  layouts.prepare();
}

/** The layout of a graph, unless `signal` says that it is not wanted any more. */
export function layoutOf(graph: GraphResult, signal?: AbortSignal): Promise<Layout> {
  return layouts.of(graph, signal);
}
