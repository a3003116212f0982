/** A graph as a picture: nodes that can be reached by the keyboard, with what a screen reader says of them. */

import type { GraphEdge, GraphNode, GraphResult } from '../src/protocol';
import { gridOf } from './pattern';
import { shape } from './shape';
import { groupsOf, writtenIn } from './layout';
import type { Box, Layout, Point } from './layout';

const BORDER = 8;
const TIP = 7;

/** The picture. `chosen` is called with the number of a node that is clicked, or chosen by Enter. */
export function drawn(graph: GraphResult, layout: Layout, chosen: (node: number) => void): SVGSVGElement {
  const [width, height] = [layout.width + 2 * BORDER, layout.height + 2 * BORDER];
  const svg = shape('svg', {
    class: 'graph',
    width: Math.ceil(width),
    height: Math.ceil(height),
    viewBox: `${-BORDER} ${-BORDER} ${width} ${height}`,
    role: 'group',
    'aria-label': `${graph.kind} ${graph.function ?? ''}: ${graph.nodes.length} nodes, ${graph.edges.length} edges`,
  }) as SVGSVGElement;
  const groups = groupsOf(graph);
  const leaving = new Map<number, string[]>();
  for (const edge of graph.edges) {
    leaving.set(edge.start, [...(leaving.get(edge.start) ?? []), said(edge, graph.nodes)]);
  }
  // What is around others is drawn first, so that these can be clicked.
  const order = graph.nodes.map((_, number) => number).sort((a, b) => Number(groups.has(b)) - Number(groups.has(a)) || a - b);
  for (const number of order.filter((each) => groups.has(each))) addNode(number);
  graph.edges.forEach((edge, number) => {
    const where = layout.edges[number];
    if (where !== undefined && where.points.length > 0) svg.append(edgeOf(edge, where));
  });
  for (const number of order.filter((each) => !groups.has(each))) addNode(number);
  return svg;

  function addNode(number: number): void {
    const [node, box] = [graph.nodes[number], layout.boxes[number]];
    if (node === undefined || box === undefined) return;
    const made = nodeOf(node, box, number, groups.has(number), leaving.get(number) ?? []);
    made.addEventListener('click', (event) => { event.stopPropagation(); chosen(number); });
    made.addEventListener('keydown', (event) => {
      if (event.key === 'Enter' || event.key === ' ') { event.preventDefault(); chosen(number); }
    });
    svg.append(made);
  }
}

function said(edge: GraphEdge, nodes: readonly GraphNode[]): string {
  const way = [edge.kind, edge.label === edge.kind ? '' : edge.label, edge.back === true ? 'back' : ''].filter(Boolean).join(' ');
  return `${way} to ${nodes[edge.end]?.title ?? ''}`;
}

function nodeOf(node: GraphNode, box: Box, number: number, isGroup: boolean, leaving: readonly string[]): SVGElement {
  const classes = ['node', node.kind, isGroup ? 'group' : '', node.unreachable === true ? 'unreachable' : ''];
  const made = shape('g', {
    class: classes.filter(Boolean).join(' '),
    'data-node': number,
    tabindex: 0,
    role: 'button',
    'aria-label': [writtenIn(node).join(' '), ...(node.unreachable === true ? ['unreachable'] : []), ...leaving].join('; '),
  });
  made.append(shape('rect', { x: box.x, y: box.y, width: box.width, height: box.height, rx: 4 }));
  writtenIn(node).forEach((line, index) => {
    const at = { x: box.x + 8, y: box.y + 15 + index * 14 };
    // A break between them is not drawn; without it one line would be read together with the next.
    made.append(shape('text', index === 0 ? { ...at, class: 'title' } : at, line), '\n');
  });
  if (node.pattern !== undefined) made.append(gridOf(node.pattern, box.x + 8, box.y + 8 + writtenIn(node).length * 14));
  made.append(shape('title', {}, [node.title, ...(node.lines ?? [])].join('\n')));
  return made;
}

function edgeOf(edge: GraphEdge, where: Layout['edges'][number]): SVGElement {
  const made = shape('g', { class: `edge ${edge.kind}${edge.back === true ? ' back' : ''}${where.isFar === true ? ' far' : ''}` });
  const [first, ...rest] = where.points.map(({ x, y }) => `${x} ${y}`);
  made.append(shape('path', { d: `M ${first ?? ''} C ${rest.join(' ')}` }));
  const last = where.points.at(-1);
  if (last !== undefined && where.tip !== undefined && edge.kind !== 'nest') made.append(tipOf(last, where.tip));
  if (where.label !== undefined && edge.label !== undefined) {
    made.append(shape('text', { x: where.label.x, y: where.label.y + 3, 'text-anchor': 'middle' }, edge.label));
  }
  if (edge.label !== undefined) made.append(shape('title', {}, edge.label));
  return made;
}

function tipOf(from: Point, to: Point): SVGElement {
  const length = Math.hypot(to.x - from.x, to.y - from.y) || 1;
  const [x, y] = [((to.x - from.x) / length) * TIP, ((to.y - from.y) / length) * TIP];
  const corner = (side: number): string => `${to.x - x - (side * y) / 2} ${to.y - y + (side * x) / 2}`;
  return shape('path', { class: 'tip', d: `M ${to.x} ${to.y} L ${corner(1)} L ${corner(-1)} Z` });
}

/** The picture as a file of its own: with its colours in it, since it has no style sheet. */
export function asFile(svg: SVGSVGElement): string {
  const copy = svg.cloneNode(true) as SVGSVGElement;
  copy.setAttribute('xmlns', 'http://www.w3.org/2000/svg');
  const [originals, copies] = [svg.querySelectorAll('*'), copy.querySelectorAll('*')];
  const names = ['fill', 'fill-opacity', 'stroke', 'stroke-width', 'stroke-dasharray', 'font-family', 'font-size', 'font-weight', 'opacity'];
  copies.forEach((each, index) => {
    const original = originals[index];
    if (original === undefined) return;
    const style = getComputedStyle(original);
    for (const name of names) {
      const value = style.getPropertyValue(name);
      if (value !== '') each.setAttribute(name, value);
    }
    each.removeAttribute('class');
    each.removeAttribute('tabindex');
  });
  const ground = getComputedStyle(document.body).backgroundColor;
  const { x, y, width, height } = svg.viewBox.baseVal;
  copy.prepend(shape('rect', { x, y, width, height, fill: ground }));
  return new XMLSerializer().serializeToString(copy);
}
