"""Short forms for the operations of the LLVM dialect that are about vectors; each inserts and returns the result."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from fathom.dialects.llvm.types import LLVMArrayType
from fathom.ir.attributes import DenseArrayAttr, IntegerAttr
from fathom.ir.types import I32, Type, VectorType
from fathom.passes.to_llvm import emit

if TYPE_CHECKING:
    from fathom.ir.operation import Value
    from fathom.passes.to_llvm.llvm_types import LLVMTypes
    from fathom.rewriting.rewriter import Rewriter


def shuffle(rewriter: Rewriter, first: Value, second: Value, mask: Sequence[int]) -> Value:
    """`llvm.shufflevector`."""
    type = _vector(first.type)
    result = VectorType((len(mask),), type.element, type.scalable)
    properties = {"mask": DenseArrayAttr(I32, tuple(mask))}
    return rewriter.create("llvm.shufflevector", [first, second], [result], properties).result


def extract_value(rewriter: Rewriter, aggregate: Value, *position: int) -> Value:
    """`llvm.extractvalue` from nested arrays."""
    type = aggregate.type
    for _ in position:
        type = array_element(type)
    return emit.extract(rewriter, aggregate, type, *position)


def zero(rewriter: Rewriter) -> Value:
    """The position of the first element, as splats are made with."""
    return emit.i32(rewriter, 0)


def position_in_one(rewriter: Rewriter) -> Value:
    """The position of the only element of a vector without dimensions."""
    return emit.i64(rewriter, 0)


def array_element(type: Type) -> Type:
    """What an array is made of; a vector's element."""
    return type.element if isinstance(type, LLVMArrayType) else _vector(type).element


def _vector(type: Type) -> VectorType:
    if not isinstance(type, VectorType):
        raise TypeError(f"{type} is no vector")
    return type


def index_at(rewriter: Rewriter, types: LLVMTypes, value: int) -> Value:
    """A position in a vector, of the width of an index: `llvm.mlir.constant(2 : i64) : i64`."""
    return emit.constant(rewriter, types.index, IntegerAttr(value, types.index))
