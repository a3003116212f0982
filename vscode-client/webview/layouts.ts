/**
 * Layouts of graphs, made beside what shows them: one after the other, in a worker.
 *
 * One that takes too long is begun anew with as little as Graphviz can lay out, and then given up. One that is not wanted
 * any more is stopped, with its worker, where it does not end at once. So none holds up the next.
 */

import type { GraphResult } from '../src/protocol';
import type { Care } from './far';
import type { Answered, Asked } from './laying';
import type { Layout } from './layout';

/** After so many milliseconds a layout is tried with less, or given up. */
const LONGEST = 8000;
/** So many milliseconds more has one that is not wanted any more: most end by then, and a worker takes time to begin. */
const GRACE = 300;
const NO_PICTURE = 'there is no picture';
const UNWANTED = 'another graph is wanted';

interface Wanted {
  readonly graph: GraphResult;
  readonly resolve: (layout: Layout) => void;
  readonly reject: (problem: Error) => void;
  care: Care;
}

/** What is used of a worker. */
export interface Laying {
  onmessage: ((event: MessageEvent<Answered>) => void) | null;
  onerror: ((event: ErrorEvent) => void) | null;
  postMessage(question: Asked): void;
  terminate(): void;
}

export class Layouts {
  private worker: Laying | undefined;
  private isReady = false;
  private readonly waiting: Wanted[] = [];
  private current: Wanted | undefined;
  private timer: ReturnType<typeof setTimeout> | undefined;

  /** `begin` begins a worker that runs `answerLayouts`. */
  constructor(private readonly begin: () => Laying) {}

  /** Begins the worker, so that the first layout does not wait for it. */
  prepare(): void {
    if (this.worker !== undefined) return;
    const worker = this.worker = this.begin();
    this.isReady = false;
    worker.onmessage = ({ data }) => { this.answered(data); };
    worker.onerror = ({ message }) => { this.failed(message); };
  }

  /** The layout of a graph; rejected with why there is none, also when `signal` says that it is not wanted any more. */
  of(graph: GraphResult, signal?: AbortSignal): Promise<Layout> {
    return new Promise((resolve, reject) => {
      const wanted: Wanted = { graph, resolve, reject, care: 'usual' };
      if (signal?.aborted === true) { reject(new Error(UNWANTED)); return; }
      this.waiting.push(wanted);
      signal?.addEventListener('abort', () => { this.unwanted(wanted); }, { once: true });
      this.next();
    });
  }

  private next(): void {
    this.prepare();
    if (!this.isReady || this.current !== undefined) return;
    const wanted = this.current = this.waiting.shift();
    if (wanted === undefined) return;
    this.worker?.postMessage({ graph: wanted.graph, care: wanted.care });
    this.timer = setTimeout(() => { this.late(wanted); }, LONGEST);
  }

  private answered(answer: Answered): void {
    if ('ready' in answer) {
      this.isReady = true;
    } else if ('layout' in answer) {
      this.ended()?.resolve(answer.layout);
    } else if (this.isReady) {
      // Graphviz is not to be relied on after that: its stack may have run over.
      this.stop();
      this.ended()?.reject(new Error(`${NO_PICTURE}: ${answer.problem}`));
    } else {
      this.failed(answer.problem);
      return;
    }
    this.next();
  }

  /** No longer is anything laid out; what was is the answer. */
  private ended(): Wanted | undefined {
    clearTimeout(this.timer);
    const ended = this.current;
    this.current = undefined;
    return ended;
  }

  /** The worker is of no use: there is no layout, until another is asked for. */
  private failed(problem: string): void {
    const left = [this.ended(), ...this.waiting.splice(0)];
    this.stop();
    for (const each of left) each?.reject(new Error(`${NO_PICTURE}: ${problem}`));
  }

  private late(wanted: Wanted): void {
    this.ended();
    this.stop();
    const { nodes, edges } = wanted.graph;
    if (wanted.care === 'usual') this.waiting.unshift({ ...wanted, care: 'least' });
    else wanted.reject(new Error(`${NO_PICTURE}: to lay out ${nodes.length} nodes and ${edges.length} edges takes too long`));
    this.next();
  }

  private unwanted(wanted: Wanted): void {
    const at = this.waiting.findIndex(({ resolve }) => resolve === wanted.resolve);
    if (at >= 0) this.waiting.splice(at, 1);
    else if (this.current?.resolve === wanted.resolve) this.graceful();
    wanted.reject(new Error(UNWANTED));
  }

  /** Stops what is being laid out, if it goes on for a while. */
  private graceful(): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => {
      this.ended();
      this.stop();
      this.next();
    }, GRACE);
  }

  private stop(): void {
    this.worker?.terminate();
    this.worker = undefined;
    this.isReady = false;
  }
}
