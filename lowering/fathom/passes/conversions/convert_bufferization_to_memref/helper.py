"""The function that finds out which buffers are deallocated: part of `convert-bufferization-to-memref`.

A buffer is deallocated if its condition holds, it is none of those that are retained, and none of those before it in
the list. One that is retained is owned if a buffer that it is the same as has a condition that holds.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from fathom.ir.attributes import StringAttr, TypeAttr
from fathom.ir.operation import Block, Region
from fathom.ir.types import DYNAMIC, I1, INDEX, FunctionType, MemRefType
from fathom.irdl.interfaces import Symbol
from fathom.irdl.traits import TERMINATOR
from fathom.passes.arithmetic import binary, compare, constant
from fathom.passes.buffers import choose, load, loop, size_of, store
from fathom.rewriting.rewriter import Rewriter

if TYPE_CHECKING:
    from collections.abc import Sequence

    from fathom.ir.operation import Operation, Value
    from fathom.irdl.dialect import Definitions

NAME: Final = "dealloc_helper"
_INDICES: Final = MemRefType((DYNAMIC,), INDEX)
_TRUTHS: Final = MemRefType((DYNAMIC,), I1)
_ARGUMENTS: Final = (_INDICES, _INDICES, _TRUTHS, _TRUTHS, _TRUTHS)


def build_helper(table: Operation, origin: Operation, context: Definitions) -> str:
    """Inserts the function at the end of a symbol table; its name, which nothing there has had."""
    body = table.regions[0].first
    assert body is not None, "an operation in it needs the function"
    rewriter = Rewriter(context)
    rewriter.stand_in(origin)
    rewriter.set_insertion_to_end(body)
    if body.last is not None and body.last.has(TERMINATOR):
        rewriter.set_insertion_before(body.last)
    entry = Block(_ARGUMENTS)
    for argument in entry.arguments:
        argument.span, argument.location = rewriter.span, rewriter.location
    name = _free_name(body)
    properties = {
        "sym_name": StringAttr(name),
        "function_type": TypeAttr(FunctionType(_ARGUMENTS, ())),
        "sym_visibility": StringAttr("private"),
    }
    rewriter.create("func.func", (), (), properties, regions=[Region([entry])])
    rewriter.set_insertion_to_end(entry)
    _fill(rewriter, entry.arguments)
    return name


def _free_name(body: Block) -> str:
    taken: set[str] = set()
    for op in body:
        symbol = op.interface(Symbol)
        name = symbol.name(op) if symbol is not None else None
        if name is not None:
            taken.add(name)
    name, count = NAME, 0
    while name in taken:
        name, count = f"{NAME}_{count}", count + 1
    return name


def _fill(rewriter: Rewriter, arguments: Sequence[Value]) -> None:
    pointers, kept, wanted, dead, owned = arguments
    zero, one = constant(rewriter, 0), constant(rewriter, 1)
    true, false = constant(rewriter, 1, I1), constant(rewriter, 0, I1)
    count, kept_count = size_of(rewriter, pointers, zero), size_of(rewriter, kept, zero)

    def disown(index: Value, _: Sequence[Value]) -> Sequence[Value]:
        store(rewriter, false, owned, index)
        return ()

    def decide(outer: Value, _: Sequence[Value]) -> Sequence[Value]:
        pointer, condition = load(rewriter, pointers, outer), load(rewriter, wanted, outer)

        def retained(index: Value, carried: Sequence[Value]) -> Sequence[Value]:
            other = load(rewriter, kept, index)

            def own() -> Sequence[Value]:
                store(rewriter, binary(rewriter, "ori", load(rewriter, owned, index), condition), owned, index)
                return ()

            choose(rewriter, compare(rewriter, "eq", other, pointer), (own,))
            return [binary(rewriter, "andi", carried[0], compare(rewriter, "ne", other, pointer))]

        def earlier(index: Value, carried: Sequence[Value]) -> Sequence[Value]:
            differs = compare(rewriter, "ne", load(rewriter, pointers, index), pointer)
            return [binary(rewriter, "andi", carried[0], differs)]

        (unkept,) = loop(rewriter, (zero, kept_count, one), [true], retained).results
        (first,) = loop(rewriter, (zero, outer, one), [unkept], earlier).results
        store(rewriter, binary(rewriter, "andi", first, condition), dead, outer)
        return ()

    loop(rewriter, (zero, kept_count, one), (), disown)
    loop(rewriter, (zero, count, one), (), decide)
    rewriter.create("func.return")
