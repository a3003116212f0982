"""What a lowering that was to reach the LLVM dialect has left: asked of each, and mostly nothing."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from fathom.ir.operation import Operation, is_module
from fathom.ir.types import POISON
from fathom.irdl.traits import TERMINATOR
from fathom.rewriting.lowerings import is_translated
from fathom.slices import checkpoint

ABOUT_PROGRAMS: Final = frozenset(("irdl", "pdl", "pdl_interp", "transform"))
"""The dialects whose operations say something about programs, instead of being part of one: definitions, patterns and
what transforms others. None is ever lowered, nor is what stands in it."""


def left_of(module: Operation) -> Iterator[Operation]:
    """The operations of a program that are not LLVM's, and have no translation to LLVM IR of their own."""
    pending = [iter((module,))]
    while pending:
        checkpoint()
        op = next(pending[-1], None)
        if op is None:
            pending.pop()
        elif op.dialect not in ABOUT_PROGRAMS:
            if op.dialect != "llvm" and not is_module(op) and not is_translated(op):
                yield op
            pending += [region.operations() for region in reversed(op.regions)]


def follows(op: Operation) -> bool:
    """Whether another operation is to blame: the one that it is a part of, or the one behind a value of unknown type
    that it uses."""
    around = op.parent_op
    if around is not None and around.dialect == op.dialect and (op.dialect == "linalg" or op.has(TERMINATOR)):
        return True
    return op.definition is not None and any(value.type == POISON for value in (*op.operands, *op.results))
