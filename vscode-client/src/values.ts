/** Arguments as a person types them, and results as a person reads them. Pure: no editor, no server. */

import type { BenchFunctionResult, Change, FunctionInfo, RunFunctionResult, TypedValue, Value } from './protocol';

export type Parsed = { readonly value: Value } | { readonly problem: string };

/**
 * Reads one argument. It is JSON, but `nan`, `inf` and `-inf` need no quotes, and an integer that a JSON number would
 * round is kept as its digits.
 */
export function readArgument(text: string): Parsed {
  const trimmed = text.trim();
  if (/^-?(nan|inf)$/i.test(trimmed)) return { value: trimmed.toLowerCase().replace('-nan', 'nan') };
  if (/^-?\d+$/.test(trimmed) && !Number.isSafeInteger(Number(trimmed))) return { value: trimmed };
  try {
    return { value: JSON.parse(trimmed) as Value };
  } catch {
    return { problem: 'Write a number, true or false, a list such as [1, 2], or {"shape": [4], "fill": 0}.' };
  }
}

/** One value on one line, as long as it fits; a matrix row by row. */
export function showValue(value: Value, indent = ''): string {
  const line = JSON.stringify(value).replaceAll(',', ', ').replaceAll(':', ': ');
  if (typeof value === 'string') return value;
  if (!Array.isArray(value) || !value.some(Array.isArray)) return line;
  const rows = value.map((row: Value) => showValue(row, `${indent} `));
  return `[${rows.join(`,\n${indent} `)}]`;
}

function showTyped(typed: TypedValue, fallback: string): string {
  const label = `${typed.name ?? fallback} : ${typed.type} = `;
  const shown = showValue(typed.value) + (typed.truncated === undefined ? '' : ` and ${typed.truncated} more`);
  return shown.includes('\n') ? `  ${label}\n    ${shown.replaceAll('\n', '\n    ')}` : `  ${label}${shown}`;
}

/** What the program did to an argument: how many elements it changed, and the first of them. */
export function showChanges({ shape = [], changed, changes = [] }: TypedValue): string[] {
  if (changed === undefined) return [];
  const total = shape.reduce((product, extent) => product * extent, 1);
  const [only] = changes;
  if (total === 1 && only?.index.length === 0) return [`    changed: ${showChange(only)}`];
  const lines = changes.map((each) => `      [${each.index.join(', ')}]: ${showChange(each)}`);
  if (changed > changes.length) lines.push(`      and ${changed - changes.length} more`);
  return [`    ${changed} of ${total} ${total === 1 ? 'element' : 'elements'} changed`, ...lines];
}

function showChange({ before, after }: Change): string {
  return [before, after].map((value) => showValue(value).replaceAll(/\n */g, ' ')).join(' -> ');
}

export function showMilliseconds(milliseconds: number): string {
  if (milliseconds < 1) return `${(milliseconds * 1000).toFixed(0)} µs`;
  return milliseconds < 1000 ? `${milliseconds.toFixed(1)} ms` : `${(milliseconds / 1000).toFixed(2)} s`;
}

/** The call as a person would write it: `@saxpy(2.0, [1, 2])`. */
export function showCall(name: string, values: readonly Value[]): string {
  return `@${name}(${values.map((value) => JSON.stringify(value).replaceAll(',', ', ')).join(', ')})`;
}

/** The whole answer to a run, for a log. */
export function showRun(name: string, values: readonly Value[], result: RunFunctionResult): string {
  const lines = [showCall(name, values)];
  if (result.status === 'error') lines.push(`  error: ${result.message ?? result.kind ?? 'unknown'}`);
  result.results.forEach((value, index) => lines.push(showTyped(value, `result ${index}`)));
  if (result.arguments.length > 0) lines.push('  afterwards:');
  result.arguments.forEach((value, index) => lines.push(showTyped(value, `argument ${index}`), ...showChanges(value)));
  if (result.output !== '') lines.push('  printed:', ...result.output.trimEnd().split('\n').map((line) => `    ${line}`));
  for (const note of result.notes ?? []) lines.push(`  note: ${note}`);
  lines.push(`  compiled in ${showMilliseconds(result.compileMilliseconds)}, ran in ${showMilliseconds(result.runMilliseconds)}`);
  return lines.join('\n');
}

/** The same in one short line, for a message. */
export function showSummary(name: string, result: RunFunctionResult): string {
  if (result.status === 'error') return `@${name}: ${result.message ?? result.kind ?? 'failed'}`;
  const values = result.results.map((value) => shorten(showValue(value.value).replaceAll('\n', ' '), 60));
  const shown = values.length === 0 ? 'done' : values.join(', ');
  return `@${name}: ${shown} (${showMilliseconds(result.runMilliseconds)})`;
}

/** How long a call takes, for a log. */
export function showBench(name: string, values: readonly Value[], { status, message }: BenchFunctionResult): string {
  return `${showCall(name, values)}\n  ${status === 'error' ? 'error: ' : ''}${message.replace(`@${name}: `, '')}`;
}

function shorten(text: string, length: number): string {
  return text.length <= length ? text : `${text.slice(0, length - 1)}…`;
}

/** The first function whose range contains the line, if any. */
export function functionAt(functions: readonly FunctionInfo[], line: number): FunctionInfo | undefined {
  return functions.find(({ range }) => range.start.line <= line && line <= range.end.line);
}
