"""What the verifier asks of atomic accesses, worded as MLIR 22 words it.

Source of the rules: observed behaviour of mlir-opt 22.
"""

from __future__ import annotations

from typing import Final

from fathom.dialects.llvm.attributes import ATOMIC_OPERATIONS, ORDERINGS
from fathom.dialects.llvm.constraints import is_float
from fathom.dialects.llvm.types import LLVMPointerType
from fathom.ir.types import FloatType, IntegerType, Type, VectorType, element_type
from fathom.irdl.verifying import Check, Complaint, verifies
from fathom.ops import llvm as ops


def is_atomic(type: Type) -> bool:
    """Whether memory is accessed as this type at once: a scalar of whole bytes, a power of two of them."""
    match type:
        case LLVMPointerType():
            return True
        case IntegerType(width):
            return width >= 8 and width & (width - 1) == 0
        case FloatType():
            return is_float(type) and type.width & (type.width - 1) == 0
        case _:
            return False


def verify_atomic_access(*unsupported: str) -> Check:
    """The check of a load or store, for which these orderings make no sense."""
    numbers = {ORDERINGS[name]: name for name in unsupported}

    def verify(op: ops.LoadOp | ops.StoreOp) -> Complaint:
        ordering = op.ordering.value
        if ordering == ORDERINGS["not_atomic"]:
            return "expected syncscope to be null for non-atomic access" if op.syncscope is not None else None
        accessed = op.value.type if isinstance(op, ops.StoreOp) else op.result.type
        if not is_atomic(accessed):
            return f"unsupported type '{accessed}' for atomic access"
        if ordering in numbers:
            return f"unsupported ordering '{numbers[ordering]}'"
        return "expected alignment for atomic access" if op.alignment is None else None

    return verify


FLOAT_OPERATIONS: Final = frozenset(("fadd", "fsub", "fmax", "fmin", "fmaximum", "fminimum"))


@verifies("llvm.atomicrmw")
def verify_atomicrmw(op: ops.AtomicrmwOp) -> Complaint:
    kind = next((name for name, value in ATOMIC_OPERATIONS.items() if value == op.bin_op.value), "")
    type = op.val.type
    if kind in FLOAT_OPERATIONS:
        if not is_float(element_type(type)):
            of_vector = " for vector element" if isinstance(type, VectorType) else ""
            return f"expected LLVM IR floating point type{of_vector}"
    elif kind == "xchg":
        if not is_atomic(type):
            return "unexpected LLVM IR type for 'xchg' bin_op"
    elif not isinstance(type, IntegerType) or type.width not in (8, 16, 32, 64):
        return "expected LLVM IR integer type"
    if op.ordering.value < ORDERINGS["monotonic"]:
        return "expected at least 'monotonic' ordering"
    return None


@verifies("llvm.cmpxchg")
def verify_cmpxchg(op: ops.CmpxchgOp) -> Complaint:
    type = op.val.type
    if not is_atomic(type):
        return "unexpected LLVM IR type"
    success, failure = op.success_ordering.value, op.failure_ordering.value
    if min(success, failure) < ORDERINGS["monotonic"]:
        return "ordering must be at least 'monotonic'"
    if failure in (ORDERINGS["release"], ORDERINGS["acq_rel"]):
        return "failure ordering cannot be 'release' or 'acq_rel'"
    return None


@verifies("llvm.fence")
def verify_fence(op: ops.FenceOp) -> Complaint:
    weak = [ORDERINGS[name] for name in ("not_atomic", "unordered", "monotonic")]
    if op.ordering.value in weak:
        return "can be given only acquire, release, acq_rel, and seq_cst orderings"
    return None
