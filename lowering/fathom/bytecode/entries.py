"""The table of attributes and types: each is read when it is first asked for.

Source of the rules: *MLIR Bytecode Format*, "Attribute/Type Sections".
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final, TypeVar, cast

from fathom.bytecode.dialects import DialectEntry, grouped
from fathom.bytecode.encoding import ByteReader, Malformed
from fathom.bytecode.encodings import read_attribute, read_type
from fathom.bytecode.entry_reader import EntryReader
from fathom.bytecode.texts import Kind, TextReader, unknown_dialect
from fathom.ir.attributes import Attribute, DenseResourceAttr
from fathom.ir.types import ShapedType, Type

A = TypeVar("A", bound=Attribute)

MOST_LEVELS: Final = 96
"""How deep attributes and types may nest; what prints, compares and checks them follows them by calls."""


class Entry:
    """An attribute or type of the table: its bytes, and what they stand for when that is known."""

    __slots__ = ("body", "dialect", "is_native", "kind", "levels", "value")

    def __init__(self, kind: Kind, dialect: DialectEntry, body: ByteReader, is_native: bool) -> None:
        self.kind: Kind = kind
        self.dialect = dialect
        self.body = body
        self.is_native = is_native
        """Whether it is in the dialect's own encoding, and no text."""
        self.value: Attribute | Type | None = None
        self.levels = 0
        """How deep it nests; -1 while it is being read."""


class Entries:
    """The attributes and types of a file, by their numbers."""

    def __init__(
        self,
        strings: Sequence[str],
        resource: Callable[[ByteReader, ShapedType], DenseResourceAttr],
        texts: TextReader,
    ) -> None:
        self.strings = strings
        self.resource = resource
        self.texts = texts
        self._attributes: list[Entry] = []
        self._types: list[Entry] = []
        self._deepest = 0
        """How deep what was met since the entry began that is being read nests."""
        self._open = 0

    def fill(self, dialects: Sequence[DialectEntry], offsets: ByteReader, bodies: ByteReader) -> None:
        """Takes the table from its two sections."""
        counts = offsets.varint(), offsets.varint()
        tables: tuple[tuple[Kind, list[Entry]], ...] = ("Attribute", self._attributes), ("Type", self._types)
        for (kind, table), count in zip(tables, counts, strict=True):
            while len(table) < count:
                for dialect in grouped(offsets, dialects, count - len(table)):
                    size, is_native = offsets.flagged()
                    if size > bodies.left:
                        raise Malformed("Attribute or Type entry offset points past the end of section")
                    table.append(Entry(kind, dialect, bodies.part(size), is_native))
        if offsets.left:
            raise Malformed("unexpected trailing data in the Attribute/Type offset section")

    def next_distinct(self) -> int:
        """The number of a distinct attribute that is not yet known."""
        return next(self.texts.distinct)

    # ---- what is asked for

    def attribute(self, index: int) -> Attribute:
        return cast("Attribute", self._resolve(self._attributes, index, "Attribute"))

    def type(self, index: int) -> Type:
        return cast("Type", self._resolve(self._types, index, "Type"))

    def attribute_of(self, index: int, cls: type[A], name: str) -> A:
        """An attribute of a class, which messages call by MLIR's name of it."""
        attribute = self.attribute(index)
        if not isinstance(attribute, cls):
            raise Malformed(f"expected attribute of type: mlir::{name}, but got: {attribute}")
        return attribute

    def _resolve(self, table: list[Entry], index: int, what: str) -> Attribute | Type:
        if index >= len(table):
            raise Malformed(f"invalid {what} index: {index}")
        entry = table[index]
        value = entry.value
        if value is None:
            value = self._read(entry)
        elif entry.levels > self._deepest:
            self._deepest = entry.levels
        return value

    def _read(self, entry: Entry) -> Attribute | Type:
        if entry.levels:
            raise Malformed(f"the {entry.kind.lower()} is part of itself")
        if self._open >= MOST_LEVELS:
            raise self._too_deep()
        around, self._deepest, entry.levels = self._deepest, 0, -1
        self._open += 1
        reader = EntryReader(self, entry.body)
        value = self._native(entry, reader) if entry.is_native else self.texts.read(entry.kind, reader.bytes.text())
        if reader.bytes.left:
            raise Malformed(f"unexpected trailing bytes after {entry.kind} entry")
        self._open -= 1
        entry.levels = self._deepest + 1
        if entry.levels > MOST_LEVELS:
            raise self._too_deep()
        self._deepest = max(around, entry.levels)
        entry.value = value
        return value

    @staticmethod
    def _too_deep() -> Malformed:
        return Malformed(f"attributes and types that nest deeper than {MOST_LEVELS} levels are not read")

    def _native(self, entry: Entry, reader: EntryReader) -> Attribute | Type:
        name = entry.dialect.name
        if entry.dialect.is_refused:
            raise Malformed(unknown_dialect(name))
        return read_type(name, reader) if entry.kind == "Type" else read_attribute(name, reader)
