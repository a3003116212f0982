"""LLVM IR's intrinsic functions on vectors: masked accesses, parts of scalable vectors, reductions.

Source of the rules: *'llvm' Dialect*, "Operations for LLVM IR Intrinsics"; the meaning is that of LLVM's function.
"""

from __future__ import annotations

from math import prod
from typing import Final

from fathom.dialects.llvm.constraints import vector_element
from fathom.ir.types import Type, VectorType
from fathom.irdl.code import OpCode
from fathom.irdl.definition import TypeRule
from fathom.irdl.verifying import Checks, Complaint, verifies
from fathom.ops import llvm as ops
from fathom.records import replace

INTEGER_REDUCTIONS: Final = "add and mul or smax smin umax umin xor".split()
FLOAT_REDUCTIONS: Final = "fmax fmaximum fmin fminimum".split()
ORDERED_REDUCTIONS: Final = "fadd fmul".split()


def _pointers_problem(pointers: Type, values: Type, number: int) -> Complaint:
    """There is a pointer for each element that is accessed; `number` is what the message calls the operand."""
    if not isinstance(pointers, VectorType) or not isinstance(values, VectorType):
        return None
    expected = replace(values, element=pointers.element)
    return None if pointers == expected else f"expected operand #{number} type to be '{expected}'"


def _bits(type: Type) -> int:
    """The size of a vector, of the least one if it is scalable."""
    if not isinstance(type, VectorType):
        return 0
    width = getattr(type.element, "width", 64)
    return prod(type.ranked_shape) * width


def _is_scalable(type: Type) -> bool:
    return isinstance(type, VectorType) and any(type.scalable)


@verifies("llvm.intr.vector.extract")
def _verify_extract(op: ops.IntrVectorExtractOp) -> Complaint:
    source, target = op.srcvec.type, op.result.type
    return _size_problem(source, target) or (
        "failed to verify that it is not extracting scalable from fixed-length vectors."
        if _is_scalable(target) and not _is_scalable(source)
        else None
    )


@verifies("llvm.intr.vector.insert")
def _verify_insert(op: ops.IntrVectorInsertOp) -> Complaint:
    target, source = op.dstvec.type, op.srcvec.type
    return _size_problem(source, target) or (
        "failed to verify that it is not inserting scalable into fixed-length vectors."
        if _is_scalable(source) and not _is_scalable(target)
        else None
    )


def _size_problem(*types: Type) -> Complaint:
    too_big = any(_bits(type) > 1 << 17 for type in types)
    return "failed to verify that vectors are not bigger than 2^17 bits." if too_big else None


@verifies("llvm.intr.vector.interleave2")
def _verify_interleave(op: ops.IntrVectorInterleave2Op) -> Complaint:
    first, second, target = op.vec1.type, op.vec2.type, op.result.type
    if first != second:
        return "failed to verify that all of {vec1, vec2} have same type"
    if not isinstance(first, VectorType) or target != replace(first, shape=(2 * first.ranked_shape[0],)):
        return "failed to verify that result has twice as many elements as 'vec1'"
    return None


VERIFY: Final[Checks] = {
    "llvm.intr.masked.gather": lambda op: _pointers_problem(op.operands[0].type, op.result.type, 1),
    "llvm.intr.masked.scatter": lambda op: _pointers_problem(op.operands[1].type, op.operands[0].type, 2),
}


def _reduces(operand: str) -> OpCode:
    return OpCode(rules=(TypeRule("res", (operand,), vector_element, ""),))


CODE: Final = {
    **{f"intr.vector.reduce.{name}": _reduces("in") for name in (*INTEGER_REDUCTIONS, *FLOAT_REDUCTIONS)},
    **{f"intr.vector.reduce.{name}": _reduces("input") for name in ORDERED_REDUCTIONS},
}
