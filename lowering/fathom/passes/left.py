"""What a lowering that was to reach the LLVM dialect has left: asked of each, and mostly nothing."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from fathom.dialects.llvm.types import is_compatible
from fathom.ir.operation import Operation, is_module
from fathom.ir.types import POISON
from fathom.irdl.traits import TERMINATOR
from fathom.rewriting.lowerings import is_translated
from fathom.slices import checkpoint

ABOUT_PROGRAMS: Final = frozenset(("irdl", "pdl", "pdl_interp", "transform"))
"""The dialects whose operations say something about programs, instead of being part of one: definitions, patterns and
what transforms others. None is ever lowered, nor is what stands in it."""


def left_of(module: Operation) -> Iterator[Operation]:
    """The operations of a program that are not LLVM's, and do not go to LLVM IR as they stand."""
    pending = [iter((module,))]
    while pending:
        for op in pending[-1]:
            checkpoint()
            # Most are LLVM's, and have no regions.
            if (dialect := op.dialect) != "llvm":
                if dialect in ABOUT_PROGRAMS:
                    continue
                if not is_module(op) and not _is_at_the_end(op):
                    yield op
            if op.regions:
                pending += [region.operations() for region in reversed(op.regions)]
                break
        else:
            pending.pop()


def _is_at_the_end(op: Operation) -> bool:
    """Whether an operation of another dialect goes to LLVM IR as it stands: it has a translation, which takes values of
    LLVM's types only. A launch of a kernel with memrefs is still to be converted."""
    return is_translated(op) and all(is_compatible(value.type) for value in (*op.operands, *op.results))


def follows(op: Operation) -> bool:
    """Whether another operation is to blame: the one that it is a part of, or the one behind a value of unknown type
    that it uses."""
    around = op.parent_op
    if around is not None and around.dialect == op.dialect and (op.dialect == "linalg" or op.has(TERMINATOR)):
        return True
    return op.definition is not None and any(value.type == POISON for value in (*op.operands, *op.results))
