"""What the patterns for vectors look at: what defines a value, which scalar it repeats, and what of it is one number.

Source of the rules: mlir-opt 22.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from fathom.dialects.vector.common import vector
from fathom.ir.attributes import ArrayAttr, Attribute, DenseArrayAttr, i64_attr
from fathom.ir.types import I64
from fathom.ops.vector import BroadcastOp
from fathom.rewriting.pattern import Failure, Replacement, defined_by

if TYPE_CHECKING:
    from fathom.ir.operation import Operation, Value
    from fathom.rewriting.rewriter import Rewriter


def repeated(value: Value) -> Value | None:
    """The scalar that a vector holds everywhere, if it is a broadcast of one."""
    op = defined_by(value, BroadcastOp)
    return op.source if op is not None and vector(op.source.type) is None else None


def of_one_scalar(op: Operation, rewriter: Rewriter) -> Replacement:
    """What puts together or takes out parts of vectors that all hold one scalar everywhere gives that everywhere."""
    scalar = repeated(op.operands[0])
    if scalar is None or any(repeated(operand) is not scalar for operand in op.operands[:2]):
        return Failure("not all elements are the same")
    return rewriter.create("vector.broadcast", [scalar], [op.result.type])


def has_one_use(op: Operation) -> bool:
    """Whether the results of an operation are named once in all."""
    return sum(sum(result.uses.values()) for result in op.results) == 1


def positions(values: Sequence[int]) -> dict[str, Attribute]:
    """The properties of an extraction at positions that are numbers."""
    return {"static_position": DenseArrayAttr(I64, tuple(values))}


def sizes(values: Sequence[int]) -> dict[str, Attribute]:
    """The properties of a `vector.constant_mask`."""
    return {"mask_dim_sizes": DenseArrayAttr(I64, tuple(values))}


def numbers(values: Sequence[int]) -> ArrayAttr:
    """`[1, 2]`, as 64-bit integers."""
    return ArrayAttr(tuple(map(i64_attr, values)))
