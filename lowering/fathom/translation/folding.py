"""Folding of instructions whose operands are all constants, as LLVM's IRBuilder does while it makes them.

Each function gives the constant, or None where an instruction is needed. Nothing is simplified that has an operand
which is not constant: `and %x, 0` stays. Source of the rules: *LLVM Language Reference*, "Instruction Reference", and
the behaviour of `mlir-translate`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Final

from fathom.dialects.llvm.attributes import ir_words
from fathom.ir.float_arithmetic import negate
from fathom.ir.floats import from_float, nan
from fathom.ir.types import WIDEST_COMPUTED
from fathom.llvmir.constants import (
    aggregate,
    element_of,
    elements_of,
    integer,
    is_zero,
    same_in_all,
    signed,
    splat,
    unsigned,
    width_of,
    zero,
)
from fathom.llvmir.module import Function, GlobalValue, GlobalVariable
from fathom.llvmir.types import I1, IntegerType, PrimitiveType, Type, VectorType, scalar
from fathom.llvmir.values import (
    Constant,
    ConstantAggregate,
    ConstantAggregateZero,
    ConstantDataSequential,
    ConstantExpr,
    ConstantFP,
    ConstantInt,
    ConstantPointerNull,
    DSOLocalEquivalent,
    PoisonValue,
    UndefValue,
)
from fathom.translation.float_folding import ARITHMETIC, compare, float_name, is_subnormal

COMMUTATIVE: Final = frozenset({"add", "mul", "and", "or", "xor", "fadd", "fmul"})
FLOAT_OPS: Final = frozenset({"fadd", "fsub", "fmul", "fdiv", "frem"})
FLOAT_IDENTITY: Final = {"fadd": -0.0, "fsub": 0.0, "fmul": 1.0, "fdiv": 1.0}
EXPRESSIONS: Final = frozenset({"add", "sub", "xor"})
"""The arithmetic that can stay behind as a constant expression."""

RIGHT_IDENTITY: Final = {
    "sub": 0,
    "shl": 0,
    "lshr": 0,
    "ashr": 0,
    "sdiv": 1,
    "udiv": 1,
    "add": 0,
    "or": 0,
    "xor": 0,
    "mul": 1,
    "and": -1,
}


def fold_binary(op: str, a: Constant, b: Constant) -> Constant | None:
    """Integer and float arithmetic, lane by lane on vectors."""
    # What leaves the other operand as it is goes first: it keeps an undef or a signalling NaN.
    if _is_identity(op, b):
        return a
    if op in COMMUTATIVE and _is_identity(op, a):
        return b
    if isinstance(a, PoisonValue) or isinstance(b, PoisonValue):
        return PoisonValue(a.type)
    if isinstance(a.type, VectorType):
        return _lanes(a.type, partial(fold_binary, op), a, b)
    if isinstance(a, UndefValue) or isinstance(b, UndefValue):
        return _with_undef(op, a, b)
    if isinstance(a, ConstantFP) and isinstance(b, ConstantFP):
        return ConstantFP(a.type, ARITHMETIC[op](a.bits, b.bits, float_name(a.type)))
    if is_too_wide(a.type):
        return None
    if isinstance(a, ConstantInt) and isinstance(b, ConstantInt):
        return _integers(op, a, b)
    return _expression(op, a, b) if op not in FLOAT_OPS else None


def _is_identity(op: str, operand: Constant) -> bool:
    """Whether `x op operand` is x for all x."""
    match operand:
        case ConstantInt(IntegerType() as type):
            return op in RIGHT_IDENTITY and operand == integer(type, RIGHT_IDENTITY[op])
        case ConstantFP(PrimitiveType() as type, bits):
            return op in FLOAT_IDENTITY and bits == from_float(FLOAT_IDENTITY[op], float_name(type))
        case _:
            return False


def _lanes(type: VectorType, fold: Callable[..., Constant | None], *vectors: Constant) -> Constant | None:
    """Folds lane by lane; None when some lane does not fold."""
    same = [element for vector in vectors if (element := _same_in_all(vector)) is not None]
    if len(same) == len(vectors):
        lane = fold(*same)
        return splat(type, lane) if lane is not None else None
    columns = [elements_of(vector) for vector in vectors]
    present = [column for column in columns if column is not None]
    if len(present) != len(columns):
        return None
    lanes = [fold(*lane) for lane in zip(*present, strict=True)]
    folded = [lane for lane in lanes if lane is not None]
    return aggregate(type, folded) if len(folded) == len(lanes) else None


def _same_in_all(vector: Constant) -> Constant | None:
    """The element of a vector whose elements are all known to be the same, or are all undefined."""
    if isinstance(vector, UndefValue) and isinstance(vector.type, VectorType):
        return UndefValue(vector.type.element)
    return same_in_all(vector)


def _with_undef(op: str, a: Constant, b: Constant) -> Constant:
    type = a.type
    both = isinstance(a, UndefValue) and isinstance(b, UndefValue)
    if op in FLOAT_OPS:
        if both:
            return UndefValue(type)
        return ConstantFP(type, nan(float_name(type)))
    if op in EXPRESSIONS:
        return zero(type) if both and op == "xor" else UndefValue(type)
    if op in ("and", "mul", "or"):
        other = b if isinstance(a, UndefValue) else a
        if both or (op == "mul" and isinstance(other, ConstantInt) and other.value & 1):
            return UndefValue(type)
        return integer(type, -1) if op == "or" else zero(type)
    if isinstance(b, UndefValue) or (op.endswith(("div", "rem")) and is_zero(b)):
        return PoisonValue(type)
    if is_zero(b) or (op.endswith("div") and isinstance(b, ConstantInt) and b.value == 1):
        return UndefValue(type)
    return zero(type)


def is_too_wide(type: Type) -> bool:
    """Whether a type is of integers, alone or as elements, of which nothing is computed."""
    element = scalar(type)
    return isinstance(element, IntegerType) and element.bits > WIDEST_COMPUTED


def _integers(op: str, a: ConstantInt, b: ConstantInt) -> Constant:
    width = width_of(a.type)
    x, y = unsigned(a), unsigned(b)
    if op in ("udiv", "urem", "sdiv", "srem"):
        if y == 0 or (op[0] == "s" and width > 1 and signed(a) == -(1 << (width - 1)) and signed(b) == -1):
            return PoisonValue(a.type)
        return integer(a.type, _divide(op, a, b))
    if op in ("shl", "lshr", "ashr"):
        if y >= width:
            return PoisonValue(a.type)
        return integer(a.type, x << y if op == "shl" else x >> y if op == "lshr" else signed(a) >> y)
    return integer(a.type, WRAPPING[op](x, y))


WRAPPING: Final[dict[str, Callable[[int, int], int]]] = {
    "add": lambda x, y: x + y,
    "sub": lambda x, y: x - y,
    "mul": lambda x, y: x * y,
    "and": lambda x, y: x & y,
    "or": lambda x, y: x | y,
    "xor": lambda x, y: x ^ y,
}


def _divide(op: str, a: ConstantInt, b: ConstantInt) -> int:
    if op[0] == "u":
        x, y = unsigned(a), unsigned(b)
        return x // y if op == "udiv" else x % y
    x, y = signed(a), signed(b)
    quotient = abs(x) // abs(y)
    if (x < 0) != (y < 0):
        quotient = -quotient
    return quotient if op == "sdiv" else x - quotient * y


def _expression(op: str, a: Constant, b: Constant) -> Constant | None:
    """Arithmetic on addresses that are not known yet."""
    if op in COMMUTATIVE and isinstance(a, ConstantInt):
        a, b = b, a
    if isinstance(b, ConstantInt):
        if (op in ("and", "mul") and b.value == 0) or (op == "or" and b == integer(b.type, -1)):
            return b
        match a:
            case ConstantExpr(_, opcode, (left, ConstantInt() as right)) if opcode == op and op in ("add", "xor"):
                return _expression(op, left, _integers(op, right, b))
            case _:
                pass
    if op == "sub" and (distance := _distance(a, b)) is not None:
        return integer(a.type, distance)
    return ConstantExpr(a.type, op, (a, b)) if op in EXPRESSIONS else None


def _distance(a: Constant, b: Constant) -> int | None:
    """How many bytes two addresses of the same object are apart."""
    match a, b:
        case ConstantExpr(_, "ptrtoint", (first,)), ConstantExpr(_, "ptrtoint", (second,)):
            (x, m), (y, n) = split_offset(first), split_offset(second)
            return m - n if x == y and isinstance(x, (GlobalValue, DSOLocalEquivalent)) else None
        case _:
            return None


def split_offset(pointer: Constant) -> tuple[Constant, int]:
    """A pointer as a base and the bytes behind it."""
    match pointer:
        case ConstantExpr(_, "getelementptr", (base, ConstantInt(_, offset))):
            return base, offset
        case _:
            return pointer, 0


def fold_negation(a: Constant) -> Constant | None:
    """`fneg`, which flips the sign, of NaN too."""
    match a:
        case PoisonValue() | UndefValue():
            return a
        case ConstantFP(PrimitiveType() as type, bits):
            return ConstantFP(type, negate(bits, float_name(type)))
        case _ if isinstance(a.type, VectorType):
            return _lanes(a.type, fold_negation, a)
        case _:
            return None


FALSE, TRUE = 0, 15
FLOAT_CONDITIONS: Final = (0, 1, 2, 3, 4, 5, 6, 7, 9, 10, 11, 12, 13, 14, 8, 15)
"""For each predicate of `fcmp`, when it holds: the bits are, from the lowest, equal, greater, less, unordered."""
COMPARE: Final[dict[str, Callable[[int, int], bool]]] = {
    "eq": lambda x, y: x == y,
    "ne": lambda x, y: x != y,
    "lt": lambda x, y: x < y,
    "le": lambda x, y: x <= y,
    "gt": lambda x, y: x > y,
    "ge": lambda x, y: x >= y,
}


def boolean_type(type: Type) -> Type:
    """The type of a comparison of two values of this type."""
    return VectorType(I1, type.count, type.is_scalable) if isinstance(type, VectorType) else I1


def fold_compare_integers(predicate: int, a: Constant, b: Constant) -> Constant | None:
    """`icmp`."""
    result = boolean_type(a.type)
    if isinstance(a, PoisonValue) or isinstance(b, PoisonValue):
        return PoisonValue(result)
    if isinstance(a.type, VectorType) and isinstance(result, VectorType):
        return _lanes(result, partial(fold_compare_integers, predicate), a, b)
    name = ir_words("ICmpPredicate")[predicate]
    if isinstance(a, UndefValue) or isinstance(b, UndefValue):
        return UndefValue(result) if name in ("eq", "ne") or a == b else ConstantInt(result, int(name.endswith("e")))
    if isinstance(a, ConstantInt) and isinstance(b, ConstantInt):
        x, y = (signed(a), signed(b)) if name[0] == "s" else (unsigned(a), unsigned(b))
        return ConstantInt(result, int(COMPARE[name.lstrip("su") if len(name) == 3 else name](x, y)))
    if a == b:
        return ConstantInt(result, int(name == "eq" or (name != "ne" and name.endswith("e"))))
    return _compare_addresses(name, a, b)


def _compare_addresses(name: str, a: Constant, b: Constant) -> Constant | None:
    if isinstance(a, ConstantPointerNull) and isinstance(b, GlobalValue):
        flipped = {"ult": "ugt", "ugt": "ult", "ule": "uge", "uge": "ule"}
        return _compare_addresses(flipped.get(name, name), b, a)
    if _is_somewhere(a) and name in ("eq", "ne", "ugt", "uge", "ult", "ule"):
        other_is_apart = _is_somewhere(b) and name in ("eq", "ne")
        if isinstance(b, ConstantPointerNull) or other_is_apart:
            return ConstantInt(I1, int(name in ("ne", "ugt", "uge")))
    return None


def _is_somewhere(constant: Constant) -> bool:
    """Whether it is the address of what is not null, and no other's."""
    return isinstance(constant, GlobalValue) and constant.linkage != "extern_weak"


