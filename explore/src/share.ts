/**
 * What the page shows, as one file that needs no server: the source, and of each function its stages, its timeline
 * and its graphs.
 *
 * There is no script in it, and it may load nothing. It is made of elements whose texts are texts.
 */

import { inWords } from '../../vscode-client/src/problems';
import { Method } from '../../vscode-client/src/protocol';
import type { FunctionInfo, GraphResult, PreviewResult, Stage, TimelineResult } from '../../vscode-client/src/protocol';
import { asFile, drawn } from '../../vscode-client/webview/drawing';
import { element } from './dom';
import { layoutOf } from './layouts';
import type { Context } from './view';

/** Of so many functions there are stages. */
const MOST = 20;
const PICTURES = [['cfg', 'Control flow'], ['data-flow', 'Data flow'], ['loops', 'Loops']] as const;
/** A graph of more nodes is no picture that one would look at in a file. */
const LARGEST = 300;
const POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src data:";
const STYLE = `
  :root { color-scheme: light dark; }
  body { max-width: 80rem; margin: 2rem auto; padding: 0 1rem; font: 15px/1.5 system-ui, sans-serif; }
  pre { overflow: auto; padding: .8rem; border: 1px solid gray; border-radius: 6px; font-size: 13px; }
  summary { cursor: pointer; padding: .2rem 0; }
  details details { margin-left: 1.2rem; }
  img { max-width: 100%; }
  table { border-collapse: collapse; margin: .4rem 1.2rem; }
  th, td { text-align: left; padding: .1rem .8rem .1rem 0; }
`;

/** The file, as HTML. */
export async function shared(context: Context, name: string, text: string): Promise<string> {
  const functions = context.functions().filter(({ isDeclaration }) => !isDeclaration);
  const parts: HTMLElement[] = [];
  for (const each of functions.slice(0, MOST)) parts.push(await partOf(context, each));
  const left = functions.length - parts.length;
  const made = document.implementation.createHTMLDocument(name);
  made.body.append(
    element('h1', {}, name),
    element('pre', {}, text),
    ...parts,
    ...(left > 0 ? [element('p', {}, `${left} more functions are left out.`)] : []),
  );
  // What does not come from the file is written here: a style sheet that is made in the page would have to be its own.
  const head = [
    '<meta charset="utf-8">',
    `<meta http-equiv="Content-Security-Policy" content="${POLICY}">`,
    made.querySelector('title')?.outerHTML ?? '',
    `<style>${STYLE}</style>`,
  ];
  return `<!doctype html>\n<html lang="en"><head>${head.join('\n')}</head>${made.body.outerHTML}</html>\n`;
}

async function partOf(context: Context, of: FunctionInfo): Promise<HTMLElement> {
  const about = { function: of.name };
  const part = element('details', {}, element('summary', {}, `@${of.name}${of.signature}`));
  for (const { id, title } of await context.ask<Stage[]>(Method.stages, about)) {
    const preview = await context.ask<PreviewResult>(Method.preview, { ...about, stage: id });
    const said = preview.stale ? [element('p', {}, preview.staleReason ?? '')] : [];
    part.append(element('details', {}, element('summary', {}, title), ...said, element('pre', {}, preview.text)));
  }
  const passed = await context.ask<TimelineResult>(Method.timeline, about);
  if (passed.problem === undefined) part.append(element('details', {}, element('summary', {}, 'Timeline'), timeline(passed)));
  for (const [kind, name] of PICTURES) {
    const graph = await context.ask<GraphResult>(Method.graph, { ...about, kind, stage: 'source' });
    if (graph.nodes.length === 0 || graph.nodes.length > LARGEST) continue;
    const description = graph.nodes.map(({ title }) => title).join('; ');
    const shown = await picture(graph).then(
      (source) => element('img', { src: source, alt: description }),
      (problem: unknown) => element('p', {}, inWords(problem)),
    );
    part.append(element('details', {}, element('summary', {}, name), shown));
  }
  return part;
}

/** The passes that ran, as a table. */
function timeline({ passes }: TimelineResult): HTMLElement {
  const row = (cell: 'td' | 'th', ...texts: readonly string[]): HTMLElement => element('tr', {}, ...texts.map((text) => element(cell, {}, text)));
  return element('table', {}, row('th', 'pass', 'ms', 'operations', 'steps'), ...passes.map((pass) =>
    row(
      'td',
      `${pass.pass}${pass.options ?? ''}${pass.failed === true ? ': it failed' : ''}`,
      pass.milliseconds?.toFixed(1) ?? '',
      pass.changed ? `${pass.before} → ${pass.after}` : 'nothing changed',
      `${pass.steps}`,
    )));
}

/** The picture as an address that is the picture. It has the colours of the page while it is a part of that. */
async function picture(graph: GraphResult): Promise<string> {
  const svg = drawn(graph, await layoutOf(graph), () => undefined);
  const place = element('div', { class: 'sr', 'aria-hidden': 'true' }, svg);
  document.body.append(place);
  try {
    return `data:image/svg+xml;charset=utf-8,${encodeURIComponent(asFile(svg))}`;
  } finally {
    place.remove();
  }
}
