"""What copies between memories are in LLVM IR, and the barriers in memory that threads wait at for them.

Source of the rules: *'nvvm' Dialect*, and observed behaviour of mlir-translate 22.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final, TypeAlias

from fathom.dialects.llvm.calling import Maker, calls
from fathom.dialects.nvvm.rules import GENERIC, SHARED, SHARED_CLUSTER, space
from fathom.ir.property_values import flag_property
from fathom.ir.types import I32, I64
from fathom.irdl.cases import number_of, word, word_of
from fathom.ops import nvvm as ops

if TYPE_CHECKING:
    from fathom.dialects.llvm.calling import Called
    from fathom.ir.operation import Operation, Value

    _Tensors: TypeAlias = (
        ops.CpAsyncBulkTensorGlobalSharedCtaOp
        | ops.CpAsyncBulkTensorPrefetchOp
        | ops.CpAsyncBulkTensorReduceOp
        | ops.CpAsyncBulkTensorSharedClusterGlobalOp
    )

_BARRIER: Final = "llvm.nvvm.mbarrier."
_COPY: Final = "llvm.nvvm.cp.async."

# ---- barriers in memory


def _scope(op: Operation) -> str:
    """Which threads see what others did before, and where the barrier is."""
    where = "cluster" if space(op, "addr") == SHARED_CLUSTER else "cta"
    return f".scope.{word(op, 'scope') or 'cta'}.space.{where}"


def _relaxed(op: Operation) -> str:
    return ".relaxed" if flag_property(op, "relaxed") else ""


def _barrier(op: Operation, make: Maker) -> Value:
    """A barrier of which nothing says where it is is in shared memory."""
    address = op.one_of("addr")
    return make.in_space(address, SHARED) if space(op, "addr") == GENERIC else address


def _shared(op: Operation) -> str:
    return ".shared" if space(op, "addr") == SHARED else ""


@calls("nvvm.mbarrier.init")
def _init(op: ops.MbarrierInitOp, _make: Maker) -> Called:
    return f"{_BARRIER}init{_shared(op)}", [op.addr, op.count]


@calls("nvvm.mbarrier.inval")
def _invalidate(op: ops.MbarrierInvalOp, _make: Maker) -> Called:
    return f"{_BARRIER}inval{_shared(op)}", [op.addr]


@calls("nvvm.mbarrier.expect_tx", "nvvm.mbarrier.complete_tx")
def _transactions(op: ops.MbarrierExpectTxOp | ops.MbarrierCompleteTxOp, _make: Maker) -> Called:
    kind = op.name.removeprefix("nvvm.mbarrier.").replace("_", ".")
    return f"{_BARRIER}{kind}{_scope(op)}", [op.addr, op.txcount]


@calls("nvvm.mbarrier.arrive", "nvvm.mbarrier.arrive_drop")
def _arrive(op: ops.MbarrierArriveOp | ops.MbarrierArriveDropOp, make: Maker) -> Called:
    kind = op.name.removeprefix("nvvm.mbarrier.").replace("_", ".")
    name, barrier = f"{_BARRIER}{kind}{_relaxed(op)}{_scope(op)}", _barrier(op, make)
    if op.count is None and name == f"{_BARRIER}arrive.scope.cta.space.cta":
        # All processors have that.
        return f"{_BARRIER}arrive.shared", [barrier], I64
    return _arrived(op, name, [barrier, op.count if op.count is not None else make.number(1)])


def _arrived(op: Operation, name: str, arguments: Sequence[Value]) -> Called:
    """The intrinsics say what phase the barrier is in, unless it is that of another block; the operation need not."""
    return (name, arguments) if space(op, "addr") == SHARED_CLUSTER else (name, arguments, I64)


@calls("nvvm.mbarrier.arrive.expect_tx", "nvvm.mbarrier.arrive_drop.expect_tx")
def _arrive_and_expect(op: ops.MbarrierArriveExpectTxOp | ops.MbarrierArriveDropExpectTxOp, make: Maker) -> Called:
    kind = op.name.removeprefix("nvvm.mbarrier.").replace("_", ".")
    return _arrived(op, f"{_BARRIER}{kind}{_relaxed(op)}{_scope(op)}", [_barrier(op, make), op.txcount])


@calls("nvvm.mbarrier.arrive.nocomplete", "nvvm.mbarrier.arrive_drop.nocomplete")
def _arrive_early(op: ops.MbarrierArriveNocompleteOp | ops.MbarrierArriveDropNocompleteOp, _make: Maker) -> Called:
    dropped = ".drop" if isinstance(op, ops.MbarrierArriveDropNocompleteOp) else ""
    return f"{_BARRIER}arrive{dropped}.noComplete{_shared(op)}", [op.addr, op.count]


@calls("nvvm.mbarrier.test.wait", "nvvm.mbarrier.try_wait")
def _wait(op: ops.MbarrierTestWaitOp | ops.MbarrierTryWaitOp, make: Maker) -> Called:
    ticks = op.ticks if isinstance(op, ops.MbarrierTryWaitOp) else None
    kind = "test.wait" if isinstance(op, ops.MbarrierTestWaitOp) else "try.wait"
    parity = ".parity" if op.stateOrPhase.type == I32 else ""
    limited = ".tl" if ticks is not None else ""
    name = f"{_BARRIER}{kind}{parity}{limited}{_relaxed(op)}.scope.{word(op, 'scope') or 'cta'}.space.cta"
    return name, [_barrier(op, make), op.stateOrPhase, *([ticks] if ticks is not None else [])]


# ---- copies


@calls("nvvm.cp.async.mbarrier.arrive")
def _arrive_when_copied(op: ops.CpAsyncMbarrierArriveOp, _make: Maker) -> Called:
    noinc = ".noinc" if flag_property(op, "noinc") else ""
    return f"{_COPY}mbarrier.arrive{noinc}{_shared(op)}", [op.addr]


@calls("nvvm.cp.async.shared.global")
def _copy(op: ops.CpAsyncSharedGlobalOp, _make: Maker) -> Called:
    size = op.size.value
    modifier = "cg" if size == 16 and word_of(op.modifier) == "cg" else "ca"
    sized = [op.cpSize] if op.cpSize is not None else []
    return f"{_COPY}{modifier}.shared.global.{size}{'.s' * len(sized)}", [op.dst, op.src, *sized]


@calls("nvvm.cp.async.bulk.wait_group")
def _wait_for_bulks(op: ops.CpAsyncBulkWaitGroupOp, make: Maker) -> Called:
    return f"{_COPY}bulk.wait.group{'.read' * (op.read is not None)}", [make.number(op.group.value)]


def _hint(op: Operation, make: Maker) -> tuple[Value, Value]:
    """The hint for caches, and whether there is one."""
    given = op.all_of("l2CacheHint")
    return given[0] if given else make.number(0, 64), make.flag(given)


@calls("nvvm.cp.async.bulk.prefetch")
def _prefetch(op: ops.CpAsyncBulkPrefetchOp, make: Maker) -> Called:
    return f"{_COPY}bulk.prefetch.L2", [op.srcMem, op.size, *_hint(op, make)]


@calls("nvvm.cp.async.bulk.shared.cluster.global")
def _copy_in(op: ops.CpAsyncBulkSharedClusterGlobalOp, make: Maker) -> Called:
    hint, has_hint = _hint(op, make)
    arguments = [op.dstMem, op.mbar, op.srcMem, op.size]
    if space(op, "dstMem") == SHARED:
        return f"{_COPY}bulk.global.to.shared.cta", [*arguments, hint, has_hint]
    mask = op.multicastMask if op.multicastMask is not None else make.number(0, 16)
    arguments += [mask, hint, make.flag(op.multicastMask is not None), has_hint]
    return f"{_COPY}bulk.global.to.shared.cluster", arguments


@calls("nvvm.cp.async.bulk.global.shared.cta")
def _copy_out(op: ops.CpAsyncBulkGlobalSharedCtaOp, make: Maker) -> Called:
    masked = [op.byteMask] if op.byteMask is not None else []
    arguments = [op.dstMem, op.srcMem, op.size, *_hint(op, make), *masked]
    return f"{_COPY}bulk.shared.cta.to.global{'.bytemask' * len(masked)}", arguments


# ---- copies of parts of tensors


def _part(op: _Tensors) -> str:
    """How what is copied lies in the tensor, and of how many dimensions that is; rows that are picked are two."""
    mode = (word_of(op.mode) or "tile").replace("_", ".")
    dimensions = 2 if mode in ("tile.gather4", "tile.scatter4") else len(op.coordinates)
    return f"{mode}.{dimensions}d"


@calls("nvvm.cp.async.bulk.tensor.shared.cluster.global")
def _load(op: ops.CpAsyncBulkTensorSharedClusterGlobalOp, make: Maker) -> Called:
    hint, has_hint = _hint(op, make)
    arguments = [op.dstMem, op.mbar, op.tmaDescriptor, *op.coordinates, *op.im2colOffsets]
    if flag_property(op, "isCTAOnly"):
        return f"{_COPY}bulk.tensor.g2s.cta.{_part(op)}", [*arguments, hint, has_hint]
    mask = op.multicastMask if op.multicastMask is not None else make.number(0, 16)
    group = (number_of(op.group) or 0) + 1 if op.group is not None else 0
    arguments += [mask, hint, make.flag(op.multicastMask is not None), has_hint, make.number(group)]
    return f"{_COPY}bulk.tensor.g2s.{_part(op)}", arguments


@calls("nvvm.cp.async.bulk.tensor.prefetch")
def _prefetch_part(op: ops.CpAsyncBulkTensorPrefetchOp, make: Maker) -> Called:
    arguments = [op.tmaDescriptor, *op.coordinates, *op.im2colOffsets, *_hint(op, make)]
    return f"{_COPY}bulk.tensor.prefetch.{_part(op)}", arguments


@calls("nvvm.cp.async.bulk.tensor.global.shared.cta")
def _store(op: ops.CpAsyncBulkTensorGlobalSharedCtaOp, make: Maker) -> Called:
    return f"{_COPY}bulk.tensor.s2g.{_part(op)}", [op.srcMem, op.tmaDescriptor, *op.coordinates, *_hint(op, make)]


@calls("nvvm.cp.async.bulk.tensor.reduce")
def _reduce(op: ops.CpAsyncBulkTensorReduceOp, make: Maker) -> Called:
    arguments = [op.srcMem, op.tmaDescriptor, *op.coordinates, *_hint(op, make)]
    return f"{_COPY}bulk.tensor.reduce.{word_of(op.redKind)}.{_part(op)}", arguments
