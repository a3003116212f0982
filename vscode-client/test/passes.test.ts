import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Passes } from '../src/passes';
import type { Server } from '../src/server';
import { begin, cursor, person, window } from './editor';

const answers: Record<string, object> = {
  'fathom/timeline': {
    version: 1,
    function: 'f',
    passes: [
      { stage: 'canonicalize', pass: 'canonicalize', milliseconds: 2.04, before: 9, after: 8, changed: true, steps: 1 },
      { stage: 'cse', pass: 'cse', milliseconds: 0.1, before: 8, after: 8, changed: false, steps: 0 },
      { stage: 'llvm-dialect', pass: 'convert-to-llvm', milliseconds: 3, before: 8, after: 8, changed: true, steps: 0 },
    ],
  },
  'fathom/below': {
    version: 1,
    function: 'f',
    stages: [
      { stage: 'llvm-ir', title: 'LLVM IR', instructions: 7, lines: 24 },
      { stage: 'object', title: 'Object file', instructions: 3, lines: 8, bytes: 6 },
      { stage: 'assembly', title: 'Assembly', problem: 'LLVM takes too long' },
    ],
  },
  'fathom/blame': { version: 1, stage: 'object', text: 'ret', lines: [{ title: 'convert-to-llvm: ReturnOpLowering' }] },
  'fathom/life': {
    version: 1,
    operation: 'arith.addi',
    steps: [
      { title: 'cse', before: ['a'], after: [] },
      { title: 'translation to LLVM IR', before: [], after: ['add'] },
      { title: "LLVM's optimisation", before: ['add'], after: [], note: 'no location' },
    ],
  },
  'fathom/steps': {
    version: 1,
    steps: [
      { title: 'canonicalize: a fold', kind: 'fold', stage: 'canonicalize', operation: 'arith.addi', run: 0, number: 1, depth: 0 },
      { title: 'canonicalize', kind: 'pass', stage: 'canonicalize', run: 0, number: 0, depth: 0 },
    ],
  },
  'fathom/stages': [{ id: 'source', title: 'Source', languageId: 'mlir' }],
  'fathom/difference': { version: 1, before: { stage: 'canonicalize', text: 'a' }, after: { stage: 'llvm-dialect', text: 'b' } },
  'fathom/step': { version: 1, before: { stage: 'canonicalize', text: 'c' }, after: { stage: 'canonicalize', text: 'd' } },
};

let sent: unknown[][] = [];

function passes(): Passes {
  sent = [];
  const sendRequest = (method: string, params: unknown): Promise<unknown> => {
    sent.push([method, params]);
    const { question } = params as { question?: string };
    if (method === 'fathom/trace' && question === undefined) return Promise.resolve({ name: 'a', parts: [{ pipeline: 'p', stages: [] }] });
    return Promise.resolve(answers[question === undefined ? method : `fathom/${question}`] ?? { version: 1, problem: 'there is no function @f' });
  };
  const server = { ready: () => Promise.resolve({ sendRequest }) };
  begin();
  window.activeTextEditor = cursor;
  return new Passes(server as unknown as Server);
}

test('the passes that changed something are listed, with their steps, and shown as differences', async () => {
  const tree = passes();
  await tree.timeline();
  const roots = await tree.getChildren();
  const items = roots.map((node) => tree.getTreeItem(node));
  assert.deepEqual(items.map(({ label, description, collapsibleState }) => [label, description, collapsibleState]), [
    ['canonicalize', '9 → 8 operations, 2.0 ms', 1],
    ['convert-to-llvm', '8 operations, 3.0 ms', 0],
    ['LLVM IR', '7 instructions', 0],
    ['Object file', '3 instructions, 6 bytes', 0],
    ['Assembly', 'LLVM takes too long', 0],
  ]);
  const steps = await tree.getChildren(roots[0]);
  assert.deepEqual(steps.map((node) => tree.getTreeItem(node).label), ['1. fold']);
  for (const node of [roots[1], steps[0]]) if (node !== undefined) await tree.show(node);
  const about = { textDocument: { uri: 'file:///a.mlir' }, function: 'f', sourceNames: true };
  assert.deepEqual(sent.slice(2), [
    ['fathom/below', about],
    ['fathom/steps', { ...about, stage: 'canonicalize' }],
    ['fathom/difference', { ...about, before: 'canonicalize', after: 'llvm-dialect' }],
    ['fathom/step', { ...about, stage: 'canonicalize', run: 0, number: 1 }],
  ]);
  const shown = person.executed.filter(([command]) => command === 'vscode.diff');
  assert.deepEqual(shown.map(([, , , title]) => title), ['convert-to-llvm', 'canonicalize: a fold']);
  const [left, right] = shown[1]?.slice(1) ?? [];
  assert.deepEqual([left, right].map((uri) => tree.texts.provideTextDocumentContent(uri as never)), ['c', 'd']);
});

