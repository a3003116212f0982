"""Types and attributes of a dialect that stand in an operation's format without dialect and name.

Their definition reads them from the tokens of the operation. The types and attributes inside are only known when the
operation is elaborated, so what is read has gaps, and is made when they are filled.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Final, NoReturn, TypeVar

from fathom.ir.attributes import Attribute
from fathom.ir.dialect_values import DialectAttr, DialectType, Parameter
from fathom.ir.types import Speller, Type
from fathom.records import record

if TYPE_CHECKING:
    from fathom.irdl.parametric import Parametric
    from fathom.irdl.protocols import AttributeSource, ComposedType, Node, OpParser


M = TypeVar("M")


@record(eq=False)
class TypeGap(Type):
    """A type that is still a tree."""

    node: Node

    def spell(self, of: Speller) -> str:
        return "<<type>>"


@record(eq=False)
class AttributeGap(Attribute):
    """An attribute that is still a tree; `implied` is the type of a literal that does not state its own."""

    node: Node
    implied: Type | None = None

    def spell(self, of: Speller) -> str:
        return "<<attribute>>"


def any_attribute_stands_next(parser: OpParser) -> bool:
    """Whether the text goes on with an attribute of whatever kind."""
    kinds = ("symbol", "string", "integer", "float", "alias", "type")
    words = ("[", "-", "true", "false", "unit", "dense", "array", "affine_map", "affine_set", "strided", "sparse")
    return any([parser.at_kind(kind) for kind in kinds]) or parser.at_any(words)  # noqa: C419 - part of the shape


def parse_stripped_attribute(definition: Parametric, parser: OpParser, op_name: str) -> AttributeSource:
    """The attribute of this definition that stands next."""
    parsed = definition.read(StrippedReader(parser, op_name))
    assert isinstance(parsed, DialectAttr), "the definition is one of an attribute"
    if not _has_gaps(parsed):
        return parsed
    return parser.composed_attribute(lambda type, attribute: _filled_attribute(parsed, type, attribute))


def parse_stripped_type(definition: Parametric, parser: OpParser, op_name: str) -> ComposedType:
    """The type of this definition that stands next."""
    parsed = definition.read(StrippedReader(parser, op_name))
    assert isinstance(parsed, DialectType), "the definition is one of a type"
    finish = definition.finish
    if finish is None:
        return parser.composed_type(lambda type, attribute: _filled_type(parsed, type, attribute))
    return parser.composed_type(lambda type, attribute: finish(_filled_type(parsed, type, attribute)))


def stripped_stands_next(definition: Parametric, parser: OpParser, op_name: str) -> bool:
    """Whether the text goes on with one of this definition."""
    return definition.at(StrippedReader(parser, op_name))


def _has_gaps(value: Parameter) -> bool:
    match value:
        case TypeGap() | AttributeGap():
            return True
        case DialectType() | DialectAttr():
            return any(map(_has_gaps, value.parameters))
        case tuple():
            return any(map(_has_gaps, value))
        case _:
            return False


def _filled_attribute(
    value: DialectAttr, type: Callable[[Node], Type], attribute: Callable[[Node, Type | None], Attribute]
) -> Attribute:
    filled = tuple(_filled(parameter, type, attribute) for parameter in value.parameters)
    return DialectAttr(value.dialect, value.name, filled, value.definition)


def _filled_type(
    value: DialectType, type: Callable[[Node], Type], attribute: Callable[[Node, Type | None], Attribute]
) -> DialectType:
    filled = tuple(_filled(parameter, type, attribute) for parameter in value.parameters)
    return DialectType(value.dialect, value.name, filled, value.definition)


def _filled(
    value: Parameter, type: Callable[[Node], Type], attribute: Callable[[Node, Type | None], Attribute]
) -> Parameter:
    match value:
        case TypeGap(node):
            return type(node)
        case AttributeGap(node, implied):
            return attribute(node, implied)
        case DialectType():
            return _filled_type(value, type, attribute)
        case DialectAttr():
            return _filled_attribute(value, type, attribute)
        case tuple():
            return tuple(_filled(element, type, attribute) for element in value)
        case _:
            return value


_KINDS: Final = {
    "BARE": "bare",
    "EXCLAIM": "type",
    "FLOAT": "float",
    "ALIAS": "alias",
    "HASH": "alias",
    "HEX": "integer",
    "INTEGER": "integer",
    "STRING": "string",
    "SYMBOL": "symbol",
}
"""The kinds of tokens by the names that the parser of operations gives them."""


class StrippedReader:
    """The tokens of an operation, as the definition of a type or attribute of its dialect reads them."""

    def __init__(self, parser: OpParser, op_name: str) -> None:
        self._parser = parser
        self._op_name = op_name
        self._last = parser.here()
        self._split: list[int | str] = []
        """What is left of a token such as `2 x 3 x`, which the parser has passed: here it is numbers and words."""

    def at(self, text: str) -> bool:
        return self._split[0] == text if self._split else self._parser.at(text)

    def at_kind(self, *kinds: str) -> bool:
        if self._split:
            return ("INTEGER" if isinstance(self._split[0], int) else "BARE") in kinds
        return any([self._parser.at_kind(_KINDS[kind]) for kind in kinds])  # noqa: C419 - part of the shape

    def at_type(self) -> bool:
        return self._parser.at_type()

    def at_attribute(self) -> bool:
        return any_attribute_stands_next(self._parser)

    def accept(self, text: str) -> bool:
        if self._split:
            return self.at(text) and bool(self._split.pop(0))
        self._last = self._parser.here()
        return self._parser.accept(text)

    def expect(self, text: str, message: str | None = None) -> None:
        if self._split and self.accept(text):
            return
        self._last = self._parser.here()
        self._parser.expect(text, message)

    def suggest(self, words: Iterable[str]) -> None:
        self._parser.suggest(words)

    def optional_keyword(self) -> str | None:
        self._last = self._parser.here()
        return self._parser.optional_word()

    def string(self) -> str:
        self._last = self._parser.string()
        return self._parser.text(self._last)[1:-1]

    def keyword_or_string(self) -> str:
        if self._parser.at_kind("string"):
            return self.string()
        word = self.optional_keyword()
        if word is None:
            self.fail_here("expected valid keyword or string")
        return word

    def integer(self) -> int:
        self._last = self._parser.here()
        if not self._split:
            extents = self._parser.extents_with_x()
            self._split = [part for extent in extents for part in (extent, "x")]
        if self._split and isinstance(self._split[0], int):
            return int(self._split.pop(0))
        return self._parser.integer_literal()

    def dimensions(self, missing: str = "expected 'x' in dimension list") -> list[int]:
        return self._parser.dimensions(missing)

    def type(self) -> Type:
        self._last = self._parser.here()
        return TypeGap(self._parser.type())

    def attribute(self) -> Attribute:
        self._last = self._parser.here()
        return AttributeGap(self._parser.attribute())

    def number(self, type: Type) -> Attribute:
        self._last = self._parser.here()
        return AttributeGap(self._parser.attribute(type), type)

    def affine_map(self) -> Attribute:
        self._last = self._parser.here()
        return AttributeGap(self._parser.affine_map())

    def part(self, read: Callable[[], M], further: str) -> M:
        return self._parser.part(read, f"custom op '{self._op_name}' {further}")

    def is_gap(self, value: Type | Attribute) -> bool:
        """Whether nothing can be said of a value yet."""
        return isinstance(value, (TypeGap, AttributeGap))

    def fail(self, message: str) -> NoReturn:
        self.fail_here(message)

    def fail_here(self, message: str) -> NoReturn:
        self._parser.fail(f"custom op '{self._op_name}' {message}")

    def fail_before(self, message: str) -> NoReturn:
        self._parser.fail(f"custom op '{self._op_name}' {message}", self._last)
