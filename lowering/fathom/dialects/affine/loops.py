"""`affine.for`, `affine.if`, and `affine.yield`, which ends the regions of all affine operations.

Source of the rules: *Affine Dialect*; the texts of errors are those of MLIR 22's parser and verifiers.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from fathom.dialects.affine.bounds import bound_operands
from fathom.dialects.affine.loop_folds import trip_count
from fathom.dialects.affine.scope import check_identifiers
from fathom.dialects.affine.syntax import (
    Applied,
    attribute_of,
    check_counts,
    indices,
    parse_applied,
    parse_dims_and_symbols,
    parse_number_or_attribute,
    print_applied,
    refuse,
)
from fathom.dialects.scf.common import (
    check_carried,
    check_edge,
    entry_arguments,
    parse_iter_args,
    print_carried,
    terminator_of,
)
from fathom.dialects.scf.edges import into_either, loop, out
from fathom.ir.affine import AffineConstant, AffineMap, AffineSymbol
from fathom.ir.attributes import AffineMapAttr, IntegerAttr, IntegerSetAttr, index_attr
from fathom.ir.operation import Value, types_of
from fathom.ir.types import INDEX
from fathom.irdl.build import segment_sizes
from fathom.irdl.code import OpCode
from fathom.irdl.definition import CustomSyntax
from fathom.irdl.interfaces import RegionBranch, Speculatable, Speculation
from fathom.irdl.verifying import Complaint, verifies
from fathom.ops.affine import ForOp, IfOp, ParallelOp, YieldOp
from fathom.records import record

if TYPE_CHECKING:
    from fathom.irdl.protocols import Node, OpParser, OpPrinter, ParsedOp, Ref, Resolver

# ---- bounds


@record
class Bound:
    """`%n`, `10`, or `max #map(%i)[%n]`. A number, or an attribute that turns out to be one, is applied to nothing."""

    has_prefix: bool
    at: Ref
    values: tuple[Ref, ...] = ()
    attribute: Node | None = None
    applied: tuple[list[Ref], list[Ref]] | None = None
    behind: Ref = 0


def _parse_bound(parser: OpParser, prefix: str) -> Bound:
    has_prefix = parser.accept(prefix)
    at = parser.here()
    if parser.at_kind("value"):
        return Bound(has_prefix, at, tuple(parser.bare_value_list()))
    attribute = parse_number_or_attribute(parser, INDEX)
    behind = parser.here()
    applied = parse_dims_and_symbols(parser) if parser.at("(") else None
    return Bound(has_prefix, at, (), attribute, applied, behind)


def _resolve_bound(
    resolver: Resolver, parsed: ParsedOp, bound: Bound, *, is_lower: bool
) -> tuple[AffineMapAttr, list[Value]]:
    """The map of a bound, and what it is applied to."""
    if bound.attribute is None:
        if len(bound.values) > 1:
            refuse(resolver, parsed, "expected only one loop bound operand")
        return AffineMapAttr(AffineMap(0, 1, (AffineSymbol(0),))), indices(resolver, bound.values)
    attribute = resolver.attribute(bound.attribute, INDEX)
    if isinstance(attribute, IntegerAttr) and bound.applied is None:
        return AffineMapAttr(AffineMap(0, 0, (AffineConstant(attribute.value),))), []
    if not isinstance(attribute, AffineMapAttr):
        refuse(resolver, parsed, "expected valid affine map representation for loop bounds")
    if bound.applied is None:
        resolver.fail("expected '(' in operand list", bound.behind)
    dims, symbols = bound.applied
    values = indices(resolver, [*dims, *symbols])
    check_counts(resolver, parsed, "affine map", (dims, symbols), (attribute.map.dims, attribute.map.symbols))
    if len(attribute.map.results) > 1 and not bound.has_prefix:
        which, prefix = ("lower", "max") if is_lower else ("upper", "min")
        message = f"{which} loop bound affine map with multiple results requires '{prefix}' prefix"
        refuse(resolver, parsed, message, bound.at)
    return attribute, values


def _print_bound(attribute: AffineMapAttr, values: Sequence[Value], prefix: str, p: OpPrinter) -> None:
    """A number, a single symbol, or a map with what it is applied to."""
    match attribute.map:
        case AffineMap(0, 0, (AffineConstant(value),)):
            p.write(str(value))
        case AffineMap(0, 1, (AffineSymbol(),)) if values:
            p.value(values[0])
        case map:
            p.write(f"{prefix} " if len(map.results) != 1 else "")
            print_applied(attribute, map.dims, values, p)


# ---- affine.for


@record
class For:
    """What the text of a loop says beside its region."""

    lower: Bound
    upper: Bound
    step: Node | None
    step_at: Ref
    initial: list[Ref]
    results: list[Node]


def _parse_for(parser: OpParser, parsed: ParsedOp) -> For:
    """`%i = %lb to min #map(%i)[%n] step 2 iter_args(%a = %x) -> (f32) {…} {attributes}`."""
    induction = parser.argument(allow_type=False, allow_attributes=False)
    parser.expect("=")
    lower = _parse_bound(parser, "max")
    parser.expect("to", f"custom op '{parsed.name}' expected 'to' between bounds")
    upper = _parse_bound(parser, "min")
    step: Node | None = None
    step_at = parser.here()
    if parser.accept("step"):
        step_at = parser.here()
        if parser.at("-"):
            if parser.integer_literal("expected constant integer or floating point value") == 0:
                parser.fail("integer constant out of range for attribute", parser.here() - 1)
            message = "expected step to be representable as a positive signed integer"
            parser.fail(f"custom op '{parsed.name}' {message}", step_at)
        step = parse_number_or_attribute(parser, INDEX)
    arguments, initial, results = parse_iter_args(parser)
    if len(results) != len(arguments):
        message = "mismatch between the number of loop-carried values and results"
        parser.fail(f"custom op '{parsed.name}' {message}", parsed.name_token)
    parser.region(parsed, [induction, *arguments])
    parser.attr_dict(parsed)
    return For(lower, upper, step, step_at, initial, results)


def _resolve_for(resolver: Resolver, parsed: ParsedOp, found: For) -> None:
    lower, lower_values = _resolve_bound(resolver, parsed, found.lower, is_lower=True)
    upper, upper_values = _resolve_bound(resolver, parsed, found.upper, is_lower=False)
    step = resolver.attribute(found.step, INDEX) if found.step is not None else index_attr(1)
    if not isinstance(step, IntegerAttr):
        refuse(resolver, parsed, "invalid kind of attribute specified", found.step_at)
    carried = resolver.types(found.results)
    resolver.region_argument_types = [[INDEX, *carried]]
    resolver.result_types = carried
    resolver.operands = [*lower_values, *upper_values, *resolver.operand_list(found.initial, carried)]
    sizes = segment_sizes(len(lower_values), len(upper_values), len(found.initial))
    resolver.properties |= {
        "lowerBoundMap": lower,
        "upperBoundMap": upper,
        "step": step,
        "operandSegmentSizes": sizes,
    }


def _print_for(op: ForOp, p: OpPrinter) -> None:
    arguments = entry_arguments(op)
    p.write(" ")
    if arguments:
        p.region_argument(arguments[0], omit_type=True)
    p.write(" = ")
    _print_bound(op.lowerBoundMap, op.lowerBoundOperands, "max", p)
    p.write(" to ")
    _print_bound(op.upperBoundMap, op.upperBoundOperands, "min", p)
    if op.step.value != 1:
        p.write(f" step {op.step.value}")
    print_carried("iter_args", arguments[1:], op.inits, p)
    p.write(" ")
    p.region(op.region, entry_arguments=False, terminators=bool(op.inits))
    p.attr_dict(op, elide=("lowerBoundMap", "upperBoundMap", "step"))


@verifies("affine.for", regions=True)
def _verify_for(op: ForOp) -> Complaint:
    arguments, last = entry_arguments(op), terminator_of(op.region)
    if problems := check_carried(op.inits, arguments[1:], last.operands if last is not None else (), None):
        return problems
    if problems := check_edge("parent", "parent", types_of(op.inits), types_of(op.results)):
        return problems
    if not arguments or arguments[0].type != INDEX:
        return "expected body to have a single index argument for the induction variable"
    maps = op.lowerBoundMap.map, op.upperBoundMap.map
    for map, values in zip(maps, bound_operands(op), strict=True):
        if map.inputs and (problems := check_identifiers(op, values, map.dims)):
            return problems
    for map, which in zip(maps, ("lower", "upper"), strict=True):
        if not map.results:
            return f"expected {which} bound map to have at least one result"
    return None


# ---- affine.if


@record
class If:
    """The set and what it is asked about, and the types of the results."""

    condition: Applied
    results: list[Node]


def _parse_if(parser: OpParser, parsed: ParsedOp) -> If:
    """`#set(%i)[%n] -> f32 {…} else {…} {attributes}`."""
    condition = parse_applied(parser)
    results = parser.optional_arrow_types()
    parser.region(parsed)
    if parser.accept("else"):
        parser.region(parsed)
    parser.attr_dict(parsed)
    return If(condition, results)


def _resolve_if(resolver: Resolver, parsed: ParsedOp, found: If) -> None:
    attribute = attribute_of(resolver, parsed, found.condition, IntegerSetAttr)
    resolver.operands = indices(resolver, found.condition.values)
    given = found.condition.dims, found.condition.symbols
    check_counts(resolver, parsed, "integer set", given, (attribute.set.dims, attribute.set.symbols))
    resolver.properties["condition"] = attribute
    resolver.result_types = resolver.types(found.results)


def _print_if(op: IfOp, p: OpPrinter) -> None:
    p.write(" ")
    print_applied(op.condition, op.condition.set.dims, op.operands, p)
    p.arrow_types(types_of(op.results))
    p.write(" ")
    p.region(op.thenRegion, entry_arguments=False, terminators=bool(op.results))
    if not op.elseRegion.is_empty:
        p.write(" else ")
        p.region(op.elseRegion, entry_arguments=False, terminators=bool(op.results))
    p.attr_dict(op, elide=("condition",))


@verifies("affine.if")
def _verify_if(op: IfOp) -> Complaint:
    if len(op.operands) != op.condition.set.inputs:
        return "operand count and condition integer set dimension and symbol count must match"
    return check_identifiers(op, op.operands, op.condition.set.dims)


@verifies("affine.if", regions=True)
def _verify_if_regions(op: IfOp) -> Complaint:
    return check_edge("parent", "parent", [], types_of(op.results)) if op.elseRegion.is_empty else None


# ---- affine.yield


@verifies("affine.yield")
def _verify_yield(op: YieldOp) -> Complaint:
    parent = op.parent_op
    if not isinstance(parent, (ForOp, IfOp, ParallelOp)):
        return "only terminates affine.if/for/parallel regions"
    if len(parent.results) != len(op.operands):
        return "parent of yield must have same number of results as the yield operands"
    if types_of(parent.results) != types_of(op.operands):
        return "types mismatch between yield op and its parent"
    return None


def _speculation_of_for(op: ForOp) -> Speculation:
    """A loop that counts by one comes to an end; of another, MLIR does not know."""
    return Speculation.IF_NESTED if op.step.value == 1 else Speculation.NEVER


CODE: Final = {
    "for": OpCode(
        custom=CustomSyntax(_parse_for, _print_for, _resolve_for, operands_first=True),
        interfaces=(Speculatable(_speculation_of_for), loop("inits", trip_count)),
    ),
    "if": OpCode(
        custom=CustomSyntax(_parse_if, _print_if, _resolve_if),
        interfaces=(RegionBranch(lambda op, _: into_either(op, None), out),),
    ),
}
