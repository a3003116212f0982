"""What the operations on tensors are to pass when they run: indices within bounds, parts too, and sizes that agree.

Source of the rules: *Passes*, `-generate-runtime-verification`, and what mlir-opt 22 makes there.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from fathom.dialects.memref.runtime_verification import check_indices, check_part
from fathom.dialects.tensor.casts import ranked
from fathom.ir.operation import Operation
from fathom.ir.types import DYNAMIC
from fathom.rewriting.runtime_checks import EQ, RuntimeCheck, RuntimeChecks


def check_cast(op: Operation, checks: RuntimeChecks) -> None:
    """The tensor has what the type of the result says of it and its own type did not: rank and sizes."""
    source, type = op.operands[0], ranked(op.result.type)
    if type is None:
        return
    before = ranked(source.type)
    if before is None:
        rank = checks.indexed("tensor.rank", source)
        checks.check(checks.compare(EQ, rank, checks.index(len(type.ranked_shape))), "rank mismatch")
    for position, size in enumerate(type.ranked_shape):
        if size == DYNAMIC or (before is not None and before.ranked_shape[position] != DYNAMIC):
            continue
        value = checks.indexed("tensor.dim", source, checks.index(position))
        checks.check(checks.compare(EQ, value, checks.index(size)), f"size mismatch of dim {position}")


def check_dim(op: Operation, checks: RuntimeChecks) -> None:
    """The dimension that is asked for is there."""
    rank = checks.indexed("tensor.rank", op.one_of("source"))
    checks.check(checks.in_bounds(op.one_of("index"), checks.index(0), rank), "index is out of bounds")


def check_extract(op: Operation, checks: RuntimeChecks) -> None:
    """What is read lies within the tensor."""
    check_indices(op.one_of("tensor"), op.all_of("indices"), checks)


def check_insert(op: Operation, checks: RuntimeChecks) -> None:
    """What is replaced lies within the tensor."""
    check_indices(op.one_of("dest"), op.all_of("indices"), checks)


def check_slice(op: Operation, checks: RuntimeChecks) -> None:
    """The part that is taken lies within the tensor."""
    source = op.one_of("source")
    constants = checks.index(0), checks.index(1)
    check_part(op, constants, lambda position: checks.size(source, position), checks)


RUNTIME_VERIFICATION: Final[Mapping[str, RuntimeCheck]] = {
    "tensor.cast": check_cast,
    "tensor.dim": check_dim,
    "tensor.extract": check_extract,
    "tensor.extract_slice": check_slice,
    "tensor.insert": check_insert,
}
