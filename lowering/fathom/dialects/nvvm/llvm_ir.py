"""What operations and attributes of the nvvm dialect are in LLVM IR, beside those that call one intrinsic.

Here is what threads of a warp and blocks do together; the rest stands beside. Source of the rules: *'nvvm' Dialect*,
and observed behaviour of mlir-translate 22.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Final

from fathom.dialects.llvm.calling import Maker, calls, replaces
from fathom.dialects.llvm.types import struct_of
from fathom.dialects.nvvm.rules import GLOBAL, LOCAL, SHARED, members, space
from fathom.ir.attributes import DenseArrayAttr, IntegerAttr
from fathom.ir.property_values import flag_property
from fathom.ir.types import F32, I1, I32
from fathom.irdl.cases import word_of
from fathom.ops import nvvm as ops
from fathom.rewriting.lowerings import Amended, Amendment

if TYPE_CHECKING:
    from fathom.dialects.llvm.calling import Called
    from fathom.ir.attributes import Attribute
    from fathom.ir.operation import Operation, Value

NVVM: Final = "llvm.nvvm."

# ---- barriers and fences


@replaces("nvvm.barrier")
def _barrier(op: ops.BarrierOp, make: Maker) -> Value | None:
    number = op.barrierId if op.barrierId is not None else make.number(0)
    if op.numberOfThreads is not None:
        make.call(f"{NVVM}barrier.cta.sync.aligned.count", [number, op.numberOfThreads])
        return None
    if op.reductionOp is None:
        make.call(f"{NVVM}barrier.cta.sync.aligned.all", [number])
        return None
    assert op.reductionPredicate is not None
    predicate = make.is_not_zero(op.reductionPredicate)
    kind = word_of(op.reductionOp)
    made = make.call(f"{NVVM}barrier.cta.red.{kind}.aligned.all", [number, predicate], I32 if kind == "popc" else I1)
    return made.result if kind == "popc" else make.cast("zext", made.result, I32)


@calls("nvvm.cluster.arrive", "nvvm.cluster.arrive.relaxed", "nvvm.cluster.wait")
def _cluster(op: ops.ClusterArriveOp, _make: Maker) -> Called:
    aligned = ".aligned" if op.aligned is not None else ""
    return f"{NVVM}barrier.{op.name.removeprefix('nvvm.')}{aligned}", []


@calls("nvvm.fence.proxy.acquire", "nvvm.fence.proxy.release")
def _fence_of_tensors(op: ops.FenceProxyAcquireOp | ops.FenceProxyReleaseOp, _make: Maker) -> Called:
    kind = op.name.rpartition(".")[2]
    operands = [op.addr, op.size] if isinstance(op, ops.FenceProxyAcquireOp) else []
    return f"{NVVM}fence.proxy.tensormap_generic.{kind}.{word_of(op.scope)}", operands


@calls("nvvm.fence.proxy")
def _fence_of_proxies(op: ops.FenceProxyOp, _make: Maker) -> Called:
    where = f"_{word_of(op.space)}" if word_of(op.kind) == "async.shared" else ""
    return f"{NVVM}fence.proxy.{word_of(op.kind)}{where}", []


_RESTRICTED: Final = {
    "acquire": "acquire.sync_restrict.space.cluster.scope.cluster",
    "release": "release.sync_restrict.space.cta.scope.cluster",
}


@calls("nvvm.fence.sync_restrict", "nvvm.fence.proxy.sync_restrict")
def _restricted(op: ops.FenceSyncRestrictOp | ops.FenceProxySyncRestrictOp, _make: Maker) -> Called:
    proxy = "proxy.async_generic." if isinstance(op, ops.FenceProxySyncRestrictOp) else ""
    return f"{NVVM}fence.{proxy}{_RESTRICTED[word_of(op.order)]}", []


_BARRIERS: Final = {"cta": "membar.cta", "cluster": "fence.sc.cluster", "gpu": "membar.gl", "sys": "membar.sys"}


@calls("nvvm.memory.barrier")
def _memory_barrier(op: ops.MemoryBarrierOp, _make: Maker) -> Called:
    return NVVM + _BARRIERS[word_of(op.scope)], []


@calls("nvvm.griddepcontrol")
def _grid(op: ops.GriddepcontrolOp, _make: Maker) -> Called:
    return f"{NVVM}griddepcontrol.{word_of(op.kind).replace('_', '.')}", []


@calls("nvvm.pmevent")
def _event(op: ops.PmeventOp, make: Maker) -> Called:
    """An event is a bit of the mask."""
    mask = op.maskedEventId.value if op.maskedEventId is not None else 0
    mask = 1 << op.eventId.value if op.eventId is not None else mask
    return f"{NVVM}pm.event.mask", [make.number(mask, 16)]


@calls("nvvm.setmaxregister")
def _registers(op: ops.SetmaxregisterOp, make: Maker) -> Called:
    kind = "inc" if word_of(op.action) == "increase" else "dec"
    return f"{NVVM}setmaxnreg.{kind}.sync.aligned.u32", [make.number(op.regCount.value)]


# ---- what a warp does together


@replaces("nvvm.elect.sync")
def _elect(op: ops.ElectSyncOp, make: Maker) -> Value:
    mask = op.membermask if op.membermask is not None else make.number(2**32 - 1)
    return make.part(make.call(f"{NVVM}elect.sync", [mask], struct_of(I32, I1)).result, 1)


@calls("nvvm.shfl.sync")
def _shuffle(op: ops.ShflSyncOp, _make: Maker) -> Called:
    body = members(op.result.type)
    type = body[0] if body else op.result.type
    suffix = ("f32" if type == F32 else "i32") + "p" * (op.return_value_and_is_valid is not None)
    operands = [op.thread_mask, op.val, op.offset, op.mask_and_clamp]
    return f"{NVVM}shfl.sync.{word_of(op.kind)}.{suffix}", operands


@calls("nvvm.match.sync")
def _match(op: ops.MatchSyncOp, _make: Maker) -> Called:
    kind = word_of(op.kind)
    return f"{NVVM}match.{kind}.sync.{op.val.type}{'p' * (kind == 'all')}", [op.thread_mask, op.val]


@calls("nvvm.vote.sync")
def _vote(op: ops.VoteSyncOp, _make: Maker) -> Called:
    return f"{NVVM}vote.{word_of(op.kind)}.sync", [op.mask, op.pred]


@calls("nvvm.redux.sync")
def _reduce(op: ops.ReduxSyncOp, _make: Maker) -> Called:
    flags = ".abs" * flag_property(op, "abs") + ".NaN" * flag_property(op, "nan")
    return f"{NVVM}redux.sync.{word_of(op.kind)}{flags}", [op.val, op.mask_and_clamp]


@calls("nvvm.prmt")
def _permute(op: ops.PrmtOp, _make: Maker) -> Called:
    mode = word_of(op.mode)
    suffix = "" if mode == "default" else f".{mode}"
    return f"{NVVM}prmt{suffix}", [op.lo, *([op.hi] if op.hi is not None else []), op.selector]


@calls("nvvm.dot.accumulate.4way", "nvvm.dot.accumulate.2way")
def _dot(op: ops.DotAccumulate4wayOp | ops.DotAccumulate2wayOp, make: Maker) -> Called:
    signs = ".".join(word_of(each)[0] for each in (op.a_type, op.b_type))
    packed = [make.cast("bitcast", each, I32) for each in (op.a, op.b)]
    if isinstance(op, ops.DotAccumulate4wayOp):
        return f"{NVVM}idp4a.{signs}", [*packed, op.c]
    return f"{NVVM}idp2a.{signs}", [*packed, make.flag(flag_property(op, "b_hi")), op.c]


# ---- addresses


@calls("nvvm.mapa")
def _map(op: ops.MapaOp, _make: Maker) -> Called:
    return f"{NVVM}mapa{'.shared.cluster' * (space(op, 'a') == SHARED)}", [op.a, op.b]


@calls("nvvm.st.bulk")
def _store_bulk(op: ops.StBulkOp, make: Maker) -> Called:
    shared = ".shared.cta" * (space(op, "addr") == SHARED)
    return f"{NVVM}st.bulk{shared}", [op.addr, op.size, make.number(op.initVal.value, 64)]


_PARAMETERS: Final = 101
"""The address space of a kernel's parameters."""
_SPACES: Final = {GLOBAL: "global.", LOCAL: "local."}


