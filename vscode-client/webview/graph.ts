/** A graph in a webview of VS Code: laid out by Graphviz, drawn as SVG. */

import { Graphviz } from '@hpcc-js/wasm-graphviz';
import { asFile, drawn } from './drawing';
import { layoutOf, question } from './layout';
import type { FromWebview, ToWebview } from './messages';

declare function acquireVsCodeApi(): { postMessage(message: FromWebview): void };

const SCALE = 2;
const editor = acquireVsCodeApi();
const loading = Graphviz.load();
const note = document.createElement('p');
const drawing = document.createElement('div');
let asked = 0;

async function show(graph: Extract<ToWebview, { graph: unknown }>['graph']): Promise<void> {
  const mine = ++asked;
  note.textContent = graph.problem ?? graph.omitted ?? '';
  const graphviz = await loading;
  if (mine !== asked) return;
  if (graph.nodes.length === 0) { drawing.replaceChildren(); return; }
  const layout = layoutOf(graph, graphviz.layout(question(graph), 'json', 'dot'));
  drawing.replaceChildren(drawn(graph, layout, (chosen) => { editor.postMessage({ chosen }); }));
}

function follow(at: number | null): void {
  drawing.querySelectorAll('.node.at').forEach((node) => { node.classList.remove('at'); });
  const node = at === null ? null : drawing.querySelector(`[data-node="${at}"]`);
  node?.classList.add('at');
  node?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
}

async function save(kind: 'svg' | 'png'): Promise<void> {
  const svg = drawing.querySelector('svg');
  if (svg === null) return;
  const text = asFile(svg);
  if (kind === 'svg') { editor.postMessage({ picture: kind, data: text }); return; }
  const image = new Image();
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(text)}`;
  await image.decode();
  const canvas = document.createElement('canvas');
  canvas.width = svg.width.baseVal.value * SCALE;
  canvas.height = svg.height.baseVal.value * SCALE;
  canvas.getContext('2d')?.drawImage(image, 0, 0, canvas.width, canvas.height);
  editor.postMessage({ picture: kind, data: canvas.toDataURL('image/png').replace(/^[^,]*,/, '') });
}

function button(kind: 'svg' | 'png'): HTMLButtonElement {
  const made = document.createElement('button');
  made.textContent = `Save ${kind.toUpperCase()}`;
  made.addEventListener('click', () => { void save(kind); });
  return made;
}

note.setAttribute('role', 'status');
drawing.className = 'drawing';
document.body.append(button('svg'), button('png'), note, drawing);
window.addEventListener('message', ({ data }: MessageEvent<ToWebview>) => {
  if ('graph' in data) void show(data.graph);
  else follow(data.at);
});
editor.postMessage({ ready: true });
