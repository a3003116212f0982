/** Lays graphs out beside the page, which goes on meanwhile. */

import { Graphviz } from '@hpcc-js/wasm-graphviz';
import type { GraphResult } from '../../vscode-client/src/protocol';
import { layoutOf, question } from '../../vscode-client/webview/layout';
import type { Layout } from '../../vscode-client/webview/layout';

export interface Asked { readonly number: number; readonly graph: GraphResult }
export interface Answered { readonly number: number; readonly layout?: Layout; readonly problem?: string }

/** So many nodes has what is laid out before anybody asks: what is compiled as it runs is fast by then. */
const WARM = 300;

const loading = Graphviz.load().then((graphviz) => {
  const edges = Array.from({ length: WARM }, (_, number) => `n${number} -> n${number + 1}; n${number} -> n${number + 1 + (number % 5)};`);
  graphviz.layout(`digraph { splines=polyline; ${edges.join('')} }`, 'json', 'dot');
  return graphviz;
});

onmessage = async ({ data }: MessageEvent<Asked>) => {
  const answer = (rest: Omit<Answered, 'number'>): void => { postMessage({ number: data.number, ...rest }); };
  try {
    const graphviz = await loading;
    answer({ layout: layoutOf(data.graph, graphviz.layout(question(data.graph), 'json', 'dot')) });
  } catch (problem) {
    answer({ problem: problem instanceof Error ? problem.message : String(problem) });
  }
};
