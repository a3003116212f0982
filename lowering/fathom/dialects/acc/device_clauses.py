"""What stands in the clauses of acc's operations that speak of types of devices.

    async([#acc.device_type<nvidia>], %a : i32)     wait({devnum: %d : i32, %q : i32} [#acc.device_type<host>])
    gang({num=%n : i32, static=%s : i32})

Source of the rules: *'acc' Dialect*, and observed behaviour of mlir-opt 22.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Final

from fathom.dialects.acc.common import any_device, attribute, device, is_for_any_device, print_device
from fathom.ir.attributes import FALSE, TRUE, ArrayAttr, Attribute, DenseArrayAttr
from fathom.ir.property_values import elements_property, numbers_property
from fathom.ir.types import I32
from fathom.irdl.cases import word_of
from fathom.irdl.definition import CustomDirective
from fathom.irdl.keywords import comma_separated
from fathom.irdl.listed import array_of, print_list, typed, typed_value

if TYPE_CHECKING:
    from fathom.ir.operation import Operation, Value
    from fathom.irdl.protocols import Node, OpParser, OpPrinter, ParsedOp

# ---- types of devices in front


def opened(parser: OpParser, parsed: ParsedOp, keyword_only: str) -> bool:
    """`([#acc.device_type<host>], `, with the types of devices or without. Where there is no parenthesis, the clause is
    its keyword alone."""
    if not parser.accept("("):
        parsed.attributes[keyword_only] = ArrayAttr((any_device(),))
        return False
    devices: list[Node] = []
    if parser.accept("["):
        devices = comma_separated(parser, parser.attribute)
        parser.expect("]")
        parser.expect(",")
    parsed.attributes[keyword_only] = array_of(parser, devices)
    return True


def print_opened(p: OpPrinter, keyword_only: Sequence[Attribute], devices: Sequence[Attribute]) -> bool:
    """Writes the same, unless the clause is its keyword alone; whether it is more."""
    if not devices and is_for_any_device(keyword_only):
        return False
    p.write("(")
    if keyword_only:
        p.write("[")
        print_list(p, keyword_only, p.attribute)
        p.write("], " if devices else "]")
    return True


# ---- values


def _parse_values(parser: OpParser, parsed: ParsedOp, arguments: Sequence[str]) -> None:
    """`%a : i32, %b : i32 [#acc.device_type<nvidia>]`."""
    operands, _, devices = arguments[:3]

    def read() -> Node | Attribute:
        typed_value(parser, parsed, operands)
        return device(parser)

    parsed.attributes[devices] = array_of(parser, comma_separated(parser, read))


def _print_values(op: Operation, p: OpPrinter, arguments: Sequence[str]) -> None:
    def write(pair: tuple[Value, Attribute]) -> None:
        typed(p, pair[0])
        print_device(p, pair[1])

    print_list(p, zip(op.all_of(arguments[0]), elements_property(op, arguments[2]), strict=False), write)


def _parse_values_or_keyword(parser: OpParser, parsed: ParsedOp, arguments: Sequence[str]) -> None:
    """`([#acc.device_type<nvidia>], %a : i32)`, or nothing. The device types in front are read, and lost."""
    if opened(parser, parsed, arguments[3]):
        del parsed.attributes[arguments[3]]
        _parse_values(parser, parsed, arguments)
        parser.expect(")")


def _print_values_or_keyword(op: Operation, p: OpPrinter, arguments: Sequence[str]) -> None:
    if print_opened(p, elements_property(op, arguments[3]), elements_property(op, arguments[2])):
        _print_values(op, p, arguments)
        p.write(")")


def _parse_group(parser: OpParser, parsed: ParsedOp, operands: str) -> tuple[int, Node | Attribute]:
    """`%a : i32, %b : i32} [#acc.device_type<nvidia>]`: how many values stand in it, and for what device."""
    count = len(comma_separated(parser, lambda: typed_value(parser, parsed, operands)))
    parser.expect("}")
    return count, device(parser)


def _set_groups(
    parser: OpParser, parsed: ParsedOp, devices: str, segments: str, entries: Sequence[tuple[int, Node | Attribute]]
) -> None:
    parsed.attributes[devices] = array_of(parser, [listed for _, listed in entries])
    parsed.attributes[segments] = DenseArrayAttr(I32, tuple(count for count, _ in entries))


def _parse_groups(parser: OpParser, parsed: ParsedOp, arguments: Sequence[str]) -> None:
    """`{%a : i32, %b : i32} [#acc.device_type<nvidia>], {%c : i32}`."""
    operands, _, devices, segments = arguments

    def read() -> tuple[int, Node | Attribute]:
        parser.expect("{")
        return _parse_group(parser, parsed, operands)

    _set_groups(parser, parsed, devices, segments, comma_separated(parser, read))


def _print_groups(
    op: Operation,
    p: OpPrinter,
    arguments: Sequence[str],
    of_groups: Sequence[str] = (),
    of_values: Sequence[str] = (),
) -> None:
    """Groups of values, with what stands in front of each group and of each value."""
    operands, devices, segments = arguments[0], arguments[-2], arguments[-1]
    values, sizes = op.all_of(operands), numbers_property(op, segments)

    def write(index: int) -> None:
        start = sum(sizes[:index])
        p.write("{" + "".join(of_groups[index : index + 1]))
        for position in range(start, min(start + sizes[index], len(values))):
            p.write((", " if position > start else "") + "".join(of_values[position : position + 1]))
            typed(p, values[position])
        p.write("}")
        print_device(p, elements_property(op, devices)[index])

    print_list(p, range(min(len(sizes), len(elements_property(op, devices)))), write)


def _parse_wait(parser: OpParser, parsed: ParsedOp, arguments: Sequence[str]) -> None:
    """`([#acc.device_type<host>], {devnum: %d : i32, %q : i32} [#acc.device_type<nvidia>])`, or nothing."""
    operands, _, devices, segments, has_number, keyword_only = arguments
    numbers: list[Attribute] = []

    def read() -> tuple[int, Node | Attribute]:
        parser.expect("{")
        stated = parser.accept("devnum")
        if stated:
            parser.expect(":")
        numbers.append(TRUE if stated else FALSE)
        return _parse_group(parser, parsed, operands)

    if opened(parser, parsed, keyword_only):
        _set_groups(parser, parsed, devices, segments, comma_separated(parser, read))
        parser.expect(")")
        parsed.attributes[has_number] = ArrayAttr(tuple(numbers))


def _print_wait(op: Operation, p: OpPrinter, arguments: Sequence[str]) -> None:
    operands, _, devices, segments, has_number, keyword_only = arguments
    if print_opened(p, elements_property(op, keyword_only), elements_property(op, devices)):
        stated = ["devnum: " if element == TRUE else "" for element in elements_property(op, has_number)]
        _print_groups(op, p, (operands, devices, segments), stated)
        p.write(")")


# ---- gang

_GANG_ARGUMENTS: Final = {"num": "Num", "dim": "Dim", "static": "Static"}


def _parse_gang(parser: OpParser, parsed: ParsedOp, arguments: Sequence[str]) -> None:
    """`([#acc.device_type<host>], {num=%n : i32, static=%s : i32} [#acc.device_type<nvidia>])`, or nothing."""
    operands, _, kinds, devices, segments, keyword_only = arguments
    if not opened(parser, parsed, keyword_only):
        return
    found_kinds: list[Attribute] = []
    groups: list[tuple[int, Node | Attribute]] = []
    # A comma must stand behind the values of a group before there can be values in the next.
    while not groups or parser.accept(","):
        before = len(found_kinds)
        parser.expect("{")
        _gang_values(parser, parsed, operands, found_kinds)
        if not found_kinds:
            parser.fail(f"custom op '{parsed.name}' expect at least one of num, dim or static values")
        parser.expect("}")
        groups.append((len(found_kinds) - before, device(parser)))
    parser.expect(")")
    parsed.attributes[kinds] = ArrayAttr(tuple(found_kinds))
    _set_groups(parser, parsed, devices, segments, groups)


def _gang_values(parser: OpParser, parsed: ParsedOp, operands: str, kinds: list[Attribute]) -> None:
    """`num=%n : i32, static=%s : i32`. Behind the values of another group a comma stands in front."""
    while True:
        before = len(kinds)
        if kinds and not parser.accept(","):
            return
        for keyword, kind in _GANG_ARGUMENTS.items():
            if parser.accept(keyword):
                parser.expect("=")
                typed_value(parser, parsed, operands)
                kinds.append(attribute("GangArgTypeAttr", kind))
        if len(kinds) == before:
            if kinds:
                parser.fail(f"custom op '{parsed.name}' new value expected after comma")
            return


def _print_gang(op: Operation, p: OpPrinter, arguments: Sequence[str]) -> None:
    operands, _, kinds, devices, segments, keyword_only = arguments
    if print_opened(p, elements_property(op, keyword_only), elements_property(op, devices)):
        words = [f"{word_of(element).lower()}=" for element in elements_property(op, kinds)]
        _print_groups(op, p, (operands, devices, segments), of_values=words)
        p.write(")")


DEVICE_CLAUSES: Final[Mapping[str, CustomDirective]] = {
    "DeviceTypeOperands": CustomDirective(_parse_values, _print_values),
    "DeviceTypeOperandsWithKeywordOnly": CustomDirective(_parse_values_or_keyword, _print_values_or_keyword),
    "DeviceTypeOperandsWithSegment": CustomDirective(_parse_groups, _print_groups),
    "GangClause": CustomDirective(_parse_gang, _print_gang),
    "NumGangs": CustomDirective(_parse_groups, _print_groups),
    "WaitClause": CustomDirective(_parse_wait, _print_wait),
}
