/** Pictures of a function: control flow, data flow, loops, calls. They follow the cursor, and a click jumps. */

import { nearest } from '../../vscode-client/src/mapping';
import { inWords } from '../../vscode-client/src/problems';
import { Method } from '../../vscode-client/src/protocol';
import type { GraphResult, Position, Stage } from '../../vscode-client/src/protocol';
import { Choice, download, element } from './dom';
import { asFile, drawn } from '../../vscode-client/webview/drawing';
import type { Layout } from '../../vscode-client/webview/layout';
import { latest } from './latest';
import { layoutOf } from './layouts';
import { functionMeant } from './meant';
import type { Context, View } from './view';
import { Working } from './working';

const KINDS = [['cfg', 'Control flow'], ['data-flow', 'Data flow'], ['loops', 'Loops'], ['access', 'Accesses'], ['calls', 'Calls']] as const;
const SCALE = 2;

export function graphView(context: Context): View {
  const kinds = new Choice('Graph', () => { refresh(); });
  const stages = new Choice('Stage', () => { refresh(); });
  kinds.fill(KINDS);
  const note = element('div', { class: 'note', role: 'status', hidden: true });
  const drawing = element('div', { class: 'drawing' });
  const working = new Working('the graph is laid out…');
  const tools = element(
    'div',
    { class: 'tools' },
    kinds.element,
    stages.element,
    element('button', { type: 'button', click: () => { save('svg'); } }, 'Save SVG'),
    element('button', { type: 'button', click: () => { save('png'); } }, 'Save PNG'),
    working.element,
  );
  const root = element('div', { class: 'column' }, tools, note, drawing);
  let shown: GraphResult | undefined;
  const asking = latest((problem) => { context.say(problem, true); });
  /** The function that was asked about last. */
  let looked: string | undefined;

  /** The function that is chosen, or else the one at the cursor, or the first one. */
  function meant(): string | undefined {
    const there = context.functions().filter((each) => !each.isDeclaration);
    return functionMeant(context) ?? (there.some(({ name }) => name === looked) ? looked : there[0]?.name);
  }

  async function draw(isLast: () => boolean, signal: AbortSignal): Promise<void> {
    const function_ = looked = meant();
    const ask = (stage: string): Promise<GraphResult> => context.ask<GraphResult>(Method.graph, { ...named, kind: kinds.value, stage });
    const named = function_ === undefined ? {} : { function: function_ };
    const listing = context.ask<Stage[]>(Method.stages, named);
    const asked = stages.value || 'source';
    let asking = ask(asked);
    // Of a function that has no such stage the answer is not looked at.
    asking.catch(() => undefined);
    stages.fill((await listing).filter(({ languageId }) => languageId !== 'asm').map(({ id, title }) => [id, title]), 'source');
    if (!isLast()) return;
    if (stages.value !== asked) asking = ask(stages.value);
    const graph = await asking;
    if (!isLast()) return;
    note.textContent = graph.problem ?? graph.omitted ?? '';
    note.hidden = note.textContent === '';
    const layout = graph.nodes.length > 0 ? await layoutFor(graph, signal) : undefined;
    if (!isLast()) return;
    shown = graph;
    drawing.replaceChildren(...(layout === undefined ? [] : [drawn(graph, layout, choose)]));
    drawing.dataset['kind'] = kinds.value;
    follow(context.cursor());
  }

  /** The layout; where there is none it is said why. */
  async function layoutFor(graph: GraphResult, signal: AbortSignal): Promise<Layout | undefined> {
    try {
      return await working.until(layoutOf(graph, signal));
    } catch (problem) {
      if (signal.aborted) return undefined;
      note.textContent = inWords(problem);
      note.hidden = false;
      return undefined;
    }
  }

  function choose(number: number): void {
    const place = shown?.nodes[number]?.source;
    if (place !== undefined) context.go(place.start);
  }

  function follow(place: Position): void {
    drawing.querySelectorAll('.node.at').forEach((node) => { node.classList.remove('at'); });
    if (kinds.value !== 'calls' && meant() !== looked) { refresh(); return; }
    if (shown === undefined) return;
    const at = nearest(shown.nodes.map(({ source }) => source), place);
    const node = at === undefined ? null : drawing.querySelector(`[data-node="${at}"]`);
    node?.classList.add('at');
    node?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  }

  function save(kind: 'svg' | 'png'): void {
    const svg = drawing.querySelector('svg');
    if (svg === null || shown === undefined) return;
    const name = `${shown.function ?? 'file'}.${shown.kind}.${kind}`.replaceAll(/[^\w.-]+/g, '_');
    const file = new Blob([asFile(svg)], { type: 'image/svg+xml' });
    if (kind === 'svg') download(file, name);
    else void png(file, svg).then((made) => { download(made, name); });
  }

  function refresh(): void {
    void asking(draw);
  }

  return { id: 'graph', title: 'Graphs', element: root, refresh, follow };
}

async function png(file: Blob, svg: SVGSVGElement): Promise<Blob> {
  const address = URL.createObjectURL(file);
  const image = new Image();
  image.src = address;
  await image.decode();
  const canvas = element('canvas');
  canvas.width = svg.width.baseVal.value * SCALE;
  canvas.height = svg.height.baseVal.value * SCALE;
  canvas.getContext('2d')?.drawImage(image, 0, 0, canvas.width, canvas.height);
  URL.revokeObjectURL(address);
  return new Promise((resolve, reject) => {
    canvas.toBlob((made) => { if (made === null) reject(new Error('the picture is too big')); else resolve(made); });
  });
}
