"""Enumerations in the texts of the spirv dialect's operations: bare words, or strings, of which some are sets.

Source of the rules: the parsing helpers of MLIR 22's dialect.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from fathom.dialects import own_description
from fathom.dialects.spirv.types import cases
from fathom.ir.attributes import ArrayAttr, IntegerAttr
from fathom.ir.dialect_values import DialectAttr
from fathom.ir.types import I32
from fathom.irdl.definition import CustomDirective

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from fathom.ir.attributes import Attribute
    from fathom.ir.operation import Operation
    from fathom.ir.types import Type
    from fathom.irdl.protocols import Node, OpParser, OpPrinter, ParsedOp, Ref


def attribute_of(enumeration: str, value: int) -> Attribute:
    """The attribute `#spirv.name<case>` for a number."""
    return own_description("spirv").attributes[f"{enumeration}Attr"].make_attribute(value=value)


def spelling(op: Operation, name: str, enumeration: str) -> str:
    """The case, or the set of cases, that a property of an operation is."""
    value = op.properties.get(name)
    number = value.parameters[0] if isinstance(value, DialectAttr) and value.parameters else 0
    return own_description("spirv").enumerations[enumeration].spell(number if isinstance(number, int) else 0)


def number(op: Operation, name: str) -> int | None:
    """The number of a property that is a case of an enumeration; None where it is not there."""
    value = op.properties.get(name)
    parameter = value.parameters[0] if isinstance(value, DialectAttr) and value.parameters else None
    return parameter if isinstance(parameter, int) else None


def _number_of(known: Mapping[str, int], text: str) -> int | None:
    total = 0
    for word in text.split("|"):
        if word.strip() not in known:
            return None
        total |= known[word.strip()]
    return total


def parse_word(parser: OpParser, op_name: str, enumeration: str, attribute: str) -> int:
    """A bare case."""
    start = parser.here()
    parser.suggest(cases(enumeration))
    word = parser.optional_word()
    if word is None:
        parser.fail(f"custom op '{op_name}' expected valid keyword")
    case = cases(enumeration).get(word)
    if case is None:
        parser.fail(f"custom op '{op_name}' invalid {attribute} attribute specification: {word}", start)
    return case


def parse_string(parser: OpParser, op_name: str, enumeration: str, attribute: str) -> int:
    """A case, or a set of them, as a string."""
    if not parser.at_kind("string"):
        start = parser.here()
        parser.attribute()
        parser.fail(f"custom op '{op_name}' expected {attribute} attribute specified as string", start)
    token = parser.string()
    text = parser.text(token)
    bits = _number_of(cases(enumeration), text.strip('"'))
    if bits is None:
        parser.fail(f"custom op '{op_name}' invalid {attribute} attribute specification: {text}", token)
    return bits


def _of_case(parse: Callable[[OpParser, str, str, str], int], form: str) -> CustomDirective:
    """The code behind `custom<Word>($property, "Enumeration")`, and behind `custom<Quoted>(…)`."""

    def read(parser: OpParser, parsed: ParsedOp, arguments: Sequence[str]) -> None:
        name, enumeration = arguments
        parsed.attributes[name] = attribute_of(enumeration, parse(parser, parsed.name, enumeration, name))

    return CustomDirective(read, lambda op, p, arguments: p.write(form.format(spelling(op, *arguments))))


def _parse_list(
    parser: OpParser, parsed: ParsedOp, name: str, first: Sequence[Node] = (), type: Type | None = None
) -> None:
    """Reads the rest of a list of attributes: `, @a, @b`."""
    nodes = [*first]
    while parser.accept(","):
        nodes.append(parser.attribute(type))
    parsed.attributes[name] = parser.composed_attribute(
        lambda _, attribute: ArrayAttr(tuple(attribute(node, type) for node in nodes))
    )


def _elements(op: Operation, name: str) -> str:
    """The elements of an array, without their types."""
    listed_in = op.properties.get(name)
    listed = listed_in.elements if isinstance(listed_in, ArrayAttr) else ()
    return ", ".join(
        str(attribute.value) if isinstance(attribute, IntegerAttr) else str(attribute) for attribute in listed
    )


def _parse_further(parser: OpParser, parsed: ParsedOp, arguments: Sequence[str]) -> None:
    _parse_list(parser, parsed, arguments[0], type=I32 if "i32" in arguments else None)


def _print_further(op: Operation, p: OpPrinter, arguments: Sequence[str]) -> None:
    if text := _elements(op, arguments[0]):
        p.write(f", {text}")


def _parse_parts(parser: OpParser, parsed: ParsedOp, arguments: Sequence[str]) -> None:
    parser.expect("(")
    _parse_list(parser, parsed, arguments[0], [parser.attribute()])
    parser.expect(")")


def _parse_pair(parser: OpParser, parsed: ParsedOp, arguments: Sequence[str]) -> None:
    pair = parse_pair(parser, parsed.name)
    parsed.operands.update((name, [token]) for name, token in zip(arguments, pair, strict=True))


def _print_pair(op: Operation, p: OpPrinter, arguments: Sequence[str]) -> None:
    p.values([op.one_of(name) for name in arguments])


DIRECTIVES: Final = {
    "Further": CustomDirective(_parse_further, _print_further, lambda parser: parser.at(","), spaced=True),
    "Pair": CustomDirective(_parse_pair, _print_pair),
    "Quoted": _of_case(parse_string, '"{}"'),
    "Word": _of_case(parse_word, "{}"),
    "Parts": CustomDirective(_parse_parts, lambda op, p, arguments: p.write(f"({_elements(op, arguments[0])})")),
}
"""`custom<Further>($array)` is `, @a, @b`, of numbers with `"i32"`; `custom<Parts>($array)` is `(@a, @b)`."""


def parse_pair(parser: OpParser, op_name: str) -> list[Ref]:
    """`%a, %b`: just two operands."""
    start = parser.here()
    if not parser.at_kind("value"):
        parser.fail("unexpected delimiter" if parser.at_any(("(", "[")) else "expected operand")
    values = parser.bare_value_list()
    if len(values) != 2:
        parser.fail(f"custom op '{op_name}' expected 2 operands", start)
    return values
