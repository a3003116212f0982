"""Loops of omp: nests of them, those that can be transformed, and what transforms them.

Source of the rules: *'omp' Dialect*, "Loop transformations", and observed behaviour of mlir-opt 22.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Final

from fathom.ir.attributes import DenseArrayAttr, i64_attr
from fathom.ir.property_values import numbers_property
from fathom.ir.types import I64
from fathom.irdl.clauses import clause, two_way
from fathom.irdl.definition import CustomDirective
from fathom.irdl.keywords import comma_separated
from fathom.ops.omp import LoopNestOp

if TYPE_CHECKING:
    from fathom.ir.operation import Operation
    from fathom.irdl.protocols import OpParser, OpPrinter, ParsedOp


def _parse_loop_type(parser: OpParser, parsed: ParsedOp, arguments: Sequence[str]) -> None:
    node = parser.type()
    for variable in parsed.named:
        variable.type = node
    for group in arguments:
        parsed.types[group] = [node] * len(parsed.named)


def _print_loop_type(op: Operation, p: OpPrinter, arguments: Sequence[str]) -> None:
    p.types([value.type for value in op.all_of(arguments[0])[:1]])


def _parse_collapse(parser: OpParser, parsed: ParsedOp, arguments: Sequence[str]) -> None:
    number = parser.integer_literal()
    if number > 1:
        parsed.attributes[arguments[0]] = i64_attr(number)


def _print_collapse(op: LoopNestOp, p: OpPrinter, _: Sequence[str]) -> None:
    p.write(str(op.collapse_num_loops.value))


def _parse_tiles(parser: OpParser, parsed: ParsedOp, arguments: Sequence[str]) -> None:
    parsed.attributes[arguments[0]] = DenseArrayAttr(I64, tuple(comma_separated(parser, parser.integer_literal)))


def _print_tiles(op: LoopNestOp, p: OpPrinter, arguments: Sequence[str]) -> None:
    p.write(", ".join(map(str, numbers_property(op, arguments[0]))))


def _parse_no_results(parser: OpParser, parsed: ParsedOp, _: Sequence[str]) -> None:
    if parser.accept("->"):
        parser.expect("(")
        parser.expect(")")


DIRECTIVES: Final[Mapping[str, CustomDirective]] = {
    "LoopTransformClis": clause("(`(` $0^ `)`)? (`<` `` `-` `(` $1^ `)`)?"),
    "LoopType": CustomDirective(_parse_loop_type, _print_loop_type),
    "Collapse": CustomDirective(_parse_collapse, _print_collapse),
    "Tiles": CustomDirective(_parse_tiles, _print_tiles),
    "NoResults": CustomDirective(_parse_no_results, lambda op, p, _: None, spaced=True),
}
"""`custom<LoopType>(type($bounds), …)` is the type of the variables, and of these groups, which have one value for
each."""
LOOP_NEST: Final = two_way(
    "custom<Variables>(ref($region)) `:` custom<LoopType>(type($loop_lower_bounds), type($loop_upper_bounds), "
    "type($loop_steps)) `=` custom<Each>($loop_lower_bounds) `to` custom<Each>($loop_upper_bounds) "
    "(`inclusive` $loop_inclusive^)? `step` custom<Each>($loop_steps) "
    "(`collapse` `(` custom<Collapse>($collapse_num_loops)^ `)`)? (`tiles` `(` custom<Tiles>($tile_sizes)^ `)`)? "
    "custom<Unlabelled>($region) attr-dict"
)
CANONICAL_LOOP: Final = two_way(
    "(`` `(` $cli^ `)`)? custom<Variable>(ref($region)) `:` custom<LoopType>(type($tripCount)) `in` `range` "
    "`(` $tripCount `)` custom<Unlabelled>($region) attr-dict",
    operands_first=True,
)
UNROLL_HEURISTIC: Final = two_way("`` `(` $applyee `)` custom<NoResults>() attr-dict")
TARGET_ALLOCMEM: Final = two_way(
    "$device `:` type($device) `,` $in_type (`` `(` $typeparams^ `:` type($typeparams) `)`)? (`,` $shape^)? attr-dict"
)
