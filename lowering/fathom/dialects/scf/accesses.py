"""scf's loops, as pictures of access patterns need them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Final

from fathom.dialects.scf.common import entry_arguments
from fathom.irdl.accesses import Loop, Says, at

if TYPE_CHECKING:
    from fathom.ops import scf as ops


def _for(op: ops.ForOp) -> list[Loop]:
    arguments = entry_arguments(op)
    return [Loop(arguments[0] if arguments else None, at(op.lowerBound), at(op.upperBound), op.step)]


def _parallel(op: ops.ParallelOp) -> list[Loop]:
    each = zip(entry_arguments(op), op.lowerBound, op.upperBound, op.step, strict=False)
    return [Loop(variable, at(lower), at(upper), step) for variable, lower, upper, step in each]


ACCESSES: Final[Mapping[str, Says]] = {
    "scf.for": Says(loops=_for),
    "scf.parallel": Says(loops=_parallel),
}
