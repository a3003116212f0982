"""LLVM IR's intrinsic functions, as operations `llvm.intr.…`. The uniform ones are tables.

Source of the rules: *'llvm' Dialect*, "Operations for LLVM IR Intrinsics"; the meaning is that of LLVM's function.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, TypeAlias

from fathom.dialects.llvm.attributes import i32_array
from fathom.dialects.llvm.constraints import same
from fathom.dialects.llvm.types import LLVMStructType, struct_of
from fathom.ir.attributes import ArrayAttr, StringAttr
from fathom.ir.types import I1, Type, VectorType
from fathom.irdl.checking import bare
from fathom.irdl.code import OpCode
from fathom.irdl.definition import CustomSyntax, TypeRule
from fathom.irdl.verifying import Complaint, verifies
from fathom.ops import llvm as ops

if TYPE_CHECKING:
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


def print_bundles(op: WithBundles, p: OpPrinter) -> None:
    """`["tag"(%a : i32), "other"()]`."""
    tags, operands = op.op_bundle_tags, op.op_bundle_operands
    if tags is None or not tags.elements:
        return
    p.write(" [")
    start = 0
    for position, (tag, size) in enumerate(zip(tags.elements, op.op_bundle_sizes.values, strict=False)):
        p.write(", " if position else "")
        assert isinstance(tag, StringAttr)
        p.string(tag.value)
        p.write("(")
        if values := operands[start : start + size]:
            p.typed_values(values)
        p.write(")")
        start += size
    p.write("]")


def parse_bundles(cursor: OpParser, parsed: ParsedOp) -> None:
    """The same, if it is there; the tags are part of the shape."""
    sizes: list[int] = []
    tags: list[StringAttr] = []
    operands: list[Ref] = []
    types: list[Node] = []
    at = cursor.here()
    if cursor.accept("["):
        while not cursor.at("]"):
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
                types += given
            cursor.expect(")")
            operands += values
            sizes.append(len(values))
            if not cursor.accept(","):
                break
        cursor.expect("]")
        if tags:
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


BUNDLE_NAMES: Final = ("op_bundle_sizes", "op_bundle_tags")


def _parse_assume(cursor: OpParser, parsed: ParsedOp) -> None:
    parsed.operands["cond"] = [cursor.value_use()]
    parse_bundles(cursor, parsed)
    cursor.expect(":")
    parsed.types["cond"] = [cursor.type()]
    cursor.attr_dict(parsed)


def _print_assume(op: ops.IntrAssumeOp, p: OpPrinter) -> None:
    p.write(" ")
    p.value(op.cond)
    print_bundles(op, p)
    p.write(" : ")
    p.type(op.cond.type)
    p.attr_dict(op, elide=BUNDLE_NAMES)


_OVERFLOWS: Final = OpCode(rules=(TypeRule("res", ("lhs",), _overflow_result, ""),))
CODE: Final = {
    **{f"intr.{name}.with.overflow": _OVERFLOWS for name in WITH_OVERFLOW},
    "intr.abs": OpCode(rules=(TypeRule("res", ("in",), same, ""),)),
    "intr.assume": OpCode(custom=CustomSyntax(_parse_assume, _print_assume)),
}
