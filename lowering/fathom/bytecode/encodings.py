"""The encodings that dialects have of their own for their attributes and types.

All others, and what these dialects have none for, stand as text in a file.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Final, TypeVar

from fathom.bytecode import builtin_attributes, builtin_types, llvm_attributes, quant_types
from fathom.bytecode.encoding import Malformed
from fathom.bytecode.entry_reader import EntryReader
from fathom.bytecode.entry_writer import EntryWriter, Write
from fathom.ir.attributes import Attribute
from fathom.ir.types import Type

V = TypeVar("V")

_ATTRIBUTES: Final[Mapping[str, Sequence[Callable[[EntryReader], Attribute]]]] = {
    "builtin": builtin_attributes.READERS,
    "llvm": llvm_attributes.READERS,
    "quant": (),
    "tosa": (),
}
_TYPES: Final[Mapping[str, Sequence[Callable[[EntryReader], Type]]]] = {
    "builtin": builtin_types.READERS,
    "llvm": (),
    "quant": quant_types.READERS,
    "tosa": (),
}
_ATTRIBUTE_WRITERS: Final[Mapping[type[Attribute], Write]] = {
    **builtin_attributes.WRITERS,
    **llvm_attributes.WRITERS,
}
_TYPE_WRITERS: Final[Mapping[type[Type], Write]] = {
    **builtin_types.WRITERS,
    **quant_types.WRITERS,
}


def read_attribute(dialect: str, reader: EntryReader) -> Attribute:
    """An attribute in its dialect's encoding."""
    return _reader_of(_ATTRIBUTES, dialect, reader)(reader)


def read_type(dialect: str, reader: EntryReader) -> Type:
    """A type in its dialect's encoding."""
    return _reader_of(_TYPES, dialect, reader)(reader)


def _reader_of(tables: Mapping[str, Sequence[V]], dialect: str, reader: EntryReader) -> V:
    readers = tables.get(dialect)
    if readers is None:
        raise Malformed(f"dialect '{dialect}' does not implement the bytecode interface")
    code = reader.bytes.varint()
    if code >= len(readers):
        raise Malformed(f"unknown attribute code: {code}")
    return readers[code]


def write_attribute(value: Attribute, writer: EntryWriter) -> bool:
    """Writes an attribute in its dialect's encoding; False where it has none."""
    write = _ATTRIBUTE_WRITERS.get(type(value))
    return write is not None and write(value, writer)


def write_type(value: Type, writer: EntryWriter) -> bool:
    """Writes a type in its dialect's encoding; False where it has none."""
    write = _TYPE_WRITERS.get(type(value))
    return write is not None and write(value, writer)
