"""What the verifier asks of atomic accesses, worded as MLIR 22 words it.

Source of the rules: observed behaviour of mlir-opt 22.
"""

from __future__ import annotations

from typing import Final

from fathom.dialects.llvm.attributes import ATOMIC_OPERATIONS, ORDERINGS
from fathom.dialects.llvm.constraints import is_float
from fathom.dialects.llvm.types import LLVMPointerType
from fathom.ir.attributes import TypeAttr
from fathom.ir.operation import Operation
from fathom.ir.property_values import integer_property
from fathom.ir.types import FloatType, IntegerType, Type, VectorType, element_type
from fathom.irdl.verifying import Check, Complaint, verifies


def type_in(op: Operation, name: str) -> Type:
    """The type that a property is, which must be there."""
    attribute = op.properties[name]
    assert isinstance(attribute, TypeAttr)
    return attribute.type


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

    def verify(op: Operation) -> Complaint:
        ordering = integer_property(op, "ordering", 0)
        if ordering == ORDERINGS["not_atomic"]:
            syncscope = "syncscope" in op.properties
            return "expected syncscope to be null for non-atomic access" if syncscope else None
        accessed = op.results[0].type if op.results else op.operands[0].type
        if not is_atomic(accessed):
            return f"unsupported type '{accessed}' for atomic access"
        if ordering in numbers:
            return f"unsupported ordering '{numbers[ordering]}'"
        if "alignment" not in op.properties:
            return "expected alignment for atomic access"
        return None

    return verify


FLOAT_OPERATIONS: Final = frozenset(("fadd", "fsub", "fmax", "fmin", "fmaximum", "fminimum"))


@verifies("llvm.atomicrmw")
def verify_atomicrmw(op: Operation) -> Complaint:
    kind = next((name for name, value in ATOMIC_OPERATIONS.items() if value == integer_property(op, "bin_op", 0)), "")
    type = op.operands[1].type
    if kind in FLOAT_OPERATIONS:
        if not is_float(element_type(type)):
            of_vector = " for vector element" if isinstance(type, VectorType) else ""
            return f"expected LLVM IR floating point type{of_vector}"
    elif kind == "xchg":
        if not is_atomic(type):
            return "unexpected LLVM IR type for 'xchg' bin_op"
    elif not isinstance(type, IntegerType) or type.width not in (8, 16, 32, 64):
        return "expected LLVM IR integer type"
    if integer_property(op, "ordering", 0) < ORDERINGS["monotonic"]:
        return "expected at least 'monotonic' ordering"
    return None


@verifies("llvm.cmpxchg")
def verify_cmpxchg(op: Operation) -> Complaint:
    type = op.operands[2].type
    if not is_atomic(type):
        return "unexpected LLVM IR type"
    success, failure = integer_property(op, "success_ordering", 0), integer_property(op, "failure_ordering", 0)
    if min(success, failure) < ORDERINGS["monotonic"]:
        return "ordering must be at least 'monotonic'"
    if failure in (ORDERINGS["release"], ORDERINGS["acq_rel"]):
        return "failure ordering cannot be 'release' or 'acq_rel'"
    return None


@verifies("llvm.fence")
def verify_fence(op: Operation) -> Complaint:
    weak = [ORDERINGS[name] for name in ("not_atomic", "unordered", "monotonic")]
    if integer_property(op, "ordering", 0) in weak:
        return "can be given only acquire, release, acq_rel, and seq_cst orderings"
    return None
