"""The affine operations that compute indices, as arithmetic: part of `lower-affine`."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Final

from fathom.passes import index_expansion
from fathom.passes.affine_expansion import expand_map
from fathom.passes.arithmetic import binary
from fathom.rewriting.pattern import Failure, Pattern

if TYPE_CHECKING:
    from collections.abc import Sequence

    from fathom.ir.affine import AffineMap
    from fathom.ir.operation import Value
    from fathom.ops.affine import ApplyOp, MaxOp, MinOp
    from fathom.rewriting.rewriter import Rewriter


def convert_apply(op: ApplyOp, operands: list[Value], rewriter: Rewriter) -> Failure | None:
    """`affine.apply` becomes the value of its map."""
    values = expand_map(rewriter, op.map.map, operands)
    if isinstance(values, Failure):
        return values
    rewriter.replace(op, values)
    return None


def extremum(rewriter: Rewriter, name: str, map: AffineMap, operands: Sequence[Value]) -> Value | Failure:
    """The least (`minsi`) or the greatest (`maxsi`) of the values of a map, compared one after the other."""
    values = expand_map(rewriter, map, operands)
    if isinstance(values, Failure):
        return values
    if not values:
        return Failure("a map without results has no least or greatest one")
    value, *others = values
    for other in others:
        value = binary(rewriter, name, value, other)
    return value


def convert_extremum(op: MinOp | MaxOp, operands: list[Value], rewriter: Rewriter, *, name: str) -> Failure | None:
    """`affine.min` and `affine.max` become `arith.minsi` and `arith.maxsi`, as many as there are values to compare."""
    value = extremum(rewriter, name, op.map.map, operands)
    if isinstance(value, Failure):
        return value
    rewriter.replace(op, [value])
    return None


PATTERNS: Final = (
    Pattern("affine.apply", convert_apply, name="AffineApplyLowering"),
    Pattern("affine.min", partial(convert_extremum, name="minsi"), name="AffineMinLowering"),
    Pattern("affine.max", partial(convert_extremum, name="maxsi"), name="AffineMaxLowering"),
    *index_expansion.PATTERNS,
)
