"""Loops of omp: nests of them, those that can be transformed, and what transforms them.

Source of the rules: *'omp' Dialect*, "Loop transformations", and observed behaviour of mlir-opt 22.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from fathom.dialects import own_description
from fathom.ir.attributes import UNIT, DenseArrayAttr, IntegerAttr, i64_attr
from fathom.ir.types import I64
from fathom.irdl.clauses import clause, two_way
from fathom.irdl.definition import CustomSyntax
from fathom.irdl.keywords import expect_keyword
from fathom.irdl.listed import listed
from fathom.ops.omp import CanonicalLoopOp

if TYPE_CHECKING:
    from fathom.ir.operation import BlockArgument, Operation, Value
    from fathom.irdl.protocols import Argument, Node, OpParser, OpPrinter, ParsedOp, Ref, Resolver


def _argument(parser: OpParser, *, with_type: bool) -> Argument:
    return parser.argument(allow_type=with_type, allow_attributes=False)


def _values(p: OpPrinter, values: Sequence[Value]) -> None:
    p.write("(")
    p.values(values)
    p.write(")")


def _block_arguments(op: Operation) -> Sequence[BlockArgument]:
    block = op.regions[0].first if op.regions else None
    return block.arguments if block is not None else ()


# ---- loop_nest

_BOUNDS: Final = ("loop_lower_bounds", "loop_upper_bounds", "loop_steps")


def _parse_nest(parser: OpParser, parsed: ParsedOp) -> Node:
    """`(%i, %j) : i32 = (%a, %b) to (%c, %d) inclusive step (%e, %f) collapse(2) tiles(4, 8) {…} {attributes}`."""
    parser.expect("(")
    variables = listed(parser, lambda: _argument(parser, with_type=False)) if parser.at_kind("value") else []
    parser.expect(")")
    parser.expect(":")
    type = parser.type()
    for variable in variables:
        variable.type = type
    parser.expect("=")
    lower, upper, steps = _BOUNDS
    parsed.operands[lower] = _bounds(parser, parsed, len(variables))
    expect_keyword(parser, parsed, "to")
    parsed.operands[upper] = _bounds(parser, parsed, len(variables))
    if parser.accept("inclusive"):
        parsed.attributes["loop_inclusive"] = UNIT
    expect_keyword(parser, parsed, "step")
    parsed.operands[steps] = _bounds(parser, parsed, len(variables))
    if parser.accept("collapse"):
        parser.expect("(")
        number = parser.integer_literal()
        parser.expect(")")
        if number > 1:
            parsed.attributes["collapse_num_loops"] = i64_attr(number)
    if parser.accept("tiles"):
        parser.expect("(")
        parsed.attributes["tile_sizes"] = DenseArrayAttr(I64, tuple(listed(parser, parser.integer_literal)))
        parser.expect(")")
    parser.region(parsed, variables)
    parser.attr_dict(parsed)
    return type


def _bounds(parser: OpParser, parsed: ParsedOp, count: int) -> list[Ref]:
    at = parser.here()
    found = parser.value_list()
    if len(found) != count:
        parser.fail(f"custom op '{parsed.name}' expected {count} operands", at)
    return found


def _resolve_nest(resolver: Resolver, parsed: ParsedOp, node: Node) -> None:
    type = resolver.type(node)
    tokens = [token for name in _BOUNDS for token in parsed.operands[name]]
    resolver.operands = [resolver.operand(token, type) for token in tokens]


def _print_nest(op: Operation, p: OpPrinter) -> None:
    variables = _block_arguments(op)
    p.write(" ")
    _values(p, variables)
    p.write(" : ")
    p.types([variable.type for variable in variables[:1]])
    p.write(" = ")
    lower, upper, steps = map(op.all_of, _BOUNDS)
    _values(p, lower)
    p.write(" to ")
    _values(p, upper)
    p.write(" inclusive step " if "loop_inclusive" in op.properties else " step ")
    _values(p, steps)
    p.write(" ")
    collapse, tiles = op.properties.get("collapse_num_loops"), op.properties.get("tile_sizes")
    if isinstance(collapse, IntegerAttr) and collapse.value > 1:
        p.write(f"collapse({collapse.value}) ")
    if isinstance(tiles, DenseArrayAttr):
        p.write(f"tiles({', '.join(map(str, tiles.values))}) ")
    p.region(op.regions[0], entry_arguments=False)


LOOP_NEST: Final = CustomSyntax(_parse_nest, _print_nest, _resolve_nest)


# ---- canonical loops


def _parse_canonical(parser: OpParser, parsed: ParsedOp) -> Argument:
    """`(%cli) %i : i32 in range(%count) {…} {attributes}`."""
    if parser.accept("("):
        parsed.operands["cli"] = [parser.value_use()]
        parser.expect(")")
    variable = _argument(parser, with_type=True)
    expect_keyword(parser, parsed, "in")
    expect_keyword(parser, parsed, "range")
    parser.expect("(")
    parsed.operands["tripCount"] = [parser.value_use()]
    parser.expect(")")
    parser.region(parsed, [variable])
    parser.attr_dict(parsed)
    return variable


def _resolve_canonical(resolver: Resolver, parsed: ParsedOp, variable: Argument) -> None:
    (count,) = parsed.operands["tripCount"]
    resolver.operands = [resolver.operand(count, resolver.argument_type(variable))]
    info = own_description("omp").types["CanonicalLoopInfoType"].make_type()
    resolver.operands += [resolver.operand(token, info) for token in parsed.operands.get("cli", ())]


def _print_canonical(op: CanonicalLoopOp, p: OpPrinter) -> None:
    if op.cli is not None:
        _values(p, [op.cli])
    p.write(" ")
    for variable in _block_arguments(op)[:1]:
        p.value(variable)
        p.write(" : ")
        p.type(variable.type)
    p.write(" in range")
    _values(p, [op.tripCount])
    p.write(" ")
    p.region(op.regions[0], entry_arguments=False)
    p.attr_dict(op)


CANONICAL_LOOP: Final = CustomSyntax(_parse_canonical, _print_canonical, _resolve_canonical, operands_first=True)


def _parse_unroll(parser: OpParser, parsed: ParsedOp) -> None:
    """`(%cli) -> () {attributes}`."""
    parser.expect("(")
    parsed.operands["applyee"] = [parser.value_use()]
    parser.expect(")")
    if parser.accept("->"):
        parser.expect("(")
        parser.expect(")")
    parser.attr_dict(parsed)


def _print_unroll(op: Operation, p: OpPrinter) -> None:
    _values(p, op.operands)
    p.attr_dict(op)


UNROLL_HEURISTIC: Final = CustomSyntax(_parse_unroll, _print_unroll)


LOOPS: Final = clause("(`(` $0^ `)`)? (`<` `` `-` `(` $1^ `)`)?")


# ---- target_allocmem

TARGET_ALLOCMEM: Final = two_way(
    "$device `:` type($device) `,` $in_type (`` `(` $typeparams^ `:` type($typeparams) `)`)? (`,` $shape^)? attr-dict"
)
