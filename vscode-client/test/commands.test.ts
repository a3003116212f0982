import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Commands } from '../src/commands';
import type { GraphAddress, Graphs } from '../src/graphs';
import type { Previews } from '../src/preview';
import type { Server } from '../src/server';
import { begin, person } from './editor';

const target = { uri: 'file:///a.mlir', function: 'f' };
const range = { start: { line: 0, character: 0 }, end: { line: 3, character: 1 } };
const listed = [{
  name: 'f',
  range,
  selectionRange: range,
  signature: '(%x: i32, %m: memref<2xf32>) -> i32',
  arguments: [{ name: '%x', type: 'i32', example: '1' }, { name: '%m', type: 'memref<2xf32>', example: '[1.0, 2.0]' }],
  results: ['i32'],
  isDeclaration: false,
}];

/** What the server was asked with `workspace/executeCommand`. */
let sent: unknown[] = [];

/** The graphs that were shown. */
let shown: GraphAddress[] = [];

/** The commands of an editor whose server gives this answer, or refuses by an error. */
function commandsWith(answer: unknown): Commands {
  sent = [];
  shown = [];
  const sendRequest = (method: string, params: unknown): Promise<unknown> => {
    if (method === 'fathom/functions') return Promise.resolve(listed);
    sent.push(params);
    return answer instanceof Error ? Promise.reject(answer) : Promise.resolve(answer);
  };
  const client = { sendRequest, onProgress: () => ({ dispose: () => undefined }) };
  const server = { ready: () => Promise.resolve(client) };
  const graphs = { show: (address: GraphAddress) => { shown.push(address); return Promise.resolve(); } };
  return new Commands(server as unknown as Server, {} as unknown as Previews, graphs as unknown as Graphs);
}

const about = { uri: target.uri, function: 'f', arguments: [3, [1, 2]] };
const found = {
  status: 'found',
  message: 'the pass cse changes what it does',
  stages: [{ pass: 'source', does: '4' }, { pass: 'cse', does: '5' }],
  smallest: 'func.func @f() { return }\n',
};

test('the pass that breaks a function is looked for, and shown with the smallest text', async () => {
  begin({ types: ['3', '[1, 2]'] });
  const result = await commandsWith(found).bisect(target);
  assert.deepEqual(result, found);
  assert.deepEqual(person.asked, ['%x : i32 = 1', '%m : memref<2xf32> = [1.0, 2.0]']);
  assert.deepEqual(sent, [{ command: 'fathom.bisectFunction', arguments: [about] }]);
  assert.deepEqual(person.progress, ['Looking for the pass that breaks @f']);
  assert.deepEqual(person.log, ['@f: the pass cse changes what it does\n  source: 4\n  cse: 5\n']);
  assert.deepEqual([person.opened, person.errors], [[found.smallest], []]);
});
test('where no pass breaks it no text is shown, and what goes wrong is a message', async () => {
  begin({ types: ['3', '[1, 2]', '3', '[1, 2]'] });
  await commandsWith({ status: 'none', message: 'no pass changes what it does', stages: [] }).bisect(target);
  assert.deepEqual([person.log, person.opened, person.errors], [['@f: no pass changes what it does\n'], [], []]);
  await commandsWith({ status: 'error', message: 'it was not over after 300 s', stages: [] }).bisect(target);
  assert.deepEqual(person.errors, ['@f: it was not over after 300 s']);
});
test('a function is measured', async () => {
  begin({ types: ['3', '[1, 2]'] });
  await commandsWith({ status: 'ok', message: '@f: 5 ns ± 1 ns, the median of 12 values' }).bench(target);
  assert.deepEqual(sent, [{ command: 'fathom.benchFunction', arguments: [about] }]);
  assert.deepEqual(person.progress, ['Measuring @f']);
  assert.deepEqual([person.log, person.errors], [['@f(3, [1, 2])\n  5 ns ± 1 ns, the median of 12 values\n'], []]);
});
test('a function is run, and what it changed is shown', async () => {
  begin({ types: ['3', '[1, 2]'] });
  const argument = { name: '%m', type: 'memref<2xf32>', value: [7, 2], shape: [2], changed: 1, changes: [{ index: [0], before: 1, after: 7 }] };
  const times = { compileMilliseconds: 1, runMilliseconds: 2 };
  await commandsWith({ status: 'ok', results: [{ type: 'i32', value: 3 }], arguments: [argument], output: '', ...times }).run(target);
  assert.match(person.log.join(), /result 0 : i32 = 3\n {2}afterwards:\n.*\[7, 2\]\n {4}1 of 2 elements changed\n {6}\[0\]: 1 -> 7\n/);
});

type Command = 'run' | 'bisect' | 'bench';
const all: readonly Command[] = ['run', 'bisect', 'bench'];

test('nothing is called in a workspace that is not trusted', async () => {
  for (const command of all) {
    begin({ trusts: false, types: ['3', '[1, 2]'] });
    assert.equal(await commandsWith(found)[command](target), undefined);
    assert.deepEqual([person.errors, sent], [['Functions are not run in a workspace that is not trusted.'], []]);
  }
});
test('nothing is called when an argument is not given', async () => {
  for (const command of all) {
    begin({ types: ['3', undefined] });
    assert.equal(await commandsWith(found)[command](target), undefined);
    assert.deepEqual([person.errors, sent], [[], []]);
  }
});
test('a refusal of the server is shown, unless it was asked for', async () => {
  for (const command of ['bisect', 'bench'] as const) {
    for (const cancels of [false, true]) {
      begin({ types: ['3', '[1, 2]'], cancels });
      assert.equal(await commandsWith(new Error('refused'))[command](target), undefined);
      assert.deepEqual(person.errors, cancels ? [] : ['@f: refused']);
    }
  }
});

test('a graph is that of the function and the stage that are asked for', async () => {
  begin({});
  const stages = [{ id: 'source', title: 'Source', languageId: 'mlir' }, { id: 'llvm-ir', title: 'LLVM IR', languageId: 'llvm' }];
  const commands = commandsWith(stages);
  await commands.graph({ ...target, kind: 'cfg', stage: 'llvm-ir' });
  await commands.graph({ uri: target.uri, kind: 'calls', stage: 'source' });
  assert.deepEqual(shown, [
    { uri: target.uri, kind: 'cfg', stage: 'llvm-ir', function: 'f' },
    { uri: target.uri, kind: 'calls', stage: 'source' },
  ]);
});
test('the remarks about a function are asked for, and shown among the problems', async () => {
  begin();
  await commandsWith({ remarks: 3 }).remarks(target);
  assert.deepEqual(sent, [{ command: 'fathom.remarks', arguments: [target.uri, 'f'] }]);
  assert.deepEqual(person.progress, ['What LLVM makes of @f']);
  assert.deepEqual([person.executed, person.errors], [[['workbench.actions.view.problems']], []]);
});
test('where there are no remarks that is said, and why', async () => {
  begin();
  await commandsWith({ remarks: 0 }).remarks(target);
  await commandsWith({ failureReason: 'it is not lowered' }).remarks(target);
  assert.deepEqual(person.errors, ['LLVM has no remarks about @f.', '@f: it is not lowered']);
  assert.deepEqual(person.executed, []);
});
