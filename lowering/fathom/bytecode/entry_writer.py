"""What a dialect writes an attribute, a type or the properties of an operation to.

Everything is written twice: once to find out what it is made of, so that it can be numbered, and then for good.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol, TypeAlias, TypeVar

from fathom.bytecode.encoding import ByteWriter
from fathom.bytecode.sections import Strings
from fathom.ir.attributes import Attribute, DenseResourceAttr, StringAttr
from fathom.ir.types import Type

E = TypeVar("E")


class EntryWriter(Protocol):
    """Takes what an entry is made of. `version` is that of the format."""

    @property
    def version(self) -> int: ...

    def byte(self, value: int) -> None: ...
    def varint(self, value: int) -> None: ...
    def signed(self, value: int) -> None: ...
    def flagged(self, value: int, flag: bool) -> None: ...
    def integer(self, value: int, width: int) -> None: ...
    def blob(self, make: Callable[[], bytes]) -> None: ...
    def string(self, text: str) -> None: ...
    def attribute(self, value: Attribute) -> None: ...
    def optional_attribute(self, value: Attribute | None) -> None: ...
    def type(self, value: Type) -> None: ...
    def resource(self, value: DenseResourceAttr) -> None: ...

    def text(self, text: str) -> None:
        """A text as a string attribute."""
        self.attribute(StringAttr(text))

    def list(self, values: Sequence[E], write: Callable[[E], None]) -> None:
        """How many there are, and then all of them."""
        self.varint(len(values))
        for value in values:
            write(value)


class Parts(EntryWriter):
    """Finds out what an entry is made of; its numbers and texts are passed over."""

    def __init__(
        self,
        version: int,
        attribute: Callable[[Attribute], None],
        type: Callable[[Type], None],
        resource: Callable[[DenseResourceAttr], None],
    ) -> None:
        self._version = version
        self._attribute = attribute
        self._type = type
        self._resource = resource

    @property
    def version(self) -> int:
        return self._version

    def byte(self, value: int) -> None: ...
    def varint(self, value: int) -> None: ...
    def signed(self, value: int) -> None: ...
    def flagged(self, value: int, flag: bool) -> None: ...
    def integer(self, value: int, width: int) -> None: ...
    def blob(self, make: Callable[[], bytes]) -> None: ...
    def string(self, text: str) -> None: ...

    def attribute(self, value: Attribute) -> None:
        self._attribute(value)

    def optional_attribute(self, value: Attribute | None) -> None:
        if value is not None:
            self._attribute(value)

    def type(self, value: Type) -> None:
        self._type(value)

    def resource(self, value: DenseResourceAttr) -> None:
        self._resource(value)


class Numbers(Protocol):
    """The numbers that attributes, types and resources have been given."""

    def attribute(self, value: Attribute) -> int: ...
    def type(self, value: Type) -> int: ...
    def resource(self, value: DenseResourceAttr) -> int: ...


class Emitter(EntryWriter):
    """Writes entries for good."""

    def __init__(self, version: int, out: ByteWriter, numbers: Numbers, strings: Strings) -> None:
        self._version = version
        self._out = out
        self._numbers = numbers
        self._strings = strings
        self.byte = out.byte
        self.varint = out.varint
        self.signed = out.signed
        self.flagged = out.flagged
        self.integer = out.integer

    @property
    def version(self) -> int:
        return self._version

    def blob(self, make: Callable[[], bytes]) -> None:
        data = make()
        self._out.varint(len(data))
        self._out.data += data

    def string(self, text: str) -> None:
        self._out.varint(self._strings.number(text))

    def attribute(self, value: Attribute) -> None:
        self._out.varint(self._numbers.attribute(value))

    def optional_attribute(self, value: Attribute | None) -> None:
        if value is None:
            self._out.varint(0)
        else:
            self._out.flagged(self._numbers.attribute(value), True)

    def type(self, value: Type) -> None:
        self._out.varint(self._numbers.type(value))

    def resource(self, value: DenseResourceAttr) -> None:
        self._out.varint(self._numbers.resource(value))


Write: TypeAlias = "Callable[[object, EntryWriter], bool]"
"""Writes an attribute or a type in its dialect's encoding; False where it has none."""


def of_class(kind: type[E], write: Callable[[E, EntryWriter], bool | None]) -> tuple[type[E], Write]:
    """What writes the attributes or types of a class, to be kept under that; one that gives False has no encoding for
    what it was given."""

    def checked(value: object, writer: EntryWriter) -> bool:
        assert isinstance(value, kind), "writers are found by classes"
        return write(value, writer) is not False

    return kind, checked