def fold_compare_floats(predicate: int, a: Constant, b: Constant) -> Constant | None:
    """`fcmp`. How a subnormal operand compares depends on the function, so LLVM leaves it alone."""
    if _has_subnormal(a) or _has_subnormal(b):
        return None
    result = boolean_type(a.type)
    if predicate in (FALSE, TRUE):
        always = ConstantInt(I1, predicate & 1)
        return splat(result, always) if isinstance(result, VectorType) else always
    if isinstance(a, PoisonValue) or isinstance(b, PoisonValue):
        return PoisonValue(result)
    if isinstance(a.type, VectorType) and isinstance(result, VectorType):
        return _lanes(result, partial(fold_compare_floats, predicate), a, b)
    if isinstance(a, UndefValue) or isinstance(b, UndefValue):
        return ConstantInt(result, FLOAT_CONDITIONS[predicate] >> 3)
    if isinstance(a, ConstantFP) and isinstance(b, ConstantFP):
        holds = compare(FLOAT_CONDITIONS[predicate], a.bits, b.bits, float_name(a.type))
        return ConstantInt(result, int(holds))
    return None


def _has_subnormal(constant: Constant) -> bool:
    if isinstance(constant, ConstantFP):
        return is_subnormal(constant.bits, float_name(scalar(constant.type)))
    if isinstance(constant, (ConstantAggregate, ConstantDataSequential)):
        return any(map(_has_subnormal, elements_of(constant) or ()))
    return False


