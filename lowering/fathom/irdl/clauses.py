"""Syntax that is written once, to be read and printed: forms that code gives in the place of two functions.

    "mlir.selection": OpCode(custom=two_way("custom<Control>($selection_control) custom<Body>($region)"))
    "AlignedClause": clause("list($0 `:` type($0) `->` $2)")

A form is an assembly format with further directives: `list(…)`, and the clauses below, which stand in forms only.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Final

from fathom.ir.attributes import FALSE, TRUE, StringAttr
from fathom.irdl.declared import CustomDirective, CustomSyntax
from fathom.irdl.region_arguments import ARGUMENT_CLAUSES, region_called

if TYPE_CHECKING:
    from fathom.ir.operation import Operation
    from fathom.irdl.protocols import OpParser, OpPrinter, ParsedOp, Resolver


def two_way(
    form: str,
    resolve: Callable[[Resolver, ParsedOp, None], None] | None = None,
    *,
    operands_first: bool = False,
    completes: bool = True,
) -> CustomSyntax[None]:
    """The syntax of an operation by a form."""
    return CustomSyntax(form=form, resolve=resolve, operands_first=operands_first, completes=completes)


def clause(form: str) -> CustomDirective:
    """The code behind `custom<Name>(…)` by a form, in which the arguments have numbers."""
    return CustomDirective(form=form)


def either(no: str, yes: str, message: str) -> CustomDirective:
    """The code behind `custom<Name>($flag)` for a truth value that one of two words says."""

    def parse(parser: OpParser, parsed: ParsedOp, arguments: Sequence[str]) -> None:
        word = parser.keyword((no, yes), f"custom op '{parsed.name}' {message}")
        parsed.attributes[arguments[0]] = TRUE if word == yes else FALSE

    def write(op: Operation, p: OpPrinter, arguments: Sequence[str]) -> None:
        p.write(yes if op.properties.get(arguments[0]) == TRUE else no)

    return CustomDirective(parse, write)


# ---- names, types and regions


def _parse_name(parser: OpParser, parsed: ParsedOp, arguments: Sequence[str]) -> None:
    parsed.attributes[arguments[0]] = parser.symbol_attribute()


def _print_name(op: Operation, p: OpPrinter, arguments: Sequence[str]) -> None:
    name = op.properties.get(arguments[0])
    if isinstance(name, StringAttr):
        p.symbol(name.value)


def _parse_arrow(parser: OpParser, parsed: ParsedOp, arguments: Sequence[str]) -> None:
    results, *others = arguments
    types = parsed.types[results] = parser.optional_arrow_types()
    for name in others:
        parsed.types[name], count = types, len(parsed.operands.get(name, ()))
        if count != len(types):
            counts = f"got {count} operands and {len(types)} types"
            message = f"number of operands and types do not match: {counts}"
            parser.fail(f"custom op '{parsed.name}' {message}", parsed.name_token)


def _print_arrow(op: Operation, p: OpPrinter, arguments: Sequence[str]) -> None:
    assert op.definition is not None, "a form belongs to a definition"
    p.arrow_types([result.type for result in op.definition.result_groups(op)[arguments[0]]])


def _print_results(op: Operation, p: OpPrinter, arguments: Sequence[str]) -> None:
    del arguments
    if op.results:
        p.write(" -> (")
        p.types([result.type for result in op.results])
        p.write(")")


def _parse_one_type(parser: OpParser, parsed: ParsedOp, arguments: Sequence[str]) -> None:
    parsed.types[arguments[0]] = [parser.type()] * len(parsed.operands[arguments[0]])


def _print_one_type(op: Operation, p: OpPrinter, arguments: Sequence[str]) -> None:
    p.types([value.type for value in op.all_of(arguments[0])[:1]])


def _parse_region(parser: OpParser, parsed: ParsedOp, arguments: Sequence[str]) -> None:
    del arguments
    named, parsed.named = parsed.named, []
    parser.region(parsed, named)


def _print_labelled(op: Operation, p: OpPrinter, arguments: Sequence[str]) -> None:
    p.region(region_called(op, arguments[0]))


def _print_unlabelled(op: Operation, p: OpPrinter, arguments: Sequence[str]) -> None:
    p.region(region_called(op, arguments[0]), entry_arguments=False)


def _print_body(op: Operation, p: OpPrinter, arguments: Sequence[str]) -> None:
    p.region(region_called(op, arguments[0]), entry_arguments=False, terminators=bool(op.results))


CLAUSES: Final[Mapping[str, CustomDirective]] = {
    **ARGUMENT_CLAUSES,
    "Arrow": CustomDirective(_parse_arrow, _print_arrow, lambda parser: parser.at("->"), spaced=True),
    "Results": CustomDirective(_parse_arrow, _print_results, lambda parser: parser.at("->"), spaced=True),
    "Body": CustomDirective(_parse_region, _print_body),
    "Labelled": CustomDirective(_parse_region, _print_labelled),
    "Name": CustomDirective(_parse_name, _print_name, lambda parser: parser.at_kind("symbol")),
    "OneType": CustomDirective(_parse_one_type, _print_one_type),
    "Unlabelled": CustomDirective(_parse_region, _print_unlabelled),
}
"""The clauses that all forms may have, beside those of `region_arguments`: `custom<Arrow>(type($results))`, ` -> f32`
or nothing, which may be the types of operands too; `custom<Results>(type($results))`, the same, printed ` -> (f32)`;
`custom<Body>($region)`, without the arguments of its entry block, which are named elsewhere, and without a terminator
that says nothing; `custom<Unlabelled>($region)`, with its terminator; `custom<Labelled>($region)`, with both;
`custom<Name>($sym_name)`, `@name` for a string that no constraint says to be the name of a symbol;
`custom<OneType>(type($values))`, the type that all values of a group have."""
