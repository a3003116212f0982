"""The canonicalisation patterns of the complex dialect.

Source of the rules: `mlir/lib/Dialect/Complex/IR/ComplexOps.cpp` of MLIR 22.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from fathom.ir.types import ComplexType
from fathom.rewriting.pattern import Failure, Pattern, RewriteFunction, defined_by

if TYPE_CHECKING:
    from fathom.ir.operation import Operation, Value
    from fathom.rewriting.rewriter import Rewriter


def _part_of_negation(index: int) -> RewriteFunction:
    """`re(neg(create(x, y)))` becomes `arith.negf x`."""

    def rewrite(op: Operation, operands: Sequence[Value], rewriter: Rewriter) -> Failure | None:
        negation = defined_by(operands[0], "complex.neg")
        made = defined_by(negation.operands[0], "complex.create") if negation is not None else None
        if made is None:
            return Failure("no negation of a number made of two parts")
        rewriter.replace_with(op, "arith.negf", [made.operands[index]], [op.results[0].type])
        return None

    return rewrite


def _bitcast_of_bitcast(op: Operation, operands: Sequence[Value], rewriter: Rewriter) -> Failure | None:
    """`complex.bitcast(complex.bitcast(x))` becomes one cast, of arith where no complex number is left; so does
    `complex.bitcast(arith.bitcast(x))`."""
    of_reals = defined_by(operands[0], "arith.bitcast")
    inner = of_reals or defined_by(operands[0], "complex.bitcast")
    if inner is None:
        return Failure("no cast of a cast")
    source, target = inner.operands[0], op.results[0].type
    is_complex = isinstance(target, ComplexType) or isinstance(source.type, ComplexType)
    name = "complex.bitcast" if is_complex or of_reals is not None else "arith.bitcast"
    rewriter.replace_with(op, name, [source], [target])
    return None


CANONICALIZATION: Final = (
    Pattern("complex.bitcast", _bitcast_of_bitcast, name="MergeComplexBitcast"),
    Pattern("complex.im", _part_of_negation(1), name="FoldComponentNeg"),
    Pattern("complex.re", _part_of_negation(0), name="FoldComponentNeg"),
)
