"""What MLIR's verifiers say of nvvm's copies between memories, of the barriers that wait for them, and of fences.

Source of the rules: *'nvvm' Dialect*; the texts are those of MLIR 22's verifiers.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from fathom.dialects.nvvm.rules import (
    CONSTANT,
    GENERIC,
    GLOBAL,
    LOCAL,
    SHARED,
    SHARED_CLUSTER,
    both,
    has,
    is_not,
    is_word,
    refuse,
    refuse_bare,
    space,
)
from fathom.ir.property_values import flag_property, integer_property
from fathom.irdl.cases import word, word_of
from fathom.irdl.checking import all_of, bare
from fathom.irdl.verifying import Checks, Complaint, verifies
from fathom.ops import nvvm as ops

if TYPE_CHECKING:
    from fathom.ir.operation import Operation

# ---- asynchronous copies

_ASYNC: Final = all_of(
    refuse_bare("Only CG and CA cache modifiers are supported.", is_not("modifier", "cg", "ca")),
    refuse_bare(
        "expected byte size to be either 4, 8 or 16.", lambda op: integer_property(op, "size") not in (4, 8, 16)
    ),
    refuse_bare(
        "CG cache modifier is only support for 16 bytes copy.",
        lambda op: word(op, "modifier") == "cg" and integer_property(op, "size") != 16,
    ),
)

_MOST_COORDINATES: Final = 5
_MULTICAST: Final = "Multicast is not supported with shared::cta mode."


def _count(op: Operation) -> int:
    return len(op.all_of("coordinates"))


def _coordinates(
    op: ops.CpAsyncBulkTensorGlobalSharedCtaOp
    | ops.CpAsyncBulkTensorPrefetchOp
    | ops.CpAsyncBulkTensorReduceOp
    | ops.CpAsyncBulkTensorSharedClusterGlobalOp,
) -> Complaint:
    if 1 <= _count(op) <= _MOST_COORDINATES:
        return None
    return bare(f"expects coordinates between 1 to {_MOST_COORDINATES} dimension")


def _stored_mode(op: ops.CpAsyncBulkTensorGlobalSharedCtaOp | ops.CpAsyncBulkTensorReduceOp) -> Complaint:
    mode = word_of(op.mode)
    if mode == "tile_scatter4":
        return bare("Scatter4 mode expects 5 coordinates") if _count(op) != _MOST_COORDINATES else None
    if problems := _coordinates(op):
        return problems
    if mode == "im2col" and _count(op) < 3:
        return bare("to use im2col mode, the tensor has to be at least 3-dimensional")
    return None


@verifies("nvvm.cp.async.bulk.tensor.prefetch")
def _loaded_mode(op: ops.CpAsyncBulkTensorPrefetchOp | ops.CpAsyncBulkTensorSharedClusterGlobalOp) -> Complaint:
    """The numbers of coordinates and offsets that a mode of loading a tensor asks for."""
    if problems := _coordinates(op):
        return problems
    mode, count, offsets = word_of(op.mode), _count(op), len(op.im2colOffsets)
    if mode == "tile_gather4" and count != _MOST_COORDINATES:
        return bare("Gather4 mode expects 5 coordinates")
    if mode.startswith("im2col") and count < 3:
        return bare(f"to use {mode} mode, the tensor has to be at least 3-dimensional")
    expected = {"im2col": count - 2, "im2col_w": 2, "im2col_w_128": 2}.get(mode, 0)
    return bare(f" im2col offsets expected {expected} (provided {offsets})") if offsets != expected else None


_PREDICATED: Final = has("predicate")
_STORE: Final = all_of(
    refuse_bare("Inline-ptx lowering supported only for Tile mode.", both(_PREDICATED, is_not("mode", "tile"))),
    refuse_bare("Inline-ptx lowering unsupported with L2 cache-hint.", both(_PREDICATED, has("l2CacheHint"))),
    _stored_mode,
)
_REDUCE: Final = all_of(
    refuse_bare("Scatter mode unsupported for CpAsyncBulkTensorReduceOp", is_word("mode", "tile_scatter4")),
    _stored_mode,
)


def _destination(op: ops.CpAsyncBulkTensorSharedClusterGlobalOp) -> Complaint:
    """Where a tensor may be loaded to, and who gets it."""
    alone = bool(op.isCTAOnly.value)
    if _PREDICATED(op):
        if alone:
            return bare("Predicate is supported only for shared::cluster mode.")
        fits = word_of(op.mode) in ("tile", "im2col")
        return None if fits else bare("Predicate is supported only for Tile and Im2col modes.")
    expected = SHARED if alone else SHARED_CLUSTER
    if space(op, "dstMem") != expected:
        kind = "cta" if alone else "cluster"
        return bare(f"Shared::{kind} destination requires address-space {expected}.")
    if alone and op.multicastMask is not None:
        return bare(_MULTICAST)
    return bare("CTAGroup is not supported with shared::cta mode.") if alone and op.group is not None else None


_BULK_LOAD: Final = refuse_bare(
    _MULTICAST, lambda op: space(op, "dstMem") == SHARED and bool(op.all_of("multicastMask"))
)


# ---- barriers in memory


def _barrier(op: Operation) -> Complaint:
    if word(op, "scope") not in ("cta", "cluster"):
        return bare("mbarrier scope must be either CTA or Cluster")
    arrives = "arrive" in op.name
    if arrives and op.results and space(op, "addr") == SHARED_CLUSTER:
        return bare("mbarrier in shared_cluster space cannot return any value")
    return None


_EXPECT: Final = all_of(
    refuse_bare("mbarrier scope must be CTA when using predicate", both(_PREDICATED, is_not("scope", "cta"))),
    refuse_bare(
        "mbarrier in shared_cluster space is not supported when using predicate",
        both(_PREDICATED, lambda op: space(op, "addr") == SHARED_CLUSTER),
    ),
    refuse_bare("return-value is not supported when using predicate", both(_PREDICATED, lambda op: bool(op.results))),
    refuse_bare(
        "mbarrier with relaxed semantics is not supported when using predicate",
        both(_PREDICATED, lambda op: flag_property(op, "relaxed")),
    ),
    _barrier,
)
_BARRIERS: Final = (
    "arrive",
    "arrive_drop",
    "arrive_drop.expect_tx",
    "complete_tx",
    "expect_tx",
    "test.wait",
    "try_wait",
)


# ---- prefetching


@verifies("nvvm.prefetch")
def _prefetch(op: ops.PrefetchOp) -> Complaint:
    if op.tensormap is not None:
        return _prefetch_map(op)
    if op.cacheLevel is not None:
        return _prefetch_level(op)
    return "requires specification of either cache level or tensormap"


def _prefetch_map(op: ops.PrefetchOp) -> Complaint:
    if op.cacheLevel is not None:
        return "cannot specify both tensormap and cache level"
    if space(op, "addr") not in (GENERIC, CONSTANT):
        return "prefetch tensormap requires a generic or constant pointer"
    if op.evictPriority is not None:
        return "prefetch tensormap does not support eviction priority"
    if op.in_param_space is not None and space(op, "addr") != GENERIC:
        return "in_param_space can only be specified for a generic pointer"
    return None


def _prefetch_level(op: ops.PrefetchOp) -> Complaint:
    level, address = word_of(op.cacheLevel), space(op, "addr")
    if address not in (GENERIC, GLOBAL, LOCAL):
        return "prefetch to cache level requires a generic, global, or local pointer"
    if op.uniform is not None:
        if level != "L1":
            return "unsupported cache level, the only supported uniform cache level is L1"
        if address != GENERIC:
            return "prefetch to uniform cache requires a generic pointer"
    if op.evictPriority is not None:
        if level != "L2":
            return "cache eviction priority supported only for cache level L2"
        if address != GLOBAL:
            return "cache eviction priority requires a global pointer"
        if word_of(op.evictPriority) not in ("evict_normal", "evict_last"):
            return "unsupported cache eviction priority, only evict_last and evict_normal are supported"
    return "predicate supported only on prefetch tensormap" if _PREDICATED(op) else None


# ---- fences


@verifies("nvvm.fence.proxy")
def _fence(op: ops.FenceProxyOp) -> Complaint:
    kind, has_space = word_of(op.kind), op.space is not None
    if kind == "tensormap":
        return "tensormap proxy is not a supported proxy kind"
    if kind == "generic":
        return "generic proxy not a supported proxy kind"
    if kind == "async.shared" and not has_space:
        return "async_shared fence requires space attribute"
    if kind != "async.shared" and has_space:
        return "only async_shared fence can have space attribute"
    return None


_ORDER: Final = refuse("only acquire and release semantics are supported", is_not("order", "acquire", "release"))
_ONE_WAY: Final = "uni-directional proxies only support"
_PROXIES: Final = all_of(
    refuse(f"{_ONE_WAY} generic for from_proxy attribute", is_not("fromProxy", "generic")),
    refuse(f"{_ONE_WAY} tensormap for to_proxy attribute", is_not("toProxy", "tensormap")),
)
_RESTRICTED: Final = all_of(
    _ORDER,
    refuse("only generic is support for from_proxy attribute", is_not("fromProxy", "generic")),
    refuse("only async is supported for to_proxy attribute", is_not("toProxy", "async")),
)


VERIFY: Final[Checks] = {
    "nvvm.cp.async.bulk.shared.cluster.global": _BULK_LOAD,
    "nvvm.cp.async.bulk.tensor.global.shared.cta": _STORE,
    "nvvm.cp.async.bulk.tensor.reduce": _REDUCE,
    "nvvm.cp.async.bulk.tensor.shared.cluster.global": all_of(_destination, _loaded_mode),
    "nvvm.cp.async.shared.global": _ASYNC,
    "nvvm.fence.proxy.acquire": _PROXIES,
    "nvvm.fence.proxy.release": _PROXIES,
    "nvvm.fence.proxy.sync_restrict": _RESTRICTED,
    "nvvm.fence.sync_restrict": _ORDER,
    "nvvm.mbarrier.arrive.expect_tx": _EXPECT,
    **{f"nvvm.mbarrier.{name}": _barrier for name in _BARRIERS},
}
