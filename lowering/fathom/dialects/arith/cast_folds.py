"""What casts fold to: casts that undo each other, then constants.

Source of the rules: observed behaviour of mlir-opt 22.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Final

from fathom.dialects.arith.attributes import OVERFLOW
from fathom.dialects.arith.elements import apply_unary, as_signed, as_unsigned, dense, is_poison, scalar, width_of
from fathom.ir.attributes import Attribute, DenseElementsAttr, FloatAttr, IntegerAttr
from fathom.ir.float_arithmetic import convert_exactly, to_integer
from fathom.ir.floats import SEMANTICS, from_integer
from fathom.ir.types import FloatType, ShapedType, Type, element_type
from fathom.irdl.constraints import enum_attribute
from fathom.irdl.folding import Constants, Fold, Folded, one
from fathom.ops import arith as ops
from fathom.rewriting.pattern import defined_by

if TYPE_CHECKING:
    from fathom.dialects.arith.casts import Cast
    from fathom.ir.operation import Value

_CONTRACT: Final = 32


def _computed(function: Callable[[int], int | None], op: Cast, constants: Constants) -> Folded:
    """A constant, each of whose elements this makes another."""
    return one(apply_unary(function, constants, op.out.type))


def _extension(kind: type[ops.ExtuiOp | ops.ExtsiOp], extend: Callable[[int, int], int]) -> Fold:
    """ext(ext(x)) becomes one extension; a constant is extended."""

    def fold(op: ops.ExtuiOp | ops.ExtsiOp, constants: Constants) -> Folded:
        inner = defined_by(op.in_, kind)
        if inner is not None:
            op.set_operand(0, inner.in_)
            return []
        width = width_of(op.in_.type)
        return _computed(lambda a: extend(a, width), op, constants)

    return fold


def _without_extension(op: ops.TrunciOp | ops.TruncfOp, source: Value) -> Folded:
    """trunc(ext(x)) is x or trunc(x), if it is no wider than x."""
    if width_of(source.type) > width_of(op.out.type):
        op.set_operand(0, source)
        return []
    return [source] if element_type(source.type) == element_type(op.out.type) else None


def fold_trunci(op: ops.TrunciOp, constants: Constants) -> Folded:
    """trunc(ext(x)) is x or trunc(x); trunc(trunc(x)) becomes one truncation, which loses nothing if neither did.
    MLIR 22 keeps what the outer one says of itself."""
    extension = defined_by(op.in_, ops.ExtuiOp) or defined_by(op.in_, ops.ExtsiOp)
    if extension is not None and (folded := _without_extension(op, extension.in_)) is not None:
        return folded
    truncation = defined_by(op.in_, ops.TrunciOp)
    if truncation is not None:
        op.set_operand(0, truncation.in_)
        flags = op.overflowFlags.value & truncation.overflowFlags.value
        if flags != op.overflowFlags.value:
            op.properties["overflowFlags"] = enum_attribute(OVERFLOW, flags)
        return []
    return _computed(lambda a: a, op, constants)


def _may_contract(op: ops.ExtfOp | ops.TruncfOp) -> bool:
    return op.fastmath is not None and bool(op.fastmath.value & _CONTRACT)


def fold_extf(op: ops.ExtfOp, constants: Constants) -> Folded:
    """ext(trunc(x)) is x if both may contract; a constant is converted."""
    truncation = defined_by(op.in_, ops.TruncfOp)
    if truncation is not None and truncation.in_.type == op.out.type:
        if _may_contract(truncation) and _may_contract(op):
            return [truncation.in_]
    return _convert(op, constants)


def fold_truncf(op: ops.TruncfOp, constants: Constants) -> Folded:
    """trunc(ext(x)) is x or trunc(x); a constant is converted if nothing is lost."""
    extension = defined_by(op.in_, ops.ExtfOp)
    if extension is not None and _represents(element_type(extension.out.type), element_type(extension.in_.type)):
        if (folded := _without_extension(op, extension.in_)) is not None:
            return folded
    return _convert(op, constants)


def _represents(wide: Type, narrow: Type) -> bool:
    """Whether each value of one float type is a value of the other."""
    if not isinstance(wide, FloatType) or not isinstance(narrow, FloatType):
        return False
    w, n = SEMANTICS[wide.name], SEMANTICS[narrow.name]
    top_w, top_n = (1 << w.exponent) - 1 - w.bias, (1 << n.exponent) - 1 - n.bias
    return top_w >= top_n and w.minimum_exponent <= n.minimum_exponent and w.precision >= n.precision


def _float(type: Type) -> FloatType:
    element = element_type(type)
    assert isinstance(element, FloatType), "the constraints of the cast hold"
    return element


def _convert(op: ops.ExtfOp | ops.TruncfOp, constants: Constants) -> Folded:
    source, target = _float(op.in_.type).name, _float(op.out.type).name
    return _computed(lambda a: convert_exactly(a, source, target), op, constants)


def _to_float(view: Callable[[int, int], int]) -> Fold:
    def fold(op: ops.UitofpOp | ops.SitofpOp, constants: Constants) -> Folded:
        target, width = _float(op.out.type).name, width_of(op.in_.type)
        return _computed(lambda a: from_integer(view(a, width), target), op, constants)

    return fold


def _to_integer(*, signed: bool) -> Fold:
    def fold(op: ops.FptouiOp | ops.FptosiOp, constants: Constants) -> Folded:
        source, width = _float(op.in_.type).name, width_of(op.out.type)
        low, high = (-(1 << (width - 1)), 1 << (width - 1)) if signed else (0, 1 << width)

        def convert(bits: int) -> int | None:
            value = to_integer(bits, source)
            return value if value is not None and low <= value < high else None

        return _computed(convert, op, constants)

    return fold


def _index_cast(extend: Callable[[int, int], int]) -> Fold:
    def fold(op: ops.IndexCastOp | ops.IndexCastuiOp, constants: Constants) -> Folded:
        width = width_of(op.in_.type)
        return _computed(lambda a: extend(a, width), op, constants)

    return fold


def fold_bitcast(op: ops.BitcastOp, constants: Constants) -> Folded:
    """A value of the same type is itself; a constant's bits are seen as the other type; a poisoned scalar stays so."""
    type = op.out.type
    if op.in_.type == type:
        return [op.in_]
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
    view = as_unsigned if isinstance(type.element, FloatType) else as_signed
    numbers = [view(value, width) for value in elements.values if isinstance(value, int)]
    return dense(numbers, type) if len(numbers) == len(elements.values) and numbers else None


CAST_FOLDERS: Final[dict[str, Fold]] = {
    "arith.extui": _extension(ops.ExtuiOp, as_unsigned),
    "arith.extsi": _extension(ops.ExtsiOp, as_signed),
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
