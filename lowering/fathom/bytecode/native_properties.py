"""Properties that are no attributes at heart: the numbers, flags and texts that they are in bytecode.

Here they are kept in attributes. How one is written follows from the constraint on its attribute. Source of the rules:
`mlir/IR/Properties.td` and `mlir/IR/EnumAttr.td` of MLIR 22.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from fathom.bytecode.encoding import Malformed
from fathom.bytecode.entry_reader import EntryReader
from fathom.bytecode.entry_writer import EntryWriter
from fathom.elaborate.numbers import wrap
from fathom.ir.attributes import UNIT, ArrayAttr, Attribute, DenseArrayAttr, IntegerAttr, StringAttr
from fathom.ir.types import I1, I64, IntegerType
from fathom.irdl.cases import number_of
from fathom.irdl.constraint import AttributeForm
from fathom.irdl.definition import Property
from fathom.irdl.kinds import Kind
from fathom.irdl.measures import Within
from fathom.irdl.parts import Each, Part
from fathom.irdl.terms import AllOf, Exactly, Term
from fathom.records import record

_WORD: Final = (1 << 64) - 1


@record
class NativeKind:
    """How a property is written. What a file may not hold raises Malformed."""

    def read(self, reader: EntryReader) -> Attribute | None:
        """The attribute that it is kept in; None where it is not kept."""
        raise TypeError(f"{type(self).__name__} reads nothing")

    def write(self, value: Attribute | None, writer: EntryWriter) -> None:
        raise TypeError(f"{type(self).__name__} writes nothing")


@record
class _Flag(NativeKind):
    """`UnitProp`: a byte, and an attribute that is there or not."""

    def read(self, reader: EntryReader) -> Attribute | None:
        return UNIT if reader.bool() else None

    def write(self, value: Attribute | None, writer: EntryWriter) -> None:
        writer.byte(value is not None and not (isinstance(value, IntegerAttr) and not value.value))


@record
class _Boolean(NativeKind):
    """`BoolProp`: a byte."""

    def read(self, reader: EntryReader) -> Attribute | None:
        return IntegerAttr(int(reader.bool()), I1)

    def write(self, value: Attribute | None, writer: EntryWriter) -> None:
        writer.byte(_number(value))


@record
class _Integer(NativeKind):
    """`I64Prop`, an enumeration: a number, whose bits are those of a word."""

    type: IntegerType

    def read(self, reader: EntryReader) -> Attribute | None:
        return IntegerAttr(wrap(reader.bytes.varint(), self.type), self.type)

    def write(self, value: Attribute | None, writer: EntryWriter) -> None:
        writer.varint(_number(value) & _WORD)


@record
class _Text(NativeKind):
    """`StringProp`: a string of the file."""

    def read(self, reader: EntryReader) -> Attribute | None:
        return StringAttr(reader.string())

    def write(self, value: Attribute | None, writer: EntryWriter) -> None:
        writer.string(value.value if isinstance(value, StringAttr) else "")


@record
class _Numbers(NativeKind):
    """`IntArrayProp`: so many numbers."""

    type: IntegerType

    def read(self, reader: EntryReader) -> Attribute | None:
        return DenseArrayAttr(self.type, reader.list(lambda: wrap(reader.bytes.varint(), self.type)))

    def write(self, value: Attribute | None, writer: EntryWriter) -> None:
        numbers = value.values if isinstance(value, DenseArrayAttr) else ()
        writer.list(numbers, lambda number: writer.varint(number & _WORD))


@record
class _Array(NativeKind):
    """`ArrayProp`, and with `optional` `OptionalProp`: so many of another kind, or whether there is one."""

    element: NativeKind
    optional: bool

    def read(self, reader: EntryReader) -> Attribute | None:
        if not self.optional:
            return ArrayAttr(reader.list(lambda: self._element(reader)))
        return ArrayAttr((self._element(reader),) if reader.bool() else ())

    def _element(self, reader: EntryReader) -> Attribute:
        attribute = self.element.read(reader)
        return attribute if attribute is not None else IntegerAttr(0, I1)

    def write(self, value: Attribute | None, writer: EntryWriter) -> None:
        elements = value.elements if isinstance(value, ArrayAttr) else ()
        if self.optional:
            writer.byte(bool(elements))
            elements = elements[:1]
        else:
            writer.varint(len(elements))
        for element in elements:
            self.element.write(element, writer)


@record
class _Kept(NativeKind):
    """What only C++ knows, by the attribute that it is kept in."""

    name: str

    def read(self, reader: EntryReader) -> Attribute | None:
        return reader.attribute()

    def write(self, value: Attribute | None, writer: EntryWriter) -> None:
        if value is None:
            raise Malformed(f"the property '{self.name}' is not there")
        writer.attribute(value)


def native_kind(prop: Property) -> NativeKind:
    """How a property that is no attribute at heart is written."""
    constraint = prop.constraint
    if constraint.form is AttributeForm.UNIT:
        return _Flag()
    kind = _kind_of(constraint.term)
    if kind is None and isinstance(constraint.type, IntegerType):
        kind = _Integer(constraint.type)
    return kind or _Kept(prop.name)


def _kind_of(term: Term) -> NativeKind | None:
    terms = tuple(_conjuncts(term))
    kinds = {term.name for term in terms if isinstance(term, Kind)}
    if "array attribute" in kinds:
        return _array(terms)
    if "bool attribute" in kinds:
        return _Boolean()
    if "string attribute" in kinds:
        return _Text()
    if "integer attribute" in kinds and (type := _type_in(terms, "TypeOf")) is not None:
        return _Integer(type)
    if "dense array attribute" in kinds:
        return _Numbers(_type_in(terms, "Element") or I64)
    return None


def _array(terms: tuple[Term, ...]) -> NativeKind | None:
    element = next((_kind_of(term.term) for term in terms if isinstance(term, Each)), None)
    if element is None:
        return None
    return _Array(element, any(isinstance(term, Within) and term.measure == "count" for term in terms))


def _conjuncts(term: Term) -> Iterator[Term]:
    """The terms that all hold where one does."""
    if isinstance(term, AllOf):
        for inner in term.terms:
            yield from _conjuncts(inner)
    else:
        yield term


def _type_in(terms: tuple[Term, ...], part: str) -> IntegerType | None:
    """The integer type that a part of the attribute has."""
    for term in terms:
        if isinstance(term, Part) and term.part == part and isinstance(term.term, Exactly):
            return term.term.value if isinstance(term.term.value, IntegerType) else None
    return None


def _number(value: Attribute | None) -> int:
    return value.value if isinstance(value, IntegerAttr) else number_of(value) or 0
