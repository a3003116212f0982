"""What MLIR's verifiers say of the operations of ptr.

Source of the rules: *'ptr' Dialect*; the texts of errors are those of MLIR 22's verifiers.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from fathom.dialects.ptr import ACCESSES, ORDERINGS, is_pointer, space_of, sum_problem
from fathom.ir.dialect_values import DialectAttr
from fathom.ir.property_values import numbers_of
from fathom.ir.types import MemRefType, ShapedType, Type, element_type
from fathom.irdl.checking import bare
from fathom.irdl.verifying import Check, Checks, Complaint, verifies
from fathom.ops import ptr as ops

if TYPE_CHECKING:
    from collections.abc import Sequence

    from fathom.ir.attributes import Attribute
    from fathom.ir.operation import Operation


@verifies("ptr.from_ptr")
def _verify_from(op: ops.FromPtrOp) -> Complaint:
    if is_pointer(op.result.type):
        return bare("the result type cannot be `!ptr.ptr`")
    return _space_problem(op.result.type, op.ptr.type)


@verifies("ptr.to_ptr")
def _verify_to(op: ops.ToPtrOp) -> Complaint:
    if is_pointer(op.ptr.type):
        return bare("the input value cannot be of type `!ptr.ptr`")
    return _space_problem(op.ptr.type, op.result.type)


def _space_problem(type: Type, pointer: Type) -> Complaint:
    if isinstance(type, MemRefType) and is_pointer(pointer) and space_of(type) != space_of(pointer):
        return bare("expected the input and output to have the same memory space")
    return None


@verifies("ptr.ptr_diff")
def _verify_difference(op: ops.PtrDiffOp) -> Complaint:
    left, result = op.lhs.type, op.result.type
    if isinstance(left, ShapedType) and type(left) is not type(result):
        return bare("expected the result to have the same container type as the operands when operands are shaped")
    return None


# ---- accesses

_RESTRICTED: Final = ("llvm.address_space", "nvvm.memory_space")
"""The memory spaces that hold what LLVM has types for."""


def _alignment(op: Operation) -> int | None:
    return next(iter(numbers_of(op.properties.get("alignment"))), None)


def _space_refuses(space: Attribute | None, type: Type) -> Complaint:
    if not isinstance(space, DialectAttr) or space.full_name not in _RESTRICTED:
        return None
    from fathom.dialects.llvm.constraints import has_size

    return None if has_size(type) else bare(f"type must be LLVM type with size, but got '{type}'")


def _access(pointer: str, value: str, unsupported: Sequence[str] = ()) -> Check:
    """The check of an access, which cannot have some orderings if it may be atomic."""

    def verify(op: Operation) -> Complaint:
        pointers, held = op.one_of(pointer).type, (op.one_of(value) if value else op.result).type
        space = space_of(element_type(pointers))
        alignment = _alignment(op)
        if problems := _space_refuses(space, held):
            return problems
        if alignment is not None and alignment <= 0:
            return bare("alignment must be positive")
        if alignment is not None and alignment & (alignment - 1):
            return bare("alignment must be a power of 2")
        if not isinstance(op, (ops.LoadOp, ops.StoreOp)):
            return None
        if not op.ordering.value:
            return "expected syncscope to be null for non-atomic access" if op.syncscope is not None else None
        ordering = ORDERINGS[op.ordering.value]
        if ordering in unsupported:
            return f"unsupported ordering '{ordering}'"
        return "expected alignment for atomic access" if alignment is None else None

    return verify


@verifies("ptr.ptr_add", bare=True)
def _verify_sum(op: ops.PtrAddOp) -> Complaint:
    return sum_problem(op.base.type, op.offset.type)


_UNSUPPORTED: Final = {"load": ("release", "acq_rel"), "store": ("acquire", "acq_rel")}

VERIFY: Final[Checks] = {
    f"ptr.{name}": _access(*groups, _UNSUPPORTED.get(name, ())) for name, groups in ACCESSES.items()
}
