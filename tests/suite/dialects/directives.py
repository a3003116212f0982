"""The code behind `custom<…>` in the formats of operations of `test`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from fathom.ir.attributes import DenseArrayAttr, IntegerAttr
from fathom.ir.types import I64
from fathom.irdl.definition import CustomDirective

if TYPE_CHECKING:
    from fathom.ir.operation import Operation, Value
    from fathom.irdl.protocols import OpParser, OpPrinter, ParsedOp

Arguments = Sequence[str]


def _values(op: Operation, name: str) -> Sequence[Value]:
    """The operands or results of a group."""
    assert op.definition is not None, "a format belongs to a definition"
    return {**op.definition.operand_groups(op), **op.definition.result_groups(op)}[name]


# ---- `%a, %b -> (%c, %d)` and the types of these


def _parse_operands(parser: OpParser, parsed: ParsedOp, arguments: Arguments) -> None:
    one, optional, several = arguments[:3]
    parsed.operands[one] = [parser.value_use()]
    parsed.operands[optional] = [parser.value_use()] if parser.accept(",") else []
    parser.expect("->")
    parsed.operands[several] = parser.value_list()


def _print_operands(op: Operation, p: OpPrinter, arguments: Arguments) -> None:
    one, optional, several = arguments[:3]
    p.values([*_values(op, one), *_values(op, optional)])
    p.write(" -> (")
    p.values(_values(op, several))
    p.write(")")


def _parse_types(parser: OpParser, parsed: ParsedOp, arguments: Arguments) -> None:
    one, optional, several = arguments[:3]
    parser.expect(":")
    parsed.types[one] = [parser.type()]
    parsed.types[optional] = [parser.type()] if parser.accept(",") else []
    parser.expect("->")
    parser.expect("(")
    parsed.types[several] = parser.optional_type_list()
    parser.expect(")")


def _print_types(op: Operation, p: OpPrinter, arguments: Arguments) -> None:
    one, optional, several = arguments[:3]
    p.write(" : ")
    p.types([value.type for name in (one, optional) for value in _values(op, name)])
    p.write(" -> (")
    p.types([value.type for value in _values(op, several)])
    p.write(")")


def _parse_both(parser: OpParser, parsed: ParsedOp, arguments: Arguments) -> None:
    _parse_operands(parser, parsed, arguments)
    _parse_types(parser, parsed, arguments[3:])


def _print_both(op: Operation, p: OpPrinter, arguments: Arguments) -> None:
    _print_operands(op, p, arguments)
    _print_types(op, p, arguments[3:])


def _parse_types_again(parser: OpParser, parsed: ParsedOp, arguments: Arguments) -> None:
    parser.expect("type_refs_capture")
    _parse_types(parser, parsed, arguments)


def _print_types_again(op: Operation, p: OpPrinter, arguments: Arguments) -> None:
    p.write(" type_refs_capture ")
    _print_types(op, p, arguments)


def _parse_in_parentheses(parser: OpParser, parsed: ParsedOp, arguments: Arguments) -> None:
    parsed.operands[arguments[0]] = parser.value_list() if parser.at("(") else []


def _print_in_parentheses(op: Operation, p: OpPrinter, arguments: Arguments) -> None:
    if values := _values(op, arguments[0]):
        p.write("(")
        p.values(values)
        p.write(") ")


def _parse_count(parser: OpParser, parsed: ParsedOp, arguments: Arguments) -> None:
    del parsed, arguments
    parser.integer_literal()


def _print_count(op: Operation, p: OpPrinter, arguments: Arguments) -> None:
    p.write(str(len(_values(op, arguments[0]))))


# ---- regions and successors


def _parse_regions(parser: OpParser, parsed: ParsedOp, arguments: Arguments) -> None:
    del arguments
    parser.region(parsed)
    if parser.accept(","):
        parser.region(parsed)


def _print_regions(op: Operation, p: OpPrinter, arguments: Arguments) -> None:
    del arguments
    for position, region in enumerate(op.regions):
        p.write(", " if position == 1 else "")
        p.region(region)


def _parse_successors(parser: OpParser, parsed: ParsedOp, arguments: Arguments) -> None:
    """The second stands for two."""
    del arguments
    parser.successor_block(parsed)
    if parser.accept(","):
        parser.successor_block(parsed)
        parsed.successors.append(parsed.successors[-1])


def _print_successors(op: Operation, p: OpPrinter, arguments: Arguments) -> None:
    del arguments
    p.write(", ".join(map(p.label, op.successors[:2])))


def _parse_cases(parser: OpParser, parsed: ParsedOp, arguments: Arguments) -> None:
    numbers: list[int] = []
    while parser.accept("case"):
        numbers.append(parser.integer_literal())
        parser.region(parsed)
    parsed.attributes[arguments[0]] = DenseArrayAttr(I64, tuple(numbers))


def _print_cases(op: Operation, p: OpPrinter, arguments: Arguments) -> None:
    numbers = op.properties.get(arguments[0])
    for number, region in zip(numbers.values if isinstance(numbers, DenseArrayAttr) else (), op.regions, strict=False):
        p.newline()
        p.write(f"case {number} ")
        p.region(region, entry_arguments=False)


def _parse_nothing(parser: OpParser, parsed: ParsedOp, arguments: Arguments) -> None:
    del parser, parsed, arguments


def _print_nothing(op: Operation, p: OpPrinter, arguments: Arguments) -> None:
    del op, p, arguments


# ---- attributes and properties


def _parse_attributes(parser: OpParser, parsed: ParsedOp, arguments: Arguments) -> None:
    parsed.attributes[arguments[0]] = parser.attribute()
    if len(arguments) > 1 and parser.accept(","):
        parsed.attributes[arguments[1]] = parser.attribute()


def _print_attributes(op: Operation, p: OpPrinter, arguments: Arguments) -> None:
    for position, name in enumerate(name for name in arguments if name in op.properties):
        p.write(", " if position else "")
        p.attribute(op.properties[name])


def _parse_dictionary(parser: OpParser, parsed: ParsedOp, arguments: Arguments) -> None:
    del arguments
    parser.attr_dict(parsed)


def _print_dictionary(op: Operation, p: OpPrinter, arguments: Arguments) -> None:
    del arguments
    p.attr_dict(op)


def _parse_foo(parser: OpParser, parsed: ParsedOp, arguments: Arguments) -> None:
    parser.expect("foo")
    parsed.attributes[arguments[0]] = parser.attribute()


def _print_foo(op: Operation, p: OpPrinter, arguments: Arguments) -> None:
    p.write("foo ")
    p.attribute(op.properties[arguments[0]])


def _parse_numbers(parser: OpParser, parsed: ParsedOp, arguments: Arguments) -> None:
    parser.expect("[")
    numbers: list[int] = []
    while not parser.at("]"):
        if numbers:
            parser.expect(",")
        numbers.append(parser.integer_literal())
    parser.expect("]")
    parsed.attributes[arguments[0]] = DenseArrayAttr(I64, tuple(numbers))


def _print_numbers(op: Operation, p: OpPrinter, arguments: Arguments) -> None:
    attribute = op.properties.get(arguments[0])
    p.write(f"[{', '.join(map(str, attribute.values)) if isinstance(attribute, DenseArrayAttr) else ''}]")


def _number(op: Operation, name: str) -> int:
    attribute = op.properties.get(name)
    return attribute.value if isinstance(attribute, IntegerAttr) else 0


def _parse_number(parser: OpParser, parsed: ParsedOp, arguments: Arguments) -> None:
    parsed.attributes[arguments[0]] = IntegerAttr(parser.integer_literal(), I64)


def _print_number(op: Operation, p: OpPrinter, arguments: Arguments) -> None:
    p.write(str(_number(op, arguments[0])))


def _parse_sum(parser: OpParser, parsed: ParsedOp, arguments: Arguments) -> None:
    at = parser.here()
    second = parser.integer_literal()
    parser.expect("=")
    total = parser.integer_literal()
    first = parsed.attributes.get(arguments[1])
    if isinstance(first, IntegerAttr) and first.value + second != total:
        parser.fail(f"custom op '{parsed.name}' Expected sum to equal first + second", at)
    parsed.attributes[arguments[0]] = IntegerAttr(second, I64)


def _print_sum(op: Operation, p: OpPrinter, arguments: Arguments) -> None:
    second, first = (_number(op, name) for name in arguments)
    p.write(f"{second} = {first + second}")


DIRECTIVES: Final = {
    "CustomDirectiveAttrDict": CustomDirective(_parse_dictionary, _print_dictionary),
    "CustomDirectiveAttributes": CustomDirective(_parse_attributes, _print_attributes),
    "CustomDirectiveOperands": CustomDirective(_parse_operands, _print_operands),
    "CustomDirectiveOperandsAndTypes": CustomDirective(_parse_both, _print_both),
    "CustomDirectiveOptionalOperandRef": CustomDirective(_parse_count, _print_count),
    "CustomDirectiveRegions": CustomDirective(_parse_regions, _print_regions),
    "CustomDirectiveResults": CustomDirective(_parse_types, _print_types),
    "CustomDirectiveSpacing": CustomDirective(_parse_attributes, _print_attributes),
    "CustomDirectiveSuccessors": CustomDirective(_parse_successors, _print_successors),
    "CustomDirectiveWithTypeRefs": CustomDirective(_parse_types_again, _print_types_again),
    "CustomOptionalOperand": CustomDirective(_parse_in_parentheses, _print_in_parentheses),
    "DummyRegionRef": CustomDirective(_parse_nothing, _print_nothing),
    "DummySuccessorRef": CustomDirective(_parse_nothing, _print_nothing),
    "IntProperty": CustomDirective(_parse_number, _print_number),
    "OptionalCustomParser": CustomDirective(_parse_foo, _print_foo, lambda parser: parser.at("foo")),
    "SumProperty": CustomDirective(_parse_sum, _print_sum),
    "SwitchCases": CustomDirective(_parse_cases, _print_cases),
    "UsingPropertyInCustom": CustomDirective(_parse_numbers, _print_numbers),
}
