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
    print_callee,
    print_signature,
    resolve_call,
)
from fathom.dialects.llvm.functions import keyword_of
from fathom.dialects.llvm.intrinsics import BUNDLE_NAMES, parse_bundles, print_bundles, verify_bundles
from fathom.dialects.llvm.symbol_checks import variadic_problem
from fathom.dialects.llvm.types import LLVMArrayType
from fathom.ir.attributes import UNIT
from fathom.ir.operation import Operation
from fathom.ir.traversal import closest
from fathom.irdl.code import OpCode
from fathom.irdl.definition import CustomSyntax, Problem
from fathom.irdl.interfaces import branch_by_groups
from fathom.irdl.verifying import Complaint, verifies
from fathom.ops import llvm as ops

if TYPE_CHECKING:
    from fathom.irdl.protocols import Node, OpParser, OpPrinter, ParsedOp, Ref

# ---- llvm.invoke

HEADER: Final = ("callee", "CConv", "var_callee_type", "arg_attrs", "res_attrs", *BUNDLE_NAMES)


def _print_invoke(op: Operation, p: OpPrinter) -> None:
    convention = keyword_of(op.properties.get("CConv"), CCC)
    p.write(f" {convention} " if convention else " ")
    pointer, arguments = print_callee(op, op.all_of("callee_operands"), p)
    p.write(" to ")
    p.successor(op.successors[0], op.all_of("normalDestOperands"))
    p.write(" unwind ")
    p.successor(op.successors[1], op.all_of("unwindDestOperands"))
    variadic = op.properties.get("var_callee_type")
    if variadic is not None:
        p.write(" vararg(")
        p.attribute(variadic)
        p.write(")")
    print_bundles(op, op.all_of("op_bundle_operands"), p)
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
    if cursor.accept("vararg"):
        cursor.expect("(")
        parsed.attributes["var_callee_type"] = cursor.type()
        cursor.expect(")")
    parse_bundles(cursor, parsed)
    cursor.attr_dict(parsed)
    return parse_signature(cursor, parsed, callee, arguments)


@verifies("llvm.invoke")
def _verify_invoke(op: Operation) -> Complaint:
    if problems := verify_branch(op):
        return problems
    if (problem := variadic_problem(op, argument_types(op))) is not None:
        return problem
    unwind = op.successors[1]
    if unwind.first is None:
        return Problem("must have at least one operation in unwind destination", bare=True)
    if unwind.first.name != "llvm.landingpad":
        message = "first operation in unwind destination should be a llvm.landingpad operation"
        return Problem(message, bare=True)
    if (problem := weights_problem(op)) is not None:
        return problem
    return verify_bundles(op)


# ---- llvm.landingpad


def _print_landingpad(op: Operation, p: OpPrinter) -> None:
    p.write(" cleanup " if "cleanup" in op.properties else " ")
    for clause in op.operands:
        p.write("(filter " if isinstance(clause.type, LLVMArrayType) else "(catch ")
        p.value(clause)
        p.write(" : ")
        p.type(clause.type)
        p.write(") ")
    p.attr_dict(op, elide=("cleanup",))
    p.write(": ")
    p.type(op.results[0].type)


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
def _verify_landingpad(op: Operation) -> Complaint:
    function = closest(op, ops.FuncOp)
    if function is not None and "personality" not in function.properties:
        return Problem("llvm.landingpad needs to be in a function with a personality", bare=True)
    if "cleanup" not in op.properties and not op.operands:
        message = "landingpad instruction expects at least one clause or cleanup attribute"
        return Problem(message, bare=True)
    for index, clause in enumerate(op.operands):
        source = clause.defining_op
        if isinstance(clause.type, LLVMArrayType) or _is_constant_clause(source):
            continue
        if source is not None and source.name == "llvm.bitcast":
            inner = source.operands[0].defining_op
            if inner is not None and inner.name == "llvm.mlir.addressof":
                continue
            note = "global addresses expected as operand to bitcast used in clauses for landingpad"
            return Problem("constant clauses expected", bare=True, notes=((note, source),))
        message = f"clause #{index} is not a known constant - null, addressof, bitcast"
        return Problem(message, bare=True)
    return None


def _is_constant_clause(source: Operation | None) -> bool:
    return source is not None and source.name in ("llvm.mlir.zero", "llvm.mlir.addressof")


CODE: Final = {
    "invoke": OpCode(
        interfaces=(branch_by_groups("normalDestOperands", "unwindDestOperands"),),
        custom=CustomSyntax(_parse_invoke, _print_invoke, resolve_call),
    ),
    "landingpad": OpCode(custom=CustomSyntax(_parse_landingpad, _print_landingpad)),
}
