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
    terminator_of,
    while_loop,
)
from fathom.dialects.scf.trip_counts import for_trip_count
from fathom.ir.operation import types_of
from fathom.ir.types import INDEX
from fathom.irdl.clauses import two_way
from fathom.irdl.code import OpCode
from fathom.irdl.definition import CustomDirective
from fathom.irdl.interfaces import LoopLike
from fathom.irdl.verifying import Complaint, verifies
from fathom.ops.scf import ConditionOp, ForOp, WhileOp, YieldOp
from fathom.rewriting.speculation import COUNTED_BY_ONE

if TYPE_CHECKING:
    from collections.abc import Sequence

    from fathom.ir.operation import Operation
    from fathom.irdl.protocols import OpParser, OpPrinter, ParsedOp

# ---- scf.for


def _parse_bound_type(parser: OpParser, parsed: ParsedOp, arguments: Sequence[str]) -> None:
    """` : i32`, the type of the bounds and of what runs between them; without it that is `index`."""
    if parser.accept(":"):
        node = parsed.named[0].type = parser.type()
        parsed.types[arguments[0]] = [node]
    else:
        parsed.composed_types[arguments[0]] = parser.composed_type(lambda _, __: INDEX)


def _print_bound_type(op: Operation, p: OpPrinter, arguments: Sequence[str]) -> None:
    type = op.one_of(arguments[0]).type
    if type != INDEX:
        p.write("  : ")
        p.type(type)


BOUND_TYPE: Final = CustomDirective(_parse_bound_type, _print_bound_type, spaced=True)


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
    "for": OpCode(
        interfaces=(COUNTED_BY_ONE, edges.FOR, LoopLike(trip_count=for_trip_count)),
        custom=two_way(
            "(`unsigned` $unsignedCmp^)? custom<Variable>(ref($region)) `=` $lowerBound `to` $upperBound `step` $step "
            'custom<Carried>($initArgs, type($results), "iter_args", '
            '"mismatch in number of loop-carried values and defined values") '
            "custom<BoundType>(type($lowerBound)) custom<Body>($region) attr-dict"
        ),
    ),
    "while": OpCode(interfaces=(edges.WHILE,), custom=while_loop("inits", "results", "before", "after")),
}
