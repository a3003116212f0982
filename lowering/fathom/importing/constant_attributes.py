"""Constants of LLVM IR as attributes: numbers, texts, and dense elements.

Source of the rules: *'llvm' Dialect*, "`llvm.mlir.constant`".
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from fathom.importing.types import Types, type_for_attribute
from fathom.ir.attributes import Attribute, DenseElementsAttr, FloatAttr, IntegerAttr, StringAttr
from fathom.ir.types import F128, FloatType, ShapedType, signless
from fathom.llvmir import types as llvm
from fathom.llvmir.constants import copied, is_scalable, number, same_in_all, zero
from fathom.llvmir.values import (
    Constant,
    ConstantAggregate,
    ConstantAggregateZero,
    ConstantDataSequential,
    ConstantExpr,
    ConstantFP,
    ConstantInt,
    ConstantString,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

_PLAIN_BITS: Final = frozenset((8, 16, 32, 64))
_PLAIN_FLOATS: Final = frozenset((llvm.HALF, llvm.BFLOAT, llvm.FLOAT, llvm.DOUBLE))


def is_plain(element: llvm.Type) -> bool:
    """Whether LLVM keeps arrays and vectors of a type as their data, so that no element is a constant of its own."""
    return element.bits in _PLAIN_BITS if isinstance(element, llvm.IntegerType) else element in _PLAIN_FLOATS


def operands_of(of: Constant) -> Sequence[Constant]:
    """The constants that LLVM makes a constant of, in its order; of several equal ones the last may stand for all."""
    match of:
        case ConstantExpr(operands=operands) | ConstantAggregate(_, operands):
            return operands
        case ConstantDataSequential(llvm.ArrayType(element) | llvm.VectorType(element), values):
            return () if is_plain(element) else [number(element, value) for value in values]
        case ConstantInt(llvm.VectorType(element) as vector, value) | ConstantFP(
            llvm.VectorType(element) as vector, value
        ):
            scalar = number(element, value)
            if vector.is_scalable:
                return copied(vector, scalar).operands
            return () if is_plain(element) else (scalar,)
        case ConstantAggregateZero(type):
            return [zero(each) for each in _elements(type)]
        case _:
            return ()


def as_splat(of: Constant) -> ConstantExpr | None:
    """The expression that LLVM keeps of a vector of equal elements, of which the target says how many there are."""
    element = same_in_all(of) if isinstance(of, ConstantInt | ConstantFP) else None
    if element is None or not isinstance(of.type, llvm.VectorType) or not of.type.is_scalable:
        return None
    return copied(of.type, element)


def _elements(of: llvm.Type) -> tuple[llvm.Type, ...]:
    match of:
        case llvm.ArrayType(element, count) | llvm.VectorType(element, count):
            return (element,) if count else ()
        case llvm.StructType(elements):
            return elements
        case llvm.IdentifiedStructType(body=llvm.StructType(elements)):
            return elements
        case _:
            return ()


@lru_cache(maxsize=4096)
def integer(value: int, bits: int) -> IntegerAttr:
    """The attribute of a number of so many bits: mostly the same object each time."""
    return IntegerAttr(value, signless(bits))


def is_number(of: Constant) -> bool:
    """Whether a constant is a number that is no vector, as most are."""
    return isinstance(of, ConstantInt | ConstantFP) and not isinstance(of.type, llvm.VectorType)


def scalar_attribute(of: Constant, types: Types) -> IntegerAttr | FloatAttr | None:
    """The attribute of a number that is no vector; None for anything else."""
    match of:
        case ConstantInt(llvm.IntegerType() as type, value):
            return integer(value, type.bits)
        case ConstantFP(llvm.PrimitiveType() as type, bits):
            made = types(type)
            return FloatAttr(bits, made if isinstance(made, FloatType) else F128)
        case _:
            return None


class ScalableVectors(Exception):
    """There are no dense elements of a vector whose length the target says, which MLIR says for each try."""


def attribute_of(of: Constant, types: Types) -> Attribute | None:
    """The attribute that stands for a constant, or None. Raises ScalableVectors."""
    scalar = scalar_attribute(of, types)
    if scalar is not None:
        return scalar
    match of:
        case ConstantString(_, data):
            return StringAttr(data.decode("utf-8", "surrogateescape"))
        case ConstantInt(type, value) | ConstantFP(type, value):
            # A vector of equal elements.
            return None if is_scalable(type) else _dense(type, (value,), types)
        case ConstantDataSequential(type, values):
            return _dense(type, values, types)
        case ConstantAggregate(type):
            shape = _shape(type, types)
            values = _numbers(of) if shape is not None else None
            return _dense(type, values, types) if values is not None else None
        case ConstantAggregateZero(type):
            shape = _shape(type, types)
            return DenseElementsAttr((0,), shape) if shape is not None else None
        case _:
            return None


def _shape(of: llvm.Type, types: Types) -> ShapedType | None:
    inner = of
    while isinstance(inner, llvm.ArrayType):
        inner = inner.element
    if is_scalable(inner):
        raise ScalableVectors
    shape = type_for_attribute(types(of))
    return shape if isinstance(shape, ShapedType) else None


def _dense(of: llvm.Type, values: Sequence[int], types: Types) -> Attribute | None:
    shape = _shape(of, types)
    if shape is None:
        return None
    is_splat = len(values) > 1 and values[0] == values[-1] and all(value == values[0] for value in values)
    return DenseElementsAttr((values[0],) if is_splat else tuple(values), shape)


def _numbers(of: ConstantAggregate) -> list[int] | None:
    """The numbers in an aggregate and the aggregates in it, in their order; None if there is anything else."""
    numbers: list[int] = []
    stack: list[Iterator[Constant]] = [iter(of.operands)]
    while stack:
        for current in stack[-1]:
            match current:
                case ConstantInt(type, value) | ConstantFP(type, value):
                    numbers += [value] * (type.count if isinstance(type, llvm.VectorType) else 1)
                case ConstantDataSequential(_, values):
                    numbers += values
                case ConstantString(_, data):
                    numbers += [byte - 256 if byte > _MOST_POSITIVE else byte for byte in data]
                case ConstantAggregate(_, operands):
                    stack.append(iter(operands))
                    break
                case _:
                    return None
        else:
            stack.pop()
    return numbers


_MOST_POSITIVE: Final = 127
