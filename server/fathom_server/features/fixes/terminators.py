"""The terminator of a block that has none: what its operation ends with, with values of the types that it wants.

func.func @f(%a: i32) -> i32 {        func.func @f(%a: i32) -> i32 {
  %b = arith.addi %a, %a : i32   ->     %b = arith.addi %a, %a : i32
}                                       return %b : i32
                                      }
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from fathom.dialects.llvm.types import LLVMFunctionType, LLVMVoidType
from fathom.ir.operation import Block, Operation, Value
from fathom.ir.types import FunctionType, Type
from fathom.irdl.interfaces import FunctionLike
from fathom.irdl.traits import GRAPH_REGION, NO_TERMINATOR, TERMINATOR
from fathom_server.features.edits import Fix
from fathom_server.features.fixes.mistake import Mistake
from fathom_server.features.item_text import LAST
from fathom_server.model.terminators import terminator_in


def terminated(mistake: Mistake) -> Iterator[Fix]:
    """A terminator at the end of the block, where values of the types that it needs are at hand."""
    op = mistake.op()
    if op is None:
        return
    block = _block_without_end(op)
    around = block.parent.parent if block is not None and block.parent is not None else None
    if block is None or around is None:
        return
    if any(op.has(TERMINATOR) for op in block):
        return
    name = terminator_in(mistake.snapshot.context, around.name)
    values = _values(mistake, block, _wanted(around))
    if name is None or values is None:
        return
    place, indent = _place(mistake, block, around)
    shown = name.removeprefix(f"{around.definition.default_dialect}.") if around.definition is not None else name
    given = (
        f" {', '.join(value_name for value_name, _ in values)} : {', '.join(str(type) for _, type in values)}"
        if values
        else ""
    )
    text = f"{shown}{given}"
    yield Fix(f"Insert `{text}`", (mistake.inserted(place, f"{mistake.line_break}{indent}{text}"),))


def _block_without_end(op: Operation) -> Block | None:
    """The block that ends in this operation, though it must go on, or an empty one of its own."""
    around = op.parent_op
    must_end = around is not None and not around.has(NO_TERMINATOR) and not around.has(GRAPH_REGION)
    if must_end and op.next is None and not op.has(TERMINATOR):
        return op.parent
    return next((block for region in op.regions for block in region.blocks if block.first is None), None)


def _wanted(around: Operation) -> Sequence[Type]:
    function = around.interface(FunctionLike)
    type = function.type(around) if function is not None else None
    if isinstance(type, LLVMFunctionType):
        return [] if isinstance(type.result, LLVMVoidType) else [type.result]
    return type.results if isinstance(type, FunctionType) else [result.type for result in around.results]


def _values(mistake: Mistake, block: Block, wanted: Sequence[Type]) -> list[tuple[str, Type]] | None:
    """For each type the last value of the block that has it, or an argument of the entry; None where there is none."""
    if not wanted:
        return []
    entry = block.parent.first if block.parent is not None else None
    at_hand: list[Value] = [*(entry.arguments if entry is not None and entry is not block else ()), *block.arguments]
    at_hand += [result for op in block for result in op.results]
    names = {value: place.span for value, place in mistake.known.definitions()}
    values: list[tuple[str, Type]] = []
    for type in wanted:
        fits = [value for value in at_hand if value.type == type and value in names]
        if not fits:
            return None
        span = names[fits[-1]]
        values.append((mistake.text[span.start : span.end].partition(":")[0], type))
    return values


def _place(mistake: Mistake, block: Block, around: Operation) -> tuple[int, str]:
    """Where the block ends in the text, and how far in a statement stands there."""
    if block.last is not None:
        return mistake.extent(block.last).end, mistake.indent(mistake.statement(block.last).start)
    header = mistake.statement(around)
    margin = mistake.indent(header.start) + "  "
    if block.label_span is None:
        return header.end, margin
    label = mistake.known.sites[mistake.item.pieces[mistake.item.piece_at(block.label_span.start)]]
    return label.span(LAST).end, margin
