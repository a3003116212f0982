"""What of the gpu dialect, and of what needs others on NVIDIA's GPUs, becomes what."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Final

from fathom.dialects.llvm.types import struct_of
from fathom.dialects.nvvm import case
from fathom.ir.attributes import UNIT, IntegerAttr
from fathom.ir.types import I1, I32
from fathom.irdl.cases import word_of
from fathom.passes.conversions.convert_gpu_to_nvvm.assertions import fail
from fathom.passes.conversions.convert_gpu_to_nvvm.library import LIBRARY
from fathom.passes.conversions.convert_gpu_to_nvvm.matrices import MATRICES, convert_matrix
from fathom.passes.conversions.convert_gpu_to_nvvm.sincos import sincos
from fathom.passes.gpu_to_llvm.device_calls import call_patterns
from fathom.passes.gpu_to_llvm.functions import FunctionRules, function, return_
from fathom.passes.gpu_to_llvm.indices import Counted, as_index, bounds, index
from fathom.passes.gpu_to_llvm.printing import vprintf
from fathom.passes.gpu_to_llvm.rewrites import REWRITES
from fathom.passes.gpu_to_llvm.shared_memory import dynamic_shared_memory
from fathom.passes.gpu_to_llvm.spaces import number_spaces
from fathom.passes.to_llvm import emit
from fathom.passes.to_llvm.patterns import Lower, pattern
from fathom.passes.to_llvm.patterns import patterns as lowering_patterns
from fathom.passes.vectors.unrolling import FROM_ELEMENTS
from fathom.rewriting.pattern import Failure, named

if TYPE_CHECKING:
    from fathom.ir.attributes import Attribute
    from fathom.ir.operation import Value
    from fathom.ops import gpu as ops
    from fathom.passes.to_llvm.llvm_type_converter import LLVMTypeConverter
    from fathom.rewriting.conversion_rewriter import ConversionRewriter
    from fathom.rewriting.pattern import Pattern
    from fathom.rewriting.target import ConversionTarget

_SHARED: Final = 3
_WARP: Final = 32
_ALIGNED_TO: Final = 128
"""How memory whose size the launch decides is aligned, in bits."""
SPACES: Final = {"global": 1, "workgroup": _SHARED, "private": 0}
"""Memory of a thread lies on the stack, which has no address space of its own."""
FUNCTIONS: Final = FunctionRules(0, _SHARED, "nvvm.kernel", "nvvm.maxntid", "nvvm.cluster_dim")
FIRST: Final = (*REWRITES, FROM_ELEMENTS)
_NEVER: Final = "copysign cos exp exp2 fabs ceil floor log log10 log2 pow roundeven round sin sincos sqrt".split()
"""Intrinsics that NVIDIA's back end does not have."""


@named("GPUBarrierToNVVM")
def barrier(
    op: ops.BarrierOp, operands: Sequence[Value], rewriter: ConversionRewriter, types: LLVMTypeConverter
) -> None:
    """`gpu.barrier` becomes `nvvm.barrier0`."""
    rewriter.replace_with(op, "nvvm.barrier0")


@named("GPULaneIdOpToNVVM")
def lane(op: ops.LaneIdOp, operands: Sequence[Value], rewriter: ConversionRewriter, types: LLVMTypeConverter) -> None:
    """`gpu.lane_id` becomes `nvvm.read.ptx.sreg.laneid range <i32, 0, 32> : i32`, as an index."""
    upper = op.upper_bound.value if isinstance(op.upper_bound, IntegerAttr) else _WARP
    number = rewriter.create("nvvm.read.ptx.sreg.laneid", (), [I32], {"range": bounds(0, upper)}).result
    rewriter.replace(op, [as_index(number, rewriter, types)])


_SHUFFLES: Final = {"xor": "bfly", "up": "up", "down": "down", "idx": "idx"}


@named("GPUShuffleOpLowering")
def shuffle(
    op: ops.ShuffleOp, operands: Sequence[Value], rewriter: ConversionRewriter, types: LLVMTypeConverter
) -> None:
    """
        %r, %valid = gpu.shuffle xor %v, %offset, %width : f32
    becomes, where the mask has a bit for each lane that takes part,
        %0 = nvvm.shfl.sync bfly %mask, %v, %offset, %last {return_value_and_is_valid} : f32 -> !llvm.struct<(f32, i1)>
    """
    value, offset, width = operands

    def number(value: int) -> Value:
        return emit.i32(rewriter, value)

    one, all_set, lanes = number(1), number(-1), number(_WARP)
    idle = emit.sub(rewriter, lanes, width)
    mask = rewriter.create("llvm.lshr", [all_set, idle], [I32]).result
    mode = word_of(op.mode)
    clamp = idle if mode == "up" else emit.sub(rewriter, width, one)
    is_asked = bool(op.valid.uses)
    properties: dict[str, Attribute] = {"kind": case("ShflKindAttr", _SHUFFLES[mode])}
    if is_asked:
        properties["return_value_and_is_valid"] = UNIT
    type = struct_of(value.type, I1) if is_asked else value.type
    result = rewriter.create("nvvm.shfl.sync", [mask, value, offset, clamp], [type], properties).result
    if is_asked:
        parts = [emit.extract(rewriter, result, of, place) for place, of in enumerate((value.type, I1))]
        rewriter.replace(op, parts)
    else:
        rewriter.replace(op, [result, ()])