def fold_select(condition: Constant, yes: Constant, no: Constant) -> Constant | None:
    """`select`; of vectors lane by lane."""
    match condition:
        case PoisonValue():
            return PoisonValue(yes.type)
        case UndefValue():
            return yes if isinstance(yes, UndefValue) else no
        case ConstantInt(_, value):
            return yes if value else no
        case ConstantAggregateZero():
            return no
        case ConstantAggregate() | ConstantDataSequential() if isinstance(yes.type, VectorType):
            return _lanes(yes.type, fold_select, condition, yes, no)
        case _:
            return _either(yes, no)


def _either(yes: Constant, no: Constant) -> Constant | None:
    """The one that stands for both, whatever the condition is: what is not defined may be the other, unless that is
    poison."""
    if yes == no or isinstance(no, PoisonValue):
        return yes
    if isinstance(yes, PoisonValue) or (isinstance(yes, UndefValue) and _is_no_poison(no)):
        return no
    return yes if isinstance(no, UndefValue) and _is_no_poison(yes) else None


def _is_no_poison(constant: Constant) -> bool:
    """Whether a constant is known to have no poison in it."""
    match constant:
        case ConstantInt() | ConstantFP() | ConstantPointerNull() | GlobalVariable() | Function():
            return True
        case ConstantExpr():
            return False
        case _ if isinstance(constant.type, VectorType):
            elements = elements_of(constant) or [constant]
            return not any(isinstance(element, (PoisonValue, ConstantExpr)) for element in elements)
        case _:
            return False


