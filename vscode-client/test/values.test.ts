import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { FunctionInfo, RunFunctionResult } from '../src/protocol';
import { functionAt, readArgument, showBench, showCall, showChanges, showMilliseconds, showRun, showSummary, showValue } from '../src/values';

function checkArgument(text: string, expected: unknown): void {
  assert.deepEqual(readArgument(text), { value: expected });
}

test('arguments are JSON', () => {
  checkArgument('42', 42);
  checkArgument(' -1.5e3 ', -1500);
  checkArgument('true', true);
  checkArgument('[[1, 2], [3, 4]]', [[1, 2], [3, 4]]);
  checkArgument('{"shape": [4], "fill": 0}', { shape: [4], fill: 0 });
});
test('infinities and not-a-number need no quotes', () => {
  checkArgument('inf', 'inf');
  checkArgument('-Inf', '-inf');
  checkArgument('nan', 'nan');
});
test('an integer beyond 2^53 keeps its digits', () => {
  checkArgument('9223372036854775807', '9223372036854775807');
  checkArgument('9007199254740991', 9007199254740991);
});
test('anything else is explained', () => {
  for (const text of ['', '%x', '1,2', '[1', 'abc']) assert.ok('problem' in readArgument(text), text);
});

test('a matrix is shown row by row', () => {
  assert.equal(showValue([[1, 2], [3, 4]]), '[[1, 2],\n [3, 4]]');
  assert.equal(showValue([1, 2]), '[1, 2]');
  assert.equal(showValue('inf'), 'inf');
});
test('times have the unit that fits them', () => {
  assert.deepEqual([0.0123, 1.26, 1234].map(showMilliseconds), ['12 µs', '1.3 ms', '1.23 s']);
});

const good: RunFunctionResult = {
  status: 'ok',
  results: [{ type: 'f32', value: 3.5 }],
  arguments: [{ name: '%y', type: 'memref<2x2xf32>', value: [[1, 2], [3, 4]] }],
  output: 'hello\n',
  notes: ['it was refused to open a socket'],
  compileMilliseconds: 12,
  runMilliseconds: 0.05,
};

test('a run is shown with its call, results, memory and output', () => {
  const expected = [
    '@f(2, [1, 2])',
    '  result 0 : f32 = 3.5',
    '  afterwards:',
    '  %y : memref<2x2xf32> =',
    '    [[1, 2],',
    '     [3, 4]]',
    '  printed:',
    '    hello',
    '  note: it was refused to open a socket',
    '  compiled in 12.0 ms, ran in 50 µs',
  ];
  // The value of `%y` begins on a line of its own, after a label with a trailing space.
  assert.equal(showRun('f', [2, [1, 2]], good).replaceAll(' \n', '\n'), expected.join('\n'));
  assert.equal(showSummary('f', good), '@f: 3.5 (50 µs)');
});
test('what a run changed is shown below the argument', () => {
  const change = { index: [0, 1], before: 1, after: 2.5 };
  const argument = { type: 'memref<2x2xf32>', value: [[1, 2.5], [3, 4]], shape: [2, 2], changed: 12, changes: [change] };
  const shown = showRun('f', [], { ...good, arguments: [argument] });
  assert.ok(shown.includes('     [3, 4]]\n    12 of 4 elements changed\n      [0, 1]: 1 -> 2.5\n      and 11 more\n'), shown);
  const scalar = { type: 'memref<i32>', value: 2, shape: [], changed: 1, changes: [{ index: [], before: 1, after: 2 }] };
  assert.deepEqual(showChanges(scalar), ['    changed: 1 -> 2']);
  assert.deepEqual(showChanges({ type: 'memref<i32>', value: 2, shape: [] }), []);
});
test('how long a call takes is shown with it', () => {
  const told = { status: 'ok', message: '@f: 5 ns ± 1 ns, the median of 12 values' } as const;
  assert.equal(showBench('f', [[1, 2]], told), '@f([1, 2])\n  5 ns ± 1 ns, the median of 12 values');
  assert.equal(showBench('f', [], { status: 'error', message: 'it does not end' }), '@f()\n  error: it does not end');
});
test('how many elements are left out is shown', () => {
  const argument = { type: 'memref<?xi8>', value: [1, 2], truncated: 98 };
  assert.ok(showRun('f', [], { ...good, arguments: [argument] }).includes('[1, 2] and 98 more'));
});
test('an error is shown as such', () => {
  const bad: RunFunctionResult = { ...good, status: 'error', kind: 'timeout', message: 'stopped after 2 s', results: [], arguments: [] };
  assert.match(showRun('f', [], bad), /^@f\(\)\n {2}error: stopped after 2 s\n/);
  assert.equal(showSummary('f', bad), '@f: stopped after 2 s');
});
test('a call is shown as one would write it', () => {
  assert.equal(showCall('g', [1, [2, 3], 'inf']), '@g(1, [2, 3], "inf")');
});

test('the function at a line', () => {
  const info = (name: string, start: number, end: number): FunctionInfo => {
    const range = { start: { line: start, character: 0 }, end: { line: end, character: 1 } };
    return { name, range, selectionRange: range, signature: '()', arguments: [], results: [], isDeclaration: false };
  };
  const functions = [info('a', 0, 4), info('b', 6, 9)];
  assert.equal(functionAt(functions, 4)?.name, 'a');
  assert.equal(functionAt(functions, 5), undefined);
  assert.equal(functionAt(functions, 6)?.name, 'b');
});
