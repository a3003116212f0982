"""Clauses of forms that name the arguments of the region behind them, as loops do.

    custom<Variable>(ref($region))                                    %i, and with "located" where that is
    custom<Variables>(ref($region), ref($outputs))                    (%i, %j), and not what is carried as `outputs`
    custom<Each>($lowerBound)                                         (%a, %b), one for each of the variables
    custom<Carried>($initArgs, type($results), "iter_args", "why")    iter_args(%a = %x) -> (f32), or nothing
    custom<Initial>($inits, type($results), ref($before))             (%a = %x) : (f32) -> f32

Variables are of type `index`, unless a clause behind them says otherwise. Where not as many values are carried as there
are types, `why` is said; without it there may be no types in the text, which is said in MLIR's words.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import partial
from typing import TYPE_CHECKING

from fathom.ir.types import INDEX
from fathom.irdl.declared import CustomDirective
from fathom.irdl.keywords import bracketed
from fathom.irdl.listed import print_list

if TYPE_CHECKING:
    from fathom.ir.operation import Operation, Region, Value
    from fathom.irdl.protocols import Argument, Node, OpParser, OpPrinter, ParsedOp, Ref


def region_called(op: Operation, name: str) -> Region:
    """The region that the definition calls so."""
    assert op.definition is not None, "a form belongs to a definition"
    return op.regions[[region.name for region in op.definition.regions].index(name)]


# ---- variables


def _plain(parser: OpParser) -> Argument:
    """`%i`."""
    argument = parser.argument(allow_type=False, allow_attributes=False)
    argument.type = INDEX
    return argument


def parse_variables(parser: OpParser) -> list[Argument]:
    """`(%x, %y)`, without types: those of indices."""
    return bracketed(parser, "()", partial(_plain, parser), "argument list")


def _parse_variable(parser: OpParser, parsed: ParsedOp, _: Sequence[str]) -> None:
    parsed.named.append(_plain(parser))


def _print_variable(op: Operation, p: OpPrinter, arguments: Sequence[str]) -> None:
    for variable in region_called(op, arguments[0]).arguments[:1]:
        if "located" in arguments:
            p.region_argument(variable, omit_type=True)
        else:
            p.value(variable)


def _parse_variables(parser: OpParser, parsed: ParsedOp, _: Sequence[str]) -> None:
    parsed.named += parse_variables(parser)


def _print_variables(op: Operation, p: OpPrinter, arguments: Sequence[str]) -> None:
    inner = region_called(op, arguments[0]).arguments
    carried = sum(len(op.all_of(name)) for name in arguments[1:])
    _print_values(inner[: len(inner) - carried], p)


def _print_values(values: Iterable[Value], p: OpPrinter) -> None:
    p.write("(")
    p.values(values)
    p.write(")")


def _parse_each(parser: OpParser, parsed: ParsedOp, arguments: Sequence[str]) -> None:
    at, count = parser.here(), len(parsed.named)
    refs = parsed.operands[arguments[0]] = bracketed(parser, "()", parser.value_use, "operand list")
    if len(refs) != count:
        parser.fail(f"custom op '{parsed.name}' expected {count} operands", at)


def _print_each(op: Operation, p: OpPrinter, arguments: Sequence[str]) -> None:
    _print_values(op.all_of(arguments[0]), p)


# ---- what is carried


def parse_assignments(parser: OpParser) -> tuple[list[Argument], list[Ref]]:
    """`(%a = %x, %b = %y)`: the arguments of the region, and the values they start with."""

    def assignment() -> tuple[Argument, Ref]:
        argument = parser.argument(allow_type=False, allow_attributes=False)
        parser.expect("=")
        return argument, parser.value_use()

    pairs = bracketed(parser, "()", assignment)
    return [argument for argument, _ in pairs], [value for _, value in pairs]


def print_assignments(arguments: Sequence[Value], values: Sequence[Value], p: OpPrinter) -> None:
    """The same, without the parentheses."""

    def write(pair: tuple[Value, Value]) -> None:
        p.value(pair[0])
        p.write(" = ")
        p.value(pair[1])

    print_list(p, zip(arguments, values, strict=False), write)


def _carry(
    parsed: ParsedOp, group: str, arguments: Sequence[Argument], values: list[Ref], types: Sequence[Node]
) -> None:
    """The values of a group are what arguments of the region, which are of these types, begin with."""
    parsed.operands[group], parsed.types[group] = values, [*types]
    for argument, type in zip(arguments, types, strict=True):
        argument.type = type
    parsed.named += arguments


def _parse_carried(parser: OpParser, parsed: ParsedOp, arguments: Sequence[str]) -> None:
    (group, results, word), why, at = arguments[:3], "".join(arguments[3:]), parser.here()
    inside, values, types = list["Argument"](), list["Ref"](), list["Node"]()
    if parser.accept(word):
        inside, values = parse_assignments(parser)
        if why:
            parser.expect("->")
        types = parser.arrow_types() if why else parser.optional_arrow_types()
    if len(types) != len(values):
        counts = f"number of operands and types do not match: got {len(values)} operands and {len(types)} types"
        parser.fail(f"custom op '{parsed.name}' {why or counts}", parsed.name_token if why else at)
    _carry(parsed, group, inside, values, types)
    parsed.types[results] = types


def _print_carried(op: Operation, p: OpPrinter, arguments: Sequence[str]) -> None:
    values = op.all_of(arguments[0])
    if values:
        inside = op.regions[0].arguments
        p.write(f" {arguments[2]}(")
        print_assignments(inside[len(inside) - len(values) :], values, p)
        p.write(") -> (")
        p.types([value.type for value in values])
        p.write(")")


def _parse_initial(parser: OpParser, parsed: ParsedOp, arguments: Sequence[str]) -> None:
    inside, values = parse_assignments(parser) if parser.at("(") else ([], [])
    at = parser.here()
    parser.expect(":")
    inputs, parsed.types[arguments[1]] = parser.functional_type()
    if len(inputs) != len(values):
        counts = f"(expected {len(values)} got {len(inputs)})"
        parser.fail(f"custom op '{parsed.name}' expected as many input types as operands {counts}", at)
    _carry(parsed, arguments[0], inside, values, inputs)


def _print_initial(op: Operation, p: OpPrinter, arguments: Sequence[str]) -> None:
    values = op.all_of(arguments[0])
    if values:
        p.write("(")
        print_assignments(region_called(op, arguments[2]).arguments, values, p)
        p.write(") ")
    p.write(": ")
    p.functional_type([value.type for value in values], [result.type for result in op.results])


ARGUMENT_CLAUSES = {
    "Carried": CustomDirective(_parse_carried, _print_carried, spaced=True),
    "Each": CustomDirective(_parse_each, _print_each),
    "Initial": CustomDirective(_parse_initial, _print_initial),
    "Variable": CustomDirective(_parse_variable, _print_variable),
    "Variables": CustomDirective(_parse_variables, _print_variables),
}
"""The clauses by their names."""
