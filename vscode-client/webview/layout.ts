/**
 * Where the parts of a graph stand: Graphviz is told sizes and edges, and gives places.
 *
 * It is told no word of what a file says, so no text has to be quoted for it, and what comes back are numbers.
 */

import type { AccessPattern, GraphResult } from '../src/protocol';
import { curveOf, planOf } from './far';
import type { Care, Ends, Plan } from './far';
import { gridSize } from './pattern';

export interface Point { readonly x: number; readonly y: number }
export interface Box { readonly x: number; readonly y: number; readonly width: number; readonly height: number }

export interface Layout {
  readonly width: number;
  readonly height: number;
  /** Of each node its box; of what is drawn around others too. */
  readonly boxes: readonly Box[];
  /** Of each edge the points of a Bézier curve, the end of its tip, and where its label stands; and whether it runs over others. */
  readonly edges: readonly Run[];
}

export interface Run { readonly points: readonly Point[]; readonly tip?: Point; readonly label?: Point; readonly isFar?: boolean }

export interface Size { readonly width: number; readonly height: number }

const CHARACTER = 6.7;
const LINE = 14;
const MARGIN = 8;
const INCH = 72;

const LONGEST = 60;
const LONGEST_LABEL = 30;

/** What is written in a node, line by line: of long ones the beginning. */
export function writtenIn(node: { readonly title: string; readonly lines?: readonly string[] }): string[] {
  return [node.title, ...(node.lines ?? [])].map((line) => (line.length > LONGEST ? `${line.slice(0, LONGEST)}…` : line));
}

/** How much room a node takes. */
export function sizeOf(node: { readonly title: string; readonly lines?: readonly string[]; readonly pattern?: AccessPattern }): Size {
  const lines = writtenIn(node);
  const longest = Math.max(...lines.map((line) => line.length));
  const grid = node.pattern === undefined ? { width: 0, height: 0 } : gridSize(node.pattern);
  return { width: Math.max(longest * CHARACTER, grid.width) + 2 * MARGIN, height: lines.length * LINE + MARGIN + grid.height };
}

/** The numbers of the nodes that others are drawn in. */
export function groupsOf(graph: GraphResult): Set<number> {
  return new Set(graph.nodes.flatMap(({ parent }) => (parent === undefined ? [] : [parent])));
}

/**
 * Where the parts of a graph stand. `ask` has Graphviz answer what it is asked (`dot`) in JSON.
 */
export function layoutOf(graph: GraphResult, care: Care, ask: (question: string) => string): Layout {
  const groups = groupsOf(graph);
  // What others are drawn in has no edges in the picture.
  const numbers = graph.edges.flatMap(({ start, end }, number) => (groups.has(start) || groups.has(end) ? [] : [number]));
  const ends = numbers.map((number): Ends => graph.edges[number] ?? { start: 0, end: 0 });
  const plan = planOf(graph.nodes.length, ends, care);
  const layout = placed(graph, ask(question(graph, groups, new Set(numbers.filter((_, at) => plan.isLaid[at])), plan.isQuick)));
  return withFar(layout, numbers, ends, plan);
}

/** What Graphviz is asked: about the edges that it lays out. */
function question(graph: GraphResult, groups: ReadonlySet<number>, laid: ReadonlySet<number>, isQuick: boolean): string {
  const quick = isQuick ? 'nslimit=0.5; nslimit1=0.5; splines=polyline;' : '';
  const lines = [`digraph { ${quick} ranksep=0.35; nodesep=0.3; node [shape=box, fixedsize=true, label=""];`];
  const inside = new Map<number | undefined, number[]>();
  graph.nodes.forEach(({ parent }, number) => {
    const listed = inside.get(parent);
    if (listed === undefined) inside.set(parent, [number]);
    else listed.push(number);
  });
  const pending: (number | string)[] = [...(inside.get(undefined) ?? [])].reverse();
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const node = typeof next === 'number' ? graph.nodes[next] : undefined;
    if (typeof next === 'string' || node === undefined) {
      lines.push(String(next));
      continue;
    }
    const { width, height } = sizeOf(node);
    if (groups.has(next)) {
      // An empty table holds the place of the title.
      const room = `WIDTH="${Math.ceil(width)}" HEIGHT="${Math.ceil(height)}"`;
      const title = `<<TABLE BORDER="0" FIXEDSIZE="TRUE" ${room}><TR><TD></TD></TR></TABLE>>`;
      lines.push(`subgraph cluster_${next} { margin=12; label=${title};`);
      pending.push('}', ...[...(inside.get(next) ?? [])].reverse());
    } else {
      lines.push(`n${next} [width=${inches(width)}, height=${inches(height)}];`);
    }
  }
  graph.edges.forEach((edge, number) => {
    const room = 'm'.repeat(Math.min(edge.label?.length ?? 0, LONGEST_LABEL));
    const label = isQuick || room === '' || edge.kind === 'value' ? '' : ` label="${room}", fontsize=10,`;
    if (laid.has(number)) lines.push(`n${edge.start} -> n${edge.end} [${label} comment=${number}];`);
  });
  return [...lines, '}'].join('\n');
}

