"""What the code behind custom directives has in common: lists, words, and arrays whose elements stand apart."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, TypeVar

from fathom.ir.attributes import ArrayAttr, Attribute

if TYPE_CHECKING:
    from fathom.ir.operation import Value
    from fathom.ir.types import Type
    from fathom.irdl.protocols import AttributeSource, Node, OpParser, OpPrinter, ParsedOp

T = TypeVar("T")


def any_word(parser: OpParser, parsed: ParsedOp) -> str:
    """The next word, whatever it is."""
    word = parser.optional_word()
    if word is None:
        parser.fail(f"custom op '{parsed.name}' expected valid keyword")
    return word


def array_of(parser: OpParser, elements: Sequence[Node | Attribute]) -> AttributeSource:
    """An array of attributes that stand apart in the text, or in no text."""

    def make(_: object, attribute: Callable[[Node, Type | None], Attribute]) -> Attribute:
        return ArrayAttr(tuple(e if isinstance(e, Attribute) else attribute(e, None) for e in elements))

    return parser.composed_attribute(make)


def print_list(p: OpPrinter, items: Iterable[T], write: Callable[[T], None]) -> None:
    """Writes items with commas between them."""
    for position, item in enumerate(items):
        if position:
            p.write(", ")
        write(item)


def typed_value(parser: OpParser, parsed: ParsedOp, group: str) -> None:
    """`%a : i32`, one more of a group of operands."""
    parsed.operands.setdefault(group, []).append(parser.value_use())
    parser.expect(":")
    parsed.types.setdefault(group, []).append(parser.type())


def typed(p: OpPrinter, value: Value, colon: str = " : ") -> None:
    """Writes a value with its type."""
    p.value(value)
    p.write(colon)
    p.type(value.type)
