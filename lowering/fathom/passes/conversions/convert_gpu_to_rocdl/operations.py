"""What of the gpu dialect, and of what needs others on AMD's GPUs, becomes what."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Final

from fathom.ir.attributes import IntegerAttr
from fathom.ir.types import F16, F32, I32, element_type
from fathom.passes.conversions.convert_gpu_to_rocdl.lanes import broadcast, lane, shuffle
from fathom.passes.conversions.convert_gpu_to_rocdl.library import LIBRARY
from fathom.passes.gpu_to_llvm.device_calls import call_patterns
from fathom.passes.gpu_to_llvm.functions import FunctionRules, function, return_
from fathom.passes.gpu_to_llvm.indices import Counted, as_index, bounds, index
from fathom.passes.gpu_to_llvm.printing import hip_printf, printf
from fathom.passes.gpu_to_llvm.shared_memory import dynamic_shared_memory
from fathom.passes.gpu_to_llvm.spaces import number_spaces
from fathom.passes.to_llvm.elementwise import one_to_one
from fathom.passes.to_llvm.patterns import Lower, pattern
from fathom.passes.to_llvm.patterns import patterns as lowering_patterns
from fathom.rewriting.pattern import Failure, named

if TYPE_CHECKING:
    from fathom.ir.attributes import Attribute
    from fathom.ir.operation import Operation, Value
    from fathom.ops import gpu as ops
    from fathom.ops.math import ClampfOp
    from fathom.passes.gpu_to_llvm.chipsets import Chipset
    from fathom.passes.to_llvm.llvm_type_converter import LLVMTypeConverter
    from fathom.rewriting.conversion_rewriter import ConversionRewriter
    from fathom.rewriting.pattern import Pattern
    from fathom.rewriting.target import ConversionTarget

SPACES: Final = {"global": 1, "workgroup": 3, "private": 5}
FUNCTIONS: Final = FunctionRules(SPACES["private"], SPACES["workgroup"], "rocdl.kernel", "rocdl.reqd_work_group_size")
_CONSTANTS: Final = 4
"""The address space in which OpenCL has the texts that it prints."""
_NEVER: Final = "cos exp2 ceil floor log10 log2 pow sin".split()
"""Intrinsics that AMD's back end does not have."""
_FIRST_WITH_MEDIAN: Final = 9


@named("GPUBarrierToROCDL")
def barrier(
    op: ops.BarrierOp, operands: Sequence[Value], rewriter: ConversionRewriter, types: LLVMTypeConverter
) -> None:
    """`gpu.barrier` becomes `rocdl.barrier`."""
    rewriter.replace_with(op, "rocdl.barrier")


def subgroup_size(chipset: Chipset) -> Lower:
    """`gpu.subgroup_size` becomes `rocdl.wavefrontsize : i32`, as an index; old GPUs have at least 64 lanes."""
    least = 64 if chipset.major < 10 else 32

    @named("GPUSubgroupSizeOpToROCDL")
    def lower(
        op: ops.SubgroupSizeOp, operands: Sequence[Value], rewriter: ConversionRewriter, types: LLVMTypeConverter
    ) -> None:
        properties: dict[str, Attribute] = {}
        if isinstance(op.upper_bound, IntegerAttr):
            properties["range"] = bounds(least, op.upper_bound.value + 1)
        number = rewriter.create("rocdl.wavefrontsize", (), [I32], properties).result
        rewriter.replace(op, [as_index(number, rewriter, types)])

    return lower


@named("ClampFOpConversion")
def clamp(
    op: ClampfOp, operands: Sequence[Value], rewriter: ConversionRewriter, types: LLVMTypeConverter
) -> Failure | None:
    """`math.clampf %x to [%low, %high]` becomes `rocdl.fmed3 %x, %low, %high`, the one between the others."""
    if element_type(op.result.type) not in (F16, F32):
        return Failure("fmed3 only supports f16 and f32 types")
    return one_to_one(op, "rocdl.fmed3", operands, {}, rewriter)


_INDEX, _SIZE = Counted.INDEX, Counted.SIZE
LOWERINGS: Final[Mapping[str, Lower]] = {
    "gpu.barrier": barrier,
    "gpu.thread_id": index("rocdl.workitem.id", _INDEX, "block"),
    "gpu.block_id": index("rocdl.workgroup.id", _INDEX, "grid"),
    "gpu.block_dim": index("rocdl.workgroup.dim", _SIZE, "block"),
    "gpu.grid_dim": index("rocdl.grid.dim", _SIZE, "grid"),
    "gpu.return": return_,
    "gpu.func": function(FUNCTIONS),
    "gpu.dynamic_shared_memory": dynamic_shared_memory(0),
    "gpu.shuffle": shuffle,
    "gpu.lane_id": lane,
    "gpu.subgroup_broadcast": broadcast,
}
PRINTING: Final[Mapping[str, Lower]] = {"HIP": hip_printf, "OpenCL": printf(_CONSTANTS)}
"""How the runtime libraries print."""


def convert_types(types: LLVMTypeConverter) -> None:
    """Has a converter know the memory spaces of the gpu dialect as they are here."""
    number_spaces(types, SPACES)


def patterns(types: LLVMTypeConverter, runtime: str, chipset: Chipset) -> list[Pattern]:
    """All that a GPU and a runtime library need."""
    table = {**LOWERINGS, "gpu.subgroup_size": subgroup_size(chipset)}
    if runtime in PRINTING:
        table["gpu.printf"] = PRINTING[runtime]
    made = lowering_patterns(table, types) + call_patterns(LIBRARY, types)
    return made + ([pattern("math.clampf", clamp, types)] if chipset.major >= _FIRST_WITH_MEDIAN else [])


def _computes_with_f32(op: Operation) -> bool:
    return any(operand.type == F32 for operand in op.operands)


def require(target: ConversionTarget) -> None:
    """What may be left, and what not."""
    target.illegal("func.func", "gpu").legal("llvm", "rocdl")
    target.illegal("llvm.frem", *(f"llvm.intr.{name}" for name in _NEVER))
    target.dynamically_legal(_computes_with_f32, "llvm.intr.exp", "llvm.intr.log")
    target.legal("gpu.yield", "gpu.module")
