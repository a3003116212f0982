"""Barriers in memory that threads of a block share, each a number of 64 bits.

    nvgpu.mbarrier.init %b[%i], %n : <memorySpace = 3>
->
    %p = llvm.getelementptr %aligned[%i] : (!llvm.ptr<3>, i64) -> !llvm.ptr<3>, i64
    %c = llvm.trunc %n : i64 to i32
    nvvm.mbarrier.init %p, %c : !llvm.ptr<3>, i32
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from fathom.ir.attributes import StringAttr, SymbolRefAttr, TypeAttr, i64_attr
from fathom.ir.traversal import closest
from fathom.ir.types import I1, I32, I64, IntegerType, Type
from fathom.ops.builtin import ModuleOp as BuiltinModuleOp
from fathom.ops.gpu import ModuleOp
from fathom.passes.conversions.convert_nvgpu_to_nvvm.holdings import barriers
from fathom.passes.to_llvm import emit
from fathom.passes.to_llvm.descriptors import element_address
from fathom.passes.to_llvm.patterns import groups
from fathom.rewriting.pattern import Failure, named

if TYPE_CHECKING:
    from fathom.ir.operation import Operation, Value
    from fathom.ops import nvgpu as ops
    from fathom.passes.to_llvm.llvm_type_converter import LLVMTypeConverter
    from fathom.passes.to_llvm.patterns import Lower
    from fathom.rewriting.conversion_rewriter import ConversionRewriter

ALIGNMENT: Final = 8


def truncated(rewriter: ConversionRewriter, value: Value) -> Value:
    """A number in 32 bits, as many as a register has."""
    is_wide = isinstance(value.type, IntegerType) and value.type.width > I32.width
    return emit.cast(rewriter, "llvm.trunc", value, I32) if is_wide else value


def barrier(
    op: Operation, given: dict[str, list[Value]], rewriter: ConversionRewriter, types: LLVMTypeConverter
) -> Value:
    """The address of the barrier that an operation names."""
    type = barriers(op.one_of("barriers").type)
    return element_address(rewriter, types, given["barriers"][0], type, given["mbarId"])


@named("NVGPUMBarrierCreateLowering")
def create(
    op: ops.MbarrierCreateOp, operands: Sequence[Value], rewriter: ConversionRewriter, types: LLVMTypeConverter
) -> Failure | None:
    """The barriers are a global of the module of the kernel."""
    function = op.parent_op
    table = None
    if function is not None:
        table = closest(function, ModuleOp) or closest(function, BuiltinModuleOp)
    if function is None or table is None:
        return Failure("no module is around it")
    type = barriers(op.barriers.type)
    name = rewriter.symbols_in(table).unused("__mbarrier")
    with rewriter.elsewhere():
        rewriter.set_insertion_to_start(table.regions[0].entry)
        rewriter.stand_in(function)
        properties = {
            "alignment": i64_attr(ALIGNMENT),
            "sym_name": StringAttr(name),
            "sym_visibility": StringAttr("private"),
            "type": TypeAttr(type),
        }
        rewriter.create("memref.global", (), (), properties)
    rewriter.replace_with(op, "memref.get_global", (), [type], {"name": SymbolRefAttr(name)})
    return None


@named("NVGPUMBarrierGetLowering")
def address(
    op: ops.MbarrierGetOp, operands: Sequence[Value], rewriter: ConversionRewriter, types: LLVMTypeConverter
) -> None:
    """Where it is, as a number."""
    pointer = barrier(op, groups(op, operands), rewriter, types)
    rewriter.replace_with(op, "llvm.ptrtoint", [pointer], [op.mbarrierPointer.type])


def _of_address(
    name: str, target: str, *, number: str | None = None, further: str | None = None, results: Sequence[Type] = ()
) -> Lower:
    """One operation of nvvm, of the address, of a number in 32 bits, and of what it takes as it is."""

    @named(name)
    def lower(op: Operation, operands: Sequence[Value], rewriter: ConversionRewriter, types: LLVMTypeConverter) -> None:
        given = groups(op, operands)
        taken = [barrier(op, given, rewriter, types)]
        if number is not None:
            taken.append(truncated(rewriter, *given[number]))
        if further is not None:
            taken += given[further]
        rewriter.replace_with(op, target, taken, results)

    return lower


@named("NVGPUMBarrierTryWaitParityLowering")
def try_wait(
    op: ops.MbarrierTryWaitParityOp, operands: Sequence[Value], rewriter: ConversionRewriter, types: LLVMTypeConverter
) -> None:
    given = groups(op, operands)
    pointer = barrier(op, given, rewriter, types)
    ticks = truncated(rewriter, *given["ticks"])
    phase = emit.cast(rewriter, "llvm.zext", given["phaseParity"][0], I32)
    rewriter.replace_with(op, "nvvm.mbarrier.try_wait.parity", [pointer, phase, ticks])


LOWERINGS: Final[dict[str, Lower]] = {
    "nvgpu.mbarrier.create": create,
    "nvgpu.mbarrier.init": _of_address(
        "NVGPUMBarrierInitLowering", "nvvm.mbarrier.init", number="count", further="predicate"
    ),
    "nvgpu.mbarrier.get": address,
    "nvgpu.mbarrier.arrive": _of_address("NVGPUMBarrierArriveLowering", "nvvm.mbarrier.arrive", results=(I64,)),
    "nvgpu.mbarrier.arrive.nocomplete": _of_address(
        "NVGPUMBarrierArriveNoCompleteLowering", "nvvm.mbarrier.arrive.nocomplete", number="count", results=(I64,)
    ),
    "nvgpu.mbarrier.test.wait": _of_address(
        "NVGPUMBarrierTestWaitLowering", "nvvm.mbarrier.test.wait", further="token", results=(I1,)
    ),
    "nvgpu.mbarrier.try_wait.parity": try_wait,
    "nvgpu.mbarrier.arrive.expect_tx": _of_address(
        "NVGPUMBarrierArriveExpectTxLowering", "nvvm.mbarrier.arrive.expect_tx", number="txcount", further="predicate"
    ),
}
