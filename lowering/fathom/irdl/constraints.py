"""The constraints that definitions in Python share, as names of ODS's terms, and enumerations as constraints.

A failed one is reported as "operand #0 must be {summary}, but got 'f32'" or "attribute 'x' failed to satisfy
constraint: {summary}". Source of the rules: *Operation Definition Specification (ODS)*, "Constraints".
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Final

from fathom.ir.attributes import Attribute, EnumAttr, IntegerAttr
from fathom.ir.types import IntegerType, Type
from fathom.irdl.constraint import AttributeConstraint, AttributeForm
from fathom.irdl.enumerations import Enumeration
from fathom.irdl.kinds import Kind
from fathom.irdl.measures import Among
from fathom.irdl.parts import Part
from fathom.irdl.standard_attributes import ATTRIBUTES
from fathom.irdl.standard_types import TYPES
from fathom.irdl.terms import AllOf, Exactly

if TYPE_CHECKING:
    from fathom.irdl.readers import AttributeReader, BodyReader


def is_signless_integer(type: Type) -> bool:
    return isinstance(type, IntegerType) and not type.signedness


ANY: Final = TYPES["AnyType"]
STRING: Final = ATTRIBUTES["StrAttr"]
SYMBOL_NAME: Final = ATTRIBUTES["SymbolNameAttr"]
UNIT_ATTRIBUTE: Final = ATTRIBUTES["UnitAttr"]
DENSE_I64_ARRAY: Final = ATTRIBUTES["DenseI64ArrayAttr"]


def integer_enum(cases: Mapping[str, int], type: IntegerType) -> AttributeConstraint:
    """An enumeration that is stored as an integer attribute of `type`, and stands in a format as its bare keyword."""
    numbers = tuple(sorted(set(cases.values())))
    summary = f"allowed {type.width}-bit signless integer cases: {', '.join(map(str, numbers))}"
    test = AllOf((Kind("integer attribute"), Part("TypeOf", Exactly(type)), Among("value", numbers)))
    return AttributeConstraint(summary, test, AttributeForm.KEYWORD, type, Enumeration("", cases, type.width))


def dialect_enum(summary: str, mnemonic: str, cases: Mapping[str, int], class_name: str = "") -> AttributeConstraint:
    """An enumeration with an attribute of its own, `#mnemonic<case>`, which stands in a format as its bare keyword."""
    return AttributeConstraint(
        summary,
        _is_enum(mnemonic),
        AttributeForm.KEYWORD,
        None,
        Enumeration("", cases),
        mnemonic,
        class_name=class_name,
    )


def dialect_flags(
    summary: str, mnemonic: str, cases: Mapping[str, int], separator: str = ", ", class_name: str = ""
) -> AttributeConstraint:
    """A set of flags with an attribute of its own, `#mnemonic<a, b>`, which stands in a format as `<a, b>`."""
    flags = Enumeration("", cases, bits=True, separator=separator, primary_groups=True)
    return AttributeConstraint(
        summary, _is_enum(mnemonic), AttributeForm.FLAGS, None, flags, mnemonic, class_name=class_name
    )


def _is_enum(mnemonic: str) -> Callable[[Attribute], bool]:
    return lambda a: isinstance(a, EnumAttr) and a.mnemonic == mnemonic


def enum_attribute(constraint: AttributeConstraint, value: int) -> Attribute:
    """The attribute of an enumeration for a number, or for the bits of its flags."""
    if not constraint.mnemonic:
        assert constraint.type is not None, "an enumeration without a mnemonic is an integer of a type"
        return IntegerAttr(value, constraint.type)
    return EnumAttr(constraint.mnemonic, constraint.enumeration.stringify(value), value)


def parse_cases(constraint: AttributeConstraint, keywords: list[str]) -> Attribute:
    """The attribute that keywords stand for. An unknown keyword raises KeyError."""
    return enum_attribute(constraint, constraint.enumeration.value_of(keywords))


def enum_reader(constraint: AttributeConstraint) -> AttributeReader:
    """The reader of what follows `#dialect.mnemonic`: cases in angle brackets, comma-separated."""

    def read(reader: BodyReader) -> Attribute:
        reader.expect("<")
        keywords = _read_cases(constraint, reader)
        while constraint.form is AttributeForm.FLAGS and reader.accept(","):
            keywords += _read_cases(constraint, reader)
        reader.expect(">")
        return parse_cases(constraint, keywords)

    return read


def _read_cases(constraint: AttributeConstraint, reader: BodyReader) -> list[str]:
    reader.suggest(constraint.cases)
    keywords = cases_in(constraint, reader.keyword_or_string())
    if not keywords:
        reader.fail_before(f"expected {constraint.class_name} to be one of: {', '.join(constraint.cases)}")
    return keywords


def cases_in(constraint: AttributeConstraint, text: str) -> list[str]:
    """The cases that a word is, or a string that may hold several flags; empty where one of them is none."""
    enumeration = constraint.enumeration
    if enumeration.symbolize(text) is None:
        return []
    return [word.strip() for word in text.split(enumeration.separator.strip())] if enumeration.bits else [text]
