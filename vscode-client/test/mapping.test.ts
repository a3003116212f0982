import assert from 'node:assert/strict';
import { test } from 'node:test';
import { linesOf, linked, nearest } from '../src/mapping';
import type { Side } from '../src/mapping';
import type { Link, Range } from '../src/protocol';

function range(line: number, start: number, end: number, lastLine = line): Range {
  return { start: { line, character: start }, end: { line: lastLine, character: end } };
}

// The head of a function, one operation that became two, and two operations that became one.
const map: Link[] = [
  { source: range(0, 0, 30), target: range(0, 0, 40) },
  { source: range(1, 2, 20), target: range(1, 4, 30) },
  { source: range(1, 2, 20), target: range(4, 4, 30) },
  { source: range(2, 2, 20), target: range(2, 4, 30) },
  { source: range(3, 2, 20), target: range(2, 4, 30) },
  { source: range(3, 12, 16), target: range(3, 4, 30) },
];

function checkLines(from: Side, line: number, character: number, expected: number[]): void {
  assert.deepEqual(linesOf(linked(map, from, { line, character })), expected);
}

test('one operation that became several lights them all', () => { checkLines('source', 1, 5, [1, 4]); });
test('both ends of a range belong to it', () => {
  checkLines('source', 1, 2, [1, 4]);
  checkLines('source', 1, 20, [1, 4]);
});
test('in the indentation, the whole line counts', () => { checkLines('source', 1, 0, [1, 4]); });
test('after the end of a line, all that is on it counts', () => { checkLines('source', 3, 40, [2, 3]); });
test('the smallest range wins', () => { checkLines('source', 3, 13, [3]); });
test('the way back finds every operation that was folded into one', () => { checkLines('target', 2, 8, [2, 3]); });
test('a line that nothing came from lights nothing', () => { checkLines('source', 9, 0, []); });
test('equal targets are given once', () => {
  const [first] = map;
  assert.ok(first);
  assert.deepEqual(linked([first, first], 'source', { line: 0, character: 0 }), [first.target]);
});
test('a range over several lines is all its lines', () => {
  assert.deepEqual(linesOf([range(3, 0, 1, 5), range(5, 0, 9)]), [3, 4, 5]);
});

test('the nearest of ranges is the smallest around a position, whose first line counts from its beginning', () => {
  const at = (start: number, from: number, end: number, to: number): Range => ({
    start: { line: start, character: from },
    end: { line: end, character: to },
  });
  const ranges = [at(0, 0, 9, 1), at(2, 4, 4, 6), undefined, at(3, 2, 3, 8)];
  assert.deepEqual(
    [[3, 0], [2, 0], [4, 6], [4, 7], [10, 0]].map(([line = 0, character = 0]) => nearest(ranges, { line, character })),
    [3, 1, 1, 0, undefined],
  );
});
