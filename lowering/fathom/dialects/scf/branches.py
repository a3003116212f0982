"""One of several regions, and a region for its own sake.

Source of the rules: *'scf' Dialect*, "Operations"; the texts of errors are those of MLIR 22's verifiers.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from fathom.dialects.scf import edges
from fathom.dialects.scf.common import (
    check_yield,
    print_typed_results,
    terminator_of,
    types_of,
)
from fathom.ir.attributes import UNIT, DenseArrayAttr
from fathom.ir.operation import Operation, Region, Value
from fathom.ir.property_values import numbers_property
from fathom.ir.types import I64
from fathom.irdl.constraints import ANY, DENSE_I64_ARRAY, I1_TYPE, INDEX_TYPE, UNIT_ATTRIBUTE
from fathom.irdl.definition import (
    CustomDirective,
    CustomSyntax,
    OpDefinition,
    Operand,
    Problem,
    Property,
    RegionDefinition,
    Result,
)
from fathom.irdl.groups import Arity
from fathom.irdl.traits import (
    NO_REGION_ARGUMENTS,
    PURE,
    RECURSIVE_MEMORY_EFFECTS,
    RECURSIVELY_SPECULATABLE,
    RETURN_LIKE,
    SINGLE_BLOCK,
    TERMINATOR,
    has_parent,
)

if TYPE_CHECKING:
    from fathom.irdl.protocols import OpParser, OpPrinter, ParsedOp, Resolver

RESULTS: Final = (Result("results", ANY, Arity.VARIADIC),)

YIELD: Final = OpDefinition(
    "scf.yield",
    operands=(Operand("results", ANY, Arity.VARIADIC),),
    traits=(
        has_parent("scf.execute_region", "scf.for", "scf.if", "scf.index_switch", "scf.while"),
        PURE,
        RETURN_LIKE,
        TERMINATOR,
    ),
    assembly="attr-dict ($results^ `:` type($results))?",
    summary="the end of a region, and the values it gives",
)

# ---- scf.if


def _parse_if(cursor: OpParser, parsed: ParsedOp) -> None:
    """`%c -> (f32) {…} else {…} {attributes}`."""
    parsed.operands["condition"] = [cursor.value_use()]
    parsed.types["results"] = cursor.optional_arrow_types()
    cursor.region(parsed)
    if cursor.accept("else"):
        cursor.region(parsed)
    cursor.attr_dict(parsed)


def _print_if(op: Operation, p: OpPrinter) -> None:
    p.write(" ")
    p.value(op.operands[0])
    print_typed_results(op, p)
    p.write(" ")
    then, otherwise = op.regions
    p.region(then, entry_arguments=False, terminators=bool(op.results))
    if not otherwise.is_empty:
        p.write(" else ")
        p.region(otherwise, entry_arguments=False, terminators=bool(op.results))
    p.attr_dict(op)


def _verify_if(op: Operation) -> list[Problem]:
    if op.results and op.regions[1].is_empty:
        return [Problem("must have an else block if defining values")]
    return []


def _verify_if_regions(op: Operation) -> list[Problem]:
    then, otherwise = op.regions
    results = types_of(op.results)
    return check_yield(then, "parent", results) or check_yield(otherwise, "parent", results)


IF: Final = OpDefinition(
    "scf.if",
    operands=(Operand("condition", I1_TYPE),),
    results=RESULTS,
    regions=(RegionDefinition("thenRegion", single_block=True), RegionDefinition("elseRegion", Arity.OPTIONAL)),
    traits=(NO_REGION_ARGUMENTS, RECURSIVE_MEMORY_EFFECTS, RECURSIVELY_SPECULATABLE, SINGLE_BLOCK),
    interfaces=(edges.IF,),
    implicit_terminator="scf.yield",
    custom=CustomSyntax(_parse_if, _print_if),
    verify=_verify_if,
    verify_regions=_verify_if_regions,
    summary="one of two regions by a condition",
)

# ---- scf.execute_region


def _parse_execute(cursor: OpParser, parsed: ParsedOp) -> None:
    parsed.types["results"] = cursor.optional_arrow_types()
    if cursor.accept("no_inline"):
        parsed.attributes["no_inline"] = UNIT
    cursor.region(parsed)
    cursor.attr_dict(parsed)


def _print_execute(op: Operation, p: OpPrinter) -> None:
    p.arrow_types(types_of(op.results))
    if "no_inline" in op.properties:
        p.write(" no_inline")
    p.write(" ")
    p.region(op.regions[0], entry_arguments=False)
    p.attr_dict(op, elide=("no_inline",))


def _verify_execute(op: Operation) -> list[Problem]:
    entry = op.regions[0].first
    if entry is None:
        return [Problem("region needs to have at least one block")]
    if entry.arguments:
        return [Problem("region cannot have any arguments")]
    return []


def _verify_execute_regions(op: Operation) -> list[Problem]:
    results = types_of(op.results)
    for block in op.regions[0].blocks:
        last = block.last
        if last is not None and last.name == "scf.yield" and types_of(last.operands) != results:
            return check_yield(op.regions[0], "parent", results)
    return []


EXECUTE_REGION: Final = OpDefinition(
    "scf.execute_region",
    traits=(RECURSIVE_MEMORY_EFFECTS,),
    interfaces=(edges.ONCE,),
    results=RESULTS,
    properties=(Property("no_inline", UNIT_ATTRIBUTE, optional=True),),
    regions=(RegionDefinition("region"),),
    custom=CustomSyntax(_parse_execute, _print_execute),
    verify=_verify_execute,
    verify_regions=_verify_execute_regions,
    summary="a region of several blocks, run once",
)

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


def terminator_operands(region: Region) -> list[Value]:
    """What the last operation of a region of one block hands on."""
    last = terminator_of(region)
    return list(last.operands) if last is not None else []


def _verify_switch(op: Operation) -> list[Problem]:
    numbers = cases_of(op)
    if len(numbers) != len(op.regions) - 1:
        return [Problem(f"has {len(op.regions) - 1} case regions but {len(numbers)} case values")]
    seen: set[int] = set()
    for number in numbers:
        if number in seen:
            return [Problem(f"has duplicate case value: {number}")]
        seen.add(number)
    for index, region in enumerate(op.regions):
        name = f"case region #{index - 1}" if index else "default region"
        if found := _verify_case(op, region, name):
            return found
    return []


def _verify_case(op: Operation, region: Region, which: str) -> list[Problem]:
    last = terminator_of(region)
    if last is None or last.name != "scf.yield":
        name = last.name if last is not None else "nothing"
        return [Problem(f"expected region to end with scf.yield, but got {name}")]
    if len(last.operands) != len(op.results):
        counts = f"{len(op.results)} values, but {which} returns {len(last.operands)}"
        return [Problem(f"expected each region to return {counts}", notes=(("see yield operation here", last),))]
    for index, (value, result) in enumerate(zip(last.operands, op.results, strict=True)):
        if value.type != result.type:
            note = f"{which} returns '{value.type}' here"
            message = f"expected result #{index} of each region to be '{result.type}'"
            return [Problem(message, notes=((note, last),))]
    return []


INDEX_SWITCH: Final = OpDefinition(
    "scf.index_switch",
    operands=(Operand("arg", INDEX_TYPE),),
    results=RESULTS,
    properties=(Property("cases", DENSE_I64_ARRAY),),
    regions=(
        RegionDefinition("defaultRegion", single_block=True),
        RegionDefinition("caseRegions", Arity.VARIADIC, single_block=True),
    ),
    traits=(RECURSIVE_MEMORY_EFFECTS, SINGLE_BLOCK),
    interfaces=(edges.SWITCH,),
    implicit_terminator="scf.yield",
    assembly=(
        "$arg attr-dict (`->` type($results)^)? custom<SwitchCases>($cases, $caseRegions) `\\n` "
        "`` `default` $defaultRegion"
    ),
    directives={"SwitchCases": SWITCH_CASES},
    resolve=resolve_switch,
    verify=_verify_switch,
    summary="one of several regions by an index",
)

OPERATIONS: Final = (YIELD, IF, EXECUTE_REGION, INDEX_SWITCH)
