"""`affine.for`, `affine.if`, and `affine.yield`, which ends the regions of all affine operations.

Source of the rules: *Affine Dialect*; the texts of errors are those of MLIR 22's parser and verifiers.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from fathom.dialects.affine.loop_folds import bound_operands, trip_count
from fathom.dialects.affine.scope import check_identifiers
from fathom.dialects.affine.syntax import (
    check_counts,
    map_of,
    parse_dims_and_symbols,
    parse_number_or_attribute,
    print_applied,
    refuse,
    resolve_applied,
)
from fathom.dialects.scf.common import check_carried, check_edge, entry_arguments, terminator_of
from fathom.dialects.scf.edges import loop
from fathom.ir.affine import AffineConstant, AffineMap, AffineSymbol
from fathom.ir.attributes import AffineMapAttr, IntegerAttr, IntegerSetAttr, index_attr
from fathom.ir.operation import types_of
from fathom.ir.types import INDEX
from fathom.irdl.clauses import two_way
from fathom.irdl.code import OpCode
from fathom.irdl.definition import CustomDirective
from fathom.irdl.interfaces import LoopLike, RegionBranch, Speculatable, Speculation
from fathom.irdl.region_edges import into_either, out
from fathom.irdl.verifying import Complaint, verifies
from fathom.ops.affine import ForOp, IfOp, ParallelOp, YieldOp
from fathom.records import record

if TYPE_CHECKING:
    from fathom.irdl.protocols import Node, OpParser, OpPrinter, ParsedOp, Ref, Resolver

# ---- bounds


@record
class Bound:
    """`10`, or `max #map(%i)[%n]`: an attribute, and how many dimensions and symbols it is applied to, if any."""

    attribute: Node
    at: Ref
    has_prefix: bool
    applied: tuple[list[Ref], list[Ref]] | None
    behind: Ref


_PREFIXES: Final = {"lower": "max", "upper": "min"}


def _parse_bound(parser: OpParser, parsed: ParsedOp, arguments: Sequence[str]) -> None:
    """`%n`, `10`, or `max #map(%i)[%n]`."""
    group, name, which = arguments
    has_prefix = parser.accept(_PREFIXES[which])
    at = parser.here()
    if parser.at_kind("value"):
        parsed.operands[group] = parser.bare_value_list()
        parsed.attributes[name] = AffineMapAttr(AffineMap(0, 1, (AffineSymbol(0),)))
        if len(parsed.operands[group]) > 1:
            parser.fail(f"custom op '{parsed.name}' expected only one loop bound operand", parsed.name_token)
        return
    attribute = parse_number_or_attribute(parser, INDEX)
    behind = parser.here()
    applied = parse_dims_and_symbols(parser) if parser.at("(") else None
    parsed.operands[group] = [token for tokens in applied or () for token in tokens]
    parsed.notes[name] = Bound(attribute, at, has_prefix, applied, behind)


def _resolve_bound(resolver: Resolver, parsed: ParsedOp, bound: Bound, which: str) -> AffineMapAttr:
    """The map of a bound. A number, or an attribute that turns out to be one, is applied to nothing."""
    attribute = resolver.attribute(bound.attribute, INDEX)
    if isinstance(attribute, IntegerAttr) and bound.applied is None:
        return AffineMapAttr(AffineMap(0, 0, (AffineConstant(attribute.value),)))
    if not isinstance(attribute, AffineMapAttr):
        refuse(resolver, parsed, "expected valid affine map representation for loop bounds")
    if bound.applied is None:
        resolver.fail("expected '(' in operand list", bound.behind)
    check_counts(resolver, parsed, "affine map", bound.applied, (attribute.map.dims, attribute.map.symbols))
    if len(attribute.map.results) > 1 and not bound.has_prefix:
        needed = f"requires '{_PREFIXES[which]}' prefix"
        message = f"{which} loop bound affine map with multiple results {needed}"
        refuse(resolver, parsed, message, bound.at)
    return attribute


def _print_bound(op: ForOp, p: OpPrinter, arguments: Sequence[str]) -> None:
    """A number, a single symbol, or a map with what it is applied to."""
    group, name, which = arguments
    values = op.all_of(group)
    match map := map_of(op, name):
        case AffineMap(0, 0, (AffineConstant(value),)):
            p.write(str(value))
        case AffineMap(0, 1, (AffineSymbol(),)) if values:
            p.value(values[0])
        case _:
            p.write(f"{_PREFIXES[which]} " if len(map.results) != 1 else "")
            print_applied(op.properties.get(name), map.dims, values, p)


# ---- affine.for


def _parse_to(parser: OpParser, parsed: ParsedOp, _: Sequence[str]) -> None:
    parser.expect("to", f"custom op '{parsed.name}' expected 'to' between bounds")


def _parse_step(parser: OpParser, parsed: ParsedOp, arguments: Sequence[str]) -> None:
    """`step 2`, or nothing for 1."""
    if not parser.accept("step"):
        parsed.attributes[arguments[0]] = index_attr(1)
        return
    at = parser.here()
    if parser.at("-"):
        if parser.integer_literal("expected constant integer or floating point value") == 0:
            parser.fail("integer constant out of range for attribute", parser.here() - 1)
        message = "expected step to be representable as a positive signed integer"
        parser.fail(f"custom op '{parsed.name}' {message}", at)
    parsed.attributes[arguments[0]] = parse_number_or_attribute(parser, INDEX)


def _print_step(op: ForOp, p: OpPrinter, _: Sequence[str]) -> None:
    if op.step.value != 1:
        p.write(f" step {op.step.value}")


def _resolve_for(resolver: Resolver, parsed: ParsedOp, _: None) -> None:
    for which in _PREFIXES:
        if (bound := parsed.notes.get(f"{which}BoundMap")) is not None:
            resolver.properties[f"{which}BoundMap"] = _resolve_bound(resolver, parsed, bound, which)
    resolver.resolve_by_rules()


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


def _resolve_if(resolver: Resolver, parsed: ParsedOp, _: None) -> None:
    applied, attribute = resolve_applied(resolver, parsed, "condition", IntegerSetAttr)
    given = applied.dims, applied.symbols
    check_counts(resolver, parsed, "integer set", given, (attribute.set.dims, attribute.set.symbols))
    resolver.result_types = resolver.types(parsed.types["results"])


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


DIRECTIVES: Final = {
    "Bound": CustomDirective(_parse_bound, _print_bound),
    "Step": CustomDirective(_parse_step, _print_step, spaced=True),
    "To": CustomDirective(_parse_to, lambda op, p, _: p.write("to")),
}
CODE: Final = {
    "for": OpCode(
        custom=two_way(
            'custom<Variable>(ref($region), "located") `=` custom<Bound>($lowerBoundOperands, $lowerBoundMap, "lower") '
            'custom<To>() custom<Bound>($upperBoundOperands, $upperBoundMap, "upper") custom<Step>($step) '
            'custom<Carried>($inits, type($results), "iter_args", '
            '"mismatch between the number of loop-carried values and results") custom<Body>($region) attr-dict',
            _resolve_for,
            operands_first=True,
        ),
        interfaces=(Speculatable(_speculation_of_for), loop("inits", trip_count), LoopLike(trip_count=trip_count)),
    ),
    "if": OpCode(
        custom=two_way(
            "custom<Applied>($operands, $condition) custom<Arrow>(type($results)) custom<Body>($thenRegion) "
            "(`else` custom<Body>($elseRegion)^)? attr-dict",
            _resolve_if,
        ),
        interfaces=(RegionBranch(lambda op, _: into_either(op, None), out),),
    ),
}
