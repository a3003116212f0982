/** Finds what a position became, or came from, in the map of a preview. Pure: no editor, no server. */

import type { Link, Position, Range } from './protocol';

export type Side = 'source' | 'target';

export function compare(a: Position, b: Position): number {
  return a.line - b.line || a.character - b.character;
}

/** Both ends belong to the range: a cursor stands between characters. */
export function contains(range: Range, position: Position): boolean {
  return compare(range.start, position) <= 0 && compare(position, range.end) <= 0;
}

/** Orders ranges by how much they cover: lines first, characters within the last line second. */
function isSmaller(a: Range, b: Range): boolean {
  const lines = a.end.line - a.start.line - (b.end.line - b.start.line);
  return lines !== 0 ? lines < 0 : a.end.character - a.start.character < b.end.character - b.start.character;
}

function isEqual(a: Range, b: Range): boolean {
  return compare(a.start, b.start) === 0 && compare(a.end, b.end) === 0;
}

/**
 * The ranges on the other side of `position`, in the order of that side, without repetition.
 *
 * The smallest range that contains the position decides; if none does, all that touch its line.
 */
export function linked(map: readonly Link[], from: Side, position: Position): Range[] {
  const to: Side = from === 'source' ? 'target' : 'source';
  let smallest: Range | undefined;
  for (const link of map) {
    const range = link[from];
    if (contains(range, position) && (smallest === undefined || isSmaller(range, smallest))) smallest = range;
  }
  const chosen = map.filter((link) =>
    smallest === undefined
      ? link[from].start.line <= position.line && position.line <= link[from].end.line
      : isEqual(link[from], smallest),
  );
  const ranges = chosen.map((link) => link[to]).sort((a, b) => compare(a.start, b.start) || compare(a.end, b.end));
  return ranges.filter((range, index) => {
    const before = ranges[index - 1];
    return before === undefined || !isEqual(before, range);
  });
}

/** The number of the smallest of some ranges around a position, taken from the beginning of their first lines. */
export function nearest(ranges: readonly (Range | undefined)[], position: Position): number | undefined {
  let found: number | undefined;
  let smallest: Range | undefined;
  ranges.forEach((range, number) => {
    if (range === undefined || !contains({ ...range, start: { ...range.start, character: 0 } }, position)) return;
    if (smallest !== undefined && !isSmaller(range, smallest)) return;
    [found, smallest] = [number, range];
  });
  return found;
}

/** The lines that the ranges touch, each once, in order. */
export function linesOf(ranges: readonly Range[]): number[] {
  const lines = new Set<number>();
  for (const range of ranges) for (let line = range.start.line; line <= range.end.line; line++) lines.add(line);
  return [...lines].sort((a, b) => a - b);
}
