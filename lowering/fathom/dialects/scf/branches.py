"""One of several regions, and a region for its own sake.

Source of the rules: *'scf' Dialect*, "Operations"; the texts of errors are those of MLIR 22's verifiers.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from fathom.dialects.scf import edges
from fathom.dialects.scf.common import check_yield, terminator_of, types_of
from fathom.ir.attributes import DenseArrayAttr
from fathom.ir.operation import Operation, Region
from fathom.ir.property_values import numbers_property
from fathom.ir.types import I64
from fathom.irdl.clauses import two_way
from fathom.irdl.code import OpCode
from fathom.irdl.definition import CustomDirective, Problem
from fathom.irdl.verifying import Complaint, verifies

if TYPE_CHECKING:
    from fathom.irdl.protocols import OpParser, OpPrinter, ParsedOp, Resolver

# ---- scf.if


@verifies("scf.if")
def _verify_if(op: Operation) -> Complaint:
    if op.results and op.regions[1].is_empty:
        return "must have an else block if defining values"
    return None


@verifies("scf.if", regions=True)
def _verify_if_regions(op: Operation) -> Complaint:
    then, otherwise = op.regions
    results = types_of(op.results)
    return check_yield(then, "parent", results) or check_yield(otherwise, "parent", results)


# ---- scf.execute_region


@verifies("scf.execute_region")
def _verify_execute(op: Operation) -> Complaint:
    entry = op.regions[0].first
    if entry is None:
        return "region needs to have at least one block"
    if entry.arguments:
        return "region cannot have any arguments"
    return None


@verifies("scf.execute_region", regions=True)
def _verify_execute_regions(op: Operation) -> Complaint:
    results = types_of(op.results)
    for block in op.regions[0].blocks:
        last = block.last
        if last is not None and last.name == "scf.yield" and types_of(last.operands) != results:
            return check_yield(op.regions[0], "parent", results)
    return None


# ---- scf.index_switch


def cases_of(op: Operation) -> tuple[int, ...]:
    """The values of the cases of an `scf.index_switch`, in the order of its regions after the first."""
    return numbers_property(op, "cases")


def _parse_cases(parser: OpParser, parsed: ParsedOp, arguments: Sequence[str]) -> None:
    """`case 1 {…} case 2 {…}`; they come behind the default region, which stands last."""
    numbers = parser.regions(parsed, lambda: parser.integer_literal() if parser.accept("case") else None)
    # It is made once, not for each region that opens.
    parsed.attributes[arguments[0]] = parser.composed_attribute(lambda _, __: DenseArrayAttr(I64, tuple(numbers)))


def _print_cases(op: Operation, p: OpPrinter, arguments: Sequence[str]) -> None:
    del arguments
    for number, region in zip(cases_of(op), op.regions[1:], strict=False):
        p.newline()
        p.write(f"case {number} ")
        p.region(region, entry_arguments=False)


SWITCH_CASES: Final = CustomDirective(_parse_cases, _print_cases)


def resolve_switch(resolver: Resolver, parsed: ParsedOp) -> None:
    """The default stands last in the text, and first among the regions."""
    resolver.resolve_by_rules()
    count = len(parsed.regions)
    resolver.region_order = [count - 1, *range(count - 1)]


@verifies("scf.index_switch")
def _verify_switch(op: Operation) -> Complaint:
    numbers = cases_of(op)
    if len(numbers) != len(op.regions) - 1:
        return f"has {len(op.regions) - 1} case regions but {len(numbers)} case values"
    seen: set[int] = set()
    for number in numbers:
        if number in seen:
            return f"has duplicate case value: {number}"
        seen.add(number)
    for index, region in enumerate(op.regions):
        name = f"case region #{index - 1}" if index else "default region"
        if found := _verify_case(op, region, name):
            return found
    return None


def _verify_case(op: Operation, region: Region, which: str) -> Complaint:
    last = terminator_of(region)
    if last is None or last.name != "scf.yield":
        name = last.name if last is not None else "nothing"
        return f"expected region to end with scf.yield, but got {name}"
    if len(last.operands) != len(op.results):
        counts = f"{len(op.results)} values, but {which} returns {len(last.operands)}"
        return Problem(f"expected each region to return {counts}", notes=(("see yield operation here", last),))
    for index, (value, result) in enumerate(zip(last.operands, op.results, strict=True)):
        if value.type != result.type:
            note = f"{which} returns '{value.type}' here"
            message = f"expected result #{index} of each region to be '{result.type}'"
            return Problem(message, notes=((note, last),))
    return None


CODE: Final = {
    "if": OpCode(
        interfaces=(edges.IF,),
        custom=two_way(
            "$condition custom<Results>(type($results)) custom<Body>($thenRegion) "
            "(`else` custom<Body>($elseRegion)^)? attr-dict"
        ),
    ),
    "execute_region": OpCode(
        interfaces=(edges.ONCE,),
        custom=two_way(
            "custom<Arrow>(type($results)) (`no_inline` $no_inline^)? custom<Unlabelled>($region) attr-dict"
        ),
    ),
    "index_switch": OpCode(interfaces=(edges.SWITCH,), resolve=resolve_switch),
}
