"""Loops that run one iteration after the other.

Source of the rules: *'scf' Dialect*, "Operations"; the texts of errors are those of MLIR 22's verifiers.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from fathom.dialects.scf import edges
from fathom.dialects.scf.common import (
    check_carried,
    check_edge,
    check_terminator,
    check_yield,
    entry_arguments,
    parse_iter_args,
    print_carried,
    terminator_of,
    while_loop,
)
from fathom.ir.attributes import UNIT
from fathom.ir.operation import types_of
from fathom.ir.types import INDEX
from fathom.irdl.code import OpCode
from fathom.irdl.definition import CustomSyntax
from fathom.irdl.keywords import expect_keyword
from fathom.irdl.verifying import Complaint, verifies
from fathom.ops.scf import ConditionOp, ForOp, WhileOp, YieldOp
from fathom.rewriting.speculation import COUNTED_BY_ONE

if TYPE_CHECKING:
    from fathom.irdl.protocols import OpParser, OpPrinter, ParsedOp, Resolver

# ---- scf.for


def _parse_for(cursor: OpParser, parsed: ParsedOp) -> None:
    """`unsigned %i = %lb to %ub step %s iter_args(%a = %x) -> (f32) : i32 {…} {attributes}`."""
    if cursor.accept("unsigned"):
        parsed.attributes["unsignedCmp"] = UNIT
    induction = cursor.argument(allow_type=False, allow_attributes=False)
    cursor.expect("=")
    parsed.operands["lowerBound"] = [cursor.value_use()]
    expect_keyword(cursor, parsed, "to")
    parsed.operands["upperBound"] = [cursor.value_use()]
    expect_keyword(cursor, parsed, "step")
    parsed.operands["step"] = [cursor.value_use()]
    arguments, values, results = parse_iter_args(cursor)
    if len(results) != len(values):
        cursor.fail(
            "custom op 'scf.for' mismatch in number of loop-carried values and defined values", parsed.name_token
        )
    parsed.operands["initArgs"] = values
    parsed.types["lowerBound"] = [cursor.type()] if cursor.accept(":") else []
    parsed.types["results"] = results
    cursor.region(parsed, [induction, *arguments])
    cursor.attr_dict(parsed)


def _resolve_for(resolver: Resolver, parsed: ParsedOp, _: None) -> None:
    stated = resolver.types(parsed.types["lowerBound"])
    type = stated[0] if stated else INDEX
    carried = resolver.types(parsed.types["results"])
    resolver.region_argument_types = [[type, *carried]]
    resolver.result_types = carried
    bounds = [token for name in ("lowerBound", "upperBound", "step") for token in parsed.operands[name]]
    resolver.operands = resolver.operand_list([*bounds, *parsed.operands["initArgs"]], [type, type, type, *carried])


def _print_for(op: ForOp, p: OpPrinter) -> None:
    induction, *carried = entry_arguments(op)
    p.write(" unsigned " if op.unsignedCmp is not None else " ")
    for lead, value in (("", induction), (" = ", op.lowerBound), (" to ", op.upperBound), (" step ", op.step)):
        p.write(lead)
        p.value(value)
    print_carried("iter_args", carried, op.initArgs, p)
    if induction.type != INDEX:
        p.write("  : ")
        p.type(induction.type)
    p.write(" ")
    p.region(op.region, entry_arguments=False, terminators=bool(op.initArgs))
    p.attr_dict(op, elide=("unsignedCmp",))


@verifies("scf.for")
def _verify_for(op: ForOp) -> Complaint:
    if len(op.initArgs) != len(op.results):
        return "mismatch in number of loop-carried values and defined values"
    return None


@verifies("scf.for", regions=True)
def _verify_for_regions(op: ForOp) -> Complaint:
    arguments = entry_arguments(op)
    if not arguments or arguments[0].type != op.lowerBound.type:
        return "expected induction variable to be same type as bounds and step"
    carried, last = arguments[1:], terminator_of(op.region)
    problem = check_carried(op.initArgs, carried, last.operands if isinstance(last, YieldOp) else [], op.results)
    return problem or check_yield(op.region, "Region #0", types_of(carried))


# ---- scf.while


@verifies("scf.while")
def _verify_while(op: WhileOp) -> Complaint:
    expects_condition = "expects the 'before' region to terminate with 'scf.condition'"
    return check_terminator(op.before, "scf.condition", expects_condition) or check_terminator(
        op.after, "scf.yield", "expects the 'after' region to terminate with 'scf.yield'"
    )


@verifies("scf.while", regions=True)
def _verify_while_regions(op: WhileOp) -> Complaint:
    condition = terminator_of(op.before)
    assert isinstance(condition, ConditionOp), "the operation's own check came first"
    # One whose text is wrong has no parts.
    start, carried = types_of(op.before.entry.arguments), types_of(condition.operands[1:])
    source = "Operation scf.condition"
    return (
        check_edge("parent", "Region #0", types_of(op.operands), start)
        or check_edge(source, "parent", carried, types_of(op.results), condition)
        or check_edge(source, "Region #1", carried, types_of(op.after.entry.arguments), condition)
        or check_yield(op.after, "Region #0", start)
    )


CODE: Final = {
    "for": OpCode(interfaces=(COUNTED_BY_ONE, edges.FOR), custom=CustomSyntax(_parse_for, _print_for, _resolve_for)),
    "while": OpCode(interfaces=(edges.WHILE,), custom=while_loop("inits", "results")),
}
