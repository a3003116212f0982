/**
 * Which edges of a graph Graphviz lays out, and how the others run.
 *
 * Graphviz has an edge bend on every rank that it passes, and what it does takes more than in proportion to these bends: a
 * thousand blocks that branch back over half of those before them have 250,000. So the edges that go furthest are left
 * out where there are too many bends, and drawn as curves from side to side. Ranks stay as they are without them: an edge
 * that holds a node on its rank goes to the next rank, and is kept.
 */

import type { Box, Point } from './layout';

export interface Ends { readonly start: number; readonly end: number }

/** How much of a graph Graphviz is asked to lay out: what takes it less than a second, or as little as there can be. */
export type Care = 'usual' | 'least';

export interface Plan {
  /** Of each edge whether Graphviz lays it out. */
  readonly isLaid: readonly boolean[];
  /** Of each edge how many ranks it passes. */
  readonly bends: readonly number[];
  /** Whether less care has to be enough, and there is no room for labels. */
  readonly isQuick: boolean;
}

/** A graph with more of one of these is laid out in less time: a little less well, with no room for labels. */
const MANY = { nodes: 200, bends: 400, edges: 400 };
/** So many bends, and edges that hold no node on its rank, Graphviz lays out in about a second. */
export const MOST: Readonly<Record<Care, { readonly bends: number; readonly edges: number }>> = {
  usual: { bends: 4000, edges: 2000 },
  least: { bends: 0, edges: 0 },
};
const TIP = 10;
/** How far a curve goes out to the side: a part of how far it goes down or up, within bounds. */
const BULGE = { least: 24, part: 0.12, most: 320 };

/** What Graphviz is to lay out of a graph: of so many nodes, with these edges. */
export function planOf(nodes: number, edges: readonly Ends[], care: Care): Plan {
  const { ranks, isTurned } = ranked(nodes, edges);
  const bends = edges.map(({ start, end }) => Math.max(0, Math.abs((ranks[end] ?? 0) - (ranks[start] ?? 0)) - 1));
  const sum = bends.reduce((total, each) => total + each, 0);
  const isQuick = care === 'least' || nodes > MANY.nodes || sum > MANY.bends || edges.length > MANY.edges;
  const most = MOST[care];
  const isHolding = holding(edges, ranks, isTurned);
  const first = (number: number): number => (isHolding[number] === true ? -1 : bends[number] ?? 0);
  const order = edges.map((_, number) => number).sort((a, b) => first(a) - first(b) || a - b);
  const isLaid = edges.map(() => false);
  let [bent, laid] = [0, 0];
  for (const number of order) {
    bent += bends[number] ?? 0;
    if (isHolding[number] !== true && (bent > most.bends || ++laid > most.edges)) break;
    isLaid[number] = true;
  }
  return { isLaid, bends, isQuick };
}

/** Of each edge whether it is the first one that holds the node it leads to on its rank. */
function holding(edges: readonly Ends[], ranks: readonly number[], isTurned: readonly boolean[]): boolean[] {
  const held = new Set<number>();
  return edges.map(({ start, end }, number) => {
    const [upper, lower] = isTurned[number] === true ? [end, start] : [start, end];
    if ((ranks[lower] ?? 0) - (ranks[upper] ?? 0) !== 1 || held.has(lower)) return false;
    held.add(lower);
    return true;
  });
}

/** The ranks of nodes, as Graphviz has them: one below all that lead to it, where edges that close a cycle are turned. */
function ranked(nodes: number, edges: readonly Ends[]): { ranks: readonly number[]; isTurned: readonly boolean[] } {
  const leaving: number[][] = Array.from({ length: nodes }, () => []);
  edges.forEach(({ start }, number) => leaving[start]?.push(number));
  const isTurned = edges.map(({ start, end }) => start === end);
  const state = new Array<'new' | 'open' | 'done'>(nodes).fill('new');
  const done: number[] = [];
  for (let root = 0; root < nodes; root++) {
    if (state[root] !== 'new') continue;
    const path = [{ node: root, next: 0 }];
    state[root] = 'open';
    for (let top = path.at(-1); top !== undefined; top = path.at(-1)) {
      const number = leaving[top.node]?.[top.next++];
      const to = number === undefined ? undefined : edges[number]?.end;
      if (number === undefined || to === undefined) {
        state[top.node] = 'done';
        done.push(top.node);
        path.pop();
      } else if (state[to] === 'open') {
        isTurned[number] = true;
      } else if (state[to] === 'new') {
        state[to] = 'open';
        path.push({ node: to, next: 0 });
      }
    }
  }
  return { ranks: below(edges, leaving, isTurned, done.reverse()), isTurned };
}

/** The ranks, where `order` has each node before those that its edges lead to, but for turned ones. */
function below(edges: readonly Ends[], leaving: readonly number[][], isTurned: readonly boolean[], order: readonly number[]): number[] {
  const ranks = order.map(() => 0);
  const down: number[][] = order.map(() => []);
  leaving.forEach((numbers, node) => {
    for (const number of numbers) {
      const to = edges[number]?.end;
      if (to === undefined || to === node) continue;
      if (isTurned[number] === true) down[to]?.push(node);
      else down[node]?.push(to);
    }
  });
  for (const node of order) {
    for (const to of down[node] ?? []) ranks[to] = Math.max(ranks[to] ?? 0, (ranks[node] ?? 0) + 1);
  }
  return ranks;
}

export interface Curve { readonly points: readonly Point[]; readonly tip: Point; readonly isFar: true }

/** An edge that Graphviz did not lay out: straight to the next rank, else from side to side, at the left if it goes up. */
export function curveOf(from: Box, to: Box, bends: number): Curve {
  if (bends === 0 && from.y + from.height < to.y - TIP) {
    const [start, tip] = [{ x: from.x + from.width / 2, y: from.y + from.height }, { x: to.x + to.width / 2, y: to.y }];
    const middle = (start.y + tip.y) / 2;
    return { points: [start, { x: start.x, y: middle }, { x: tip.x, y: middle }, { x: tip.x, y: tip.y - TIP }], tip, isFar: true };
  }
  const start = { y: from.y + 0.75 * from.height, left: from.x, right: from.x + from.width };
  const end = { y: to.y + 0.25 * to.height, left: to.x, right: to.x + to.width };
  const bulge = Math.min(BULGE.most, BULGE.least + BULGE.part * Math.abs(end.y - start.y));
  const [side, away, out] = end.y < start.y
    ? ['left', -TIP, Math.min(start.left, end.left) - bulge] as const
    : ['right', TIP, Math.max(start.right, end.right) + bulge] as const;
  const tip = { x: end[side], y: end.y };
  const points = [{ x: start[side], y: start.y }, { x: out, y: start.y }, { x: out, y: end.y }, { x: tip.x + away, y: end.y }];
  return { points, tip, isFar: true };
}
