"""The canonicalisation patterns of the complex dialect.

Source of the rules: `mlir/lib/Dialect/Complex/IR/ComplexOps.cpp` of MLIR 22.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from fathom.ir.types import ComplexType
from fathom.ops import arith
from fathom.ops.complex import BitcastOp, CreateOp, ImOp, NegOp, ReOp
from fathom.rewriting.pattern import Failure, Pattern, defined_by

if TYPE_CHECKING:
    from fathom.ir.operation import Value
    from fathom.rewriting.rewriter import Rewriter


def _part_of_negation(op: ReOp | ImOp, operands: Sequence[Value], rewriter: Rewriter) -> Failure | None:
    """`re(neg(create(x, y)))` becomes `arith.negf x`."""
    negation = defined_by(op.complex, NegOp)
    made = defined_by(negation.complex, CreateOp) if negation is not None else None
    if made is None:
        return Failure("no negation of a number made of two parts")
    part = made.real if isinstance(op, ReOp) else made.imaginary
    rewriter.replace_with(op, "arith.negf", [part], [op.result.type])
    return None


def _bitcast_of_bitcast(op: BitcastOp, operands: Sequence[Value], rewriter: Rewriter) -> Failure | None:
    """`complex.bitcast(complex.bitcast(x))` becomes one cast, of arith where no complex number is left; so does
    `complex.bitcast(arith.bitcast(x))`."""
    inner, of_reals = defined_by(op.operand, BitcastOp), defined_by(op.operand, arith.BitcastOp)
    source = inner.operand if inner is not None else of_reals.in_ if of_reals is not None else None
    if source is None:
        return Failure("no cast of a cast")
    is_complex = isinstance(op.result.type, ComplexType) or isinstance(source.type, ComplexType)
    name = "complex.bitcast" if is_complex or of_reals is not None else "arith.bitcast"
    rewriter.replace_with(op, name, [source], [op.result.type])
    return None


CANONICALIZATION: Final = (
    Pattern("complex.bitcast", _bitcast_of_bitcast, name="MergeComplexBitcast"),
    Pattern("complex.im", _part_of_negation, name="FoldComponentNeg"),
    Pattern("complex.re", _part_of_negation, name="FoldComponentNeg"),
)