test('of a trace the same is shown, and no function is asked about', async () => {
  const tree = passes();
  const file = { path: '/a.json', toString: () => 'file:///a.json' };
  await tree.openTrace(file as never);
  const roots = await tree.getChildren();
  if (roots[1] !== undefined) await tree.show(roots[1]);
  await tree.getChildren(roots[0]);
  const about = { uri: 'file:///a.json', part: 0 };
  assert.deepEqual(sent, [
    ['fathom/trace', { uri: 'file:///a.json' }],
    ['fathom/trace', { ...about, question: 'timeline' }],
    ['fathom/trace', { ...about, question: 'difference', before: 'canonicalize', after: 'llvm-dialect' }],
    ['fathom/trace', { ...about, question: 'steps', stage: 'canonicalize' }],
  ]);
  assert.deepEqual(person.executed.map(([command]) => command).filter((command) => command === 'vscode.diff'), ['vscode.diff']);
});

test('in the text of a stage it is asked about the operation there', async () => {
  const tree = passes();
  await tree.openTrace({ path: '/a.json', toString: () => 'file:///a.json' } as never);
  const [, last] = await tree.getChildren();
  if (last !== undefined) await tree.show(last);
  const [, , right] = person.executed.find(([command]) => command === 'vscode.diff') ?? [];
  window.activeTextEditor = { ...cursor, document: { ...cursor.document, uri: right as string } };
  sent = [];
  await tree.whyNot();
  const target = cursor.selection.active;
  assert.deepEqual(sent, [['fathom/trace', { uri: 'file:///a.json', part: 0, question: 'whyNot', stage: 'llvm-dialect', target }]]);
});

test('a stage below the LLVM dialect is shown with who made its lines, and a life goes on there', async () => {
  const tree = passes();
  await tree.timeline();
  const object = (await tree.getChildren()).find((node) => tree.getTreeItem(node).label === 'Object file');
  assert.ok(object !== undefined);
  await tree.show(object);
  assert.deepEqual(sent.at(-1), ['fathom/blame', { textDocument: { uri: 'file:///a.mlir' }, function: 'f', sourceNames: true, stage: 'object' }]);
  await tree.life();
  const said = "cse\n    gone\ntranslation to LLVM IR\n    add\nLLVM's optimisation\n    (no location)";
  assert.deepEqual(person.opened.map((uri) => tree.texts.provideTextDocumentContent(uri as never)), ['ret', said]);
});

test('of the operation at a place it is asked why it is left', async () => {
  await passes().whyNot({ uri: 'file:///b.mlir', position: { line: 3, character: 2 } });
  assert.deepEqual(sent, [['fathom/whyNot', { textDocument: { uri: 'file:///b.mlir' }, position: { line: 3, character: 2 }, sourceNames: true }]]);
});

test('where there are tools of other people it is asked whose passes are meant', async () => {
  const tree = passes();
  const own = answers['fathom/stages'];
  answers['fathom/stages'] = [{ id: 'source', title: 'Source' }, { id: 'iree-opt:cse', title: 'iree-opt: after cse' }];
  person.picks = 'iree-opt';
  await tree.timeline();
  if (own !== undefined) answers['fathom/stages'] = own;
  const [, asked] = sent.at(-1) as [string, { tool?: string }];
  assert.equal(asked.tool, 'iree-opt');
});

test('where there is no answer it is said why', async () => {
  const tree = passes();
  await tree.whyNot();
  assert.deepEqual(person.errors, ['Fathom: there is no function @f']);
});
