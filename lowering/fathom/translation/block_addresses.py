"""Addresses of blocks: which block a tag is in, of whatever function.

Source of the rules: *'llvm' Dialect*, "`llvm.blockaddress`", "`llvm.blocktag`".
"""

from __future__ import annotations

from typing import Final

from fathom.ir.attributes import Attribute, SymbolRefAttr
from fathom.ir.dialect_values import DialectAttr
from fathom.ir.operation import Block, Operation
from fathom.llvmir.instructions import BasicBlock
from fathom.llvmir.module import Function
from fathom.llvmir.types import PTR
from fathom.llvmir.values import BlockAddress
from fathom.ops import llvm as ops
from fathom.translation.function import Emitter, FunctionEmitter, Untranslatable, emitter
from fathom.translation.state import ModuleState


def _address(out: FunctionEmitter, op: ops.BlockaddressOp) -> None:
    parameters = op.block_addr.parameters if isinstance(op.block_addr, DialectAttr) else ()
    match parameters:
        case (SymbolRefAttr(root=name), DialectAttr() as tag):
            function = out.module.symbols.get(name)
            block = _block(out.module, function, tag) if isinstance(function, Function) else None
            if isinstance(function, Function) and block is not None:
                out.define(op, BlockAddress(PTR, function, block))
                return
        case _:
            pass
    raise Untranslatable(op, "")


def _block(state: ModuleState, function: Function, tag: DialectAttr) -> BasicBlock | None:
    """The block of a function that has a tag, which may be made before its instructions are."""
    if function not in state.tagged:
        state.tagged[function] = _tagged(next((op for op, made in state.made.items() if made is function), None))
    block = state.tagged[function].get(tag)
    return state.blocks.setdefault(block, BasicBlock()) if block is not None else None


def _tagged(definition: Operation | None) -> dict[Attribute, Block]:
    """The blocks of a function by their tags; of a tag that several have, the first."""
    found: dict[Attribute, Block] = {}
    for region in definition.regions if definition is not None else ():
        for block in region.blocks:
            for op in block:
                if isinstance(op, ops.BlocktagOp):
                    found.setdefault(op.tag, block)
    return found


def _tag(out: FunctionEmitter, op: ops.BlocktagOp) -> None:
    """A tag is no instruction: its block is found by it."""
    del out, op


BLOCK_ADDRESSES: Final[dict[str, Emitter]] = {
    "llvm.blockaddress": emitter(_address, "block_addr"),
    "llvm.blocktag": emitter(_tag, "tag"),
}
