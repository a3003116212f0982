"""LLVM IR's intrinsic functions on vectors: masked accesses, parts of scalable vectors, reductions.

Source of the rules: *'llvm' Dialect*, "Operations for LLVM IR Intrinsics"; the meaning is that of LLVM's function.
"""

from __future__ import annotations

from math import prod
from typing import Final

from fathom.dialects.llvm.arithmetic import FASTMATH
from fathom.dialects.llvm.attributes import flag
from fathom.dialects.llvm.constraints import (
    FLOAT_LIKE,
    LLVM_TYPE,
    MASK,
    POINTER,
    VECTOR,
    VECTOR_OF_FLOAT,
    VECTOR_OF_INTEGER,
    VECTOR_OF_POINTER,
    result,
    vector_element,
)
from fathom.ir.operation import Operation
from fathom.ir.types import Type, VectorType
from fathom.irdl.constraint import TypeConstraint
from fathom.irdl.constraints import I32_ATTRIBUTE, I64_ATTRIBUTE, SIGNLESS_INTEGER
from fathom.irdl.definition import OpDefinition, Operand, Problem, Property, Result, TypeRule
from fathom.irdl.groups import Arity
from fathom.irdl.infer import same_types
from fathom.irdl.traits import PURE, SAME_OPERANDS_AND_RESULT_ELEMENT_TYPE
from fathom.irdl.verifying import Checks, verifies
from fathom.records import replace

INTEGER_REDUCTIONS: Final = "add and mul or smax smin umax umin xor".split()
FLOAT_REDUCTIONS: Final = "fmax fmaximum fmin fminimum".split()
ORDERED_REDUCTIONS: Final = "fadd fmul".split()
CALL: Final = "`(` operands `)` attr-dict `:` functional-type(operands, results)"

ALIGNMENT: Final = Property("alignment", I32_ATTRIBUTE)
POSITION: Final = Property("pos", I64_ATTRIBUTE)


def _summary(name: str) -> str:
    return f"LLVM's intrinsic llvm.{name}"


def _reduction(name: str, operand: TypeConstraint, *properties: Property, form: str | None = None) -> OpDefinition:
    return OpDefinition(
        f"llvm.intr.vector.reduce.{name}",
        operands=(Operand("in", operand),),
        results=result(LLVM_TYPE),
        properties=properties,
        rules=(TypeRule("res", ("in",), vector_element, ""),),
        traits=(PURE, SAME_OPERANDS_AND_RESULT_ELEMENT_TYPE),
        assembly=form,
        summary=_summary(f"vector.reduce.{name}"),
    )


def _ordered_reduction(name: str) -> OpDefinition:
    """A reduction in the order of the elements, from a start value; it has the generic form only."""
    return OpDefinition(
        f"llvm.intr.vector.reduce.{name}",
        operands=(Operand("start_value", FLOAT_LIKE), Operand("input", VECTOR_OF_FLOAT)),
        results=result(LLVM_TYPE),
        properties=(FASTMATH,),
        traits=(PURE,),
        rules=(TypeRule("res", ("input",), vector_element, ""),),
        summary=_summary(f"vector.reduce.{name}"),
    )


MASKED_LOAD: Final = OpDefinition(
    "llvm.intr.masked.load",
    operands=(Operand("data", POINTER), Operand("mask", MASK), Operand("pass_thru", VECTOR, Arity.VARIADIC)),
    results=result(VECTOR),
    properties=(ALIGNMENT, flag("nontemporal")),
    assembly="operands attr-dict `:` functional-type(operands, results)",
    summary=_summary("masked.load"),
)
MASKED_STORE: Final = OpDefinition(
    "llvm.intr.masked.store",
    operands=(Operand("value", VECTOR), Operand("data", POINTER), Operand("mask", MASK)),
    properties=(ALIGNMENT,),
    assembly="$value `,` $data `,` $mask attr-dict `:` type($value) `,` type($mask) `into` qualified(type($data))",
    summary=_summary("masked.store"),
)


def _pointers_problem(pointers: Type, values: Type, number: int) -> list[Problem]:
    """There is a pointer for each element that is accessed; `number` is what the message calls the operand."""
    if not isinstance(pointers, VectorType) or not isinstance(values, VectorType):
        return []
    expected = replace(values, element=pointers.element)
    return [] if pointers == expected else [Problem(f"expected operand #{number} type to be '{expected}'")]


MASKED_GATHER: Final = OpDefinition(
    "llvm.intr.masked.gather",
    operands=(Operand("ptrs", VECTOR_OF_POINTER), Operand("mask", MASK), Operand("pass_thru", VECTOR, Arity.VARIADIC)),
    results=result(VECTOR),
    properties=(ALIGNMENT,),
    assembly="operands attr-dict `:` functional-type(operands, results)",
    summary=_summary("masked.gather"),
)
MASKED_SCATTER: Final = OpDefinition(
    "llvm.intr.masked.scatter",
    operands=(Operand("value", VECTOR), Operand("ptrs", VECTOR_OF_POINTER), Operand("mask", MASK)),
    properties=(ALIGNMENT,),
    assembly="$value `,` $ptrs `,` $mask attr-dict `:` type($value) `,` type($mask) `into` type($ptrs)",
    summary=_summary("masked.scatter"),
)