function inches(points: number): string {
  return (points / INCH).toFixed(3);
}

interface Answer {
  readonly bb: string;
  readonly objects?: readonly { readonly name: string; readonly pos?: string; readonly bb?: string; readonly width?: string; readonly height?: string }[];
  readonly edges?: readonly { readonly comment: string; readonly pos?: string; readonly lp?: string }[];
}

/** The layout that Graphviz answered (`json`): its y counts upwards, and a point is a 72nd of an inch. */
function placed(graph: GraphResult, json: string): Layout {
  const answer = JSON.parse(json) as Answer;
  const [, , width = 0, height = 0] = numbers(answer.bb);
  const boxes: Box[] = graph.nodes.map(() => ({ x: 0, y: 0, width: 0, height: 0 }));
  for (const object of answer.objects ?? []) {
    const number = Number(object.name.replace(/^(n|cluster_)/, ''));
    if (object.bb !== undefined) {
      const [left = 0, low = 0, right = 0, high = 0] = numbers(object.bb);
      boxes[number] = { x: left, y: height - high, width: right - left, height: high - low };
    } else {
      const [x = 0, y = 0] = numbers(object.pos ?? '');
      const size = { width: Number(object.width) * INCH, height: Number(object.height) * INCH };
      boxes[number] = { x: x - size.width / 2, y: height - y - size.height / 2, ...size };
    }
  }
  const edges: Run[] = graph.edges.map(() => ({ points: [] }));
  for (const edge of answer.edges ?? []) {
    const made: { points: Point[]; tip?: Point; label?: Point } = { points: [] };
    for (const part of (edge.pos ?? '').split(' ')) {
      const [x = 0, y = 0] = numbers(part.replace(/^[se],/, ''));
      const point = { x, y: height - y };
      if (part.startsWith('e,')) made.tip = point;
      else if (part !== '' && !part.startsWith('s,')) made.points.push(point);
    }
    if (edge.lp !== undefined) {
      const [x = 0, y = 0] = numbers(edge.lp);
      made.label = { x, y: height - y };
    }
    edges[Number(edge.comment)] = made;
  }
  return { width, height, boxes, edges };
}

/** The layout with the edges that Graphviz did not lay out, and room for them at both sides. */
function withFar(layout: Layout, numbers: readonly number[], ends: readonly Ends[], plan: Plan): Layout {
  const edges = [...layout.edges];
  let [left, right] = [0, layout.width];
  ends.forEach(({ start, end }, at) => {
    const [from, to, number] = [layout.boxes[start], layout.boxes[end], numbers[at]];
    if (plan.isLaid[at] === true || from === undefined || to === undefined || number === undefined) return;
    const curve = curveOf(from, to, plan.bends[at] ?? 0);
    edges[number] = curve;
    for (const { x } of curve.points) [left, right] = [Math.min(left, x), Math.max(right, x)];
  });
  if (left === 0) return { ...layout, width: right, edges };
  const moved = <T extends Point>(point: T): T => ({ ...point, x: point.x - left });
  return {
    width: right - left,
    height: layout.height,
    boxes: layout.boxes.map(moved),
    edges: edges.map(({ points, tip, label, ...rest }) => ({
      ...rest,
      points: points.map(moved),
      ...(tip === undefined ? {} : { tip: moved(tip) }),
      ...(label === undefined ? {} : { label: moved(label) }),
    })),
  };
}

function numbers(text: string): number[] {
  return text.split(',').map(Number);
}
