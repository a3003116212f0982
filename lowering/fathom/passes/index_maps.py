"""`affine.delinearize_index` and `affine.linearize_index` as `affine.apply`.

    %0:2 = affine.delinearize_index %i into (4, %n) : index, index
->
    %0 = affine.apply affine_map<()[s0, s1] -> (s0 floordiv s1)>()[%i, %n]
    %1 = affine.apply affine_map<()[s0, s1] -> (s0 mod s1)>()[%i, %n]

Source of the rules: `AffineExpandIndexOpsAsAffine.cpp` of MLIR 22.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from fathom.dialects.affine.composition import apply, apply_folded
from fathom.ir.affine import AffineConstant, AffineDim, AffineExpr, AffineSymbol, add, divide, multiply
from fathom.irdl.index_lists import mixed
from fathom.passes.index_arithmetic import value_of
from fathom.rewriting.pattern import Pattern

if TYPE_CHECKING:
    from collections.abc import Sequence

    from fathom.ir.operation import Value
    from fathom.ops.affine import DelinearizeIndexOp, LinearizeIndexOp
    from fathom.rewriting.rewriter import Rewriter

_PRODUCT: Final = multiply(AffineSymbol(0), AffineSymbol(1))
_QUOTIENT: Final = divide("floordiv", AffineDim(0), AffineDim(1))
_REMAINDER: Final = divide("mod", AffineDim(0), AffineDim(1))


def take_apart(op: DelinearizeIndexOp, operands: Sequence[Value], rewriter: Rewriter) -> None:
    """What is left over is divided by one stride after the other."""
    basis = mixed(op.static_basis, op.dynamic_basis)
    inner = basis[1:] if len(basis) == len(op.results) else basis
    strides: list[Value] = []
    stride: Value | int = 1
    for extent in reversed(inner):
        stride = apply_folded(rewriter, _PRODUCT, [extent, stride])
        strides.append(value_of(rewriter, stride))
    parts: list[Value] = []
    rest = op.linear_index
    for by in reversed(strides):
        parts.append(apply(rewriter, _QUOTIENT, [rest, by]))
        rest = apply(rewriter, _REMAINDER, [rest, by])
    rewriter.replace(op, [*parts, rest])


def join(op: LinearizeIndexOp, operands: Sequence[Value], rewriter: Rewriter) -> None:
    """One map, of the indices and of their strides."""
    indices, basis = op.multi_index, mixed(op.static_basis, op.dynamic_basis)
    if not indices:
        rewriter.replace(op, [value_of(rewriter, 0)])
        return
    # Without an outermost extent, which has no part in a stride, a one stands for it.
    first = [AffineConstant(1)] if len(indices) > len(basis) else []
    extents: list[AffineExpr] = [*first, *map(AffineSymbol, range(len(basis)))]
    products: list[AffineExpr] = [AffineConstant(1)]
    for extent in reversed(extents[1:]):
        products.append(multiply(products[-1], extent))
    strides = [apply_folded(rewriter, product, basis) for product in reversed(products)]
    total: AffineExpr = AffineSymbol(0)
    values: list[Value | int] = [0]
    for index, stride in zip(indices, strides, strict=True):
        place = len(values)
        total = add(total, multiply(AffineSymbol(place), AffineSymbol(place + 1)))
        values += (index, stride)
    rewriter.replace(op, [value_of(rewriter, apply_folded(rewriter, total, values))])


PATTERNS: Final = (
    Pattern("affine.delinearize_index", take_apart, name="LowerDelinearizeIndexOps"),
    Pattern("affine.linearize_index", join, name="LowerLinearizeIndexOps"),
)