def _bits(type: Type) -> int:
    """The size of a vector, of the least one if it is scalable."""
    if not isinstance(type, VectorType):
        return 0
    width = getattr(type.element, "width", 64)
    return prod(type.ranked_shape) * width


def _is_scalable(type: Type) -> bool:
    return isinstance(type, VectorType) and any(type.scalable)


@verifies("llvm.intr.vector.extract")
def _verify_extract(op: Operation) -> list[Problem]:
    source, target = op.operands[0].type, op.result.type
    return _size_problem(source, target) or (
        [Problem("failed to verify that it is not extracting scalable from fixed-length vectors.")]
        if _is_scalable(target) and not _is_scalable(source)
        else []
    )


@verifies("llvm.intr.vector.insert")
def _verify_insert(op: Operation) -> list[Problem]:
    target, source = op.operands[0].type, op.operands[1].type
    return _size_problem(source, target) or (
        [Problem("failed to verify that it is not inserting scalable into fixed-length vectors.")]
        if _is_scalable(source) and not _is_scalable(target)
        else []
    )


def _size_problem(*types: Type) -> list[Problem]:
    too_big = any(_bits(type) > 1 << 17 for type in types)
    return [Problem("failed to verify that vectors are not bigger than 2^17 bits.")] if too_big else []


@verifies("llvm.intr.vector.interleave2")
def _verify_interleave(op: Operation) -> list[Problem]:
    first, second, target = op.operands[0].type, op.operands[1].type, op.result.type
    if first != second:
        return [Problem("failed to verify that all of {vec1, vec2} have same type")]
    if not isinstance(first, VectorType) or target != replace(first, shape=(2 * first.ranked_shape[0],)):
        return [Problem("failed to verify that result has twice as many elements as 'vec1'")]
    return []


EXTRACT: Final = OpDefinition(
    "llvm.intr.vector.extract",
    operands=(Operand("srcvec", VECTOR),),
    results=result(VECTOR),
    properties=(POSITION,),
    traits=(PURE,),
    assembly="$srcvec `[` $pos `]` attr-dict `:` type($res) `from` type($srcvec)",
    summary=_summary("vector.extract"),
)
INSERT: Final = OpDefinition(
    "llvm.intr.vector.insert",
    operands=(Operand("dstvec", VECTOR), Operand("srcvec", VECTOR)),
    results=result(VECTOR),
    properties=(POSITION,),
    traits=(PURE,),
    rules=same_types("res", "dstvec"),
    assembly="$srcvec `,` $dstvec `[` $pos `]` attr-dict `:` type($srcvec) `into` type($res)",
    summary=_summary("vector.insert"),
)
ACTIVE_LANES: Final = OpDefinition(
    "llvm.intr.get.active.lane.mask",
    operands=(Operand("base", SIGNLESS_INTEGER), Operand("n", SIGNLESS_INTEGER)),
    results=result(LLVM_TYPE),
    traits=(PURE,),
    assembly="$base `,` $n attr-dict `:` type($base) `,` type($n) `to` type($res)",
    summary=_summary("get.active.lane.mask"),
)
STEPVECTOR: Final = OpDefinition(
    "llvm.intr.stepvector",
    results=(Result("res", VECTOR_OF_INTEGER),),
    traits=(PURE,),
    assembly="attr-dict `:` type($res)",
    summary=_summary("stepvector"),
)
VSCALE: Final = OpDefinition(
    "llvm.intr.vscale",
    results=result(LLVM_TYPE),
    summary=_summary("vscale"),
)


def _shuffle(name: str, *operands: str) -> OpDefinition:
    return OpDefinition(
        f"llvm.intr.vector.{name}",
        operands=tuple(Operand(operand, VECTOR) for operand in operands),
        results=result(LLVM_TYPE),
        traits=(PURE,),
        summary=_summary(f"vector.{name}"),
    )


OPERATIONS: Final = (
    *(_reduction(name, VECTOR_OF_INTEGER) for name in INTEGER_REDUCTIONS),
    *(_reduction(name, VECTOR_OF_FLOAT, FASTMATH, form=CALL) for name in FLOAT_REDUCTIONS),
    *(_ordered_reduction(name) for name in ORDERED_REDUCTIONS),
    MASKED_LOAD,
    MASKED_STORE,
    MASKED_GATHER,
    MASKED_SCATTER,
    EXTRACT,
    INSERT,
    ACTIVE_LANES,
    STEPVECTOR,
    VSCALE,
    _shuffle("interleave2", "vec1", "vec2"),
    _shuffle("deinterleave2", "vec"),
)


VERIFY: Final[Checks] = {
    "llvm.intr.masked.gather": lambda op: _pointers_problem(op.operands[0].type, op.result.type, 1),
    "llvm.intr.masked.scatter": lambda op: _pointers_problem(op.operands[1].type, op.operands[0].type, 2),
}
