"""What casts fold to: casts that undo each other, then constants.

Source of the rules: observed behaviour of mlir-opt 22.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Final

from fathom.dialects.arith.elements import apply_unary, as_signed, as_unsigned, dense, is_poison, scalar, width_of
from fathom.dialects.arith.integer_folds import one
from fathom.ir.attributes import Attribute, DenseElementsAttr, EnumAttr, FloatAttr, IntegerAttr
from fathom.ir.float_arithmetic import convert_exactly, to_integer
from fathom.ir.floats import SEMANTICS, from_fraction
from fathom.ir.operation import Operation
from fathom.ir.types import FloatType, ShapedType, Type, element_type
from fathom.irdl.folding import Constants, Fold, Folded
from fathom.rewriting.pattern import defined_by

_CONTRACT: Final = 32


def _source(op: Operation) -> Type:
    return element_type(op.operands[0].type)


def _target(op: Operation) -> Type:
    return element_type(op.results[0].type)


def _extension(name: str, extend: Callable[[int, int], int]) -> Fold:
    """ext(ext(x)) becomes one extension; a constant is extended."""

    def fold(op: Operation, constants: Constants) -> Folded:
        inner = defined_by(op.operands[0], name)
        if inner is not None:
            op.set_operand(0, inner.operands[0])
            return []
        width = width_of(op.operands[0].type)
        return one(apply_unary(lambda a: extend(a, width), constants, op.results[0].type))

    return fold


def fold_trunci(op: Operation, constants: Constants) -> Folded:
    """trunc(ext(x)) is x or trunc(x); trunc(trunc(x)) becomes one truncation."""
    operand = op.operands[0]
    extension = defined_by(operand, "arith.extui") or defined_by(operand, "arith.extsi")
    if extension is not None:
        source = extension.operands[0]
        if width_of(source.type) > width_of(op.results[0].type):
            op.set_operand(0, source)
            return []
        if element_type(source.type) == _target(op):
            return [source]
    truncation = defined_by(operand, "arith.trunci")
    if truncation is not None:
        op.set_operand(0, truncation.operands[0])
        return []
    return one(apply_unary(lambda a: a, constants, op.results[0].type))


def _may_contract(op: Operation) -> bool:
    flags = op.properties.get("fastmath")
    return isinstance(flags, EnumAttr) and bool(flags.value & _CONTRACT)


def fold_extf(op: Operation, constants: Constants) -> Folded:
    """ext(trunc(x)) is x if both may contract; a constant is converted."""
    truncation = defined_by(op.operands[0], "arith.truncf")
    if truncation is not None and truncation.operands[0].type == op.results[0].type:
        if _may_contract(truncation) and _may_contract(op):
            return [truncation.operands[0]]
    return _convert(op, constants)


def fold_truncf(op: Operation, constants: Constants) -> Folded:
    """trunc(ext(x)) is x or trunc(x); a constant is converted if nothing is lost."""
    extension = defined_by(op.operands[0], "arith.extf")
    if extension is not None:
        source = extension.operands[0]
        if _represents(_target(extension), element_type(source.type)):
            if width_of(source.type) > width_of(op.results[0].type):
                op.set_operand(0, source)
                return []
            if element_type(source.type) == _target(op):
                return [source]
    return _convert(op, constants)


def _represents(wide: Type, narrow: Type) -> bool:
    """Whether each value of one float type is a value of the other."""
    if not isinstance(wide, FloatType) or not isinstance(narrow, FloatType):
        return False
    w, n = SEMANTICS[wide.name], SEMANTICS[narrow.name]
    top_w, top_n = (1 << w.exponent) - 1 - w.bias, (1 << n.exponent) - 1 - n.bias
    return top_w >= top_n and w.minimum_exponent <= n.minimum_exponent and w.precision >= n.precision


def _convert(op: Operation, constants: Constants) -> Folded:
    source, target = _source(op), _target(op)
    assert isinstance(source, FloatType), "the constraints of extf and truncf hold"
    assert isinstance(target, FloatType), "the constraints of extf and truncf hold"
    return one(apply_unary(lambda a: convert_exactly(a, source.name, target.name), constants, op.results[0].type))


def _to_float(view: Callable[[int, int], int]) -> Fold:
    def fold(op: Operation, constants: Constants) -> Folded:
        target, width = _target(op), width_of(op.operands[0].type)
        assert isinstance(target, FloatType), "the constraints of the cast hold"
        return one(
            apply_unary(lambda a: from_fraction(Fraction(view(a, width)), target.name), constants, op.results[0].type)
        )

    return fold


def _to_integer(*, signed: bool) -> Fold:
    def fold(op: Operation, constants: Constants) -> Folded:
        source, width = _source(op), width_of(op.results[0].type)
        assert isinstance(source, FloatType), "the constraints of the cast hold"
        low, high = (-(1 << (width - 1)), 1 << (width - 1)) if signed else (0, 1 << width)

        def convert(bits: int) -> int | None:
            value = to_integer(bits, source.name)
            return value if value is not None and low <= value < high else None

        return one(apply_unary(convert, constants, op.results[0].type))

    return fold


def _index_cast(extend: Callable[[int, int], int]) -> Fold:
    def fold(op: Operation, constants: Constants) -> Folded:
        width = width_of(op.operands[0].type)
        return one(apply_unary(lambda a: extend(a, width), constants, op.results[0].type))

    return fold


def fold_bitcast(op: Operation, constants: Constants) -> Folded:
    """A value of the same type is itself; a constant's bits are seen as the other type; a poisoned scalar stays so."""
    type = op.results[0].type
    if op.operands[0].type == type:
        return one(op.operands[0])
    match constants[0]:
        case IntegerAttr(value) if not isinstance(type, ShapedType):
            return one(scalar(as_unsigned(value, width_of(type)), type))
        case FloatAttr(bits) if not isinstance(type, ShapedType):
            return one(scalar(bits, type))
        case DenseElementsAttr() as elements if isinstance(type, ShapedType):
            return one(_bitcast_elements(elements, type))
        case poison if is_poison(poison) and not isinstance(type, ShapedType):
            return one(poison)
        case _:
            return None


def _bitcast_elements(elements: DenseElementsAttr, type: ShapedType) -> Attribute | None:
    width = width_of(type)
    if isinstance(type.element, FloatType):
        numbers = [as_unsigned(value, width) for value in elements.values if isinstance(value, int)]
    else:
        numbers = [as_signed(value, width) for value in elements.values if isinstance(value, int)]
    return dense(numbers, type) if len(numbers) == len(elements.values) and numbers else None


CAST_FOLDERS: Final[dict[str, Fold]] = {
    "arith.extui": _extension("arith.extui", as_unsigned),
    "arith.extsi": _extension("arith.extsi", as_signed),
    "arith.extf": fold_extf,
    "arith.trunci": fold_trunci,
    "arith.truncf": fold_truncf,
    "arith.uitofp": _to_float(as_unsigned),
    "arith.sitofp": _to_float(as_signed),
    "arith.fptoui": _to_integer(signed=False),
    "arith.fptosi": _to_integer(signed=True),
    "arith.index_cast": _index_cast(as_signed),
    "arith.index_castui": _index_cast(as_unsigned),
    "arith.bitcast": fold_bitcast,
}
