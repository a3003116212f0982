"""Enumerations in the texts of the spirv dialect's operations: bare words, or strings, of which some are sets.

Source of the rules: the parsing helpers of MLIR 22's dialect.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from fathom.dialects import own_description
from fathom.dialects.spirv.types import cases
from fathom.ir.dialect_values import DialectAttr
from fathom.irdl.definition import CustomDirective

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from fathom.ir.attributes import Attribute
    from fathom.ir.operation import Operation
    from fathom.irdl.protocols import OpParser, OpPrinter, ParsedOp, Ref


def attribute_of(enumeration: str, value: int) -> Attribute:
    """The attribute `#spirv.name<case>` for a number."""
    made = own_description("spirv").attributes[f"{enumeration}Attr"].make(value=value)
    assert isinstance(made, DialectAttr), "the definition is one of an attribute"
    return made


def spelling(op: Operation, name: str, enumeration: str) -> str:
    """The case, or the set of cases, that a property of an operation is."""
    value = op.properties.get(name)
    number = value.parameters[0] if isinstance(value, DialectAttr) and value.parameters else 0
    return own_description("spirv").enumerations[enumeration].spell(number if isinstance(number, int) else 0)


def number(op: Operation, name: str) -> int | None:
    """The number of a property that is a case of an enumeration; None where it is not there."""
    value = op.properties.get(name)
    found = value.parameters[0] if isinstance(value, DialectAttr) and value.parameters else None
    return found if isinstance(found, int) else None


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
    found = cases(enumeration).get(word)
    if found is None:
        parser.fail(f"custom op '{op_name}' invalid {attribute} attribute specification: {word}", start)
    return found


def parse_string(parser: OpParser, op_name: str, enumeration: str, attribute: str) -> int:
    """A case, or a set of them, as a string."""
    if not parser.at_kind("string"):
        start = parser.here()
        parser.attribute()
        parser.fail(f"custom op '{op_name}' expected {attribute} attribute specified as string", start)
    token = parser.string()
    text = parser.text(token)
    found = _number_of(cases(enumeration), text.strip('"'))
    if found is None:
        parser.fail(f"custom op '{op_name}' invalid {attribute} attribute specification: {text}", token)
    return found


def _parse_pair(parser: OpParser, parsed: ParsedOp, arguments: Sequence[str]) -> None:
    pair = parse_pair(parser, parsed.name)
    parsed.operands.update((name, [token]) for name, token in zip(arguments, pair, strict=True))


def _print_pair(op: Operation, p: OpPrinter, arguments: Sequence[str]) -> None:
    p.values([op.one_of(name) for name in arguments])


DIRECTIVES: Final = {"Pair": CustomDirective(_parse_pair, _print_pair)}


def parse_pair(parser: OpParser, op_name: str) -> list[Ref]:
    """`%a, %b`: just two operands."""
    start = parser.here()
    if not parser.at_kind("value"):
        parser.fail("unexpected delimiter" if parser.at_any(("(", "[")) else "expected operand")
    values = parser.bare_value_list()
    if len(values) != 2:
        parser.fail(f"custom op '{op_name}' expected 2 operands", start)
    return values
