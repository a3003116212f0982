"""The sections of a file, and its table of strings.

Source of the rules: *MLIR Bytecode Format*, "Top Level Structure" and "String Section"; the reader of MLIR 22 for the
order and the wording of mistakes.
"""

from __future__ import annotations

from typing import Final

from fathom.bytecode.encoding import ByteReader, ByteWriter, Malformed, decoded
from fathom.bytecode.form import MAGIC, NEWEST, Section, Version
from fathom.records import record
from fathom.text.encodings import utf8

_REQUIRED: Final = (Section.STRING, Section.DIALECT, Section.ATTR_TYPE, Section.ATTR_TYPE_OFFSET, Section.IR)


@record
class Header:
    """What stands before the sections: the version of the format, and who wrote the file."""

    version: int
    producer: str


def read_header(file: ByteReader) -> Header:
    """What stands behind the magic number. Malformed for a version that is not known."""
    file.bytes(len(MAGIC))
    version = file.varint()
    if version > NEWEST:
        raise Malformed(f"bytecode version {version} is newer than the current version {NEWEST:d}")
    return Header(version, file.text())


def write_header(file: ByteWriter, header: Header) -> None:
    file.data += MAGIC
    file.varint(header.version)
    file.text(header.producer)


def read_sections(file: ByteReader, version: int) -> dict[Section, ByteReader]:
    """The sections, each once; those that a file of this version must have are there."""
    sections: dict[Section, ByteReader] = {}
    while file.left:
        kind, body = file.section()
        if kind in sections:
            raise Malformed(f"duplicate top-level section: {kind.title}")
        sections[kind] = body
    required = (*_REQUIRED, Section.PROPERTIES) if version >= Version.PROPERTIES else _REQUIRED
    for kind in required:
        if kind not in sections:
            raise Malformed(f"missing data for top-level section: {kind.title}")
    return sections


def read_strings(section: ByteReader) -> list[str]:
    """The table of strings: their sizes, from the last to the first, and then all of them, each with a zero behind."""
    start, end = section.position, section.end
    places: list[tuple[int, int]] = []
    for _ in range(section.varint()):
        size = section.varint()
        if size > end - start:
            raise Malformed("string size exceeds the available data size")
        places.append((end - size, end - 1))
        end -= size
    if section.position != end:
        raise Malformed("unexpected trailing data between the offsets for strings and their data")
    if any(first > last for first, last in places):
        raise Malformed("a string has no end")
    return [decoded(section.data[first:last]) for first, last in reversed(places)]


class Strings:
    """The table of strings that is being written, in the order in which they were first asked for."""

    def __init__(self) -> None:
        self._numbers: dict[str, int] = {}

    def number(self, text: str) -> int:
        return self._numbers.setdefault(text, len(self._numbers))

    def body(self) -> ByteWriter:
        """The section."""
        out = ByteWriter()
        texts = [utf8(text) for text in self._numbers]
        out.varint(len(texts))
        for text in reversed(texts):
            out.varint(len(text) + 1)
        out.data += b"".join(text + b"\0" for text in texts)
        return out
