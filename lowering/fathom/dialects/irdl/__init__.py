"""The irdl dialect, described in `mlir-22/irdl.toml`: definitions of dialects, as operations.

Source of the rules: *'irdl' Dialect*; the texts of errors are those of MLIR 22's parser.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from fathom.dialects import description_of
from fathom.dialects.irdl.definitions import VARIADICITIES, kinds_of
from fathom.dialects.pdl import named_values
from fathom.ir.attributes import ArrayAttr, Attribute, StringAttr
from fathom.irdl.code import DialectCode
from fathom.irdl.definition import CustomDirective
from fathom.irdl.keywords import bracketed
from fathom.irdl.listed import any_word

if TYPE_CHECKING:
    from fathom.ir.dialect_values import Parameter
    from fathom.ir.operation import Operation
    from fathom.irdl.protocols import OpParser, OpPrinter, ParsedOp, Ref


def _attribute(class_name: str, value: Parameter) -> Attribute:
    return DESCRIPTION.attributes[class_name].make_attribute(value=value)


# ---- custom<SingleBlockRegion>($body): a region that the text leaves out where it is empty


def _parse_region(parser: OpParser, parsed: ParsedOp, arguments: Sequence[str]) -> None:
    del arguments
    if parser.at_region():
        parser.region(parsed)


def _print_region(op: Operation, p: OpPrinter, arguments: Sequence[str]) -> None:
    del arguments
    body = op.regions[0]
    if body.first is not None and body.first.first is not None:
        p.region(body)


# ---- custom<NamedValueList>($args, $names), custom<NamedValueListWithVariadicity>($args, $names, $variadicity)


def _parse_values(parser: OpParser, parsed: ParsedOp, arguments: Sequence[str]) -> None:
    """`(name: optional %a, other: %b)`."""
    values, names, *variadicity = arguments
    uses: list[Ref] = []
    words: list[Attribute] = []
    kinds: list[Attribute] = []

    def read() -> None:
        words.append(StringAttr(any_word(parser, parsed)))
        parser.expect(":")
        if variadicity:
            kind = parser.optional_keyword(VARIADICITIES) or VARIADICITIES[0]
            kinds.append(_attribute("VariadicityAttr", value=VARIADICITIES.index(kind)))
        uses.append(parser.value_use())

    bracketed(parser, "()", read)
    parsed.operands[values] = uses
    parsed.attributes[names] = ArrayAttr(tuple(words))
    for name in variadicity:
        parsed.attributes[name] = _attribute("VariadicityArrayAttr", value=tuple(kinds))


def _print_values(op: Operation, p: OpPrinter, arguments: Sequence[str]) -> None:
    values, names, *variadicity = arguments
    attribute = op.properties.get(names)
    words = attribute.elements if isinstance(attribute, ArrayAttr) else ()
    kinds = [kind for name in variadicity for kind in kinds_of(op.properties.get(name))]
    p.write("(")
    for index, (value, word) in enumerate(zip(op.all_of(values), words, strict=False)):
        p.write((", " if index else "") + (word.value if isinstance(word, StringAttr) else "") + ": ")
        if index < len(kinds) and kinds[index]:
            p.write(f"{VARIADICITIES[kinds[index]]} ")
        p.value(value)
    p.write(")")


_NAMED: Final = CustomDirective(_parse_values, _print_values, lambda parser: parser.at("("))
CODE: Final = DialectCode(
    directives={
        "SingleBlockRegion": CustomDirective(_parse_region, _print_region, lambda parser: parser.at_region()),
        "NamedValueList": _NAMED,
        "NamedValueListWithVariadicity": _NAMED,
        "AttributesOp": named_values(""),
    },
)
DESCRIPTION: Final = description_of("irdl", CODE)
DIALECT: Final = DESCRIPTION.dialect()
VERIFY_PARTS: Final = ("definitions",)
