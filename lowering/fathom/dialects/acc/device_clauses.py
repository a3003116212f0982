"""What stands in the clauses of acc's operations that speak of types of devices.

    async([#acc.device_type<nvidia>], %a : i32)     wait({devnum: %d : i32, %q : i32} [#acc.device_type<host>])
    gang({num=%n : i32, static=%s : i32})

Source of the rules: *'acc' Dialect*, and observed behaviour of mlir-opt 22.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Final

from fathom.dialects.acc.common import any_device, attribute, device, is_for_any_device, print_device
from fathom.ir.attributes import FALSE, TRUE, ArrayAttr, Attribute, DenseArrayAttr, IntegerAttr
from fathom.ir.property_values import elements_property, numbers_property
from fathom.ir.types import I32
from fathom.irdl.cases import word_of
from fathom.irdl.definition import CustomDirective
from fathom.irdl.listed import array_of, listed, print_list, typed

if TYPE_CHECKING:
    from fathom.ir.operation import Operation, Value
    from fathom.irdl.protocols import Node, OpParser, OpPrinter, ParsedOp, Ref

# ---- types of devices


def _devices(parser: OpParser) -> list[Node]:
    """What follows `[`."""
    found = listed(parser, parser.attribute)
    parser.expect("]")
    return found


def _print_devices(p: OpPrinter, devices: Sequence[Attribute]) -> None:
    if devices:
        p.write("[")
        print_list(p, devices, p.attribute)
        p.write("]")


def _says_nothing(op: Operation, operands: str, devices: str) -> bool:
    """Whether a clause is its keyword alone."""
    return not op.all_of(operands) and is_for_any_device(elements_property(op, devices))


# ---- values


def typed_value(parser: OpParser, values: list[Ref], types: list[Node]) -> None:
    """`%a : i32`."""
    values.append(parser.value_use())
    parser.expect(":")
    types.append(parser.type())


def _parse_values(parser: OpParser, parsed: ParsedOp, arguments: Sequence[str]) -> None:
    """`%a : i32, %b : i32 [#acc.device_type<nvidia>]`."""
    operands, _, devices = arguments[:3]
    values: list[Ref] = []
    types: list[Node] = []

    def read() -> Node | Attribute:
        typed_value(parser, values, types)
        return device(parser)

    parsed.attributes[devices] = array_of(parser, listed(parser, read))
    parsed.operands[operands], parsed.types[operands] = values, types


def _print_values(op: Operation, p: OpPrinter, arguments: Sequence[str]) -> None:
    def write(pair: tuple[Value, Attribute]) -> None:
        typed(p, pair[0])
        print_device(p, pair[1])

    print_list(p, zip(op.all_of(arguments[0]), elements_property(op, arguments[2]), strict=False), write)


def _parse_values_or_keyword(parser: OpParser, parsed: ParsedOp, arguments: Sequence[str]) -> None:
    """`([#acc.device_type<nvidia>], %a : i32)`, or nothing. The device types in front are read, and lost."""
    if not parser.accept("("):
        parsed.attributes[arguments[3]] = ArrayAttr((any_device(),))
        return
    if parser.accept("["):
        _devices(parser)
        parser.expect(",")
    _parse_values(parser, parsed, arguments)
    parser.expect(")")


def _print_values_or_keyword(op: Operation, p: OpPrinter, arguments: Sequence[str]) -> None:
    if _says_nothing(op, arguments[0], arguments[3]):
        return
    p.write("(")
    _print_devices(p, elements_property(op, arguments[3]))
    if elements_property(op, arguments[3]) and elements_property(op, arguments[2]):
        p.write(", ")
    _print_values(op, p, arguments)
    p.write(")")


def _group(parser: OpParser, values: list[Ref], types: list[Node], read: Callable[[], None] | None = None) -> int:
    """`{%a : i32, %b : i32}`, and how many values stand in it."""
    before = len(values)
    parser.expect("{")
    if read is not None:
        read()
    listed(parser, lambda: typed_value(parser, values, types))
    parser.expect("}")
    return len(values) - before


def _parse_groups(parser: OpParser, parsed: ParsedOp, arguments: Sequence[str]) -> None:
    """`{%a : i32, %b : i32} [#acc.device_type<nvidia>], {%c : i32}`."""
    operands, _, devices, segments = arguments
    values: list[Ref] = []
    types: list[Node] = []
    found = listed(parser, lambda: (_group(parser, values, types), device(parser)))
    parsed.operands[operands], parsed.types[operands] = values, types
    parsed.attributes[devices] = array_of(parser, [each[1] for each in found])
    parsed.attributes[segments] = DenseArrayAttr(I32, tuple(each[0] for each in found))


def _print_groups(op: Operation, p: OpPrinter, arguments: Sequence[str]) -> None:
    operands, _, devices, segments = arguments
    _print_grouped(op, p, operands, devices, segments, lambda _: "", lambda _: "")


def _print_grouped(
    op: Operation,
    p: OpPrinter,
    operands: str,
    devices: str,
    segments: str,
    of_group: Callable[[int], str],
    of_value: Callable[[int], str],
) -> None:
    """Groups of values, with what stands in front of each group and of each value."""
    values, sizes = op.all_of(operands), numbers_property(op, segments)

    def write(index: int) -> None:
        start = sum(sizes[:index])
        p.write("{" + of_group(index))
        for position in range(start, min(start + sizes[index], len(values))):
            p.write((", " if position > start else "") + of_value(position))
            typed(p, values[position])
        p.write("}")
        print_device(p, elements_property(op, devices)[index])

    print_list(p, range(min(len(sizes), len(elements_property(op, devices)))), write)


def _parse_wait(parser: OpParser, parsed: ParsedOp, arguments: Sequence[str]) -> None:
    """`([#acc.device_type<host>], {devnum: %d : i32, %q : i32} [#acc.device_type<nvidia>])`, or nothing."""
    operands, _, devices, segments, has_number, keyword_only = arguments
    if not parser.accept("("):
        parsed.attributes[keyword_only] = ArrayAttr((any_device(),))
        return
    keywords: list[Node] = []
    if parser.accept("["):
        keywords = _devices(parser)
        parser.expect(",")
    values: list[Ref] = []
    types: list[Node] = []
    numbers: list[Attribute] = []

    def number() -> None:
        stated = parser.accept("devnum")
        if stated:
            parser.expect(":")
        numbers.append(TRUE if stated else FALSE)

    found = listed(parser, lambda: (_group(parser, values, types, number), device(parser)))
    parser.expect(")")
    parsed.operands[operands], parsed.types[operands] = values, types
    parsed.attributes[devices] = array_of(parser, [each[1] for each in found])
    parsed.attributes[keyword_only] = array_of(parser, keywords)
    parsed.attributes[segments] = DenseArrayAttr(I32, tuple(each[0] for each in found))
    parsed.attributes[has_number] = ArrayAttr(tuple(numbers))


def _print_wait(op: Operation, p: OpPrinter, arguments: Sequence[str]) -> None:
    operands, _, devices, segments, has_number, keyword_only = arguments
    if _says_nothing(op, operands, keyword_only):
        return
    numbers = elements_property(op, has_number)
    p.write("(")
    _print_devices(p, elements_property(op, keyword_only))
    if elements_property(op, keyword_only) and elements_property(op, devices):
        p.write(", ")
    stated = [isinstance(each, IntegerAttr) and bool(each.value) for each in numbers]
    _print_grouped(
        op, p, operands, devices, segments, lambda i: "devnum: " if i < len(stated) and stated[i] else "", lambda _: ""
    )
    p.write(")")


# ---- gang

_GANG_ARGUMENTS: Final = {"num": "Num", "dim": "Dim", "static": "Static"}


def _parse_gang(parser: OpParser, parsed: ParsedOp, arguments: Sequence[str]) -> None:
    """`([#acc.device_type<host>], {num=%n : i32, static=%s : i32} [#acc.device_type<nvidia>])`, or nothing."""
    operands, _, kinds, devices, segments, keyword_only = arguments
    if not parser.accept("("):
        parsed.attributes[keyword_only] = ArrayAttr((any_device(),))
        return
    keywords: list[Node] = []
    values: list[Ref] = []
    types: list[Node] = []
    found_kinds: list[Attribute] = []
    found: list[tuple[int, Node | Attribute]] = []
    is_first = True
    if parser.accept("["):
        keywords = _devices(parser)
        is_first = False
    # A comma must stand behind the values of a group before there can be values in the next.
    while is_first or parser.accept(","):
        is_first = False
        before = len(values)
        parser.expect("{")
        _gang_values(parser, parsed, values, types, found_kinds)
        if not values:
            parser.fail(f"custom op '{parsed.name}' expect at least one of num, dim or static values")
        parser.expect("}")
        found.append((len(values) - before, device(parser)))
    parser.expect(")")
    parsed.operands[operands], parsed.types[operands] = values, types
    parsed.attributes[kinds] = ArrayAttr(tuple(found_kinds))
    parsed.attributes[devices] = array_of(parser, [each[1] for each in found])
    parsed.attributes[segments] = DenseArrayAttr(I32, tuple(each[0] for each in found))
    parsed.attributes[keyword_only] = array_of(parser, keywords)


def _gang_values(
    parser: OpParser, parsed: ParsedOp, values: list[Ref], types: list[Node], kinds: list[Attribute]
) -> None:
    """`num=%n : i32, static=%s : i32`. Behind the values of another group a comma stands in front."""
    while True:
        needs_value = False
        if values:
            if not parser.accept(","):
                return
            needs_value = True
        before = len(values)
        for keyword, kind in _GANG_ARGUMENTS.items():
            if parser.accept(keyword):
                parser.expect("=")
                typed_value(parser, values, types)
                kinds.append(attribute("GangArgTypeAttr", kind))
        if len(values) == before:
            if needs_value:
                parser.fail(f"custom op '{parsed.name}' new value expected after comma")
            return


def _print_gang(op: Operation, p: OpPrinter, arguments: Sequence[str]) -> None:
    operands, _, kinds, devices, segments, keyword_only = arguments
    if _says_nothing(op, operands, keyword_only):
        return
    words = [word_of(each).lower() for each in elements_property(op, kinds)]
    p.write("(")
    _print_devices(p, elements_property(op, keyword_only))
    if elements_property(op, keyword_only) and elements_property(op, devices):
        p.write(", ")
    _print_grouped(
        op, p, operands, devices, segments, lambda _: "", lambda i: f"{words[i]}=" if i < len(words) else "="
    )
    p.write(")")


DEVICE_CLAUSES: Final[Mapping[str, CustomDirective]] = {
    "DeviceTypeOperands": CustomDirective(_parse_values, _print_values),
    "DeviceTypeOperandsWithKeywordOnly": CustomDirective(_parse_values_or_keyword, _print_values_or_keyword),
    "DeviceTypeOperandsWithSegment": CustomDirective(_parse_groups, _print_groups),
    "GangClause": CustomDirective(_parse_gang, _print_gang),
    "NumGangs": CustomDirective(_parse_groups, _print_groups),
    "WaitClause": CustomDirective(_parse_wait, _print_wait),
}
