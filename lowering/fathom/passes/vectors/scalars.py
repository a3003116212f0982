"""Operations on vectors, computed element by element."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import TYPE_CHECKING

from fathom.dialects.arith.elements import zero_of
from fathom.ir.types import VectorType
from fathom.passes.vectors.building import extract, insert, positions
from fathom.rewriting.allowance import too_many_operations
from fathom.rewriting.pattern import Failure, named
from fathom.slices import checkpoint

if TYPE_CHECKING:
    from fathom.ir.operation import Operation, Value
    from fathom.rewriting.rewriter import Rewriter


@named("VecOpToScalarOp")
def by_elements(op: Operation, operands: Sequence[Value], rewriter: Rewriter, *, refused: Failure) -> Failure | None:
    """
        %r = math.sin %v : vector<2xf32>
    becomes
        %0 = arith.constant dense<0.0> : vector<2xf32>
        %1 = vector.extract %v[0] : f32 from vector<2xf32>
        %2 = math.sin %1 : f32
        %3 = vector.insert %2, %0 [0] : f32 into vector<2xf32>
        …

    `refused` is said of what is no vector.
    """
    type = op.result.type
    zero = zero_of(type)
    if not isinstance(type, VectorType) or zero is None:
        return refused
    if (too_many := too_many_operations(op, (len(operands) + 2) * prod(type.ranked_shape))) is not None:
        return too_many
    whole = rewriter.constant(zero, type)
    for position in positions(type.ranked_shape):
        checkpoint()
        parts = [extract(rewriter, operand, *position) for operand in operands]
        part = rewriter.create(op.name, parts, [type.element]).result
        whole = insert(rewriter, part, whole, *position)
    rewriter.replace(op, [whole])
    return None