_REDUCTIONS: Final = {
    "add": "add",
    "minsi": "min",
    "minnumf": "min",
    "maxsi": "max",
    "maxnumf": "max",
    "and": "and",
    "or": "or",
    "xor": "xor",
}


@named("GPUSubgroupReduceOpLowering")
def subgroup_reduce(
    op: ops.SubgroupReduceOp, operands: Sequence[Value], rewriter: ConversionRewriter, types: LLVMTypeConverter
) -> Failure | None:
    """`gpu.subgroup_reduce add %a uniform : (i32) -> i32` becomes `nvvm.redux.sync add %a, %all : i32 -> i32`."""
    if op.cluster_size is not None:
        return Failure("lowering for clustered reduce not implemented")
    if op.uniform is None:
        return Failure("cannot be lowered to redux as the op must be run uniformly (entire subgroup).")
    if op.value.type != I32:
        return Failure("unsupported data type")
    kind = _REDUCTIONS.get(word_of(op.op))
    if kind is None:
        return Failure("unsupported reduction mode for redux")
    everyone = emit.i32(rewriter, -1)
    rewriter.replace_with(op, "nvvm.redux.sync", [op.value, everyone], [I32], {"kind": case("ReduxKindAttr", kind)})
    return None


def _register(name: str) -> str:
    return f"nvvm.read.ptx.sreg.{name}"


_INDEX, _SIZE = Counted.INDEX, Counted.SIZE
LOWERINGS: Final[Mapping[str, Lower]] = {
    "gpu.printf": vprintf,
    "cf.assert": fail,
    "gpu.thread_id": index(_register("tid"), _INDEX, "block"),
    "gpu.block_dim": index(_register("ntid"), _SIZE, "block"),
    "gpu.cluster_id": index(_register("clusterid"), _INDEX),
    "gpu.cluster_dim": index(_register("nclusterid"), _SIZE),
    "gpu.cluster_block_id": index(_register("cluster.ctaid"), _INDEX, "cluster"),
    "gpu.cluster_dim_blocks": index(_register("cluster.nctaid"), _SIZE, "cluster"),
    "gpu.block_id": index(_register("ctaid"), _INDEX, "grid"),
    "gpu.grid_dim": index(_register("nctaid"), _SIZE, "grid"),
    "gpu.lane_id": lane,
    "gpu.shuffle": shuffle,
    "gpu.return": return_,
    "gpu.dynamic_shared_memory": dynamic_shared_memory(_ALIGNED_TO),
    "gpu.func": function(FUNCTIONS),
    "math.sincos": sincos,
}


def convert_types(types: LLVMTypeConverter) -> None:
    """Has a converter know the types of the gpu dialect as they are here."""
    number_spaces(types, SPACES)
    types.conversions.append(convert_matrix)


def patterns(types: LLVMTypeConverter, benefit: int = 1) -> list[Pattern]:
    """All but those for matrices and reductions, which come before what other dialects have for the same operations."""
    made = [pattern("gpu.barrier", barrier, types), *lowering_patterns(LOWERINGS, types, benefit)]
    return made + call_patterns(LIBRARY, types, benefit)


def matrix_patterns(types: LLVMTypeConverter) -> list[Pattern]:
    """Those for matrices that a subgroup holds together."""
    return lowering_patterns(MATRICES, types)


def reductions(types: LLVMTypeConverter) -> list[Pattern]:
    """That for reductions in a subgroup, on GPUs that have an instruction for it."""
    return [pattern("gpu.subgroup_reduce", subgroup_reduce, types)]


def require(target: ConversionTarget) -> None:
    """What may be left, and what not."""
    target.illegal("func.func", "cf.assert", "gpu").legal("llvm", "nvvm")
    target.illegal("llvm.frem", *(f"llvm.intr.{name}" for name in _NEVER))
    target.legal("gpu.yield", "gpu.module")
