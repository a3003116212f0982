"""A smaller module on which other pipelines are tried: of the functions those that a lowering left something of, and of
these the shortest, up to a number of operations."""

from __future__ import annotations

from bisect import bisect_left
from itertools import islice
from typing import TYPE_CHECKING, Final

from fathom.ir.attributes import StringAttr
from fathom.ir.clone import clone
from fathom.ir.operation import Block, Operation, Region
from fathom.ops.func import FuncOp

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from fathom.ir.operation import Span

DECLARED: Final = "func.func"
"""The functions that can be declared in the place of their definitions."""


def reduced(module: Operation, left: Iterable[Span], most: int) -> Operation | None:
    """A copy of a module with at most so many operations, in which all functions of which nothing was `left`, by the
    places of the source, are declarations; None where that is not small enough for one that is a definition."""
    if size_of(module, most) <= most:
        return clone(module)
    if len(module.regions) != 1 or not module.regions[0].has_one_block:
        return None
    inner = list(module.regions[0].operations())
    if any(op.operands or op.results for op in inner):
        return None
    starts = sorted(span.start for span in left)
    functions = {op: size_of(op, most) for op in inner if isinstance(op, FuncOp)}
    rest = most - len(functions) - sum(size_of(op, most) for op in inner if op not in functions)
    chosen: set[Operation] = set()
    for op in sorted((op for op in functions if _holds(op, starts)), key=functions.__getitem__):
        rest -= functions[op]
        if rest < 0:
            break
        chosen.add(op)
    if not chosen:
        return None
    block = Block()
    for op in inner:
        block.append(clone(op) if op in chosen or op not in functions else declared(op))
    return _without_regions(module, Region((block,)))


def size_of(op: Operation, most: int) -> int:
    """How many operations one is with all in it; of more than `most`, one more than that."""
    return sum(1 for _ in islice(op.walk(), most + 1))


def _holds(op: Operation, starts: Sequence[int]) -> bool:
    """Whether one of some places, in their order, is in an operation."""
    if op.span is None:
        return True
    last = max((inner.span.end for inner in op.walk() if inner.span is not None), default=op.span.end)
    index = bisect_left(starts, op.span.start)
    return index < len(starts) and starts[index] < last


def declared(function: Operation) -> Operation:
    """A declaration of a function, with nothing of what it does."""
    made = _without_regions(function, Region())
    made.properties["sym_visibility"] = StringAttr("private")
    return made


def _without_regions(op: Operation, region: Region) -> Operation:
    """A copy with another region."""
    return Operation(
        op.name,
        (),
        (),
        op.properties,
        op.attributes,
        regions=(region,),
        span=op.span,
        definition=op.definition,
    )
