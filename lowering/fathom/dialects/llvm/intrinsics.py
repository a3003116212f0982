"""LLVM IR's intrinsic functions, as operations `llvm.intr.…`. The uniform ones are tables.

Source of the rules: *'llvm' Dialect*, "Operations for LLVM IR Intrinsics"; the meaning is that of LLVM's function.
"""

from __future__ import annotations

from math import prod
from typing import TYPE_CHECKING, Final, TypeAlias

from fathom.dialects.llvm.attributes import i32_array
from fathom.dialects.llvm.constraints import same, vector_element
from fathom.dialects.llvm.types import LLVMStructType, struct_of
from fathom.ir.attributes import ArrayAttr, StringAttr
from fathom.ir.types import I1, Type, VectorType
from fathom.irdl.checking import bare
from fathom.irdl.clauses import two_way
from fathom.irdl.code import OpCode
from fathom.irdl.definition import CustomDirective, TypeRule
from fathom.irdl.keywords import bracketed
from fathom.irdl.verifying import Checks, Complaint, verifies
from fathom.ops import llvm as ops
from fathom.records import replace
from fathom.text.escapes import quote

if TYPE_CHECKING:
    from collections.abc import Sequence

    from fathom.irdl.protocols import Node, OpParser, OpPrinter, ParsedOp, Ref


WITH_OVERFLOW: Final = "sadd smul ssub uadd umul usub".split()


def _overflow_result(types: list[Type]) -> list[Type] | None:
    """The value, and whether it overflowed."""
    return [struct_of(t, VectorType(t.shape, I1, t.scalable) if isinstance(t, VectorType) else I1) for t in types]


@verifies("llvm.intr.sincos")
def _verify_sincos(op: ops.IntrSincosOp) -> Complaint:
    source, target = op.val.type, op.result.type
    if isinstance(target, LLVMStructType) and target.body == (source, source):
        return None
    pair = "an homogeneous struct with two elements matching the operand type"
    return f"expected result type to be {pair}, but got '{target}'"


# ---- assume, with the operands of its bundles


WithBundles: TypeAlias = "ops.CallOp | ops.CallIntrinsicOp | ops.IntrAssumeOp | ops.InvokeOp"


def _spell_bundles(op: WithBundles, p: OpPrinter, arguments: Sequence[str]) -> str:
    """` ["tag"(%a : i32), "other"()]`. It is a group of a format, which is there if there are tags, even none: then a
    blank is all of it."""
    tags = op.op_bundle_tags
    if tags is None or not tags.elements:
        return "" if tags is None else " "
    operands, start = op.op_bundle_operands, 0
    bundles: list[str] = []
    for tag, size in zip(tags.elements, op.op_bundle_sizes.values, strict=False):
        assert isinstance(tag, StringAttr)
        values = operands[start : start + size]
        types = p.spell_types([value.type for value in values])
        bundles.append(f"{quote(tag.value)}({f'{p.spell_values(values)} : {types}' if values else ''})")
        start += size
    return f" [{', '.join(bundles)}]"


def _parse_bundles(cursor: OpParser, parsed: ParsedOp, arguments: Sequence[str]) -> None:
    """The same, if it is there; the tags are part of the shape."""
    sizes: list[int] = []
    tags: list[StringAttr] = []
    operands: list[Ref] = []
    types: list[Node] = []
    at = cursor.here()

    def read() -> None:
        tags.append(StringAttr(cursor.text(cursor.string())[1:-1]))
        cursor.expect("(")
        values = cursor.bare_value_list()
        if values:
            cursor.expect(":")
            given = cursor.type_list()
            if len(given) != len(values):
                bundle = f"types for operand bundle operands for operand bundle #{len(sizes)}"
                counts = f"expected {len(values)} {bundle}, but actually got {len(given)}"
                cursor.fail(f"custom op '{parsed.name}' {counts}", at)
            types.extend(given)
        cursor.expect(")")
        operands.extend(values)
        sizes.append(len(values))

    if cursor.at("[") and bracketed(cursor, "[]", read):
        parsed.attributes["op_bundle_tags"] = ArrayAttr(tuple(tags))
    parsed.attributes["op_bundle_sizes"] = i32_array(*sizes)
    parsed.operands["op_bundle_operands"], parsed.types["op_bundle_operands"] = operands, types


@verifies("llvm.call_intrinsic", "llvm.intr.assume")
def verify_bundles(op: WithBundles) -> Complaint:
    """Whether there is a tag for each bundle."""
    names = op.op_bundle_tags.elements if op.op_bundle_tags is not None else ()
    if not all(isinstance(name, StringAttr) for name in names):
        return bare("operand bundle tag must be a StringAttr")
    count = len(op.op_bundle_sizes.values)
    if count != len(names):
        return bare(f"expected {count} operand bundle tags, but actually got {len(names)}")
    return None


DIRECTIVES: Final = {"Bundles": CustomDirective(_parse_bundles, spell=_spell_bundles, spaced=True)}
_ASSUME: Final = (
    "$cond custom<Bundles>($op_bundle_operands, $op_bundle_sizes, $op_bundle_tags) `:` type($cond) attr-dict"
)
_OVERFLOWS: Final = OpCode(rules=(TypeRule("res", ("lhs",), _overflow_result, ""),))


# ---- vectors: masked accesses, parts of scalable vectors, reductions


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


@verifies("llvm.intr.vector.extract", "llvm.intr.vector.insert")
def _verify_part(op: ops.IntrVectorExtractOp | ops.IntrVectorInsertOp) -> Complaint:
    inserts = isinstance(op, ops.IntrVectorInsertOp)
    whole, part = (op.dstvec.type, op.srcvec.type) if inserts else (op.srcvec.type, op.result.type)
    if max(_bits(whole), _bits(part)) > 1 << 17:
        return "failed to verify that vectors are not bigger than 2^17 bits."
    if not _is_scalable(part) or _is_scalable(whole):
        return None
    what = "inserting scalable into" if inserts else "extracting scalable from"
    return f"failed to verify that it is not {what} fixed-length vectors."


@verifies("llvm.intr.vector.interleave2")
def _verify_interleave(op: ops.IntrVectorInterleave2Op) -> Complaint:
    first, second, target = op.vec1.type, op.vec2.type, op.result.type
    if first != second:
        return "failed to verify that all of {vec1, vec2} have same type"
    if not isinstance(first, VectorType) or target != replace(first, shape=(2 * first.ranked_shape[0],)):
        return "failed to verify that result has twice as many elements as 'vec1'"
    return None


def _reduces(operand: str) -> OpCode:
    return OpCode(rules=(TypeRule("res", (operand,), vector_element, ""),))


CODE: Final = {
    **{f"intr.{name}.with.overflow": _OVERFLOWS for name in WITH_OVERFLOW},
    "intr.abs": OpCode(rules=(TypeRule("res", ("in",), same, ""),)),
    "intr.assume": OpCode(custom=two_way(_ASSUME)),
    **{f"intr.vector.reduce.{name}": _reduces("in") for name in (*INTEGER_REDUCTIONS, *FLOAT_REDUCTIONS)},
    **{f"intr.vector.reduce.{name}": _reduces("input") for name in ORDERED_REDUCTIONS},
}


VERIFY: Final[Checks] = {
    "llvm.intr.masked.gather": lambda op: _pointers_problem(op.operands[0].type, op.result.type, 1),
    "llvm.intr.masked.scatter": lambda op: _pointers_problem(op.operands[1].type, op.operands[0].type, 2),
}
