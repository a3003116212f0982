"""Instructions as operations of the LLVM dialect, those that are neither calls nor branches.

Source of the rules: *'llvm' Dialect*, "Instructions"; *LLVM Language Reference*, "Instruction Reference".
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Final

from fathom.dialects.llvm.attributes import DYNAMIC_GEP_INDEX, GEP_FLAGS, cases, fastmath_of, i32_array, ir_numbers
from fathom.dialects.llvm.types import LLVMArrayType, LLVMStructType
from fathom.ir.attributes import UNIT, DenseArrayAttr, IntegerAttr, StringAttr, i64_attr
from fathom.ir.types import I32, I64, VectorType
from fathom.llvmir import instructions as llvm
from fathom.llvmir.types import IntegerType as LLVMInteger
from fathom.llvmir.values import ConstantAggregateZero, ConstantInt
from fathom.llvmir.words import CASTS, FLOAT_OPERATIONS, INTEGER_OPERATIONS

if TYPE_CHECKING:
    from collections.abc import Mapping

    from fathom.importing.body import BodyImport, Handler
    from fathom.ir.attributes import Attribute
    from fathom.ir.operation import Operation, Value
    from fathom.ir.types import Type

_FAST: Final = {"fast": cases("FastmathFlags")["fast"]} | {
    word: number for word, number in cases("FastmathFlags").items() if word != "none"
}
_OVERFLOW: Final = {"nsw": 1, "nuw": 2}
_NAMES: Final = {
    opcode: f"llvm.{opcode}" for opcode in ("fneg", *INTEGER_OPERATIONS, *FLOAT_OPERATIONS, *CASTS, "icmp", "fcmp")
}
"""The operations that are called as the instructions."""
_MARKS: Final = {"exact": "isExact", "disjoint": "isDisjoint", "nneg": "nonNeg"}


@lru_cache(maxsize=64)
def aligned(alignment: int) -> IntegerAttr:
    """An alignment: mostly the same object each time."""
    return i64_attr(alignment)


@lru_cache(maxsize=256)
def flag_properties(flags: tuple[str, ...]) -> Mapping[str, Attribute]:
    """The properties that the flags of an operation are."""
    properties: dict[str, Attribute] = {_MARKS[word]: UNIT for word in flags if word in _MARKS}
    if overflow := sum(_OVERFLOW.get(word, 0) for word in flags):
        properties["overflowFlags"] = IntegerAttr(overflow, I32)
    fast = 0
    for word in flags:
        fast |= _FAST.get(word, 0)
    if fast:
        properties["fastmathFlags"] = fastmath_of(fast)
    return properties


def _computed(into: BodyImport, of: llvm.UnaryOperator | llvm.BinaryOperator) -> Operation:
    """Arithmetic."""
    values = [into.value(operand) for operand in of.operands]
    return into.make(_NAMES[of.opcode], values, (into.types(of.type),), flag_properties(of.flags))


_WITH_FLAGS: Final = frozenset(("trunc", "zext", "uitofp"))
"""The casts of which the flags are imported."""


def _cast(into: BodyImport, of: llvm.CastInst) -> Operation:
    flags = flag_properties(of.flags) if of.flags and of.opcode in _WITH_FLAGS else None
    if of.opcode == "ptrtoaddr":
        raise into.unhandled(of)
    return into.make(_NAMES[of.opcode], [into.value(of.operands[0])], (into.types(of.type),), flags)


@lru_cache(maxsize=64)
def _predicate(opcode: str, word: str) -> IntegerAttr:
    return i64_attr(ir_numbers("ICmpPredicate" if opcode == "icmp" else "FCmpPredicate")[word])


def _compare(into: BodyImport, of: llvm.CmpInst) -> Operation:
    properties: dict[str, Attribute] = {"predicate": _predicate(of.opcode, of.predicate)}
    if of.flags and of.opcode == "fcmp":
        properties |= flag_properties(of.flags)
    left, right = of.operands
    return into.make(_NAMES[of.opcode], [into.value(left), into.value(right)], (into.types(of.type),), properties)


def _same(name: str) -> Handler:
    """An instruction that is an operation with the same operands and result."""

    def convert(into: BodyImport, of: llvm.Instruction) -> Operation:
        return into.make(name, [into.value(operand) for operand in of.operands], (into.types(of.type),))

    return convert


def _select(into: BodyImport, of: llvm.SelectInst) -> Operation:
    values = [into.value(operand) for operand in of.operands]
    return into.make("llvm.select", values, (into.types(of.type),), flag_properties(of.flags))


def _shuffle(into: BodyImport, of: llvm.ShuffleVectorInst) -> Operation:
    values = [into.value(operand) for operand in of.operands]
    return into.make("llvm.shufflevector", values, (into.types(of.type),), {"mask": i32_array(*of.mask)})


def _in_aggregate(name: str) -> Handler:
    def convert(into: BodyImport, of: llvm.ExtractValueInst | llvm.InsertValueInst) -> Operation:
        place = {"position": DenseArrayAttr(I64, of.indices)}
        return into.make(name, [into.value(operand) for operand in of.operands], (into.types(of.type),), place)

    return convert


# ---- memory


def _alloca(into: BodyImport, of: llvm.AllocaInst) -> Operation:
    count = into.value(of.operands[0])
    properties: dict[str, Attribute] = {"elem_type": into.types.attribute(of.allocated_type)}
    if of.alignment:
        properties["alignment"] = aligned(of.alignment)
    if of.is_in_alloca:
        properties["inalloca"] = UNIT
    return into.make("llvm.alloca", [count], (into.types(of.type),), properties)


_ACCESS_MARKS: Final = {
    "nontemporal": "nontemporal",
    "invariant.load": "invariant",
    "invariant.group": "invariantGroup",
}


def _access(of: llvm.LoadInst | llvm.StoreInst | llvm.AtomicRMWInst) -> dict[str, Attribute]:
    properties: dict[str, Attribute] = {}
    if of.alignment:
        properties["alignment"] = aligned(of.alignment)
    if of.is_volatile:
        properties["volatile_"] = UNIT
    if of.ordering:
        properties["ordering"] = _ordering(of.ordering)
    if of.sync_scope:
        properties["syncscope"] = StringAttr(of.sync_scope)
    return properties


@lru_cache(maxsize=16)
def _ordering(word: str) -> IntegerAttr:
    return i64_attr(ir_numbers("AtomicOrdering")[word])


def _marked(of: llvm.LoadInst | llvm.StoreInst) -> dict[str, Attribute]:
    """What an access says by being annotated."""
    properties = _access(of)
    for kind, _ in of.metadata:
        if kind in _ACCESS_MARKS and (kind != "invariant.load" or isinstance(of, llvm.LoadInst)):
            properties[_ACCESS_MARKS[kind]] = UNIT
    return properties


def _load(into: BodyImport, of: llvm.LoadInst) -> Operation:
    return into.make("llvm.load", [into.value(of.operands[0])], (into.types(of.type),), _marked(of))


def _store(into: BodyImport, of: llvm.StoreInst) -> Operation:
    value, pointer = of.operands
    return into.make("llvm.store", [into.value(value), into.value(pointer)], (), _marked(of))


def _fence(into: BodyImport, of: llvm.FenceInst) -> Operation:
    properties: dict[str, Attribute] = {"ordering": _ordering(of.ordering)}
    if of.sync_scope:
        properties["syncscope"] = StringAttr(of.sync_scope)
    return into.make("llvm.fence", [], (), properties)


def _exchange(into: BodyImport, of: llvm.AtomicCmpXchgInst) -> Operation:
    properties: dict[str, Attribute] = {
        "success_ordering": _ordering(of.success_ordering),
        "failure_ordering": _ordering(of.failure_ordering),
        "alignment": aligned(of.alignment),
    }
    if of.sync_scope:
        properties["syncscope"] = StringAttr(of.sync_scope)
    if of.is_weak:
        properties["weak"] = UNIT
    if of.is_volatile:
        properties["volatile_"] = UNIT
    values = [into.value(operand) for operand in of.operands]
    return into.make("llvm.cmpxchg", values, (into.types(of.type),), properties)


def _modify(into: BodyImport, of: llvm.AtomicRMWInst) -> Operation:
    number = ir_numbers("AtomicBinOp").get(of.operation)
    if number is None:
        raise into.unhandled(of)
    properties = {"bin_op": i64_attr(number), **_access(of)}
    values = [into.value(operand) for operand in of.operands]
    return into.make("llvm.atomicrmw", values, (into.types(of.type),), properties)


@lru_cache(maxsize=16)
def _no_wrap(flags: tuple[str, ...]) -> IntegerAttr:
    number = 0
    for word in flags:
        number |= GEP_FLAGS[word]
    return IntegerAttr(number, I32)


_indices: Final = lru_cache(maxsize=1024)(i32_array)
_MOST_STATIC: Final = 1 << 28
"""An index of a field that is as large, or larger, is no constant one."""


def _address(into: BodyImport, of: llvm.GetElementPtrInst) -> Operation:
    """All indices are values, but those of fields."""
    source = into.types(of.source_type)
    base = into.value(of.operands[0])
    values: list[Value] = [base]
    indices: list[int] = []
    current: Type | None = source
    converted = [into.value(operand) for operand in of.operands[1:]]
    for operand, value in zip(of.operands[1:], converted, strict=True):
        number = _field(operand) if indices and isinstance(current, LLVMStructType) else None
        if number is not None:
            indices.append(number)
        else:
            indices.append(DYNAMIC_GEP_INDEX)
            values.append(value)
        if len(indices) > 1:
            current = _inner(current, indices[-1])
    properties: dict[str, Attribute] = {
        "rawConstantIndices": _indices(*indices),
        "elem_type": into.types.attribute(of.source_type),
        "noWrapFlags": _no_wrap(of.flags),
    }
    return into.make("llvm.getelementptr", values, (into.types(of.type),), properties)


def _field(operand: object) -> int | None:
    """The number of a field, if it is a constant that fits."""
    if isinstance(operand, ConstantAggregateZero):
        return 0
    if isinstance(operand, ConstantInt) and -_MOST_STATIC <= operand.value < _MOST_STATIC:
        is_bit = isinstance(operand.type, LLVMInteger) and operand.type.bits == 1
        return -operand.value if is_bit else operand.value
    return None


def _inner(of: Type | None, index: int) -> Type | None:
    match of:
        case VectorType():
            return of.element
        case LLVMArrayType(_, element):
            return element
        case LLVMStructType(body=tuple() as body) if 0 <= index < len(body):
            return body[index]
        case _:
            return None


INSTRUCTIONS: Final[dict[type, Handler]] = {
    llvm.UnaryOperator: _computed,
    llvm.BinaryOperator: _computed,
    llvm.CastInst: _cast,
    llvm.CmpInst: _compare,
    llvm.SelectInst: _select,
    llvm.FreezeInst: _same("llvm.freeze"),
    llvm.ExtractElementInst: _same("llvm.extractelement"),
    llvm.InsertElementInst: _same("llvm.insertelement"),
    llvm.ShuffleVectorInst: _shuffle,
    llvm.ExtractValueInst: _in_aggregate("llvm.extractvalue"),
    llvm.InsertValueInst: _in_aggregate("llvm.insertvalue"),
    llvm.AllocaInst: _alloca,
    llvm.LoadInst: _load,
    llvm.StoreInst: _store,
    llvm.FenceInst: _fence,
    llvm.AtomicCmpXchgInst: _exchange,
    llvm.AtomicRMWInst: _modify,
    llvm.GetElementPtrInst: _address,
    llvm.VAArgInst: _same("llvm.va_arg"),
}
"""What imports the instructions of a class."""
