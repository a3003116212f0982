"""What functions on tensors allocate is freed: by whom who calls them can count on.

What a function with tensors returns is its caller's to free, and nothing else that it was given. That holds for all of
them, or for none of those that call each other: where one cannot be seen through, it stays as it is, and so do those
that call it for what it returns. What they allocate is not freed; nor is what is in a memory space of its own.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from fathom.bufferization.functions import Functions
from fathom.bufferization.onlookers import onlooker
from fathom.bufferization.options import Refusal
from fathom.bufferization.origins import is_buffer
from fathom.bufferization.ownership import truth
from fathom.ir.clone import clone
from fathom.ir.types import MemRefType
from fathom.irdl.interfaces import Call
from fathom.ops.bufferization import CloneOp, DeallocOp
from fathom.ops.memref import AllocOp, ExtractStridedMetadataOp
from fathom.passes.transforms.buffer_deallocation_simplification.patterns import simplify_made
from fathom.passes.transforms.ownership_based_buffer_deallocation.function import deallocate
from fathom.rewriting.rewriter import Rewriter

if TYPE_CHECKING:
    from collections.abc import Sequence

    from fathom.context import Context
    from fathom.ir.operation import Operation, Value


def free_in(module: Operation, functions: Sequence[Operation], context: Context) -> None:
    """Frees what these functions of a module allocate, as far as it can be known who is to do it."""
    known = Functions(module)
    callers: dict[Operation | None, list[Operation]] = {}
    for function in functions:
        for op in function.walk():
            if op.interface(Call) is not None and any(map(is_buffer, op.results)):
                callers.setdefault(known.called(op), []).append(function)
    before: dict[Operation, Operation] = {}
    refused = [caller for caller in callers if caller not in functions]
    for function in functions:
        if any(map(_is_elsewhere, function.walk())):
            refused.append(function)
            continue
        before[function] = clone(function)
        present = set(function.walk())
        try:
            deallocate(function, context, is_dynamic=False)
        except Refusal:
            refused.append(function)
        else:
            simplify_made(function, [op for op in function.walk() if op not in present], context)
            _free_what_is_owned_for_sure(function, context)
    while refused:
        function = refused.pop()
        if function is not None and (copy := before.pop(function, None)) is not None:
            if (watched := onlooker()) is not None:
                watched.not_freed(function)
            _put_back(function, copy)
        refused += [caller for caller in callers.get(function, ()) if caller in before]


def _put_back(function: Operation, copy: Operation) -> None:
    """Makes a function what a copy of it is; it stays the one that others know."""
    for mine, theirs in zip(function.regions, copy.regions, strict=True):
        for block in list(mine.blocks):
            for op in block:
                op.drop_all_references()
            mine.remove(block)
        mine.take_blocks(theirs)
    function.properties, function.attributes = copy.properties, copy.attributes


def _is_elsewhere(op: Operation) -> bool:
    return any(isinstance(result.type, MemRefType) and result.type.space is not None for result in op.results)


def _free_what_is_owned_for_sure(function: Operation, context: Context) -> None:
    """What is freed under no condition, and is surely nothing else, is just freed."""
    rewriter = Rewriter(context)
    for op in list(function.walk()):
        if (
            not isinstance(op, DeallocOp)
            or not all(map(truth, op.conditions))
            or any(result.uses for result in op.results)
        ):
            continue
        freed = [_allocation(memref) for memref in op.memrefs]
        others = {*map(_allocation, op.retained), *freed}
        if len(op.memrefs) + len(op.retained) > 1 and (
            None in others or len(others) < len(freed) + len(set(op.retained))
        ):
            continue
        rewriter.set_insertion_before(op)
        rewriter.stand_in(op)
        for memref, whole in zip(op.memrefs, freed, strict=True):
            rewriter.create("memref.dealloc", [whole or memref], ())
        shown = [maker for memref in op.memrefs if isinstance(maker := memref.defining_op, ExtractStridedMetadataOp)]
        op.erase()
        for maker in shown:
            if not any(result.uses for result in maker.results):
                maker.erase()


def _allocation(memref: Value) -> Value | None:
    """The memref that memory was allocated as, where a function that is called has allocated it, too."""
    maker = memref.defining_op
    if isinstance(maker, ExtractStridedMetadataOp):
        memref, maker = maker.source, maker.source.defining_op
    if maker is None:
        return None
    is_returned = maker.interface(Call) is not None and sum(map(is_buffer, maker.results)) == 1
    return memref if is_returned or isinstance(maker, (AllocOp, CloneOp)) else None
