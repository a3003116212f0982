"""What the invocations of a group do together, and the order in which they see memory.

Source of the rules: *'spirv' Dialect*; the texts of errors are those of MLIR 22's verifiers.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from fathom.dialects.spirv.attributes import target_version
from fathom.dialects.spirv.types import PointerType, cases, count_of
from fathom.dialects.spirv.words import number
from fathom.ir.attributes import IntegerAttr
from fathom.ir.types import FloatType, IntegerType, Type, UnknownType
from fathom.irdl.checking import all_of, bare
from fathom.irdl.verifying import Check, Checks, Complaint, verifies
from fathom.ops import spirv as ops

if TYPE_CHECKING:
    from fathom.ir.operation import Operation, Value
    from fathom.irdl.verifying import Complaint


def _names(text: str, prefix: str) -> list[str]:
    return [prefix + name for name in text.split()]


@verifies(
    *_names("IAdd FAdd FMin UMin SMin FMax UMax SMax", "spirv.Group"),
    *_names("IMul FMul", "spirv.KHR.Group"),
    *_names("Ballot BallotFindLSB BallotFindMSB Elect", "spirv.GroupNonUniform"),
)
def _scope(op: Operation) -> Complaint:
    words = cases("Scope")
    if number(op, "execution_scope") not in (words["Workgroup"], words["Subgroup"]):
        return "execution scope must be 'Workgroup' or 'Subgroup'"
    return None


def _broadcast(op: ops.GroupBroadcastOp) -> Complaint:
    count = count_of(op.localid.type)
    if count not in (None, 2, 3):
        further = "localid is a vector and can be with only  2 or 3 components, actual number is"
        return f"{further} {count}"
    return None


def _broadcast_id(op: ops.GroupNonUniformBroadcastOp) -> Complaint:
    """Before version 1.5 what is broadcast is told by a constant."""
    if target_version(op) >= (1, 5):
        return None
    definer = op.id.defining_op
    if definer is None or (definer.definition is not None and definer.name not in _CONSTANTS):
        return "id must be the result of a constant op"
    return None


_CONSTANTS: Final = ("spirv.Constant", "spirv.mlir.referenceof")


def _shuffle(
    op: ops.GroupNonUniformShuffleOp
    | ops.GroupNonUniformShuffleDownOp
    | ops.GroupNonUniformShuffleUpOp
    | ops.GroupNonUniformShuffleXorOp,
) -> Complaint:
    last = op.operands[-1].type
    if isinstance(last, IntegerType) and last.signedness == "s":
        return "second operand must be a singless/unsigned integer"
    return None


def _reduce(op: Operation) -> Complaint:
    clustered = number(op, "group_operation") == cases("GroupOperation")["ClusteredReduce"]
    if clustered and len(op.operands) == 1:
        return "cluster size operand must be provided for 'ClusteredReduce' group operation"
    return _cluster(op.operands[1]) if len(op.operands) > 1 else None


def _rotate(op: ops.GroupNonUniformRotateKHROp) -> Complaint:
    return _cluster(op.cluster_size) if op.cluster_size is not None else None


def _cluster(size: Value) -> Complaint:
    definer = size.defining_op
    if definer is not None and definer.definition is None:
        return None
    value = constant_number(definer)
    if value is None:
        return "cluster size operand must come from a constant op"
    elif (value % (1 << 32)).bit_count() != 1:
        return "cluster size operand must be a power of two"
    return None


def constant_number(op: Operation | None) -> int | None:
    """The number that an operation is, if it is a constant."""
    value = op.properties.get("value") if isinstance(op, ops.ConstantOp) else None
    return value.value if isinstance(value, IntegerAttr) else None


_REDUCTIONS: Final = (
    "FAdd FMax FMin FMul IAdd IMul SMax SMin UMax UMin BitwiseAnd BitwiseOr BitwiseXor LogicalAnd LogicalOr LogicalXor"
)


# ---- atomic operations and barriers


def _ordered(name: str) -> Check:
    """Of the memory semantics that a property is: orders of which there is one at most."""

    def check(op: Operation) -> Complaint:
        words, given = cases("MemorySemantics"), number(op, name) or 0
        if sum(bool(given & words[order]) for order in _ORDERS) > 1:
            orders = "`Acquire`, `Release`,`AcquireRelease` or `SequentiallyConsistent`"
            return bare(f"expected at most one of these four memory constraints to be set: {orders}")
        return None

    return check


_ORDERS: Final = ("Acquire", "Release", "AcquireRelease", "SequentiallyConsistent")


def _points_to(kind: type[Type], noun: str) -> Check:
    def check(op: Operation) -> Complaint:
        pointer = op.operands[0].type
        if isinstance(pointer, PointerType) and not isinstance(pointer.pointee, (kind, UnknownType)):
            return f"pointer operand must point to an {noun} value, found '{pointer.pointee}'"
        return None

    return check


_INTEGER: Final = [
    f"spirv.Atomic{name}" for name in "And IAdd IDecrement IIncrement ISub Or SMax SMin UMax UMin Xor".split()
]


VERIFY: Final[Checks] = {
    "spirv.GroupBroadcast": all_of(_scope, _broadcast),
    "spirv.GroupNonUniformBroadcast": all_of(_scope, _broadcast_id),
    "spirv.GroupNonUniformRotateKHR": all_of(_scope, _rotate),
    **dict.fromkeys(
        _names("Shuffle ShuffleDown ShuffleUp ShuffleXor", "spirv.GroupNonUniform"), all_of(_scope, _shuffle)
    ),
    **dict.fromkeys(_names(_REDUCTIONS, "spirv.GroupNonUniform"), all_of(_scope, _reduce)),
    "spirv.EXT.AtomicFAdd": all_of(_points_to(FloatType, "float"), _ordered("semantics")),
    "spirv.ControlBarrier": _ordered("memory_semantics"),
    "spirv.MemoryBarrier": _ordered("memory_semantics"),
    **dict.fromkeys(_INTEGER, all_of(_points_to(IntegerType, "integer"), _ordered("semantics"))),
}
