import assert from 'node:assert/strict';
import { test } from 'node:test';
import { actionsText } from '../src/hovers';

const about = { uri: 'file:///a.mlir', position: { line: 3, character: 2 } };

test('a question beside a hover is a link that runs that command alone', () => {
  const text = actionsText([{ title: 'Why was this not folded?', command: 'fathom.lens.whyNot', arguments: [about] }]);
  const given = encodeURIComponent(JSON.stringify([about]));
  assert.equal(text?.value, `[Why was this not folded?](command:fathom.lens.whyNot?${given})`);
  assert.deepEqual(text.isTrusted, { enabledCommands: ['fathom.lens.whyNot'] });
});

test('what is no command of the client is no link, and a title is no markup', () => {
  assert.equal(actionsText([{ title: 'x', command: 'workbench.action.terminal.sendSequence', arguments: [] }]), undefined);
  const text = actionsText([{ title: '`a`](command:evil) [b', command: 'fathom.lens.whyNot', arguments: [] }]);
  assert.equal(text?.value, '[a(command:evil) b](command:fathom.lens.whyNot?%5B%5D)');
});
