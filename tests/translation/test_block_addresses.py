"""Addresses of blocks, wherever the block stands, and branches to such."""

from __future__ import annotations

from fathom.elaborate import load
from fathom.translation import translate
from tests.oracles import mlir_translate

PROGRAM = """
llvm.mlir.global private @first() {addr_space = 0 : i32, dso_local} : !llvm.ptr {
  %0 = llvm.blockaddress <function = @jump, tag = <id = 1>> : !llvm.ptr
  llvm.return %0 : !llvm.ptr
}
llvm.func @before(%c: i1, %p: !llvm.ptr) -> !llvm.ptr {
  %0 = llvm.blockaddress <function = @jump, tag = <id = 2>> : !llvm.ptr
  %1 = llvm.select %c, %0, %p : i1, !llvm.ptr
  llvm.return %1 : !llvm.ptr
}
llvm.func @jump(%p: !llvm.ptr, %x: i32) -> i32 {
  %own = llvm.blockaddress <function = @jump, tag = <id = 2>> : !llvm.ptr
  llvm.store %own, %p : !llvm.ptr, !llvm.ptr
  %one = llvm.mlir.constant(1 : i32) : i32
  llvm.indirectbr %p : !llvm.ptr, [
  ^bb1,
  ^bb2(%one : i32)
  ]
^bb1:
  llvm.blocktag <id = 1>
  llvm.indirectbr %p : !llvm.ptr, [
  ^bb2(%x : i32)
  ]
^bb2(%y: i32):
  llvm.blocktag <id = 2>
  llvm.return %y : i32
}
"""


def test_addresses_of_blocks() -> None:
    made = translate(load(PROGRAM).module)
    assert (made.all_told, made.text) == ([], mlir_translate(PROGRAM))


def test_a_tag_that_is_nowhere() -> None:
    text = PROGRAM.replace("llvm.blocktag <id = 2>", "")
    made = translate(load(text).module)
    assert made.diagnostics[0].message == "LLVM Translation failed for operation: llvm.blockaddress"
