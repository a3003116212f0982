"""What the clauses of `acc.routine` say: names to bind, and kinds of parallelism by type of device.

Source of the rules: *'acc' Dialect*, and observed behaviour of mlir-opt 22.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Final

from fathom.dialects.acc.common import any_device, device, is_for_any_device, print_device
from fathom.dialects.acc.device_clauses import opened, print_opened
from fathom.ir.attributes import ArrayAttr, Attribute
from fathom.ir.property_values import elements_property
from fathom.irdl.definition import CustomDirective
from fathom.irdl.keywords import comma_separated, expect_keyword
from fathom.irdl.listed import array_of, print_list

if TYPE_CHECKING:
    from fathom.ir.operation import Operation
    from fathom.irdl.protocols import Node, OpParser, OpPrinter, ParsedOp


def _parse_bind(parser: OpParser, parsed: ParsedOp, arguments: Sequence[str]) -> None:
    """`@name, "name" [#acc.device_type<nvidia>]`."""
    identifiers, strings, of_identifiers, of_strings = arguments
    names_by_kind: dict[str, list[Node | Attribute]] = {name: [] for name in arguments}

    def read() -> None:
        is_symbol = parser.at_kind("symbol")
        names_by_kind[identifiers if is_symbol else strings].append(parser.attribute())
        names_by_kind[of_identifiers if is_symbol else of_strings].append(device(parser))

    comma_separated(parser, read)
    for name, names in names_by_kind.items():
        parsed.attributes[name] = array_of(parser, names)


def _print_bind(op: Operation, p: OpPrinter, arguments: Sequence[str]) -> None:
    identifiers, strings, of_identifiers, of_strings = (elements_property(op, name) for name in arguments)
    pairs = [*zip(identifiers, of_identifiers, strict=False), *zip(strings, of_strings, strict=False)]

    def write(pair: tuple[Attribute, Attribute]) -> None:
        p.attribute(pair[0])
        print_device(p, pair[1])

    print_list(p, pairs, write)


def _parse_gang(parser: OpParser, parsed: ParsedOp, arguments: Sequence[str]) -> None:
    """`([#acc.device_type<host>], dim: 1 : i64 [#acc.device_type<nvidia>])`, or nothing."""
    gang, dimensions, devices = arguments

    def read() -> tuple[Node, Node | Attribute]:
        expect_keyword(parser, parsed, "dim")
        parser.expect(":")
        return parser.attribute(), device(parser)

    if opened(parser, parsed, gang):
        entries = comma_separated(parser, read)
        parser.expect(")")
        parsed.attributes[dimensions] = array_of(parser, [entry[0] for entry in entries])
        parsed.attributes[devices] = array_of(parser, [entry[1] for entry in entries])


def _print_gang(op: Operation, p: OpPrinter, arguments: Sequence[str]) -> None:
    gang, dimensions, devices = (elements_property(op, name) for name in arguments)

    def write(pair: tuple[Attribute, Attribute]) -> None:
        p.write("dim: ")
        p.attribute(pair[0])
        print_device(p, pair[1])

    if print_opened(p, gang, devices):
        print_list(p, zip(dimensions, devices, strict=False), write)
        p.write(")")


def _parse_devices(parser: OpParser, parsed: ParsedOp, arguments: Sequence[str]) -> None:
    """`([#acc.device_type<nvidia>])`, or nothing."""
    if not parser.accept("("):
        parsed.attributes[arguments[0]] = ArrayAttr((any_device(),))
        return
    nodes: list[Node] = []
    if parser.accept("["):
        nodes = comma_separated(parser, parser.attribute)
        parser.expect("]")
        parser.expect(")")
    parsed.attributes[arguments[0]] = array_of(parser, nodes)


def _print_devices(op: Operation, p: OpPrinter, arguments: Sequence[str]) -> None:
    devices = elements_property(op, arguments[0])
    if not devices or is_for_any_device(devices):
        return
    p.write("([")
    print_list(p, devices, p.attribute)
    p.write("])")


CLAUSES: Final[Mapping[str, CustomDirective]] = {
    "BindName": CustomDirective(_parse_bind, _print_bind),
    "DeviceTypeArrayAttr": CustomDirective(_parse_devices, _print_devices),
    "RoutineGangClause": CustomDirective(_parse_gang, _print_gang),
}
