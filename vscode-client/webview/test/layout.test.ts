import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Graphviz } from '@hpcc-js/wasm-graphviz';
import type { GraphResult } from '../../src/protocol';
import { MOST } from '../far';
import type { Care } from '../far';
import { layoutOf } from '../layout';
import type { Layout } from '../layout';

const loading = Graphviz.load();

type Ends = readonly [start: number, end: number];

/** Numbers below what is asked for, the same ones for a seed. */
function chance(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

function graphOf(count: number, ends: readonly Ends[]): GraphResult {
  const nodes = Array.from({ length: count }, (_, number) => ({ kind: 'block', title: `^bb${number}`, lines: ['cf.br'.repeat(1 + (number % 3))] }));
  const edges = ends.map(([start, end]) => ({ start, end, kind: 'true', label: 'true' }));
  return { kind: 'cfg', stage: 'source', version: 1, function: 'f', nodes, edges };
}

/** Block i branches to the next one, or back to the one in half of the way there. */
function backward(count: number): GraphResult {
  return graphOf(count, Array.from({ length: count - 1 }, (_, i): Ends[] => [[i, i + 1], [i, Math.max(1, i >> 1)]]).flat());
}

/** Blocks that can all be reached from the first, with branches to anywhere. */
function anywhere(seed: number): GraphResult {
  const below = chance(seed);
  const count = 2 + below(seed % 2 === 0 ? 40 : 300);
  const reached = Array.from({ length: count - 1 }, (_, i): Ends => [below(i + 1), i + 1]);
  return graphOf(count, [...reached, ...Array.from({ length: below(3 * count) }, (): Ends => [below(count), below(count)])]);
}

async function laidOut(graph: GraphResult, care: Care): Promise<{ layout: Layout; laid: readonly number[] }> {
  const graphviz = await loading;
  let laid: number[] = [];
  const layout = layoutOf(graph, care, (question) => {
    laid = [...question.matchAll(/comment=(\d+)/g)].map(([, number]) => Number(number));
    return graphviz.layout(question, 'json', 'dot');
  });
  return { layout, laid };
}

/** Each node has its room alone, each edge is there, and Graphviz had no more to do than it is given. */
async function check(graph: GraphResult, care: Care): Promise<void> {
  const { layout, laid } = await laidOut(graph, care);
  const boxes = [...layout.boxes].sort((a, b) => a.y - b.y);
  boxes.forEach((box, at) => {
    const { x, y, width, height } = box;
    const isInside = width > 0 && x >= -1 && y >= -1 && x + width <= layout.width + 1 && y + height <= layout.height + 1;
    assert.ok(isInside, `${JSON.stringify(box)} is not inside ${layout.width} by ${layout.height}`);
    for (const other of boxes.slice(at + 1)) {
      if (other.y >= box.y + box.height) break;
      assert.ok(other.x >= box.x + box.width - 1 || other.x + other.width <= box.x + 1, 'two nodes overlap');
    }
  });
  for (const { points, tip } of layout.edges) {
    assert.equal(points.length % 3, 1);
    for (const { x, y } of [...points, ...(tip === undefined ? [] : [tip])]) {
      assert.ok(Number.isFinite(x) && Number.isFinite(y) && x >= -1 && x <= layout.width + 1);
    }
  }
  const middles = layout.boxes.map(({ y, height }) => Math.round(y + height / 2));
  const ranks = new Map([...new Set(middles)].sort((a, b) => a - b).map((middle, rank) => [middle, rank]));
  const rank = (node: number): number => ranks.get(middles[node] ?? 0) ?? 0;
  const bends = laid.map((number) => {
    const { start, end } = graph.edges[number] ?? { start: 0, end: 0 };
    return Math.max(0, Math.abs(rank(start) - rank(end)) - 1);
  });
  // A little more than is planned: Graphviz ends before the shortest edges are found.
  const most = MOST[care].bends;
  assert.ok(bends.reduce((sum, each) => sum + each, 0) <= most + most / 4, `${bends.length} edges bend too often`);
  assert.ok(laid.length <= MOST[care].edges + graph.nodes.length);
}

for (const care of ['usual', 'least'] as const) {
  test(`a thousand blocks that branch far back are laid out, with ${care} care`, () => check(backward(1000), care));
  test(`blocks that branch anywhere are laid out, with ${care} care`, async () => {
    for (let seed = 1; seed <= 8; seed++) await check(anywhere(seed), care);
  });
}

test('what goes far is drawn over the rest, and the others as Graphviz has them', async () => {
  const { layout, laid } = await laidOut(backward(1000), 'usual');
  assert.ok(laid.length > 1000 && laid.length < 1900);
  layout.edges.forEach(({ isFar }, number) => { assert.equal(isFar === true, !laid.includes(number)); });
});

test('of a small graph Graphviz lays out every edge, with room for labels', async () => {
  const { layout, laid } = await laidOut(graphOf(4, [[0, 1], [0, 2], [1, 3], [2, 3], [3, 0], [2, 2]]), 'usual');
  assert.equal(laid.length, 6);
  assert.ok(layout.edges.every(({ label, isFar }) => label !== undefined && isFar !== true));
});
