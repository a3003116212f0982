"""Indices and sizes of kernels: registers of 32 bits, about which something may be known."""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum
from typing import TYPE_CHECKING, Final

from fathom.dialects import own_description
from fathom.ir.attributes import DenseArrayAttr, IntegerAttr
from fathom.ir.traversal import closest, closest_with
from fathom.ir.types import I32, IntegerType
from fathom.irdl.cases import word_of
from fathom.irdl.interfaces import FunctionLike
from fathom.ops.gpu import FuncOp
from fathom.passes.to_llvm import emit
from fathom.rewriting.pattern import named

if TYPE_CHECKING:
    from fathom.ir.attributes import Attribute
    from fathom.ir.operation import Operation, Value
    from fathom.passes.to_llvm.llvm_type_converter import LLVMTypeConverter
    from fathom.passes.to_llvm.patterns import Lower
    from fathom.rewriting.conversion_rewriter import ConversionRewriter

_MOST: Final = 2**31 - 1


class Counted(Enum):
    """What a number counts: an index is less than a size, which is at least one."""

    INDEX = 0
    SIZE = 1


def bounds(lower: int, upper: int) -> Attribute:
    """`#llvm.constant_range<i32, lower, upper>`."""
    definition = own_description("llvm").attributes["ConstantRangeAttr"]
    return definition.make_attribute(type=I32, lower=lower, upper=upper)


def index(register: str, counted: Counted, of: str = "") -> Lower:
    """
        %0 = gpu.thread_id x upper_bound 64
    becomes
        %0 = nvvm.read.ptx.sreg.tid.x range <i32, 0, 64> : i32
        %1 = llvm.sext %0 : i32 to i64
    Where the operation says no bound, the function around it may, by the known size `of` blocks, grids or clusters.
    """

    @named("OpLowering")
    def lower(op: Operation, operands: Sequence[Value], rewriter: ConversionRewriter, types: LLVMTypeConverter) -> None:
        axis = word_of(op.properties["dimension"])
        most = _most(op, of, "xyz".index(axis))
        properties: dict[str, Attribute] = {}
        if most is not None:
            upper = most if most == _MOST or counted is Counted.INDEX else most + 1
            properties["range"] = bounds(counted.value, upper)
        number = rewriter.create(f"{register}.{axis}", (), [I32], properties).result
        rewriter.replace(op, [as_index(number, rewriter, types)])

    return lower


def _most(op: Operation, of: str, axis: int) -> int | None:
    stated = op.properties.get("upper_bound")
    if isinstance(stated, IntegerAttr):
        return (stated.value + 2**31) % 2**32 - 2**31
    if not of:
        return None
    kernel, function = closest(op, FuncOp), closest_with(op, FunctionLike)
    if kernel is not None:
        known = kernel.properties.get(f"known_{of}_size")
    else:
        known = function.attributes.get(f"gpu.known_{of}_size") if function is not None else None
    return int(known.values[axis]) if isinstance(known, DenseArrayAttr) else None


def as_index(number: Value, rewriter: ConversionRewriter, types: LLVMTypeConverter) -> Value:
    """A number of 32 bits with as many as an index has."""
    width = types.options.index_bitwidth
    if width == 32:
        return number
    return emit.cast(rewriter, "llvm.sext" if width > 32 else "llvm.trunc", number, IntegerType(width))
