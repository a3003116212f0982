"""The options of `transform.apply_registered_pass`, whose values may be operands: `{"max" = %p, list = [1, %q]}`.

In the dictionary an operand is `#transform.param_operand<index = 0 : i64>`, its place among the operands.
Source of the rules: *Transform Dialect*; the texts of errors are those of MLIR 22's parser.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, TypeAlias, cast

from fathom.ir.attributes import ArrayAttr, Attribute, DictAttr, IntegerAttr, dict_attr, i64_attr
from fathom.ir.dialect_values import DialectAttr
from fathom.irdl.definition import CustomDirective
from fathom.irdl.keywords import comma_separated
from fathom.irdl.listed import print_list
from fathom.text.escapes import quote

if TYPE_CHECKING:
    from fathom.ir.operation import Operation, Value
    from fathom.irdl.parametric import Parametric
    from fathom.irdl.protocols import Node, OpParser, OpPrinter, ParsedOp, Ref

Option: TypeAlias = "Attribute | Node | list[Option]"
"""A value as it is written: the place of an operand as an attribute, an attribute that is still a tree, or a list."""

_MARKER = "#transform.param_operand"
_RESERVED = "indicating a value will be passed via params and is only used in the generic print format"

_DEEPEST = 64
"""How many lists may stand open in one another."""


def options_directive(marker: Callable[[], Parametric]) -> CustomDirective:
    """`custom<ApplyRegisteredPassOptions>($options, $operands)`; `marker` finds the definition of what stands for an
    operand."""

    def parse(parser: OpParser, parsed: ParsedOp, arguments: Sequence[str]) -> None:
        options, operands = arguments
        uses: list[Ref] = []
        entries: dict[str, Option] = {}
        if not parser.accept("{"):
            parser.fail("expected '{' in options dictionary")
        lead, is_twice = f"custom op '{parsed.name}'", False
        while not parser.at("}"):
            key = _parse_key(parser, lead)
            parser.part(lambda: parser.expect("="), f"{lead} expected '=' after key in key-value pair")
            further = f"{lead} expected a valid attribute or operand as value associated to key '{key}'"
            value = parser.part(lambda: parse_value(parser, uses, lead), further)
            is_twice = is_twice or key in entries
            entries[key] = value
            if not parser.accept(","):
                break
        if not parser.accept("}"):
            parser.fail("expected '}' in options dictionary")
        if is_twice:
            parser.fail(f"{lead} duplicate keys found in options dictionary")
        parsed.operands[operands] = uses
        parsed.attributes[options] = parser.composed_attribute(
            lambda _, attribute: dict_attr({key: _made(value, attribute) for key, value in entries.items()})
        )

    def parse_value(parser: OpParser, uses: list[Ref], lead: str, depth: int = 0) -> Option:
        if depth > _DEEPEST:
            parser.fail(f"more than {_DEEPEST} lists are open")
        if parser.accept("["):
            options = comma_separated(parser, lambda: parse_value(parser, uses, lead, depth + 1))
            parser.expect("]")
            return options
        if not parser.at_kind("value"):
            is_reserved = parser.at(_MARKER)
            node = parser.attribute()
            if is_reserved:
                parser.fail(f"{lead} the param_operand attribute is a marker reserved for {_RESERVED}")
            return node
        uses.append(parser.value_use())
        made = marker().make(index=i64_attr(len(uses) - 1))
        assert isinstance(made, Attribute), "the definition is one of an attribute"
        return made

    return CustomDirective(parse, _print, lambda parser: parser.at("{"))


def _parse_key(parser: OpParser, lead: str) -> str:
    if parser.at_kind("string"):
        key = parser.text(parser.string())[1:-1]
    else:
        key = parser.optional_word() or ""
    if not key:
        parser.fail(f"{lead} expected key to either be an identifier or a string")
    return key


def _made(value: Option, attribute: Callable[[Node, None], Attribute]) -> Attribute:
    if isinstance(value, Attribute):
        return value
    if isinstance(value, list):
        return ArrayAttr(tuple(_made(option, attribute) for option in cast("list[Option]", value)))
    return attribute(value, None)


def place_of(value: Attribute) -> int | None:
    """The place among the operands that an attribute stands for, if it does for one."""
    if not isinstance(value, DialectAttr) or value.full_name != "transform.param_operand":
        return None
    index = value.parameters[0]
    return index.value if isinstance(index, IntegerAttr) else None


def places_in(value: Attribute | None) -> Iterator[int]:
    """The places that stand in options, in lists too."""
    place = place_of(value) if value is not None else None
    if place is not None:
        yield place
    nested: Sequence[Attribute] = value.elements if isinstance(value, ArrayAttr) else ()
    if isinstance(value, DictAttr):
        nested = [attribute for _, attribute in value.entries]
    for attribute in nested:
        yield from places_in(attribute)


def _print(op: Operation, p: OpPrinter, arguments: Sequence[str]) -> None:
    attribute = op.properties.get(arguments[0])
    values = op.all_of(arguments[1])
    if not isinstance(attribute, DictAttr) or not attribute.entries:
        return
    p.write("{")
    for index, (key, value) in enumerate(attribute.entries):
        p.write((", " if index else "") + quote(key) + " = ")
        _print_value(value, values, p)
    p.write("}")


def _print_value(value: Attribute, values: Sequence[Value], p: OpPrinter) -> None:
    place = place_of(value)
    if place is not None and 0 <= place < len(values):
        p.value(values[place])
    elif isinstance(value, ArrayAttr):
        p.write("[")
        print_list(p, value.elements, lambda attribute: _print_value(attribute, values, p))
        p.write("]")
    else:
        p.attribute(value)
