"""Hovers of attributes: their names, their values, and the cases of enumerations."""

from __future__ import annotations

from collections.abc import Iterator
from math import prod

from fathom.debug_info.telling import told
from fathom.ir.attributes import (
    AffineMapAttr,
    Attribute,
    DenseArrayAttr,
    DenseElementsAttr,
    DenseStringsAttr,
    EnumAttr,
    FloatAttr,
    IntegerAttr,
    SparseElementsAttr,
    UnitAttr,
)
from fathom.ir.locations import LocationAttr
from fathom.ir.types import Type
from fathom_server.features.hover.numbers import number_line
from fathom_server.features.hover.texts import MOST_CASES, Said, brief, cases_line, code
from fathom_server.features.hover.types import parameter_lines
from fathom_server.model.written import AttributeName, Case, EntryName, WrittenAttribute, cases_of_property


def attribute_text(subject: WrittenAttribute) -> Said:
    """An attribute, and what there is to say of it."""
    attribute, elements = subject.attribute, subject.elements
    if isinstance(attribute, DenseArrayAttr) and elements is not None:
        return Said((code(brief(attribute)), _array_line(elements, attribute.element)))
    return Said((code(brief(attribute)), *attribute_lines(attribute)))


def attribute_lines(attribute: Attribute) -> Iterator[str]:
    """What there is to say of an attribute beside its text."""
    match attribute:
        case IntegerAttr() | FloatAttr():
            yield number_line(attribute)
        case EnumAttr():
            yield f"the number {attribute.value}, `0x{attribute.value:X}`"
        case AffineMapAttr(map):
            parts = (map.dims, "dimension"), (map.symbols, "symbol"), (len(map.results), "result")
            yield ", ".join(_count(*part) for part in parts)
        case DenseElementsAttr() | DenseStringsAttr() | SparseElementsAttr() if attribute.type.has_static_shape:
            yield _array_line(prod(attribute.type.ranked_shape), attribute.type.element)
        case DenseArrayAttr():
            yield _array_line(len(attribute.values), attribute.element)
        case LocationAttr():
            yield told(attribute)
        case _:
            yield told(attribute)
            yield from parameter_lines(attribute)


def _array_line(count: int, element: Type) -> str:
    return f"{_count(count, 'element')} of `{brief(element)}`"


def _count(count: int, noun: str) -> str:
    return f"{count:,} {noun}{'' if count == 1 else 's'}"


# ---- names


def name_text(subject: AttributeName) -> Said:
    """The name of an attribute: what may stand there, and what does."""
    key, op, known = subject.name, subject.op, subject.property
    value = op.attribute(key)
    head = code(f"{key} = {brief(value)}" if value is not None and not isinstance(value, UnitAttr) else key)
    if known is None:
        return Said((head, f"discardable attribute of `{op.name}`"))
    default = f"by default `{brief(known.default)}`" if known.default is not None else ""
    short = (head, f"attribute of `{op.name}`: {known.constraint.summary}", default)
    numbered = known.constraint.numbered(MOST_CASES)
    return Said(short, (f"one of {numbered}" if numbered else cases_line(cases_of_property(known), ""),))


def entry_text(subject: EntryName) -> Said:
    """The name of an entry of a dictionary."""
    return Said((code(subject.name), "entry of a dictionary"))


def case_text(subject: Case) -> Said:
    """A case of an enumeration, among the others."""
    word, number, property = subject.word, subject.number, subject.property
    flag = f", `0x{number:X}`" if property.constraint.enumeration.bits else ""
    short = (code(word), f"the number {number}{flag} of `{property.name}` of `{subject.op.name}`")
    return Said(short, (cases_line(subject.cases, word),))
