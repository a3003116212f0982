/** What passes did, as the server tells it, and how it is said. */

import type { DidResult, Passed, Who } from '../../vscode-client/src/protocol';
import { element } from './dom';
import type { Context } from './view';

/** What the server is asked about: a function, or without one the first part of the file. */
export interface About { readonly function?: string; readonly sourceNames: boolean }

export function about(name: string | undefined, sourceNames: boolean): About {
  return { ...(name === undefined ? {} : { function: name }), sourceNames };
}

/** Asks what passes did. Throws where there is no answer, with the reason. */
export async function asked<Result extends DidResult>(context: Context, method: string, params: object): Promise<Result> {
  const answer = await context.ask<Result>(method, params);
  if (answer.problem !== undefined) throw new Error(answer.problem);
  return answer;
}

/** A row of the list of passes: one that changed something, with the stage before it, or those between that did not. */
export type PassRow =
  | { readonly pass: Passed; readonly before: string }
  | { readonly idle: readonly Passed[] };

/** The rows of a timeline; those that changed nothing are folded, but for the group that begins at a stage of `unfolded`. */
export function rowsOf(passes: readonly Passed[], unfolded: ReadonlySet<string>): PassRow[] {
  const rows: PassRow[] = [];
  let idle: Passed[] = [];
  let before = 'source';
  const flush = (): void => {
    const first = idle[0];
    if (first === undefined) return;
    rows.push({ idle });
    if (unfolded.has(first.stage)) for (const pass of idle) rows.push({ pass, before });
    idle = [];
  };
  for (const pass of passes) {
    if (!pass.changed && pass.failed !== true) { idle.push(pass); continue; }
    flush();
    rows.push({ pass, before });
    before = pass.stage;
  }
  flush();
  return rows;
}

/** A pass as columns: its name, operations before and after, steps, time. */
export function passColumns(pass: Passed): HTMLElement[] {
  const count = pass.before === pass.after ? `${pass.before}` : `${pass.before} → ${pass.after}`;
  const name = `${pass.pass}${pass.options ?? ''}`;
  return [
    element('span', { class: 'name' }, pass.failed === true ? `${name}: it failed` : name),
    element('span', { class: 'figure' }, `${count} operations`),
    element('span', { class: 'figure' }, stepsSaid(pass)),
    element('span', { class: 'figure' }, pass.milliseconds === undefined ? '' : `${pass.milliseconds.toFixed(1)} ms`),
  ];
}

/** What a pass did; of one of a tool, of which no time is told, its steps are not known. */
function stepsSaid({ changed, steps, milliseconds }: Passed): string {
  if (!changed) return 'nothing changed';
  return milliseconds === undefined ? 'changed' : `${steps} steps`;
}

/** Who took a step, and with what. */
export function whoSaid(who: Who): string {
  return who.operation === undefined ? who.title : `${who.title} on ${who.operation}`;
}
