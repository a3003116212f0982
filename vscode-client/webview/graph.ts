/** A graph in a webview of VS Code: laid out by Graphviz in a worker, drawn as SVG. */

import { inWords } from '../src/problems';
import { asFile, drawn } from './drawing';
import { Layouts } from './layouts';
import type { FromWebview, ToWebview } from './messages';

declare function acquireVsCodeApi(): { postMessage(message: FromWebview): void };

/** The text of `layout-worker.ts` as a script, which `esbuild.mjs` puts here. */
declare const LAYOUT_WORKER: string;

const SCALE = 2;
/** After so many milliseconds it is said that a graph is laid out. */
const PATIENCE = 700;
const editor = acquireVsCodeApi();
/** A webview begins workers of text that it has alone. */
const layouts = new Layouts(() => new Worker(URL.createObjectURL(new Blob([LAYOUT_WORKER], { type: 'text/javascript' }))));
const note = document.createElement('p');
const drawing = document.createElement('div');
/** The node that the cursor is at: it is told while the graph is still laid out. */
let cursor: number | null = null;
let wanted = new AbortController();

async function show(graph: Extract<ToWebview, { graph: unknown }>['graph']): Promise<void> {
  wanted.abort();
  const { signal } = wanted = new AbortController();
  const said = graph.problem ?? graph.omitted ?? '';
  note.textContent = said;
  if (graph.nodes.length === 0) { drawing.replaceChildren(); return; }
  const timer = setTimeout(() => { note.textContent = 'the graph is laid out…'; }, PATIENCE);
  signal.addEventListener('abort', () => { clearTimeout(timer); });
  try {
    const layout = await layouts.of(graph, signal);
    if (signal.aborted) return;
    note.textContent = said;
    drawing.replaceChildren(drawn(graph, layout, (chosen) => { editor.postMessage({ chosen }); }));
    follow(cursor);
  } catch (problem) {
    if (signal.aborted) return;
    note.textContent = inWords(problem);
    drawing.replaceChildren();
  } finally {
    clearTimeout(timer);
  }
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
  else follow(cursor = data.at);
});
editor.postMessage({ ready: true });
