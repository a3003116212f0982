"""What index operations fold to.

An `index` has 64 bits in attributes, and may have 32 on the target: a result is folded only where both widths agree.
Source of the rules: `mlir/lib/Dialect/Index/IR/IndexOps.cpp` of MLIR 22.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Final, TypeAlias

from fathom.dialects.arith.attributes import CMPI_PREDICATES
from fathom.dialects.arith.elements import as_signed, as_unsigned
from fathom.dialects.arith.folds import compare_integers
from fathom.dialects.arith.integer_folds import INVERTED, ceildivui, divui, remsi, remui, towards_zero
from fathom.ir.attributes import FALSE, TRUE, Attribute, IntegerAttr
from fathom.ir.operation import Operation, Value
from fathom.ir.types import I1, INDEX, IndexType, IntegerType, Type
from fathom.irdl.build import constants_by
from fathom.irdl.cases import word_of
from fathom.irdl.folding import Constants, Fold, Folded, one
from fathom.ops import index as ops
from fathom.rewriting.pattern import defined_by

Calculation: TypeAlias = "Callable[[int, int, int], int | None]"
"""A number from two numbers, which are signed, and their width; None where there is none."""


def _on_unsigned(function: Calculation) -> Calculation:
    return lambda a, b, width: function(as_unsigned(a, width), as_unsigned(b, width), width)


def _ceiling(a: int, b: int, width: int) -> int | None:
    """As MLIR computes it, for which the smallest number has no opposite."""
    if b == 0:
        return None
    return -towards_zero(as_signed(-a, width), b) if (a > 0) != (b > 0) else -(-a // b)


def _shift(function: Calculation) -> Calculation:
    return lambda a, b, width: function(a, b, width) if as_unsigned(b, width) < 32 else None


UNCHECKED: Final[Mapping[str, Calculation]] = {
    "add": lambda a, b, _: a + b,
    "sub": lambda a, b, _: a - b,
    "mul": lambda a, b, _: a * b,
    "shl": _shift(lambda a, b, _: a << b),
    "and": lambda a, b, _: a & b,
    "or": lambda a, b, _: a | b,
    "xor": lambda a, b, _: a ^ b,
}
"""What is the same in the lowest bits for any width."""

CHECKED: Final[Mapping[str, Calculation]] = {
    "divs": lambda a, b, _: towards_zero(a, b) if b else None,
    "divu": divui,
    "ceildivs": _ceiling,
    "ceildivu": ceildivui,
    "floordivs": lambda a, b, _: a // b if b else None,
    "rems": remsi,
    "remu": remui,
    "maxs": lambda a, b, _: max(a, b),
    "maxu": _on_unsigned(lambda a, b, _: max(a, b)),
    "mins": lambda a, b, _: min(a, b),
    "minu": _on_unsigned(lambda a, b, _: min(a, b)),
    "shrs": _shift(lambda a, b, _: a >> b),
    "shru": _shift(lambda a, b, width: as_unsigned(a, width) >> b),
}
"""What may differ between the widths."""


def _integers(constants: Constants) -> tuple[int, int] | None:
    if len(constants) != 2:
        return None
    lhs, rhs = constants
    return (lhs.value, rhs.value) if isinstance(lhs, IntegerAttr) and isinstance(rhs, IntegerAttr) else None


def _index(value: int) -> IntegerAttr:
    return IntegerAttr(as_signed(value, 64), INDEX)


def fold_binary(op: Operation, constants: Constants) -> Folded:
    """A calculation with two constants, or with a right-hand side that changes nothing."""
    name = op.name.removeprefix("index.")
    numbers = _integers(constants)
    if numbers is None:
        return _identity(op, name, constants)
    return one(calculated(name, *numbers))


def calculated(name: str, a: int, b: int) -> IntegerAttr | None:
    """The constant for two constants, where both widths of an index agree on it."""
    calculate = UNCHECKED.get(name) or CHECKED[name]
    wide = calculate(a, b, 64)
    if wide is None:
        return None
    if name in CHECKED:
        narrow = calculate(as_signed(a, 32), as_signed(b, 32), 32)
        if narrow is None or as_unsigned(narrow, 32) != as_unsigned(wide, 32):
            return None
    return _index(wide)


def _identity(op: Operation, name: str, constants: Constants) -> Folded:
    """X + 0, x - 0 and x * 1 are x; x * 0 is 0."""
    rhs = constants[1] if len(constants) == 2 else None
    if not isinstance(rhs, IntegerAttr):
        return None
    if (rhs.value, name) in ((0, "add"), (0, "sub"), (1, "mul")):
        return [op.operands[0]]
    return [rhs] if rhs.value == 0 and name == "mul" else None


def fold_constant(op: ops.BoolConstantOp | ops.ConstantOp, constants: Constants) -> Folded:
    """The value of a constant."""
    return [op.value]


# ---- casts


def fold_cast(op: ops.CastsOp | ops.CastuOp, constants: Constants) -> Folded:
    """A cast of a constant."""
    value, extend = constants[0] if constants else None, as_signed if isinstance(op, ops.CastsOp) else as_unsigned
    if not isinstance(value, IntegerAttr):
        return None
    source, target = value.type, op.result.type
    if isinstance(target, IndexType) and isinstance(source, IntegerType):
        return [_index(extend(value.value, source.width) if source.width else 0)]
    if not isinstance(target, IntegerType):
        return None
    width = target.width
    if width > 32 and as_unsigned(extend(as_unsigned(value.value, 32), 32), min(width, 64)) != as_unsigned(
        value.value, min(width, 64)
    ):
        return None
    number = extend(value.value, 64) if width > 64 else value.value
    keep = as_unsigned if width == 1 or target.signedness == "u" else as_signed
    return [IntegerAttr(keep(number, width) if width else 0, target)]


# ---- comparisons


def _holds(predicate: int, numbers: Sequence[int], other: int, width: int) -> bool:
    """Whether a comparison holds for all numbers between these, signed or not."""
    if predicate == CMPI_PREDICATES["ne"]:
        pairs = ("slt", "sgt"), ("ult", "ugt")
        return all(any(_holds(CMPI_PREDICATES[word], numbers, other, width) for word in pair) for pair in pairs)
    return all(compare_integers(predicate, number, other, width) for number in numbers)


def _compare_bounded(bound: Bounded, limit: int, predicate: int, number: int, width: int) -> bool | None:
    """A comparison of the result of `mins` and the like, one operand of which is constant, with a number."""
    half, is_signed = 1 << (width - 1), isinstance(bound, (ops.MinsOp, ops.MaxsOp))
    least, greatest = (-half, half - 1) if is_signed else (0, 2 * half - 1)
    limit = (as_signed if is_signed else as_unsigned)(limit, width)
    low, high = (least, limit) if isinstance(bound, (ops.MinsOp, ops.MinuOp)) else (limit, greatest)
    # Beside this number, the greatest and the least stand side by side where the sign is taken in the other way.
    seam = 0 if is_signed else half
    ends = (low, high, seam - 1, seam) if low < seam <= high else (low, high)
    if _holds(predicate, ends, number, width):
        return True
    return False if _holds(INVERTED[predicate], ends, number, width) else None


def fold_cmp(op: ops.CmpOp, constants: Constants) -> Folded:
    """A comparison of constants, of a bounded value with a constant, or of a value with itself."""
    word = word_of(op.pred)
    predicate, numbers = CMPI_PREDICATES[word], _integers(constants)
    if numbers is not None:
        wide = compare_integers(predicate, *numbers, 64)
        if wide == compare_integers(predicate, *numbers, 32):
            return [TRUE if wide else FALSE]
    bound, number = op.lhs.defining_op, constants[1]
    if isinstance(bound, _BOUNDS) and isinstance(number, IntegerAttr):
        limit = constant_of(bound.rhs)
        if limit is not None:
            results = {_compare_bounded(bound, limit, predicate, number.value, width) for width in (64, 32)}
            if results in ({True}, {False}):
                return [TRUE if True in results else FALSE]
    if op.lhs is op.rhs:
        return [TRUE if word in ("eq", "sge", "sle", "uge", "ule") else FALSE]
    return None


Bounded: TypeAlias = "ops.MinsOp | ops.MinuOp | ops.MaxsOp | ops.MaxuOp"
_BOUNDS: Final = (ops.MinsOp, ops.MinuOp, ops.MaxsOp, ops.MaxuOp)


def _is_number(attribute: Attribute, type: Type) -> bool:
    return isinstance(attribute, IntegerAttr) and attribute.type == type


def constant_of(value: Value) -> int | None:
    """The number of an index constant."""
    op = defined_by(value, ops.ConstantOp)
    return op.value.value if op is not None else None


FOLDS: Final[Mapping[str, Fold]] = {
    **{f"index.{name}": fold_binary for name in (*UNCHECKED, *CHECKED)},
    "index.casts": fold_cast,
    "index.castu": fold_cast,
    "index.cmp": fold_cmp,
    "index.constant": fold_constant,
    "index.bool.constant": fold_constant,
}


MATERIALIZE_CONSTANT: Final = constants_by(
    ("index.constant", "value", lambda attribute, type: isinstance(type, IndexType) and _is_number(attribute, type)),
    ("index.bool.constant", "value", lambda attribute, type: type == I1 and _is_number(attribute, type)),
)
