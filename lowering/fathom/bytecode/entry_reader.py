"""What a dialect reads an attribute, a type or the properties of an operation from."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol, TypeVar

from fathom.bytecode.encoding import ByteReader, Malformed
from fathom.ir.attributes import Attribute, DenseResourceAttr, StringAttr
from fathom.ir.types import ShapedType, Type

A = TypeVar("A", bound=Attribute)
T = TypeVar("T", bound=Type)
E = TypeVar("E")


class Table(Protocol):
    """What entries refer to by numbers: `fathom.bytecode.entries.Entries`."""

    @property
    def strings(self) -> Sequence[str]: ...
    def attribute(self, index: int) -> Attribute: ...
    def type(self, index: int) -> Type: ...
    def resource(self, reader: ByteReader, type: ShapedType, /) -> DenseResourceAttr: ...
    def next_distinct(self) -> int: ...


class EntryReader:
    """A position among the bytes of an entry. What is not as it should be raises Malformed."""

    __slots__ = ("_entries", "bytes")

    def __init__(self, entries: Table, bytes: ByteReader) -> None:
        self._entries = entries
        self.bytes = bytes

    def string(self) -> str:
        index = self.bytes.varint()
        strings = self._entries.strings
        if index >= len(strings):
            raise Malformed(f"invalid string index: {index}")
        return strings[index]

    def blob(self) -> bytes:
        return self.bytes.bytes(self.bytes.varint())

    def bool(self) -> bool:
        return bool(self.bytes.byte())

    def attribute(self) -> Attribute:
        return self._entries.attribute(self.bytes.varint())

    def attribute_of(self, cls: type[A], name: str) -> A:
        attribute = self.attribute()
        if not isinstance(attribute, cls):
            raise Malformed(f"expected {name}, but got: {attribute}")
        return attribute

    def optional_attribute(self) -> Attribute | None:
        index, is_there = self.bytes.flagged()
        return self._entries.attribute(index) if is_there else None

    def text(self) -> str:
        """The text of a string attribute."""
        return self.attribute_of(StringAttr, "mlir::StringAttr").value

    def type(self) -> Type:
        return self._entries.type(self.bytes.varint())

    def type_of(self, cls: type[T], name: str) -> T:
        type_ = self.type()
        if not isinstance(type_, cls):
            raise Malformed(f"expected {name}, but got: {type_}")
        return type_

    def list(self, read: Callable[[], E]) -> tuple[E, ...]:
        return tuple(self.bytes.list(read))

    def resource(self, type: ShapedType) -> DenseResourceAttr:
        """The attribute of a type whose elements are a resource of the file."""
        return self._entries.resource(self.bytes, type)

    def next_distinct(self) -> int:
        """The number of a distinct attribute that is not yet known."""
        return self._entries.next_distinct()
