"""What operations on complex numbers fold to.

Source of the rules: `mlir/lib/Dialect/Complex/IR/ComplexOps.cpp` of MLIR 22.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from fathom.dialects.arith import folds as arith
from fathom.ir.attributes import ArrayAttr, Attribute, FloatAttr, IntegerAttr
from fathom.ir.operation import Operation, Span, Value
from fathom.ir.types import ComplexType, Type
from fathom.irdl.build import create
from fathom.irdl.dialect import Definitions
from fathom.irdl.folding import Constants, Fold, Folded
from fathom.rewriting.pattern import defined_by


def _constant(op: Operation, constants: Constants) -> Folded:
    return (op.properties["value"],)


def _bitcast(op: Operation, constants: Constants) -> Folded:
    """`bitcast(x) : t to t` is x."""
    return (op.operands[0],) if op.operands[0].type == op.results[0].type else None


def _create(op: Operation, constants: Constants) -> Folded:
    """`create(re(x), im(x))` is x."""
    real, imaginary = defined_by(op.operands[0], "complex.re"), defined_by(op.operands[1], "complex.im")
    if real is None or imaginary is None or real.operands[0] is not imaginary.operands[0]:
        return None
    return (real.operands[0],)


def _part(index: int) -> Fold:
    """`re(create(x, y))` is x, and the part of a constant is a constant."""

    def fold(op: Operation, constants: Constants) -> Folded:
        constant = constants[0]
        if isinstance(constant, ArrayAttr) and len(constant.elements) == 2:
            return (constant.elements[index],)
        made = defined_by(op.operands[0], "complex.create")
        return (made.operands[index],) if made is not None else None

    return fold


def _add(op: Operation, constants: Constants) -> Folded:
    """`(a - b) + b` and `b + (a - b)` are a, `a + 0` is a."""
    lhs, rhs = op.operands
    for difference, other in ((lhs, rhs), (rhs, lhs)):
        made = defined_by(difference, "complex.sub")
        if made is not None and made.operands[1] is other:
            return (made.operands[0],)
    return (lhs,) if _is_constant(rhs, 0.0) else None


def _sub(op: Operation, constants: Constants) -> Folded:
    """`(a + b) - b` is a, `a - 0` is a."""
    lhs, rhs = op.operands
    made = defined_by(lhs, "complex.add")
    if made is not None and made.operands[1] is rhs:
        return (made.operands[0],)
    return (lhs,) if _is_constant(rhs, 0.0) else None


def _times_one(op: Operation, constants: Constants) -> Folded:
    """`a * 1` and `a / 1` are a."""
    return (op.operands[0],) if _is_constant(op.operands[1], 1.0) else None


def _is_constant(value: Value, real: float) -> bool:
    """Whether it is a constant with this real part and no imaginary one."""
    constant = defined_by(value, "complex.constant")
    parts = constant.properties.get("value") if constant is not None else None
    if not isinstance(parts, ArrayAttr) or len(parts.elements) != 2:
        return False
    first, second = parts.elements
    return isinstance(first, FloatAttr) and isinstance(second, FloatAttr) and (first.value, second.value) == (real, 0.0)


def _undoes(name: str) -> Fold:
    """`neg(neg(a))` is a, and so with other pairs of which one undoes the other."""

    def fold(op: Operation, constants: Constants) -> Folded:
        made = defined_by(op.operands[0], name)
        return (made.operands[0],) if made is not None else None

    return fold


FOLDS: Final[Mapping[str, Fold]] = {
    "complex.add": _add,
    "complex.bitcast": _bitcast,
    "complex.conj": _undoes("complex.conj"),
    "complex.constant": _constant,
    "complex.create": _create,
    "complex.div": _times_one,
    "complex.exp": _undoes("complex.log"),
    "complex.im": _part(1),
    "complex.log": _undoes("complex.exp"),
    "complex.mul": _times_one,
    "complex.neg": _undoes("complex.neg"),
    "complex.re": _part(0),
    "complex.sub": _sub,
}


# ---- constants


def _is_constant_of(attribute: Attribute, type: Type) -> bool:
    """Whether `complex.constant` can hold the attribute as a value of the type."""
    if not isinstance(attribute, ArrayAttr) or not isinstance(type, ComplexType) or len(attribute.elements) != 2:
        return False
    return any(
        all(isinstance(part, kind) and part.type == type.element for part in attribute.elements)
        for kind in (FloatAttr, IntegerAttr)
    )


def materialize_constant(context: Definitions, attribute: Attribute, type: Type, span: Span | None) -> Operation | None:
    """`complex.constant` for a pair of numbers, `arith.constant` for what that holds, None for anything else."""
    if _is_constant_of(attribute, type):
        return create(context, "complex.constant", (), [type], {"value": attribute}, span=span)
    return arith.materialize_constant(context, attribute, type, span)


MATERIALIZE_CONSTANT: Final = materialize_constant
