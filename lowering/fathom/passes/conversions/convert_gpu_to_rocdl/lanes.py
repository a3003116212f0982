"""What moves between the lanes of a wavefront, and which of them one is."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from fathom.dialects.llvm.attributes import cases
from fathom.dialects.llvm.types import LLVMPointerType
from fathom.ir.attributes import UNIT, ArrayAttr, DictAttr, i64_attr
from fathom.ir.types import BF16, F16, F32, F64, I1, I32, IntegerType, VectorType
from fathom.irdl.cases import word_of
from fathom.passes.arithmetic import constant
from fathom.passes.gpu_to_llvm.indices import as_index, bounds
from fathom.passes.gpu_to_llvm.parts_of_values import put_together, taken_apart
from fathom.passes.to_llvm import emit
from fathom.rewriting.pattern import Failure, named

if TYPE_CHECKING:
    from fathom.ir.operation import Value
    from fathom.ir.types import Type
    from fathom.ops import gpu as ops
    from fathom.passes.to_llvm.llvm_type_converter import LLVMTypeConverter
    from fathom.rewriting.conversion_rewriter import ConversionRewriter

_ODD: Final = Failure("its value is not made of whole registers")


def lane_id(rewriter: ConversionRewriter) -> Value:
    """How many lanes come before this one: `rocdl.mbcnt.lo` counts among the first 32, `rocdl.mbcnt.hi` in all."""
    zero, everyone = constant(rewriter, 0, I32), constant(rewriter, -1, I32)

    def counted(name: str, before: Value, most: int) -> Value:
        said = DictAttr((("llvm.noundef", UNIT), ("llvm.range", bounds(0, most))))
        return rewriter.create(name, [everyone, before], [I32], {"res_attrs": ArrayAttr((said,))}).result

    return counted("rocdl.mbcnt.hi", counted("rocdl.mbcnt.lo", zero, 32), 64)


@named("GPULaneIdOpToROCDL")
def lane(op: ops.LaneIdOp, operands: Sequence[Value], rewriter: ConversionRewriter, types: LLVMTypeConverter) -> None:
    """`gpu.lane_id`, as an index."""
    rewriter.replace(op, [as_index(lane_id(rewriter), rewriter, types)])


_OFFSETS: Final = {"up": "llvm.sub", "down": "llvm.add", "xor": "llvm.xor"}


@named("GPUShuffleOpLowering")
def shuffle(
    op: ops.ShuffleOp, operands: Sequence[Value], rewriter: ConversionRewriter, types: LLVMTypeConverter
) -> Failure | None:
    """
        %r, %valid = gpu.shuffle xor %v, %offset, %width : f32
    becomes a `rocdl.ds_bpermute` of each register of the value; a lane whose source is none of the first %width of its
    group takes its own.
    """
    value, offset, width = operands
    own = lane_id(rewriter)

    def computed(name: str, left: Value, right: Value) -> Value:
        return rewriter.create(name, [left, right], [I32]).result

    zero = emit.i32(rewriter, 0)
    negative = emit.sub(rewriter, zero, width)
    end = computed("llvm.and", emit.add(rewriter, own, width), negative)
    mode = word_of(op.mode)
    source = computed(_OFFSETS[mode], own, offset) if mode in _OFFSETS else offset
    predicate = {"predicate": i64_attr(cases("ICmpPredicate")["slt"])}
    is_active = rewriter.create("llvm.icmp", [source, end], [I1], predicate).result
    chosen = rewriter.create("llvm.select", [is_active, source, own], [I32]).result
    two = emit.i32(rewriter, 2)
    address = computed("llvm.shl", chosen, two)
    parts = taken_apart(value, rewriter)
    if parts is None:
        return _ODD
    moved = [computed("rocdl.ds_bpermute", address, part) for part in parts]
    rewriter.replace(op, [put_together(moved, value.type, rewriter), is_active])
    return None


def _is_register(type: Type) -> bool:
    """Whether an instruction reads values of a type from a lane."""
    if type in (F16, BF16, F32, F64) or isinstance(type, LLVMPointerType):
        return True
    if isinstance(type, VectorType):
        is_pair = type.ranked_shape == (2,)
        return type.element == I32 or (is_pair and type.element in (F16, BF16, IntegerType(16)))
    return isinstance(type, IntegerType) and type.width in (16, 32, 64)


@named("GPUSubgroupBroadcastOpToROCDL")
def broadcast(
    op: ops.SubgroupBroadcastOp, operands: Sequence[Value], rewriter: ConversionRewriter, types: LLVMTypeConverter
) -> Failure | None:
    """`gpu.subgroup_broadcast %v, specific_lane %l` becomes `rocdl.readlane %v, %l`, of each register where the value
    is none."""
    value, *lanes = operands
    name = "rocdl.readlane" if word_of(op.broadcast_type) == "specific_lane" else "rocdl.readfirstlane"

    def read(part: Value) -> Value:
        return rewriter.create(name, [part, *lanes], [part.type]).result

    if _is_register(value.type):
        rewriter.replace(op, [read(value)])
        return None
    parts = taken_apart(value, rewriter)
    if parts is None:
        return _ODD
    rewriter.replace(op, [put_together([read(part) for part in parts], value.type, rewriter)])
    return None
