"""What pointers lead to: the parts of what they point to, and the tasks of a mesh.

Source of the rules: *'spirv' Dialect*; the texts of errors are those of MLIR 22's verifiers.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from fathom.dialects.spirv.groups import constant_number
from fathom.dialects.spirv.types import PointerType, StructType, count_of, is_composite, may_be_same, part_of
from fathom.ir.types import Type, UnknownType, VectorType, element_type
from fathom.irdl.checking import bare
from fathom.irdl.verifying import Complaint, verifies
from fathom.ops import spirv as ops

if TYPE_CHECKING:
    from collections.abc import Sequence

    from fathom.ir.operation import Value
    from fathom.irdl.definition import Problem
    from fathom.irdl.verifying import Complaint

_CHAIN: Final = "'spirv.AccessChain'"
"""What MLIR calls all operations of the kind in messages about indices."""


@verifies("spirv.AccessChain", "spirv.InBoundsPtrAccessChain", "spirv.PtrAccessChain")
def _chain(op: ops.AccessChainOp | ops.InBoundsPtrAccessChainOp | ops.PtrAccessChainOp) -> Complaint:
    base, given = op.base_ptr.type, op.result.type
    if not isinstance(base, PointerType):
        return None
    found = _pointee(base.pointee, op.indices)
    if not isinstance(found, Type):
        return found
    reached = PointerType(found, base.storage)
    if not may_be_same(reached, given):
        return f"invalid result type: expected '{reached}', but provided '{given}'"
    return None


def _pointee(type: Type, indices: Sequence[Value]) -> Type | Problem | None:
    """What indices lead to from a type, or what is wrong with them; None where that cannot be known."""
    index = 0
    for value in indices:
        if isinstance(type, UnknownType) or (isinstance(type, StructType) and type.members is None):
            return None
        if not is_composite(type):
            return bare(f"{_CHAIN} op cannot extract from non-composite type '{type}' with index {index}")
        index = 0
        if isinstance(type, StructType):
            chosen = _member(type, value)
            if not isinstance(chosen, int):
                return chosen
            index = chosen
        part = part_of(type, index)
        if part is None:
            return None
        type = part
    return type


def _member(struct: StructType, value: Value) -> int | Problem | None:
    """Which member of a struct a value chooses."""
    definer = value.defining_op
    if definer is None:
        return bare(f"{_CHAIN} op index must be an integer spirv.Constant to access element of spirv.struct")
    if definer.definition is None:
        return None
    index = constant_number(definer)
    if index is None:
        access = "index must be an integer spirv.Constant to access element of spirv.struct"
        return bare(f"{_CHAIN} {access}, but provided {definer.name}")
    if not 0 <= index < (count_of(struct) or 0):
        return bare(f"{_CHAIN} op index {index} out of bounds for '{struct}'")
    return index


@verifies("spirv.INTEL.SubgroupBlockRead", "spirv.INTEL.SubgroupBlockWrite")
def _block(op: ops.INTELSubgroupBlockReadOp | ops.INTELSubgroupBlockWriteOp) -> Complaint:
    """Of what a subgroup reads or writes as a block."""
    pointer, value = op.ptr.type, (op.result if op.results else op.operands[1]).type
    if not isinstance(pointer, PointerType):
        return None
    element = element_type(value) if isinstance(value, VectorType) else value
    if not may_be_same(element, pointer.pointee):
        return "mismatch in result type and pointer type"
    return None


@verifies("spirv.EXT.EmitMeshTasks")
def _payload(op: ops.EXTEmitMeshTasksOp) -> Complaint:
    for value in op.all_of("payload"):
        if isinstance(value.type, PointerType) and value.type.storage != _PAYLOAD:
            return f"payload must be a variable with a storage class of {_PAYLOAD}"
    return None


_PAYLOAD: Final = "TaskPayloadWorkgroupEXT"