@calls("nvvm.prefetch")
def _prefetch(op: ops.PrefetchOp, make: Maker) -> Called:
    address = make.in_space(op.addr, _PARAMETERS) if op.in_param_space is not None else op.addr
    if op.tensormap is not None:
        return f"{NVVM}prefetch.tensormap", [address]
    level, priority = word_of(op.cacheLevel), word_of(op.evictPriority)
    if op.uniform is not None and level == "L1":
        return f"{NVVM}prefetchu.L1", [address]
    if priority and level == "L2":
        return f"{NVVM}prefetch.global.L2.{priority.replace('_', '.')}", [address]
    return f"{NVVM}prefetch.{_SPACES.get(space(op, 'addr') or 0, '')}{level}", [address]


@calls("nvvm.clusterlaunchcontrol.try.cancel")
def _try_to_cancel(op: ops.ClusterlaunchcontrolTryCancelOp, _make: Maker) -> Called:
    many = ".multicast" if op.multicast is not None else ""
    return f"{NVVM}clusterlaunchcontrol.try_cancel.async{many}.shared", [op.smemAddress, op.mbarrier]


@calls("nvvm.clusterlaunchcontrol.query.cancel")
def _was_canceled(op: ops.ClusterlaunchcontrolQueryCancelOp, _make: Maker) -> Called:
    asked = word_of(op.query_type).replace("cta_id_", "ctaid.")
    return f"{NVVM}clusterlaunchcontrol.query_cancel.{asked}", [op.try_cancel_response]


# ---- attributes of functions


def _kernel(_op: Operation, _value: Attribute, amended: Amended) -> None:
    amended.convention = "ptx_kernelcc"


def _says(name: str) -> Amendment:
    """An attribute of a function whose numbers are the value of one in LLVM; of one without numbers there is none."""

    def amend(_op: Operation, value: Attribute, amended: Amended) -> None:
        numbers = value.values if isinstance(value, DenseArrayAttr) else ()
        numbers = [value.value] if isinstance(value, IntegerAttr) else numbers
        amended.attributes[name] = ",".join(map(str, numbers))

    return amend


AMENDMENTS: Final[Mapping[str, Amendment]] = {
    "nvvm.kernel": _kernel,
    **{
        f"nvvm.{name}": _says(f"nvvm.{name}")
        for name in ("maxntid", "reqntid", "cluster_dim", "minctasm", "maxnreg", "blocksareclusters")
    },
    "nvvm.cluster_max_blocks": _says("nvvm.maxclusterrank"),
}
