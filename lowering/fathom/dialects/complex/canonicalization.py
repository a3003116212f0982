"""The canonicalisation patterns of the complex dialect.

Source of the rules: `mlir/lib/Dialect/Complex/IR/ComplexOps.cpp` of MLIR 22.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from fathom.ir.types import ComplexType
from fathom.ops import arith
from fathom.ops.complex import BitcastOp, CreateOp, ImOp, NegOp, ReOp
from fathom.rewriting.pattern import Failure, Replacement, defined_by, replacing

if TYPE_CHECKING:
    from fathom.rewriting.rewriter import Rewriter


def _part_of_negation(op: ReOp | ImOp, rewriter: Rewriter) -> Replacement:
    """`re(neg(create(x, y)))` becomes `arith.negf x`."""
    negation = defined_by(op.complex, NegOp)
    made = defined_by(negation.complex, CreateOp) if negation is not None else None
    if made is None:
        return Failure("no negation of a number made of two parts")
    part = made.real if isinstance(op, ReOp) else made.imaginary
    return rewriter.create("arith.negf", [part], [op.result.type])


def _bitcast_of_bitcast(op: BitcastOp, rewriter: Rewriter) -> Replacement:
    """`complex.bitcast(complex.bitcast(x))` becomes one cast, of arith where no complex number is left; so does
    `complex.bitcast(arith.bitcast(x))`."""
    inner, of_reals = defined_by(op.operand, BitcastOp), defined_by(op.operand, arith.BitcastOp)
    source = inner.operand if inner is not None else of_reals.in_ if of_reals is not None else None
    if source is None:
        return Failure("no cast of a cast")
    is_complex = isinstance(op.result.type, ComplexType) or isinstance(source.type, ComplexType)
    name = "complex.bitcast" if is_complex or of_reals is not None else "arith.bitcast"
    return rewriter.create(name, [source], [op.result.type])


CANONICALIZATION: Final = (
    replacing("complex.bitcast", _bitcast_of_bitcast, name="MergeComplexBitcast"),
    replacing("complex.im", _part_of_negation, name="FoldComponentNeg"),
    replacing("complex.re", _part_of_negation, name="FoldComponentNeg"),
)
