"""What of the gpu dialect is written with simpler operations of it before it is converted."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from fathom.ir.types import I1, I32, I64, INDEX, FloatType, IntegerType
from fathom.passes.arithmetic import binary, constant
from fathom.passes.gpu_operations import dimension
from fathom.passes.gpu_to_llvm.all_reduce import reduce_all
from fathom.rewriting.pattern import Failure, Pattern, named

if TYPE_CHECKING:
    from fathom.ir.operation import Value
    from fathom.ir.types import Type
    from fathom.ops import gpu as ops
    from fathom.rewriting.rewriter import Rewriter


@named("GpuGlobalIdRewriter")
def global_id(op: ops.GlobalIdOp, operands: Sequence[Value], rewriter: Rewriter) -> None:
    """`gpu.global_id x` becomes `thread_id x + block_id x * block_dim x`."""

    def along(name: str) -> Value:
        return rewriter.create(name, (), [INDEX], {"dimension": op.dimension}).result

    block, size = along("gpu.block_id"), along("gpu.block_dim")
    before = binary(rewriter, "muli", block, size)
    rewriter.replace(op, [binary(rewriter, "addi", along("gpu.thread_id"), before)])


@named("GpuSubgroupIdRewriter")
def subgroup_id(op: ops.SubgroupIdOp, operands: Sequence[Value], rewriter: Rewriter) -> None:
    """`gpu.subgroup_id` becomes `(x + dim_x * (y + dim_y * z)) / subgroup_size`, where x varies first among the threads
    of a block."""
    sizes = [dimension(rewriter, "gpu.block_dim", axis) for axis in "xy"]
    x, y, z = (dimension(rewriter, "gpu.thread_id", axis) for axis in "xyz")
    row = binary(rewriter, "addi", binary(rewriter, "muli", sizes[1], z), y)
    thread = binary(rewriter, "addi", x, binary(rewriter, "muli", sizes[0], row))
    size = rewriter.create("gpu.subgroup_size", (), [INDEX]).result
    rewriter.replace(op, [binary(rewriter, "divui", thread, size)])


@named("GpuShuffleRewriter")
def shuffle(op: ops.ShuffleOp, operands: Sequence[Value], rewriter: Rewriter) -> Failure | None:
    """
        %r, %valid = gpu.shuffle xor %v, %offset, %width : i64
    becomes two shuffles, of the lower and of the upper 32 bits, which are put together again.
    """
    value, type = op.value, op.value.type
    if not isinstance(type, (FloatType, IntegerType)) or type.width != 64:
        return Failure("only 64-bit int/float types are supported")

    def cast(name: str, from_: Value, to: Type) -> Value:
        return rewriter.create(f"arith.{name}", [from_], [to]).result

    def shuffled(part: Value) -> tuple[Value, Value]:
        taken = [part, op.offset, op.width]
        part, valid = rewriter.create("gpu.shuffle", taken, [I32, I1], {"mode": op.mode}).results
        return part, valid

    with rewriter.standing_in(value):
        bits = cast("bitcast", value, I64) if isinstance(type, FloatType) else value
        low = cast("trunci", bits, I32)
        half = constant(rewriter, 32, I64)
        high = cast("trunci", binary(rewriter, "shrui", bits, half), I32)
    (low, low_valid), (high, high_valid) = shuffled(low), shuffled(high)
    with rewriter.standing_in(value):
        low = cast("extui", low, I64)
        high = binary(rewriter, "shli", cast("extui", high, I64), half)
    result = binary(rewriter, "ori", high, low)
    if isinstance(type, FloatType):
        with rewriter.standing_in(value):
            result = cast("bitcast", result, type)
    rewriter.replace(op, [result, binary(rewriter, "andi", low_valid, high_valid)])
    return None


SUBGROUP_ID: Final = Pattern("gpu.subgroup_id", subgroup_id)
REWRITES: Final = (
    Pattern("gpu.func", reduce_all),
    Pattern("gpu.global_id", global_id),
    Pattern("gpu.shuffle", shuffle, recursive=True),
)
"""What each conversion of GPU code does first."""