def fold_extract(container: Constant, position: Sequence[int]) -> Constant | None:
    """`extractvalue`."""
    for index in position:
        element = element_of(container, index)
        if element is None:
            return None
        container = element
    return container


def fold_insert(container: Constant, value: Constant, position: Sequence[int]) -> Constant | None:
    """`insertvalue`."""
    if not position:
        return value
    elements = elements_of(container)
    if elements is None or position[0] >= len(elements):
        return None
    inner = fold_insert(elements[position[0]], value, position[1:])
    if inner is None:
        return None
    elements[position[0]] = inner
    return aggregate(container.type, elements)


_FIRST: Final = integer(IntegerType(64), 0)


def fold_extract_element(vector: Constant, index: Constant) -> Constant | None:
    """`extractelement`; behind the end there is poison."""
    assert isinstance(vector.type, VectorType)
    if isinstance(vector, PoisonValue) or isinstance(index, (UndefValue, PoisonValue)):
        return PoisonValue(vector.type.element)
    if isinstance(vector, UndefValue):
        return UndefValue(vector.type.element)
    if not isinstance(index, ConstantInt):
        return None
    while isinstance(vector, ConstantExpr) and vector.opcode == "insertelement":
        vector, value, place = vector.operands
        if isinstance(place, ConstantInt) and unsigned(place) == unsigned(index):
            return value
    assert isinstance(vector.type, VectorType)
    if unsigned(index) < vector.type.count:
        same = same_in_all(vector)
        return same if same is not None else element_of(vector, unsigned(index))
    return None if vector.type.is_scalable else PoisonValue(vector.type.element)


def fold_insert_element(vector: Constant, value: Constant, index: Constant) -> Constant | None:
    """`insertelement`; behind the end there is poison."""
    if isinstance(index, (UndefValue, PoisonValue)):
        return PoisonValue(vector.type)
    if isinstance(vector.type, VectorType) and vector.type.is_scalable:
        is_nothing_new = isinstance(vector, ConstantAggregateZero) and is_zero(value)
        return vector if is_nothing_new else ConstantExpr(vector.type, "insertelement", (vector, value, index))
    elements = elements_of(vector)
    if not isinstance(index, ConstantInt) or elements is None:
        return None
    if unsigned(index) >= len(elements):
        return PoisonValue(vector.type)
    elements[unsigned(index)] = value
    return aggregate(vector.type, elements)


def fold_shuffle(a: Constant, b: Constant, mask: Sequence[int], result: VectorType) -> Constant | None:
    """`shufflevector`; a lane below zero in the mask is not defined."""
    if all(lane < 0 for lane in mask):
        return PoisonValue(result)
    if result.is_scalable:
        first = fold_extract_element(a, _FIRST) if not any(mask) else None
        if first is not None:
            return splat(result, first)
        return ConstantExpr(result, "shufflevector", (a, b), mask=tuple(mask))
    left, right = elements_of(a), elements_of(b)
    if left is None or right is None:
        return None
    lanes = left + right
    return aggregate(result, [lanes[lane] if lane >= 0 else UndefValue(result.element) for lane in mask])
