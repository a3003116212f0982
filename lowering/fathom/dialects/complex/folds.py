"""What operations on complex numbers fold to.

Source of the rules: `mlir/lib/Dialect/Complex/IR/ComplexOps.cpp` of MLIR 22.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from fathom.dialects.arith import folds as arith
from fathom.ir.attributes import ArrayAttr, Attribute, FloatAttr, IntegerAttr
from fathom.ir.operation import Value
from fathom.ir.types import ComplexType, Type
from fathom.irdl.build import constants_by
from fathom.irdl.folding import Constants, Fold, Folded
from fathom.ops.complex import (
    AddOp,
    BitcastOp,
    ConjOp,
    ConstantOp,
    CreateOp,
    DivOp,
    ExpOp,
    ImOp,
    LogOp,
    MulOp,
    NegOp,
    ReOp,
    SubOp,
)
from fathom.rewriting.pattern import defined_by


def _constant(op: ConstantOp, constants: Constants) -> Folded:
    return (op.value,)


def _bitcast(op: BitcastOp, constants: Constants) -> Folded:
    """`bitcast(x) : t to t` is x."""
    return (op.operand,) if op.operand.type == op.result.type else None


def _create(op: CreateOp, constants: Constants) -> Folded:
    """`create(re(x), im(x))` is x."""
    real, imaginary = defined_by(op.real, ReOp), defined_by(op.imaginary, ImOp)
    if real is None or imaginary is None or real.complex is not imaginary.complex:
        return None
    return (real.complex,)


def _re(op: ReOp, constants: Constants) -> Folded:
    """`re(create(x, y))` is x, and the part of a constant is a constant."""
    made = defined_by(op.complex, CreateOp)
    return (made.real,) if made is not None else _part(constants[0], 0)


def _im(op: ImOp, constants: Constants) -> Folded:
    """`im(create(x, y))` is y, and the part of a constant is a constant."""
    made = defined_by(op.complex, CreateOp)
    return (made.imaginary,) if made is not None else _part(constants[0], 1)


def _part(constant: Attribute | None, index: int) -> Folded:
    return (constant.elements[index],) if isinstance(constant, ArrayAttr) and len(constant.elements) == 2 else None


def _add(op: AddOp, constants: Constants) -> Folded:
    """`(a - b) + b` and `b + (a - b)` are a, `a + 0` is a."""
    for difference, other in ((op.lhs, op.rhs), (op.rhs, op.lhs)):
        made = defined_by(difference, SubOp)
        if made is not None and made.rhs is other:
            return (made.lhs,)
    return (op.lhs,) if _is_constant(op.rhs, 0.0) else None


def _sub(op: SubOp, constants: Constants) -> Folded:
    """`(a + b) - b` is a, `a - 0` is a."""
    made = defined_by(op.lhs, AddOp)
    if made is not None and made.rhs is op.rhs:
        return (made.lhs,)
    return (op.lhs,) if _is_constant(op.rhs, 0.0) else None


def _times_one(op: MulOp | DivOp, constants: Constants) -> Folded:
    """`a * 1` and `a / 1` are a."""
    return (op.lhs,) if _is_constant(op.rhs, 1.0) else None


def _is_constant(value: Value, real: float) -> bool:
    """Whether it is a constant with this real part and no imaginary one."""
    constant = defined_by(value, ConstantOp)
    if constant is None or len(constant.value.elements) != 2:
        return False
    first, second = constant.value.elements
    return isinstance(first, FloatAttr) and isinstance(second, FloatAttr) and (first.value, second.value) == (real, 0.0)


def _undoes(kind: type[ConjOp | ExpOp | LogOp | NegOp]) -> Fold:
    """`neg(neg(a))` is a, and so with other pairs of which one undoes the other."""

    def fold(op: ConjOp | ExpOp | LogOp | NegOp, constants: Constants) -> Folded:
        made = defined_by(op.complex, kind)
        return (made.complex,) if made is not None else None

    return fold


FOLDS: Final[Mapping[str, Fold]] = {
    "complex.add": _add,
    "complex.bitcast": _bitcast,
    "complex.conj": _undoes(ConjOp),
    "complex.constant": _constant,
    "complex.create": _create,
    "complex.div": _times_one,
    "complex.exp": _undoes(LogOp),
    "complex.im": _im,
    "complex.log": _undoes(ExpOp),
    "complex.mul": _times_one,
    "complex.neg": _undoes(NegOp),
    "complex.re": _re,
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


materialize_constant: Final = constants_by(
    ("complex.constant", "value", _is_constant_of), otherwise=arith.materialize_constant
)
MATERIALIZE_CONSTANT: Final = materialize_constant
