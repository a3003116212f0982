"""What index operations fold to.

An `index` has 64 bits in attributes, and may have 32 on the target: a result is folded only where both widths agree.
Source of the rules: `mlir/lib/Dialect/Index/IR/IndexOps.cpp` of MLIR 22.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final, TypeAlias

from fathom.dialects.arith.elements import as_signed, as_unsigned
from fathom.ir.attributes import FALSE, TRUE, Attribute, IntegerAttr
from fathom.ir.operation import Operation, Value
from fathom.ir.types import I1, INDEX, IndexType, IntegerType, Type
from fathom.irdl.build import constants_by
from fathom.irdl.cases import word_of
from fathom.irdl.folding import Constants, Fold, Folded
from fathom.ops import index as ops
from fathom.records import record
from fathom.rewriting.pattern import defined_by

Calculation: TypeAlias = "Callable[[int, int, int], int | None]"
"""A number from two numbers, which are signed, and their width; None where there is none."""


def _quotient(a: int, b: int) -> int:
    """Division that rounds towards zero."""
    quotient = abs(a) // abs(b)
    return -quotient if (a < 0) != (b < 0) else quotient


def _on_unsigned(function: Calculation) -> Calculation:
    return lambda a, b, width: function(as_unsigned(a, width), as_unsigned(b, width), width)


def _ceiling(a: int, b: int, width: int) -> int | None:
    """As MLIR computes it, so that what overflows does so in the same way."""
    if b == 0:
        return None
    if a == 0:
        return 0
    if (a > 0) != (b > 0):
        return -_quotient(as_signed(-a, width), b)
    return _quotient(as_signed(a + (-1 if b > 0 else 1), width), b) + 1


def _floor(a: int, b: int, width: int) -> int | None:
    if b == 0:
        return None
    if a == 0:
        return 0
    if (a < 0) == (b < 0):
        return _quotient(a, b)
    return -1 - _quotient(as_signed((1 if b < 0 else -1) - a, width), b)


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
    "divs": lambda a, b, _: _quotient(a, b) if b else None,
    "divu": _on_unsigned(lambda a, b, _: a // b if b else None),
    "ceildivs": _ceiling,
    "ceildivu": _on_unsigned(lambda a, b, _: -(-a // b) if b else None),
    "floordivs": _floor,
    "rems": lambda a, b, _: a - b * _quotient(a, b) if b else None,
    "remu": _on_unsigned(lambda a, b, _: a % b if b else None),
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
    found = calculated(name, *numbers)
    return [found] if found is not None else None


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


@record
class _Range:
    """The signed and unsigned numbers that a value may have."""

    low: int
    high: int
    unsigned_low: int
    unsigned_high: int

    @staticmethod
    def of_signed(low: int, high: int, width: int) -> _Range:
        if (low < 0) == (high < 0):
            bounds = sorted((as_unsigned(low, width), as_unsigned(high, width)))
            return _Range(low, high, bounds[0], bounds[1])
        return _Range(low, high, 0, (1 << width) - 1)

    @staticmethod
    def of_unsigned(low: int, high: int, width: int) -> _Range:
        half = 1 << (width - 1)
        if (low < half) == (high < half):
            bounds = sorted((as_signed(low, width), as_signed(high, width)))
            return _Range(bounds[0], bounds[1], low, high)
        return _Range(-half, half - 1, low, high)


_OPPOSITE: Final = {
    "eq": "ne",
    "ne": "eq",
    "slt": "sge",
    "sle": "sgt",
    "sgt": "sle",
    "sge": "slt",
    "ult": "uge",
    "ule": "ugt",
    "ugt": "ule",
    "uge": "ult",
}


def _is_true(predicate: str, a: _Range, b: _Range) -> bool:
    """Whether a comparison holds for all numbers of the ranges."""
    match predicate:
        case "slt":
            return a.high < b.low
        case "sle":
            return a.high <= b.low
        case "sgt" | "sge":
            return _is_true("slt" if predicate == "sgt" else "sle", b, a)
        case "ult":
            return a.unsigned_high < b.unsigned_low
        case "ule":
            return a.unsigned_high <= b.unsigned_low
        case "ugt" | "uge":
            return _is_true("ult" if predicate == "ugt" else "ule", b, a)
        case "eq":
            return a.low == a.high == b.low == b.high
        case _:
            return all(any(_is_true(p, x, y) for x, y in ((a, b), (b, a))) for p in ("slt", "ult"))


def _compare(predicate: str, a: int, b: int, width: int) -> bool:
    ranges = [_Range.of_signed(as_signed(n, width), as_signed(n, width), width) for n in (a, b)]
    return _is_true(predicate, ranges[0], ranges[1])


def _compare_bounded(bound: Operation, limit: int, predicate: str, number: int, width: int) -> bool | None:
    """A comparison of the result of `mins` and the like, one operand of which is constant, with a number."""
    half = 1 << (width - 1)
    match bound.name:
        case "index.mins":
            range_ = _Range.of_signed(-half, as_signed(limit, width), width)
        case "index.maxs":
            range_ = _Range.of_signed(as_signed(limit, width), half - 1, width)
        case "index.minu":
            range_ = _Range.of_unsigned(0, as_unsigned(limit, width), width)
        case _:
            range_ = _Range.of_unsigned(as_unsigned(limit, width), 2 * half - 1, width)
    other = _Range.of_signed(as_signed(number, width), as_signed(number, width), width)
    if _is_true(predicate, range_, other):
        return True
    return False if _is_true(_OPPOSITE[predicate], range_, other) else None


def fold_cmp(op: ops.CmpOp, constants: Constants) -> Folded:
    """A comparison of constants, of a bounded value with a constant, or of a value with itself."""
    predicate = word_of(op.pred)
    numbers = _integers(constants)
    if numbers is not None:
        wide = _compare(predicate, *numbers, 64)
        if wide == _compare(predicate, *numbers, 32):
            return [TRUE if wide else FALSE]
    bound, number = op.lhs.defining_op, constants[1]
    if isinstance(bound, _BOUNDS) and isinstance(number, IntegerAttr):
        limit = constant_of(bound.rhs)
        if limit is not None:
            results = {_compare_bounded(bound, limit, predicate, number.value, width) for width in (64, 32)}
            if results in ({True}, {False}):
                return [TRUE if True in results else FALSE]
    if op.lhs is op.rhs:
        return [TRUE if predicate in ("eq", "sge", "sle", "uge", "ule") else FALSE]
    return None


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
