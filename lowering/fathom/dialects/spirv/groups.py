"""What the invocations of a group do together.

Source of the rules: *'spirv' Dialect*; the texts of errors are those of MLIR 22's verifiers.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from fathom.dialects.spirv.attributes import target_version
from fathom.dialects.spirv.findings import verifier
from fathom.dialects.spirv.types import cases, count_of
from fathom.dialects.spirv.words import number
from fathom.ir.attributes import IntegerAttr
from fathom.ir.types import IntegerType
from fathom.irdl.verifying import Checks, verifies

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fathom.ir.operation import Operation, Value


def _names(text: str, prefix: str) -> list[str]:
    return [prefix + name for name in text.split()]


@verifies(
    *_names("IAdd FAdd FMin UMin SMin FMax UMax SMax", "spirv.Group"),
    *_names("IMul FMul", "spirv.KHR.Group"),
    *_names("Ballot BallotFindLSB BallotFindMSB Elect", "spirv.GroupNonUniform"),
)
def _scope(op: Operation) -> Iterator[str]:
    words = cases("Scope")
    if number(op, "execution_scope") not in (words["Workgroup"], words["Subgroup"]):
        yield "execution scope must be 'Workgroup' or 'Subgroup'"


def _broadcast(op: Operation) -> Iterator[str]:
    count = count_of(op.operand("localid").type)
    if count not in (None, 2, 3):
        further = "localid is a vector and can be with only  2 or 3 components, actual number is"
        yield f"{further} {count}"


def _broadcast_id(op: Operation) -> Iterator[str]:
    """Before version 1.5 what is broadcast is told by a constant."""
    if target_version(op) >= (1, 5):
        return
    definer = op.operand("id").defining_op
    if definer is None or (definer.definition is not None and definer.name not in _CONSTANTS):
        yield "id must be the result of a constant op"


_CONSTANTS: Final = ("spirv.Constant", "spirv.mlir.referenceof")


def _shuffle(op: Operation) -> Iterator[str]:
    last = op.operands[-1].type
    if isinstance(last, IntegerType) and last.signedness == "s":
        yield "second operand must be a singless/unsigned integer"


def _reduce(op: Operation) -> Iterator[str]:
    clustered = number(op, "group_operation") == cases("GroupOperation")["ClusteredReduce"]
    if clustered and len(op.operands) == 1:
        yield "cluster size operand must be provided for 'ClusteredReduce' group operation"
    if len(op.operands) > 1:
        yield from _cluster(op.operands[1])


def _rotate(op: Operation) -> Iterator[str]:
    for size in op.group("cluster_size"):
        yield from _cluster(size)


def _cluster(size: Value) -> Iterator[str]:
    definer = size.defining_op
    if definer is not None and definer.definition is None:
        return
    value = constant_number(definer)
    if value is None:
        yield "cluster size operand must come from a constant op"
    elif (value % (1 << 32)).bit_count() != 1:
        yield "cluster size operand must be a power of two"


def constant_number(op: Operation | None) -> int | None:
    """The number that an operation is, if it is a constant."""
    value = op.properties.get("value") if op is not None and op.name == "spirv.Constant" else None
    return value.value if isinstance(value, IntegerAttr) else None


_REDUCTIONS: Final = (
    "FAdd FMax FMin FMul IAdd IMul SMax SMin UMax UMin BitwiseAnd BitwiseOr BitwiseXor LogicalAnd LogicalOr LogicalXor"
)

VERIFY: Final[Checks] = {
    "spirv.GroupBroadcast": verifier(_scope, _broadcast),
    "spirv.GroupNonUniformBroadcast": verifier(_scope, _broadcast_id),
    "spirv.GroupNonUniformRotateKHR": verifier(_scope, _rotate),
    **dict.fromkeys(
        _names("Shuffle ShuffleDown ShuffleUp ShuffleXor", "spirv.GroupNonUniform"), verifier(_scope, _shuffle)
    ),
    **dict.fromkeys(_names(_REDUCTIONS, "spirv.GroupNonUniform"), verifier(_scope, _reduce)),
}
