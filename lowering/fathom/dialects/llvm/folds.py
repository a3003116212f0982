"""What operations of the LLVM dialect fold to.

Source of the rules: mlir-opt 22, which folds little here: LLVM does it better.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Final

from fathom.dialects.arith.elements import as_unsigned, constant, element_at, scalar, width_of, zero_of
from fathom.dialects.llvm.attributes import DYNAMIC_GEP_INDEX, i32_array
from fathom.dialects.llvm.described import DESCRIPTION
from fathom.dialects.llvm.types import LLVMPointerType
from fathom.ir.attributes import (
    ArrayAttr,
    Attribute,
    DenseArrayAttr,
    DenseElementsAttr,
    FloatAttr,
    IntegerAttr,
    SymbolRefAttr,
)
from fathom.ir.dialect_values import DialectAttr
from fathom.ir.operation import Operation, Span, Value
from fathom.ir.types import FloatType, IndexType, IntegerType, Type, VectorType, element_type
from fathom.irdl.build import create
from fathom.irdl.dialect import Definitions
from fathom.irdl.folding import Constants, Fold, Folded, one
from fathom.ops import llvm as ops
from fathom.rewriting.folding import constant_attribute
from fathom.rewriting.insertions import Insertion, before_others
from fathom.rewriting.pattern import defined_by

EQ: Final = 0
NE: Final = 1


def fold_icmp(op: ops.IcmpOp, constants: Constants) -> Folded:
    """A value equals itself, and memory on the stack is not at the null pointer."""
    predicate, lhs, rhs = op.predicate.value, op.lhs, op.rhs
    if predicate not in (EQ, NE):
        return None
    if lhs is rhs:
        return _truth(op, predicate == EQ)
    if defined_by(lhs, ops.AllocaOp) and defined_by(rhs, ops.MlirZeroOp):
        return _truth(op, predicate == NE)
    if defined_by(lhs, ops.MlirZeroOp) and defined_by(rhs, ops.AllocaOp):
        op.set_operands([rhs, lhs])
        return []
    return None


def _truth(op: Operation, holds: bool) -> Folded:
    return one(constant(int(holds), op.result.type))


# ---- constants


@cache
def literal_attribute(name: str) -> Attribute:
    """`#llvm.zero`, `#llvm.undef` or `#llvm.poison`."""
    return DESCRIPTION.attributes[f"{name.capitalize()}Attr"].make_attribute()


def fold_literal(name: str) -> Fold:
    """`#llvm.undef` and so on; zero is a number where the type has one."""

    def fold(op: ops.MlirPoisonOp | ops.MlirUndefOp | ops.MlirZeroOp, constants: Constants) -> Folded:
        element = element_type(op.result.type) or op.result.type
        has_number = name == "zero" and isinstance(element, (IntegerType, FloatType, IndexType))
        number = zero_of(op.result.type) if has_number else None
        return [number if number is not None else literal_attribute(name)]

    return fold


# ---- numbers


def _number(attribute: Attribute | None) -> int | None:
    if not isinstance(attribute, IntegerAttr):
        return None
    return as_unsigned(attribute.value, width_of(attribute.type))


def _folded(op: Operation, value: int) -> Folded:
    return one(scalar(value, op.result.type))


def fold_zext(op: ops.ZextOp, constants: Constants) -> Folded:
    """A number with more bits."""
    number = _number(constants[0])
    return _folded(op, number) if number is not None and isinstance(op.result.type, IntegerType) else None


def fold_shl(op: ops.ShlOp, constants: Constants) -> Folded:
    """A number shifted by less than its width."""
    number, by = map(_number, constants)
    if number is None or by is None or by >= width_of(op.result.type):
        return None
    return _folded(op, number << by)


def fold_or(op: ops.OrOp, constants: Constants) -> Folded:
    first, second = map(_number, constants)
    return _folded(op, first | second) if first is not None and second is not None else None


# ---- casts and addresses


def fold_chained_cast(op: ops.AddrspacecastOp | ops.BitcastOp, constants: Constants) -> Folded:
    """A cast to its own type is its operand; of two casts the first goes, and both if that is the type they began
    with."""
    source = op.arg
    if source.type == op.result.type:
        return [source]
    inner = source.defining_op
    if inner is None or inner.name != op.name:
        return None
    if inner.operands[0].type == op.result.type:
        return [inner.operands[0]]
    op.set_operand(0, inner.operands[0])
    return []


def fold_getelementptr(op: ops.GetelementptrOp, constants: Constants) -> Folded:
    """The address of the first element is the base; indices that are known stand in the text, if 32 bits hold them."""
    base, raw = op.base, op.rawConstantIndices.values
    rest = iter(zip(op.dynamicIndices, constants[1:], strict=True))
    numbers: list[int] = []
    values: list[Value] = []
    for number in raw:
        known: Attribute | None = None
        if number == DYNAMIC_GEP_INDEX:
            value, known = next(rest)
            if isinstance(known, IntegerAttr) and _has_32_bits(known):
                number = known.value
            else:
                values.append(value)
        numbers.append(number)
    if base.type == op.result.type and numbers == [0]:
        return [base]
    if tuple(numbers) == raw:
        return None
    op.set_operands([base, *values])
    op.properties["rawConstantIndices"] = i32_array(*numbers)
    return []


def _has_32_bits(constant: IntegerAttr) -> bool:
    """Whether an index fits among those in the text, of which the least number stands for an operand."""
    return -(2**31) < constant.value < 2**31


# ---- aggregates


INSERTION: Final = Insertion("llvm.insertvalue", 0, "position")


def fold_extractvalue(op: ops.ExtractvalueOp, constants: Constants) -> Folded:
    """What was inserted at the position, found through the insertions before it; of a constant its part."""
    wanted = op.position.values
    container = op.container.defining_op
    if container is None:
        return None
    if isinstance(container, ops.ExtractvalueOp):
        op.properties["position"] = DenseArrayAttr(op.position.element, (*container.position.values, *wanted))
        op.set_operand(0, container.container)
        return []
    source = place = op.container
    is_part = False
    while True:
        place = before_others(INSERTION, place, wanted)
        if not is_part:
            source = place
        container = place.defining_op
        if not isinstance(container, ops.InsertvalueOp):
            break
        inserted = INSERTION.position_of(container)
        if inserted == wanted:
            return [container.value]
        if len(wanted) <= len(inserted):
            return _taken_from(op, source)
        # It is a part of what was inserted.
        place, wanted, is_part = container.value, wanted[len(inserted) :], True
    attribute = _part_of_constant(container, wanted) if container is not None else None
    return [attribute] if attribute is not None else _taken_from(op, source)


def _taken_from(op: ops.ExtractvalueOp, source: Value) -> Folded:
    """Of an extraction: from what was there before insertions elsewhere."""
    if source is op.container:
        return None
    op.set_operand(0, source)
    return []


def _part_of_constant(container: Operation, position: Sequence[int]) -> Attribute | None:
    attribute = constant_attribute(container)
    for index in position:
        if attribute is not None:
            attribute = _element(attribute, index)
    return attribute


def _element(attribute: Attribute, index: int) -> Attribute | None:
    match attribute:
        case ArrayAttr(elements):
            return elements[index] if index < len(elements) else None
        case DialectAttr() if attribute.full_name in ("llvm.zero", "llvm.undef", "llvm.poison"):
            return attribute
        case _:
            return element_at(attribute, index)


def _fold_shuffle(op: ops.ShufflevectorOp, constants: Constants) -> Folded:
    """The only element of a vector of one is that vector."""
    is_single = isinstance(op.v1.type, VectorType) and op.v1.type.shape == (1,)
    return [op.v1] if is_single and op.mask.values == (0,) else None


# ---- constants


def _property(name: str) -> Fold:
    return lambda op, _: [op.properties[name]]


FOLDS: Final[Mapping[str, Fold]] = {
    "llvm.addrspacecast": fold_chained_cast,
    "llvm.bitcast": fold_chained_cast,
    "llvm.blockaddress": _property("block_addr"),
    "llvm.dso_local_equivalent": _property("function_name"),
    "llvm.extractvalue": fold_extractvalue,
    "llvm.getelementptr": fold_getelementptr,
    "llvm.icmp": fold_icmp,
    "llvm.mlir.addressof": _property("global_name"),
    "llvm.mlir.constant": _property("value"),
    "llvm.mlir.poison": fold_literal("poison"),
    "llvm.mlir.undef": fold_literal("undef"),
    "llvm.mlir.zero": fold_literal("zero"),
    "llvm.or": fold_or,
    "llvm.shl": fold_shl,
    "llvm.shufflevector": _fold_shuffle,
    "llvm.zext": fold_zext,
}


LITERALS: Final = {f"llvm.{name}": f"llvm.mlir.{name}" for name in ("zero", "undef", "poison")}
"""The constants by what they fold to."""


def materialize_constant(context: Definitions, attribute: Attribute, type: Type, span: Span | None) -> Operation | None:
    """What a folded value is as an operation: an address, zero, undefined or poison, or an `llvm.mlir.constant`; None
    where that cannot hold it."""
    if isinstance(attribute, SymbolRefAttr) and not attribute.nested and isinstance(type, LLVMPointerType):
        return create(context, "llvm.mlir.addressof", (), [type], {"global_name": attribute}, span=span)
    if isinstance(attribute, DialectAttr) and attribute.full_name in LITERALS:
        return create(context, LITERALS[attribute.full_name], (), [type], span=span)
    if not isinstance(attribute, (IntegerAttr, FloatAttr, DenseElementsAttr)) or attribute.type != type:
        return None
    return create(context, "llvm.mlir.constant", (), [type], {"value": attribute}, span=span)


MATERIALIZE_CONSTANT: Final = materialize_constant
