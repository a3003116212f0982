/** Which elements of an array are touched, as a grid: how often by the colour, the first time by a number. */

import type { AccessPattern } from '../src/protocol';
import { shape } from './shape';

/** A grid of more columns has small cells, without numbers. */
const NUMBERED = 16;
const HEIGHT = 15;
const SMALL = 9;
const CHARACTER = 6;

export interface GridSize { readonly cell: number; readonly line: number; readonly margin: number; readonly width: number; readonly height: number }

/** How much room a grid takes, and its cells. */
export function gridSize(pattern: AccessPattern): GridSize {
  const isNumbered = pattern.columns <= NUMBERED;
  const digits = String(Math.max(...pattern.first, pattern.column + pattern.columns)).length;
  const cell = isNumbered ? Math.max(3, digits) * CHARACTER + 4 : SMALL;
  const line = isNumbered ? HEIGHT : SMALL;
  const margin = Math.max(0, ...pattern.rows.map((row) => headOf(row).length)) * CHARACTER + 6;
  return { cell, line, margin, width: margin + cell * pattern.columns, height: HEIGHT + line * pattern.rows.length + 4 };
}

function headOf(row: readonly number[]): string {
  return row.length === 0 ? '' : `[${row.join(', ')}]`;
}

/** The grid, with its left upper corner at a place. */
export function gridOf(pattern: AccessPattern, x: number, y: number): SVGElement {
  const made = shape('g', { class: 'cells' });
  const { cell, line, margin } = gridSize(pattern);
  const isNumbered = line === HEIGHT;
  const most = Math.max(1, ...pattern.times);
  for (let column = 0; column < pattern.columns; column++) {
    if (!isNumbered && column % 8 !== 0) continue;
    made.append(shape('text', { class: 'index', x: x + margin + column * cell + 2, y: y + 10 }, String(pattern.column + column)));
  }
  pattern.rows.forEach((row, number) => {
    const top = y + HEIGHT + number * line;
    if (isNumbered || number % 2 === 0) made.append(shape('text', { class: 'index', x, y: top + line - 3 }, headOf(row)));
    for (let column = 0; column < pattern.columns; column++) {
      const at = number * pattern.columns + column;
      const [first = -1, times = 0] = [pattern.first[at], pattern.times[at]];
      const left = x + margin + column * cell;
      const box = shape('rect', { class: times > 0 ? 'cell touched' : 'cell', x: left, y: top, width: cell, height: line });
      if (times > 0) box.setAttribute('fill-opacity', String(0.2 + (0.6 * times) / most));
      box.append(shape('title', {}, said([...row, pattern.column + column], first, times)));
      made.append(box);
      if (isNumbered && times > 0) made.append(shape('text', { x: left + cell - 3, y: top + 11, 'text-anchor': 'end' }, String(first)));
    }
  });
  return made;
}

function said(element: readonly number[], first: number, times: number): string {
  const often = times === 1 ? 'once' : `${times} times`;
  return `[${element.join(', ')}]: ${times === 0 ? 'not touched' : `${often}, first in iteration ${first}`}`;
}
