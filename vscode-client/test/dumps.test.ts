import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Dumps } from '../src/dumps';
import type { DumpNode } from '../src/dumps';
import type { Server } from '../src/server';
import { begin, person } from './editor';

const dump = (number: number, pass: string, more: object = {}): object => ({ number, pass, when: 'after', changed: true, languageId: 'mlir', line: number * 10, ...more });
const LISTED = {
  dumps: [
    dump(1, 'canonicalize', { subject: 'func.func @f' }),
    dump(2, 'cse', { subject: 'func.func @f', changed: false, outcome: 'unchanged', before: 1 }),
    dump(3, 'symbol-dce', { changed: false, outcome: 'unchanged' }),
    dump(4, 'inline', { outcome: 'failed', isCut: true, before: 2 }),
  ],
  leftOff: 0,
};
const TEXTS: Record<number, object> = {
  1: { text: 'one' },
  4: { text: 'four', before: { number: 2, text: 'two' } },
};

async function opened(answer: (method: string, number: number) => unknown, picks?: string): Promise<Dumps> {
  begin({ picks });
  const sendRequest = (...given: [string, { number: number }, unknown?]): Promise<unknown> => {
    // The real one makes a list of parameters where another argument is there and is no token.
    assert.ok(given.length === 2 || given[2] !== undefined);
    const [method, { number }] = given;
    return Promise.resolve().then(() => answer(method, number));
  };
  const dumps = new Dumps({ ready: () => Promise.resolve({ sendRequest }) } as unknown as Server);
  const uri = { path: '/a/ci.log', toString: () => 'file:///a/ci.log' };
  await dumps.open(uri as never);
  return dumps;
}

const told = (method: string, number: number): unknown => (method === 'fathom/dumps' ? LISTED : TEXTS[number]);
const textOf = (dumps: Dumps, uri: unknown): string => dumps['texts'].provideTextDocumentContent(uri as never);

test('what changed nothing is folded away, and the others are compared with the dump before', async () => {
  const dumps = await opened(told);
  const roots = dumps.getChildren();
  assert.deepEqual(roots.map((node) => dumps.getTreeItem(node)).map(({ label, description }) => [label, description]), [
    ['1. canonicalize', 'func.func @f'],
    ['2 that changed nothing', 'cse, symbol-dce'],
    ['4. inline', 'failed, cut off'],
  ]);
  const [first, idle, last] = roots as [DumpNode, DumpNode, DumpNode];
  assert.deepEqual(dumps.getChildren(idle).map((node) => dumps.getTreeItem(node).label), ['2. cse', '3. symbol-dce']);
  await dumps.show(first);
  assert.deepEqual(person.opened.map((uri) => textOf(dumps, uri)), ['one']);
  await dumps.show(last);
  const [, left, right, title] = person.executed.at(-1) ?? [];
  assert.deepEqual([left, right].map((uri) => textOf(dumps, uri)), ['two', 'four']);
  assert.equal(title, '2. cse ↔ 4. inline');
});

test('any two dumps are compared: those that are selected, or one and another that is asked for', async () => {
  const dumps = await opened(told, '1. canonicalize');
  const [first, , last] = dumps.getChildren() as [DumpNode, DumpNode, DumpNode];
  for (const selected of [[last, first], undefined]) {
    await dumps.compare(last, selected);
    const [command, left, right, title] = person.executed.at(-1) ?? [];
    assert.deepEqual([command, title], ['vscode.diff', '1. canonicalize ↔ 4. inline']);
    assert.deepEqual([left, right].map((uri) => textOf(dumps, uri)), ['one', 'four']);
  }
});

test('a log that cannot be read, or has no dump, costs a message', async () => {
  await opened(() => { throw new Error('ci.log: to read it takes too much'); });
  assert.deepEqual(person.errors, ['Fathom: ci.log: to read it takes too much']);
  await opened(() => ({ dumps: [], leftOff: 0 }));
  assert.deepEqual(person.errors, ['Fathom: ci.log: there is no dump of IR']);
  assert.deepEqual(person.executed, []);
});
