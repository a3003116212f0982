"""One of several regions, and a region for its own sake.

Source of the rules: *'scf' Dialect*, "Operations"; the texts of errors are those of MLIR 22's verifiers.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from fathom.dialects.scf import edges
from fathom.dialects.scf.common import check_yield, terminator_of
from fathom.ir.attributes import DenseArrayAttr
from fathom.ir.operation import Operation, Region, types_of
from fathom.ir.property_values import numbers_property
from fathom.ir.types import I64
from fathom.irdl.clauses import two_way
from fathom.irdl.code import OpCode
from fathom.irdl.definition import CustomDirective, Problem
from fathom.irdl.verifying import Complaint, verifies
from fathom.ops.scf import ExecuteRegionOp, IfOp, IndexSwitchOp, YieldOp

if TYPE_CHECKING:
    from fathom.irdl.protocols import OpParser, OpPrinter, ParsedOp, Resolver

# ---- scf.if


@verifies("scf.if")
def _verify_if(op: IfOp) -> Complaint:
    return "must have an else block if defining values" if op.results and op.elseRegion.is_empty else None


@verifies("scf.if", regions=True)
def _verify_if_regions(op: IfOp) -> Complaint:
    results = types_of(op.results)
    return check_yield(op.thenRegion, "parent", results) or check_yield(op.elseRegion, "parent", results)


# ---- scf.execute_region


@verifies("scf.execute_region")
def _verify_execute(op: ExecuteRegionOp) -> Complaint:
    entry = op.region.first
    if entry is None:
        return "region needs to have at least one block"
    return "region cannot have any arguments" if entry.arguments else None


@verifies("scf.execute_region", regions=True)
def _verify_execute_regions(op: ExecuteRegionOp) -> Complaint:
    results = types_of(op.results)
    for block in op.region.blocks:
        if isinstance(block.last, YieldOp) and types_of(block.last.operands) != results:
            return check_yield(op.region, "parent", results)
    return None


# ---- scf.index_switch


def _parse_cases(parser: OpParser, parsed: ParsedOp, arguments: Sequence[str]) -> None:
    """`case 1 {…} case 2 {…}`; they come behind the default region, which stands last."""
    numbers = parser.regions(parsed, lambda: parser.integer_literal() if parser.accept("case") else None)
    # It is made once, not for each region that opens.
    parsed.attributes[arguments[0]] = parser.composed_attribute(lambda _, __: DenseArrayAttr(I64, tuple(numbers)))


def _print_cases(op: Operation, p: OpPrinter, arguments: Sequence[str]) -> None:
    for number, region in zip(numbers_property(op, "cases"), op.regions[1:], strict=False):
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
def _verify_switch(op: IndexSwitchOp) -> Complaint:
    numbers, count = op.cases.values, len(op.caseRegions)
    if len(numbers) != count:
        return f"has {count} case regions but {len(numbers)} case values"
    for index, number in enumerate(numbers):
        if numbers.index(number) != index:
            return f"has duplicate case value: {number}"
    names = ["default region", *(f"case region #{index}" for index in range(count))]
    checks = (_verify_case(op, region, name) for name, region in zip(names, op.regions, strict=True))
    return next(filter(None, checks), None)


def _verify_case(op: IndexSwitchOp, region: Region, which: str) -> Complaint:
    last = terminator_of(region)
    if not isinstance(last, YieldOp):
        return f"expected region to end with scf.yield, but got {last.name if last is not None else 'nothing'}"
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
