"""How the attribute of a property stands in an assembly format: looked for, read and written, by its form.

Source of the rules: *Defining Dialects*, "Declarative Assembly Format", and the code that MLIR 22 generates for it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Final, TypeAlias, cast

from fathom.ir.attributes import (
    FALSE,
    UNIT,
    ArrayAttr,
    Attribute,
    DenseArrayAttr,
    EnumAttr,
    IntegerAttr,
    StringAttr,
    TypeAttr,
)
from fathom.ir.dialect_values import DialectAttr
from fathom.ir.spelling import spell_symbol
from fathom.ir.types import I1, NONE
from fathom.irdl.constraint import AttributeForm
from fathom.irdl.constraints import cases_in, enum_attribute, parse_cases
from fathom.irdl.declared import Property
from fathom.irdl.enumerations import unknown_case
from fathom.irdl.stored_kinds import stored_kind
from fathom.irdl.stripped import any_attribute_stands_next, parse_stripped_attribute, stripped_stands_next

if TYPE_CHECKING:
    from fathom.irdl.protocols import AttributeSource, OpParser, OpPrinter

Spelling: TypeAlias = "Callable[[Attribute, OpPrinter], str]"


def attribute_stands_next(prop: Property, parser: OpParser, op_name: str) -> bool:
    """Whether the text goes on with the attribute."""
    constraint = prop.constraint
    match constraint.form:
        case AttributeForm.SYMBOL_NAME:
            return parser.at_kind("symbol")
        case AttributeForm.KEYWORD:
            return parser.at_any(constraint.cases) or parser.at_kind("string")
        case AttributeForm.FLAGS:
            return parser.at("<")
        case AttributeForm.CASES if constraint.class_name:
            return parser.at(constraint.class_name)
        case AttributeForm.CASES:
            return parser.at_kind("bare") or parser.at_kind("string")
        case AttributeForm.ARRAY:
            return parser.at("[")
        case AttributeForm.TYPE:
            return parser.at_type()
        case AttributeForm.TYPED_LITERAL if constraint.type == NONE:
            return parser.at_kind("string")
        case AttributeForm.TYPED_LITERAL | AttributeForm.OPTIONAL:
            return parser.at_kind("integer") or parser.at_kind("float") or parser.at_any(("-", "true", "false"))
        case AttributeForm.STRIPPED if constraint.definition is not None:
            return parser.at_kind("alias") or stripped_stands_next(constraint.definition, parser, op_name)
        case AttributeForm.UNIT:
            return parser.at("unit") or (prop.native and parser.at("unit_absent"))
        case _:
            beginning = _BEGINNINGS.get(str(stored_kind(constraint.term)))
            return beginning(parser) if beginning is not None else any_attribute_stands_next(parser)


_BEGINNINGS: Final[Mapping[str, Callable[[OpParser], bool]]] = {
    'Kind<"array attribute">': lambda parser: parser.at("[") or parser.at_kind("alias"),
    'Kind<"flat symbol reference attribute">': lambda parser: parser.at_kind("symbol"),
    'Kind<"symbol reference attribute">': lambda parser: parser.at_kind("symbol"),
}
"""How attributes of some kinds begin, where MLIR looks whether one is there."""


def parse_attribute(prop: Property, parser: OpParser, op_name: str) -> AttributeSource:
    """The attribute that stands next. Messages name the operation."""
    constraint = prop.constraint
    match constraint.form:
        case AttributeForm.SYMBOL_NAME:
            return parser.symbol_attribute()
        case AttributeForm.KEYWORD:
            return enum_attribute(constraint, _parse_case(prop, parser, op_name))
        case AttributeForm.FLAGS:
            return parse_cases(constraint, _parse_flags(prop, parser, op_name))
        case AttributeForm.CASES:
            refused = refused_property(prop, op_name)
            return enum_attribute(
                constraint, parser.part(lambda: _parse_field(prop, parser, op_name), refused, parser.here())
            )
        case AttributeForm.UNIT if prop.native:
            message = f"custom op '{op_name}' expected 'unit' or 'unit_absent'"
            return UNIT if parser.keyword(("unit", "unit_absent"), message) == "unit" else FALSE
        case AttributeForm.TYPE:
            return parser.type()
        case AttributeForm.ARRAY:
            return parser.array()
        case AttributeForm.OPTIONAL:
            literal = parser.attribute(constraint.type)
            return parser.composed_attribute(lambda _, attribute: ArrayAttr((attribute(literal, constraint.type),)))
        case AttributeForm.STRIPPED if constraint.definition is not None and not parser.at_kind("alias"):
            return parse_stripped_attribute(constraint.definition, parser, op_name)
        case AttributeForm.TYPED_LITERAL if prop.native and constraint.type != I1:
            refused = refused_property(prop, op_name)
            return parser.part(lambda: _parse_plain(prop, parser, op_name), refused, parser.here())
        case AttributeForm.TYPED_LITERAL:
            implied = constraint.type if constraint.type != NONE else None
            return parser.string_attribute() if parser.at_kind("string") else parser.attribute(implied)
        case _:
            return parser.attribute()


def refused_property(prop: Property, op_name: str) -> str:
    """What MLIR says besides of a mistake in a property that is no attribute at heart."""
    return f"custom op '{op_name}' invalid value for property {prop.name}, expected {prop.constraint.summary}"


def _parse_plain(prop: Property, parser: OpParser, op_name: str) -> AttributeSource:
    """A number or string that is a property."""
    if prop.constraint.type == NONE:
        if not parser.at_kind("string"):
            parser.fail(f"custom op '{op_name}' expected string")
        return parser.string_attribute()
    if not parser.at_kind("integer") and not parser.at_any(("-", "true", "false")):
        parser.fail(f"custom op '{op_name}' expected integer value")
    return parser.attribute(prop.constraint.type)


def _parse_case(prop: Property, parser: OpParser, op_name: str) -> int:
    """The number of a keyword of an enumeration, or of what a string says."""
    enumeration = prop.constraint.enumeration
    if not parser.at_kind("string"):
        message = (
            f"custom op '{op_name}' expected string or keyword containing one of the following enum values for "
            f"attribute '{prop.name}' [{', '.join(enumeration.cases)}]"
        )
        return enumeration.cases[parser.keyword(enumeration.cases, message)]
    start = parser.string()
    literal = parser.text(start)
    number = enumeration.symbolize(literal[1:-1])
    if number is None:
        parser.fail(f"custom op '{op_name}' invalid {prop.name} attribute specification: {literal}", start)
    return number


def _parse_flags(prop: Property, parser: OpParser, op_name: str) -> list[str]:
    parser.expect("<")
    words = _parse_flag(prop, parser, op_name)
    while parser.accept(",") or parser.accept("|"):
        words += _parse_flag(prop, parser, op_name)
    parser.expect(">")
    return words


def _parse_flag(prop: Property, parser: OpParser, op_name: str) -> list[str]:
    cases, class_name = prop.constraint.cases, prop.constraint.class_name
    parser.suggest(cases)
    if not class_name:
        return [parser.keyword(cases, f"expected one of [{', '.join(cases)}] for {prop.constraint.summary}")]
    message = f"custom op '{op_name}' expected {class_name} to be one of: {', '.join(cases)}"
    if parser.at_kind("string"):
        start = parser.string()
        return cases_in(prop.constraint, parser.text(start)[1:-1]) or parser.fail(message, start)
    if not parser.at_kind("bare"):
        parser.fail(f"custom op '{op_name}' expected valid keyword or string")
    return [parser.keyword(cases, message)]


def _parse_field(prop: Property, parser: OpParser, op_name: str) -> int:
    """The number of the cases of a property: `read, write`, or `access<read, write>`."""
    constraint = prop.constraint
    if constraint.class_name:
        parser.expect(constraint.class_name, f"custom op '{op_name}' expected '{constraint.class_name}'")
        parser.expect("<")
    enumeration = constraint.enumeration
    number = _parse_field_case(prop, parser, op_name)
    while enumeration.bits and parser.accept("|" if "|" in enumeration.separator else ","):
        number |= _parse_field_case(prop, parser, op_name)
    if constraint.class_name:
        parser.expect(">")
    return number


def _parse_field_case(prop: Property, parser: OpParser, op_name: str) -> int:
    constraint, place = prop.constraint, parser.here()
    parser.suggest(constraint.cases)
    if parser.at_kind("string"):
        word = parser.text(parser.string())[1:-1]
    else:
        word = parser.optional_word() or parser.fail(f"custom op '{op_name}' expected keyword for {constraint.summary}")
    number = constraint.enumeration.symbolize(word)
    if number is None:
        parser.fail(f"custom op '{op_name}' {unknown_case(constraint.cases, constraint.summary, word)}", place)
    return number


def spelling_of(prop: Property, *, qualified: bool = False) -> Spelling:
    """The text of the attribute; a `qualified` one keeps its dialect and name."""
    form = AttributeForm.ANY if qualified and prop.constraint.form is AttributeForm.STRIPPED else prop.constraint.form
    match form:
        case AttributeForm.TYPED_LITERAL:
            return lambda attribute, p: p.spell_without_type(attribute)
        case AttributeForm.SYMBOL_NAME:
            return lambda attribute, p: spell_symbol(cast("StringAttr", attribute).value)
        case AttributeForm.KEYWORD:
            return lambda attribute, p: _case(attribute, prop.constraint.enumeration.spell_in_format)
        case AttributeForm.FLAGS:
            return lambda attribute, p: f"<{_case(attribute, prop.constraint.enumeration.stringify)}>"
        case AttributeForm.CASES if prop.constraint.class_name:
            keyword = prop.constraint.class_name
            return lambda attribute, p: f"{keyword}<{_case(attribute, prop.constraint.enumeration.spell)}>"
        case AttributeForm.CASES:
            return lambda attribute, p: _case(attribute, prop.constraint.enumeration.spell)
        case AttributeForm.UNIT:
            return lambda attribute, p: "unit_absent" if attribute == FALSE else "unit"
        case AttributeForm.TYPE:
            return lambda attribute, p: p.spell(cast("TypeAttr", attribute).type)
        case AttributeForm.ARRAY:
            return lambda attribute, p: f"[{cast('DenseArrayAttr', attribute).spell_values()}]"
        case AttributeForm.OPTIONAL:
            return _spell_optional
        case AttributeForm.STRIPPED:
            return _spell_stripped
        case _:
            return lambda attribute, p: p.spell(attribute)


def _spell_stripped(attribute: Attribute, p: OpPrinter) -> str:
    stripped = attribute.spell_elided(p.spell) if isinstance(attribute, DialectAttr) else ""
    # One of which nothing would be left stands as a whole.
    return stripped or p.spell(attribute)


def _spell_optional(attribute: Attribute, p: OpPrinter) -> str:
    elements = attribute.elements if isinstance(attribute, ArrayAttr) else ()
    return "".join([p.spell_without_type(element) for element in elements])


def _case(attribute: Attribute, spell: Callable[[int], str]) -> str:
    if isinstance(attribute, EnumAttr):
        return attribute.word
    return spell(attribute.value) if isinstance(attribute, IntegerAttr) else str(attribute)
