"""What operations on complex numbers fold to.

Source of the rules: `mlir/lib/Dialect/Complex/IR/ComplexOps.cpp` of MLIR 22.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from fathom.dialects.arith.integer_folds import Constants, Folded, Folder
from fathom.ir.attributes import ArrayAttr, FloatAttr
from fathom.ir.operation import Operation, Value
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


def _part(index: int) -> Folder:
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


def _undoes(name: str) -> Folder:
    """`neg(neg(a))` is a, and so with other pairs of which one undoes the other."""

    def fold(op: Operation, constants: Constants) -> Folded:
        made = defined_by(op.operands[0], name)
        return (made.operands[0],) if made is not None else None

    return fold


FOLDERS: Final[Mapping[str, Folder]] = {
    "add": _add,
    "bitcast": _bitcast,
    "conj": _undoes("complex.conj"),
    "constant": _constant,
    "create": _create,
    "div": _times_one,
    "exp": _undoes("complex.log"),
    "im": _part(1),
    "log": _undoes("complex.exp"),
    "mul": _times_one,
    "neg": _undoes("complex.neg"),
    "re": _part(0),
    "sub": _sub,
}
