"""What MLIR's verifiers say of what the threads of a warp or a block do together, and of special registers.

Source of the rules: *'nvvm' Dialect*; the texts are those of MLIR 22's verifiers.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from fathom.dialects.llvm.types import LLVMPointerType
from fathom.dialects.nvvm.rules import (
    GENERIC,
    SHARED,
    SHARED_CLUSTER,
    both,
    is_not,
    is_word,
    members,
    refuse,
    space,
)
from fathom.ir.dialect_values import DialectAttr
from fathom.ir.property_values import flag_property
from fathom.ir.types import F32, I1, I32, IntegerType
from fathom.irdl.cases import word_of
from fathom.irdl.checking import all_of, bare
from fathom.irdl.verifying import Checks, Complaint, verifies
from fathom.ops import nvvm as ops

if TYPE_CHECKING:
    from fathom.ir.operation import Operation
    from fathom.ir.types import Type

# ---- votes, shuffles and reductions


@verifies("nvvm.shfl.sync")
def _shuffle(op: ops.ShflSyncOp) -> Complaint:
    type, value = op.result.type, op.val.type
    body = members(type)
    if body is None:
        if op.return_value_and_is_valid is not None:
            return "expected return type to be a two-element struct"
        return _expected("return type", value, type)
    if op.return_value_and_is_valid is None:
        return '"return_value_and_is_valid" attribute must be specified when the return type is a struct type'
    if len(body) != 2:
        return "expected return type to be a two-element struct"
    first = _expected("first element in the returned struct", value, body[0])
    return first or _expected("second element in the returned struct", I1, body[1])


def _expected(what: str, expected: Type, given: Type) -> Complaint:
    if expected == given:
        return None
    return f"expected {what} to be of type '{expected}' but got '{given}' instead"


@verifies("nvvm.match.sync")
def _match(op: ops.MatchSyncOp) -> Complaint:
    type = op.result.type
    if word_of(op.kind) == "all":
        fits = members(type) == (I32, I1)
        struct = "a two element struct with first element as i32 and second element as i1"
        return None if fits else f"match.sync 'all' returns {struct}"
    return None if type == I32 else "match.sync 'any' returns an i32"


@verifies("nvvm.vote.sync")
def _vote(op: ops.VoteSyncOp) -> Complaint:
    if word_of(op.kind) == "ballot":
        return None if op.result.type == I32 else "vote.sync 'ballot' returns an i32"
    return None if op.result.type == I1 else "vote.sync 'any', 'all' and 'uni' returns an i1"


@verifies("nvvm.redux.sync")
def _reduction(op: ops.ReduxSyncOp) -> Complaint:
    type, kind = op.result.type, word_of(op.kind)
    for name in ("abs", "nan"):
        if type != F32 and flag_property(op, name):
            return f"{name} attribute is supported only for f32 type"
    expected = F32 if kind in ("fmin", "fmax") else I32
    if type == expected:
        return None
    return f"'{kind}' redux kind unsupported with '{type}' type. Only supported type is '{expected}'."


@verifies("nvvm.barrier")
def _barrier(op: ops.BarrierOp) -> Complaint:
    identified, reduces = op.barrierId is not None, op.reductionOp is not None
    predicated = op.reductionPredicate is not None
    if op.numberOfThreads is not None and not identified:
        return "barrier id is missing, it should be set between 0 to 15"
    if identified and (reduces or predicated):
        return "reduction are only available when id is 0"
    if reduces != predicated:
        return "reduction predicate and reduction operation must be specified together"
    return None


# ---- the rest


@verifies("nvvm.prmt")
def _permute(op: ops.PrmtOp) -> Complaint:
    mode, high = word_of(op.mode), op.hi is not None
    if mode in ("default", "f4e", "b4e"):
        return None if high else bare(f"mode '{mode}' requires 'hi' operand.")
    return bare(f"mode '{mode}' does not accept 'hi' operand.") if high else None


@verifies("nvvm.pmevent")
def _event(op: ops.PmeventOp) -> Complaint:
    identifier, mask = op.eventId, op.maskedEventId
    if identifier is None and mask is None:
        return "either `id` or `mask` must be set"
    if identifier is not None and mask is not None:
        return "`id` and `mask` cannot be set at the same time"
    if identifier is not None and not 0 <= identifier.value <= 15:
        return "`id` must be between 0 and 15"
    return None


@verifies("nvvm.setmaxregister")
def _registers(op: ops.SetmaxregisterOp) -> Complaint:
    count = (op.regCount.value or 0) % 2**32
    if count % 8:
        return "new register size must be multiple of 8"
    return None if 24 <= count <= 256 else "new register size must be in between 24 to 256"


@verifies("nvvm.st.bulk")
def _bulk_store(op: ops.StBulkOp) -> Complaint:
    value = op.initVal.value or 0
    return f"only 0 is supported for initVal, got {value % 2**64}" if value else None


_QUERY: Final = all_of(
    refuse(
        "is_canceled query type returns an i1",
        both(is_word("query_type", "is_canceled"), lambda op: op.result.type != I1),
    ),
    refuse(
        "get_first_cta_id_x, get_first_cta_id_y, get_first_cta_id_z query types return an i32",
        both(is_not("query_type", "is_canceled"), lambda op: op.result.type != I32),
    ),
)


_WIDEST: Final = 64


_REGISTERS: Final = (
    *(
        f"{name}.{axis}"
        for name in ("tid", "ntid", "ctaid", "nctaid", "clusterid", "nclusterid", "cluster.ctaid", "cluster.nctaid")
        for axis in "xyz"
    ),
    *("cluster.ctarank", "cluster.nctarank", "gridid", "laneid", "nsmid", "nwarpid", "smid", "warpid", "warpsize"),
)
"""The special registers whose values may be said to be in a range."""


@verifies(*(f"nvvm.read.ptx.sreg.{name}" for name in _REGISTERS))
def _register_range(op: Operation) -> Complaint:
    """What is wrong with the range that the value of a special register is said to be in."""
    attribute = op.properties.get("range")
    if not isinstance(attribute, DialectAttr) or len(attribute.parameters) != 3:
        return None
    type, lower, upper = attribute.parameters
    if not isinstance(type, IntegerType) or not isinstance(lower, int) or not isinstance(upper, int):
        return None
    most = 2 ** min(type.width, _WIDEST) - 1
    if lower & most != upper & most or lower & most in (0, most):
        return None
    borders = f"min (0) or max ({most})"
    return (
        f"invalid range attribute: Lower == Upper, but they aren't {borders} value! This is an invalid constant range."
    )


def maps_address(op: Operation) -> bool:
    """Whether an address in shared memory is mapped to the cluster's, or a generic one to a generic one."""
    result = op.result.type
    target = result.address_space if isinstance(result, LLVMPointerType) else None
    return (space(op, "a"), target) in ((SHARED, SHARED_CLUSTER), (GENERIC, GENERIC))


VERIFY: Final[Checks] = {
    "nvvm.clusterlaunchcontrol.query.cancel": _QUERY,
}
