import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inWords } from '../../src/problems';
import type { GraphResult } from '../../src/protocol';
import type { Answered, Asked } from '../laying';
import { Layouts } from '../layouts';
import type { Laying } from '../layouts';
import type { Layout } from '../layout';

const LAYOUT: Layout = { width: 1, height: 1, boxes: [], edges: [] };

/** A worker that answers when it is told to. */
class Worker implements Laying {
  onmessage: Laying['onmessage'] = null;
  onerror: Laying['onerror'] = null;
  readonly asked: Asked[] = [];
  isEnded = false;

  postMessage(question: Asked): void { this.asked.push(question); }
  terminate(): void { this.isEnded = true; }
  say(data: Answered): void { this.onmessage?.({ data } as MessageEvent<Answered>); }
}

function graphOf(name: string): GraphResult {
  return { kind: 'cfg', stage: 'source', version: 1, function: name, nodes: [{ kind: 'block', title: name }], edges: [] };
}

/** Layouts, with the workers that they begin; what comes of each that is asked for is noted. */
function begun(): { layouts: Layouts; workers: Worker[]; outcome: (name: string, signal?: AbortSignal) => { is: string } } {
  const workers: Worker[] = [];
  const layouts = new Layouts(() => {
    const worker = new Worker();
    workers.push(worker);
    return worker;
  });
  const outcome = (name: string, signal?: AbortSignal): { is: string } => {
    const noted = { is: '' };
    layouts.of(graphOf(name), signal).then(() => { noted.is = 'a layout'; }, (problem: unknown) => { noted.is = inWords(problem); });
    return noted;
  };
  return { layouts, workers, outcome };
}

function asked(workers: readonly Worker[]): string[] {
  return workers.map((worker) => `${worker.isEnded ? 'ended' : 'there'}: ${worker.asked.map(({ graph, care }) => `${graph.function ?? ''} ${care}`).join(', ')}`);
}

const settled = (): Promise<void> => new Promise((resolve) => { setImmediate(resolve); });

test('one is laid out after the other, by one worker', async () => {
  const { workers, outcome } = begun();
  const [first, second] = [outcome('a'), outcome('b')];
  assert.deepEqual(asked(workers), ['there: ']);
  workers[0]?.say({ ready: true });
  assert.deepEqual(asked(workers), ['there: a usual']);
  workers[0]?.say({ layout: LAYOUT });
  workers[0]?.say({ layout: LAYOUT });
  await settled();
  assert.deepEqual([asked(workers), first.is, second.is], [['there: a usual, b usual'], 'a layout', 'a layout']);
});

test('what takes too long is tried with less, and then given up; the next one goes on', async (context) => {
  context.mock.timers.enable({ apis: ['setTimeout'] });
  const { workers, outcome } = begun();
  const [first, second] = [outcome('a'), outcome('b')];
  for (const at of [0, 1]) {
    workers[at]?.say({ ready: true });
    context.mock.timers.tick(60_000);
  }
  workers[2]?.say({ ready: true });
  workers[2]?.say({ layout: LAYOUT });
  await settled();
  assert.deepEqual(asked(workers), ['ended: a usual', 'ended: a least', 'there: b usual']);
  assert.deepEqual([first.is, second.is], ['there is no picture: to lay out 1 nodes and 0 edges takes too long', 'a layout']);
});

test('what is not wanted any more is stopped if it goes on, and does not hold up the next', async (context) => {
  context.mock.timers.enable({ apis: ['setTimeout'] });
  const { workers, outcome } = begun();
  const [a, b, c] = [new AbortController(), new AbortController(), new AbortController()];
  const outcomes = [outcome('a', a.signal), outcome('b', b.signal), outcome('c', c.signal)];
  workers[0]?.say({ ready: true });
  b.abort();
  a.abort();
  context.mock.timers.tick(60_000);
  workers[1]?.say({ ready: true });
  c.abort();
  workers[1]?.say({ layout: LAYOUT });
  outcomes.push(outcome('d'));
  workers[1]?.say({ layout: LAYOUT });
  await settled();
  assert.deepEqual(asked(workers), ['ended: a usual', 'there: c usual, d usual']);
  assert.deepEqual(outcomes.map(({ is }) => is), [...Array.from({ length: 3 }, () => 'another graph is wanted'), 'a layout']);
});

test('a worker that fails is begun anew', async () => {
  const { workers, outcome } = begun();
  const outcomes = [outcome('a')];
  workers[0]?.say({ problem: 'no WebAssembly' });
  outcomes.push(outcome('b'));
  workers[1]?.say({ ready: true });
  workers[1]?.say({ problem: 'memory access out of bounds' });
  outcomes.push(outcome('c'));
  workers[2]?.say({ ready: true });
  workers[2]?.say({ layout: LAYOUT });
  await settled();
  assert.deepEqual(asked(workers), ['ended: ', 'ended: b usual', 'there: c usual']);
  assert.deepEqual(outcomes.map(({ is }) => is), [
    'there is no picture: no WebAssembly', 'there is no picture: memory access out of bounds', 'a layout',
  ]);
});
