"""Waiting: for memory, for the other threads, and what the compiler may not move over it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from fathom.dialects import own_description
from fathom.dialects.llvm.attributes import cases
from fathom.ir.attributes import IntegerAttr, StringAttr, i32_attr, i64_attr
from fathom.ir.types import I16
from fathom.irdl.cases import number_of
from fathom.passes.conversions.convert_amdgpu_to_rocdl.target import GFX90A, LowerFor, refuse
from fathom.passes.to_llvm import emit
from fathom.rewriting.pattern import Failure, named

if TYPE_CHECKING:
    from fathom.ir.operation import Operation, Value
    from fathom.ops import amdgpu as ops
    from fathom.passes.gpu_to_llvm.chipsets import Chipset
    from fathom.passes.to_llvm.llvm_type_converter import LLVMTypeConverter
    from fathom.rewriting.conversion_rewriter import ConversionRewriter

_UNSAID: Final = 1024
"""More than any counter counts."""


@named("MemoryCounterWaitOpLowering")
def wait(
    op: ops.MemoryCounterWaitOp,
    operands: Sequence[Value],
    rewriter: ConversionRewriter,
    types: LLVMTypeConverter,
    chipset: Chipset,
) -> Failure | None:
    """Newer chipsets have an instruction for each counter; older ones one for all."""
    if chipset.major >= 12:
        counters = {"ds": op.ds, "load": op.load, "store": op.store, "exp": op.exp, "tensor": op.tensor}
        for name, most in counters.items():
            if most is not None:
                rewriter.create(f"rocdl.s.wait.{name}cnt", (), (), {"count": IntegerAttr(most.value, I16)})
        rewriter.erase(op)
        return None
    if op.tensor is not None:
        return refuse(op, "unsupported chipset")
    memory = [most.value for most in (op.load, op.store) if most is not None]
    encoded = encode(
        chipset,
        sum(memory) if memory else _UNSAID,
        op.exp.value if op.exp is not None else _UNSAID,
        op.ds.value if op.ds is not None else _UNSAID,
    )
    if encoded is None:
        return refuse(op, "unsupported chipset")
    rewriter.replace_with(op, "rocdl.s.waitcnt", (), (), {"bitfield": i32_attr(encoded)})
    return None


def encode(chipset: Chipset, memory: int, exports: int, shared: int) -> int | None:
    """Three counters in the bits of one number."""
    if chipset.major > 11:
        return None
    memory = min(15 if chipset.major < 9 else 63, memory)
    exports, shared = min(7, exports), min(63 if chipset.major >= 10 else 15, shared)
    if chipset.major == 11:
        return memory << 10 | exports | shared << 4
    return (memory & 15) | (memory >> 4) << 14 | exports << 4 | shared << 8


_WARNED: Final = ";;;WARNING: BREAKS DEBUG WATCHES\ns_barrier"


@named("LDSBarrierOpLowering")
def barrier(
    op: Operation,
    operands: Sequence[Value],
    rewriter: ConversionRewriter,
    types: LLVMTypeConverter,
    chipset: Chipset,
) -> None:
    """Only shared memory is in order before and behind it. Old chipsets would wait for all memory, unless it stands in
    assembly."""
    _fence(rewriter, "release")
    if chipset < GFX90A:
        emit.inline_asm(rewriter, _WARNED, "")
    elif chipset.major < 12:
        rewriter.create("rocdl.s.barrier")
    else:
        rewriter.create("rocdl.s.barrier.signal", (), (), {"id": i32_attr(-1)})
        rewriter.create("rocdl.s.barrier.wait", (), (), {"id": IntegerAttr(-1, I16)})
    _fence(rewriter, "acquire")
    rewriter.erase(op)


def _fence(rewriter: ConversionRewriter, order: str) -> None:
    tag = own_description("llvm").attributes["MMRATagAttr"]
    local = tag.make_attribute(prefix="amdgpu-synchronize-as", suffix="local")
    properties = {"ordering": i64_attr(cases("AtomicOrdering")[order]), "syncscope": StringAttr("workgroup")}
    rewriter.create("llvm.fence", (), (), properties, {"llvm.mmra": local})


@named("SchedBarrierOpLowering")
def schedule(
    op: ops.SchedBarrierOp,
    operands: Sequence[Value],
    rewriter: ConversionRewriter,
    types: LLVMTypeConverter,
    chipset: Chipset,
) -> None:
    rewriter.replace_with(op, "rocdl.sched.barrier", (), (), {"mask": i32_attr(number_of(op.opts) or 0)})


LOWERINGS: Final[dict[str, LowerFor]] = {
    "amdgpu.memory_counter_wait": wait,
    "amdgpu.lds_barrier": barrier,
    "amdgpu.sched_barrier": schedule,
}
