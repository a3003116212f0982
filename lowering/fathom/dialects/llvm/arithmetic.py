"""The LLVM dialect's arithmetic, comparisons, conversions and vector operations.

Source of the rules: *'llvm' Dialect*, "Operations"; the meaning is that of the instruction of the same name in LLVM IR.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Final

from fathom.dialects.llvm.attributes import FCMP_PREDICATES, ICMP_PREDICATES, NO_FASTMATH, i64
from fathom.ir.types import IntegerType, Type, VectorType
from fathom.irdl.checking import bare
from fathom.irdl.code import OpCode
from fathom.irdl.definition import CustomSyntax
from fathom.irdl.verifying import Complaint, verifies
from fathom.ops import llvm as ops
from fathom.rewriting.speculation import SIGNED_DIVISION, UNSIGNED_DIVISION

if TYPE_CHECKING:
    from fathom.irdl.protocols import OpParser, OpPrinter, ParsedOp


def _parse_compare(cases: Mapping[str, int]) -> Callable[[OpParser, ParsedOp], None]:
    def parse(cursor: OpParser, parsed: ParsedOp) -> None:
        if any(map(cursor.at_kind, ("symbol", "integer", "float"))):
            cursor.fail(f"custom op '{parsed.name}' invalid kind of attribute specified")
        if not cursor.at_kind("string"):
            cursor.fail("expected attribute value")
        predicate = cursor.text(cursor.string()).strip('"')
        if predicate not in cases:
            cursor.fail(f"custom op '{parsed.name}' '{predicate}' is an incorrect value of the 'predicate' attribute")
        parsed.attributes["predicate"] = i64(cases[predicate])
        parsed.operands["lhs"] = [cursor.value_use()]
        cursor.expect(",")
        parsed.operands["rhs"] = [cursor.value_use()]
        cursor.attr_dict(parsed)
        cursor.expect(":")
        parsed.types["lhs"] = [cursor.type()]

    return parse


def _print_compare(cases: Mapping[str, int]) -> Callable[[ops.FcmpOp | ops.IcmpOp, OpPrinter], None]:
    def print_(op: ops.FcmpOp | ops.IcmpOp, p: OpPrinter) -> None:
        number = op.predicate.value
        p.write(f' "{next((name for name, value in cases.items() if value == number), number)}" ')
        p.values(op.operands)
        default = isinstance(op, ops.FcmpOp) and op.fastmathFlags == NO_FASTMATH
        p.attr_dict(op, elide=("predicate", "fastmathFlags") if default else ("predicate",))
        p.write(" : ")
        p.type(op.lhs.type)

    return print_


@verifies("llvm.sext", "llvm.zext")
def _verify_widening(op: ops.SextOp | ops.ZextOp) -> Complaint:
    """`zext` and `sext` must widen, and keep the shape of a vector."""
    source, target = op.arg.type, op.result.type
    if isinstance(source, VectorType) and isinstance(target, VectorType):
        if source.shape != target.shape or source.scalable != target.scalable:
            return bare("input and output vectors are of incompatible shape")
        source, target = source.element, target.element
    if isinstance(source, VectorType):
        return bare("input type is a vector but output type is an integer")
    if isinstance(target, VectorType):
        return bare("input type is an integer but output type is a vector")
    if isinstance(source, IntegerType) and isinstance(target, IntegerType) and target.width <= source.width:
        return bare("integer width of the output type is smaller or equal to the integer width of the input type")
    return None


@verifies("llvm.bitcast")
def _verify_bitcast(op: ops.BitcastOp) -> Complaint:
    source, target = _pointers(op.arg.type), _pointers(op.result.type)
    if (source is None) != (target is None):
        return "can only cast pointers from and to pointers"
    if source is None or target is None:
        return None
    if isinstance(op.result.type, VectorType) != isinstance(op.arg.type, VectorType):
        vector, pointer = "vector of pointers", "pointer"
        between = (vector, pointer) if isinstance(op.arg.type, VectorType) else (pointer, vector)
        return f"cannot cast {between[0]} to {between[1]}"
    if source != target:
        return "cannot cast pointers of different address spaces, use 'llvm.addrspacecast' instead"
    return None


def _pointers(type: Type) -> int | None:
    """The address space of a pointer or a vector of pointers, else None."""
    element = type.element if isinstance(type, VectorType) else type
    return getattr(element, "address_space", None)


CODE: Final = {
    "icmp": OpCode(custom=CustomSyntax(_parse_compare(ICMP_PREDICATES), _print_compare(ICMP_PREDICATES))),
    "fcmp": OpCode(custom=CustomSyntax(_parse_compare(FCMP_PREDICATES), _print_compare(FCMP_PREDICATES))),
    "udiv": OpCode(interfaces=(UNSIGNED_DIVISION,)),
    "sdiv": OpCode(interfaces=(SIGNED_DIVISION,)),
}
