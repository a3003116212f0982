"""arith's operations on indices, as far as they are affine, as pictures of access patterns need them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Final

from fathom.ir.affine import AffineConstant, AffineDim, AffineExpr, AffineMap, add, multiply
from fathom.irdl.accesses import Expressions, Says, at
from fathom.rewriting.folding import known_number

if TYPE_CHECKING:
    from fathom.ops import arith as ops

_FIRST: Final = AffineDim(0)


def _sum(op: ops.AddiOp) -> Expressions:
    return Expressions(AffineMap(2, 0, (add(_FIRST, AffineDim(1)),)), (op.lhs, op.rhs))


def _difference(op: ops.SubiOp) -> Expressions:
    negated = multiply(AffineDim(1), AffineConstant(-1))
    return Expressions(AffineMap(2, 0, (add(_FIRST, negated),)), (op.lhs, op.rhs))


def _product(op: ops.MuliOp) -> Expressions | None:
    """Affine where one of the factors is a number."""
    for factor, other in ((op.rhs, op.lhs), (op.lhs, op.rhs)):
        number = known_number(factor)
        if number is not None:
            scaled: AffineExpr = multiply(_FIRST, AffineConstant(number))
            return Expressions(AffineMap(1, 0, (scaled,)), (other,))
    return None


def _same(op: ops.IndexCastOp) -> Expressions:
    return at(op.operands[0])


ACCESSES: Final[Mapping[str, Says]] = {
    "arith.addi": Says(index=_sum),
    "arith.index_cast": Says(index=_same),
    "arith.muli": Says(index=_product),
    "arith.subi": Says(index=_difference),
}
