import assert from 'node:assert/strict';
import { test } from 'node:test';
import { candidates, expand } from '../src/candidates';
import type { Places } from '../src/candidates';

function checkOrder(places: Partial<Places>, ...expected: string[]): void {
  const found = candidates({ environments: [], isWindows: false, ...places });
  assert.deepEqual(found.map(({ command, before }) => [command, ...before].join(' ')), expected);
}

test('a setting is the only one', () => {
  checkOrder({ setting: '/opt/python', chosen: '/venv/bin/python' }, '/opt/python -m fathom.cli');
});
test('what was chosen comes before what is found, and each once', () => {
  checkOrder(
    { setting: '', chosen: '/w/.venv/bin/python', preferred: '/usr/bin/python3', environments: ['/w/.venv/bin/python'], own: '/own/bin/python' },
    '/w/.venv/bin/python -m fathom.cli',
    '/usr/bin/python3 -m fathom.cli',
    '/own/bin/python -m fathom.cli',
    'fathom',
    'python3 -m fathom.cli',
    'python -m fathom.cli',
  );
});
test('without anything there is the path', () => {
  checkOrder({ isWindows: true }, 'fathom', 'python -m fathom.cli', 'py -m fathom.cli');
});
test('variables and the home directory in a setting', () => {
  assert.equal(expand(' ${workspaceFolder}/.venv/bin/python ', '/w', '/home/ana'), '/w/.venv/bin/python');
  assert.equal(expand('~/env/bin/python', '/w', '/home/ana'), '/home/ana/env/bin/python');
});
