import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readAddress, writeAddress } from '../src/address';
import type { Address } from '../src/address';

const source = 'file:///home/ana/my%20kernels.v2.mlir';

function checkRoundTrip(address: Address, languageId: 'mlir' | 'llvm', path: string): void {
  const parts = writeAddress(address, languageId);
  assert.equal(parts.path, path);
  assert.deepEqual(readAddress(parts.path, parts.query, parts.fragment), address);
}

test('a function', () => { checkRoundTrip({ stage: 'llvm-ir', function: 'saxpy', source }, 'llvm', '/llvm-ir/@saxpy.ll'); });
test('a part of a function', () => {
  checkRoundTrip({ stage: 'llvm-ir', function: 'saxpy', part: true, source }, 'llvm', '/llvm-ir/@saxpy.ll');
});
test('a whole file', () => { checkRoundTrip({ stage: 'source', source }, 'mlir', '/source/my kernels.v2.mlir'); });
test('a symbol with a dot', () => {
  checkRoundTrip({ stage: 'convert-scf-to-cf', function: 'a.b', source }, 'mlir', '/convert-scf-to-cf/@a.b.mlir');
});
test('a symbol in a module, the second of its path', () => {
  checkRoundTrip({ stage: 'llvm-ir', function: 'inner::@f#2', source }, 'llvm', '/llvm-ir/@inner::@f#2.ll');
});
test('what is no address', () => {
  assert.equal(readAddress('/saxpy.ll', source), undefined);
  assert.equal(readAddress('/llvm-ir/saxpy.txt', source), undefined);
  assert.equal(readAddress('/llvm-ir/saxpy.ll', ''), undefined);
});
