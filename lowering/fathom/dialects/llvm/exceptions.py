"""The LLVM dialect's operations for exceptions: calls that may unwind, and the places where unwinding arrives.

Source of the rules: *'llvm' Dialect*, "llvm.invoke" and "llvm.landingpad".
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from fathom.dialects.cf.switches import verify_branch
from fathom.dialects.cf.verify import weights_problem
from fathom.dialects.llvm.attributes import CALLING_CONVENTIONS, CCC, calling_convention
from fathom.dialects.llvm.calls import (
    CallAttributes,
    argument_types,
    parse_callee,
    parse_signature,
    parse_variadic,
    print_callee,
    print_signature,
    print_variadic,
    resolve_call,
)
from fathom.dialects.llvm.functions import keyword_of
from fathom.dialects.llvm.intrinsics import BUNDLE_NAMES, parse_bundles, print_bundles, verify_bundles
from fathom.dialects.llvm.symbol_checks import variadic_problem
from fathom.dialects.llvm.types import LLVMArrayType
from fathom.ir.attributes import UNIT
from fathom.ir.traversal import closest
from fathom.irdl.checking import bare
from fathom.irdl.code import OpCode
from fathom.irdl.definition import CustomSyntax, Problem
from fathom.irdl.interfaces import branch_by_groups
from fathom.irdl.verifying import Complaint, verifies
from fathom.ops import llvm as ops

if TYPE_CHECKING:
    from fathom.irdl.protocols import Node, OpParser, OpPrinter, ParsedOp, Ref

# ---- llvm.invoke

HEADER: Final = ("callee", "CConv", "var_callee_type", "arg_attrs", "res_attrs", *BUNDLE_NAMES)


def _print_invoke(op: ops.InvokeOp, p: OpPrinter) -> None:
    convention = keyword_of(op.CConv, CCC)
    p.write(f" {convention} " if convention else " ")
    pointer, arguments = print_callee(op, p)
    p.write(" to ")
    p.successor(op.normalDest, op.normalDestOperands)
    p.write(" unwind ")
    p.successor(op.unwindDest, op.unwindDestOperands)
    print_variadic(op, p)
    print_bundles(op, p)
    p.attr_dict(op, elide=HEADER)
    print_signature(op, pointer, arguments, p)


def _parse_invoke(cursor: OpParser, parsed: ParsedOp) -> CallAttributes:
    parsed.attributes["CConv"] = calling_convention(cursor.optional_keyword(CALLING_CONVENTIONS) or "ccc")
    callee = parse_callee(cursor, parsed)
    arguments = cursor.value_list("(", ")")
    for word, group in (("to", "normalDestOperands"), ("unwind", "unwindDestOperands")):
        cursor.expect(word)
        cursor.successor(parsed)
        successor = parsed.successors[-1]
        parsed.operands[group], parsed.types[group] = successor.operands, successor.types
        successor.operands, successor.types = [], []
    parse_variadic(cursor, parsed)
    parse_bundles(cursor, parsed)
    cursor.attr_dict(parsed)
    return parse_signature(cursor, parsed, callee, arguments)


@verifies("llvm.invoke")
def _verify_invoke(op: ops.InvokeOp) -> Complaint:
    if problems := verify_branch(op):
        return problems
    if (problem := variadic_problem(op, argument_types(op))) is not None:
        return problem
    unwind = op.unwindDest
    if unwind.first is None:
        return bare("must have at least one operation in unwind destination")
    if not isinstance(unwind.first, ops.LandingpadOp):
        return bare("first operation in unwind destination should be a llvm.landingpad operation")
    if (problem := weights_problem(op)) is not None:
        return problem
    return verify_bundles(op)


# ---- llvm.landingpad


def _print_landingpad(op: ops.LandingpadOp, p: OpPrinter) -> None:
    p.write(" cleanup " if op.cleanup is not None else " ")
    for clause in op.operands:
        p.write("(filter " if isinstance(clause.type, LLVMArrayType) else "(catch ")
        p.value(clause)
        p.write(" : ")
        p.type(clause.type)
        p.write(") ")
    p.attr_dict(op, elide=("cleanup",))
    p.write(": ")
    p.type(op.result.type)


def _parse_landingpad(cursor: OpParser, parsed: ParsedOp) -> None:
    if cursor.accept("cleanup"):
        parsed.attributes["cleanup"] = UNIT
    values: list[Ref] = []
    types: list[Node] = []
    while cursor.accept("("):
        cursor.keyword(("filter", "catch"))
        values.append(cursor.value_use())
        cursor.expect(":")
        types.append(cursor.type())
        cursor.expect(")")
    parsed.operands["clauses"], parsed.types["clauses"] = values, types
    cursor.expect(":")
    parsed.types["res"] = [cursor.type()]


@verifies("llvm.landingpad")
def _verify_landingpad(op: ops.LandingpadOp) -> Complaint:
    function = closest(op, ops.FuncOp)
    if function is not None and "personality" not in function.properties:
        return bare("llvm.landingpad needs to be in a function with a personality")
    if op.cleanup is None and not op.operands:
        return bare("landingpad instruction expects at least one clause or cleanup attribute")
    for index, clause in enumerate(op.operands):
        source = clause.defining_op
        if isinstance(clause.type, LLVMArrayType) or isinstance(source, (ops.MlirZeroOp, ops.MlirAddressofOp)):
            continue
        if isinstance(source, ops.BitcastOp):
            if isinstance(source.arg.defining_op, ops.MlirAddressofOp):
                continue
            note = "global addresses expected as operand to bitcast used in clauses for landingpad"
            return Problem("constant clauses expected", bare=True, notes=((note, source),))
        return bare(f"clause #{index} is not a known constant - null, addressof, bitcast")
    return None


CODE: Final = {
    "invoke": OpCode(
        interfaces=(branch_by_groups("normalDestOperands", "unwindDestOperands"),),
        custom=CustomSyntax(_parse_invoke, _print_invoke, resolve_call),
    ),
    "landingpad": OpCode(custom=CustomSyntax(_parse_landingpad, _print_landingpad)),
}
