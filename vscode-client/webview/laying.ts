/** What a worker does that lays graphs out: `answerLayouts` is all that it runs. */

import { inWords } from '../src/problems';
import type { GraphResult } from '../src/protocol';
import type { Care } from './far';
import { layoutOf } from './layout';
import type { Layout } from './layout';

export interface Asked { readonly graph: GraphResult; readonly care: Care }
/** First that the worker is ready, or cannot be; then an answer to each question. */
export type Answered = { readonly ready: true } | { readonly layout: Layout } | { readonly problem: string };

/** What is used of Graphviz. */
export interface Graphviz { layout(source: string, format: 'json', engine: 'dot'): string }

/** So many nodes has what is laid out before anybody asks: what is compiled as it runs is fast by then. */
const WARM = 300;

/** Answers whoever began this worker, as soon as Graphviz is loaded. */
export async function answerLayouts(loading: Promise<Graphviz>): Promise<void> {
  const say = (answer: Answered): void => { postMessage(answer); };
  try {
    const graphviz = await loading;
    const ask = (question: string): string => graphviz.layout(question, 'json', 'dot');
    const edges = Array.from({ length: WARM }, (_, number) => `n${number} -> n${number + 1}; n${number} -> n${number + 1 + (number % 5)};`);
    ask(`digraph { splines=polyline; ${edges.join('')} }`);
    onmessage = ({ data }: MessageEvent<Asked>) => {
      try {
        say({ layout: layoutOf(data.graph, data.care, ask) });
      } catch (problem) {
        say({ problem: inWords(problem) });
      }
    };
    say({ ready: true });
  } catch (problem) {
    say({ problem: inWords(problem) });
  }
}
