"""The resources of a file: the elements of `dense_resource` attributes, and what other tools keep with the module.

Source of the rules: *MLIR Bytecode Format*, "Resource Section"; the reader of MLIR 22 for the wording of mistakes.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Final

from fathom.bytecode.dialects import DialectEntry, string_at
from fathom.bytecode.encoding import ByteReader, ByteWriter, Malformed
from fathom.bytecode.form import ResourceKind
from fathom.bytecode.sections import Strings
from fathom.elaborate.literals import unquote
from fathom.ir.attributes import Blob, DenseResourceAttr
from fathom.ir.metadata import Metadata, spell_blob
from fathom.ir.types import ShapedType
from fathom.records import field, record
from fathom.text.escapes import quote

_ALIGNMENT: Final = 4
"""How many bytes of a blob tell its alignment in the text."""
_BLOB: Final = re.compile('"0x(?:[0-9a-fA-F]{2}){4,}+"')


@record(frozen=False)
class Resources:
    """The resources of a file that is being read: the keys by their numbers, and what is kept under them."""

    keys: list[str] = field(default_factory=list[str])
    metadata: Metadata = field(default_factory=Metadata)

    def read(
        self, dialects: Sequence[DialectEntry], strings: Sequence[str], offsets: ByteReader, bodies: ByteReader
    ) -> None:
        """Takes them from their two sections."""
        for _ in range(offsets.varint()):
            tool = string_at(strings, offsets.varint())
            entries = self.metadata.external.setdefault(tool, {})
            for key, kind, body in _group(strings, offsets, bodies):
                entries[key] = _external(strings, kind, key, body)
        while offsets.left:
            index = offsets.varint()
            if index >= len(dialects):
                raise Malformed(f"invalid dialect index: {index}")
            dialect = dialects[index]
            if dialect.is_refused:
                raise Malformed(f"dialect '{dialect.name}' is unknown")
            if dialect.name != "builtin":
                raise Malformed(f"unexpected resources for dialect '{dialect.name}'")
            for key, kind, body in _group(strings, offsets, bodies):
                self.keys.append(key)
                if body.left:  # One without data is only declared.
                    self.metadata.blobs[key] = _blob(kind, key, body)

    def attribute(self, reader: ByteReader, type: ShapedType) -> DenseResourceAttr:
        """The attribute of a type whose elements are the resource that a number stands for."""
        index = reader.varint()
        if index >= len(self.keys):
            raise Malformed(f"invalid resource handle index: {index}")
        key = self.keys[index]
        return DenseResourceAttr(key, type, self.metadata.blobs.get(key))


def _group(
    strings: Sequence[str], offsets: ByteReader, bodies: ByteReader
) -> list[tuple[str, ResourceKind, ByteReader]]:
    """The resources of one provider: their keys, their kinds and their bytes."""

    def entry() -> tuple[str, ResourceKind, ByteReader]:
        key = string_at(strings, offsets.varint())
        size, kind = offsets.varint(), offsets.byte()
        if kind >= len(ResourceKind):
            raise Malformed(f"unknown kind of the resource '{key}': {kind}")
        return key, ResourceKind(kind), bodies.part(size)

    return offsets.list(entry)


def _external(strings: Sequence[str], kind: ResourceKind, key: str, body: ByteReader) -> str:
    """The value of a resource of another tool, as it is spelt."""
    if kind is ResourceKind.BLOB:
        return spell_blob(_blob(kind, key, body).digits())
    if kind is ResourceKind.BOOL:
        text = "true" if body.byte() else "false"
    else:
        text = quote(string_at(strings, body.varint()))
    _check_end(key, body)
    return text


def _blob(kind: ResourceKind, key: str, body: ByteReader) -> Blob:
    if kind is not ResourceKind.BLOB:
        raise Malformed(f"expected a blob resource entry, but found a {kind.name.lower()} entry instead")
    alignment, size = body.varint(), body.varint()
    body.align(alignment)
    data = body.bytes(size)
    _check_end(key, body)
    if alignment >= 1 << 8 * _ALIGNMENT:
        raise Malformed(f"an alignment of {alignment} bytes is not kept")
    head = alignment.to_bytes(_ALIGNMENT, "little").hex()
    return Blob(2 * (_ALIGNMENT + size), lambda: head + data.hex())


def _check_end(key: str, body: ByteReader) -> None:
    if body.left:
        raise Malformed(f"unexpected trailing bytes in resource entry '{key}'")


# ---- writing


class ResourceWriter:
    """Writes the two sections. With `elide`, only that the resources are there."""

    def __init__(self, strings: Strings, *, elide: bool) -> None:
        self._strings = strings
        self._elide = elide
        self.offsets = ByteWriter()
        self.bodies = ByteWriter()

    def external(self, groups: Mapping[str, Mapping[str, str]]) -> None:
        """The resources of other tools, as they are spelt."""
        self.offsets.varint(len(groups))
        for tool, entries in groups.items():
            written = [self._entry(key, *self._value(text)) for key, text in entries.items()]
            self._group(self._strings.number(tool), written)

    def dialect(self, number: int, blobs: Mapping[str, Blob | None]) -> None:
        """The resources of the dialect of a number; those without data are only declared."""
        if blobs:
            kind = ResourceKind.BLOB
            self._group(number, [self._entry(key, kind, _writer_of(blob)) for key, blob in blobs.items()])

    def _value(self, text: str) -> tuple[ResourceKind, Callable[[ByteWriter], None]]:
        if text in ("true", "false"):
            return ResourceKind.BOOL, lambda out: out.byte(text == "true")
        if _BLOB.fullmatch(text):
            return ResourceKind.BLOB, lambda out: _write_blob(text[3:-1], out)
        return ResourceKind.STRING, lambda out: out.varint(self._strings.number(unquote(text)))

    def _entry(
        self, key: str, kind: ResourceKind, write: Callable[[ByteWriter], None]
    ) -> tuple[str, ResourceKind, int]:
        start = len(self.bodies.data)
        if not self._elide:
            write(self.bodies)
        return key, kind, len(self.bodies.data) - start

    def _group(self, provider: int, entries: Sequence[tuple[str, ResourceKind, int]]) -> None:
        self.offsets.varint(provider)
        self.offsets.varint(len(entries))
        for key, kind, size in entries:
            self.offsets.varint(self._strings.number(key))
            self.offsets.varint(size)
            self.offsets.byte(kind)


def _writer_of(blob: Blob | None) -> Callable[[ByteWriter], None]:
    return lambda out: _write_blob(blob.digits(), out) if blob is not None else None


def _write_blob(digits: str, out: ByteWriter) -> None:
    """A blob of so many hexadecimal digits, the first of which are its alignment."""
    head = 2 * _ALIGNMENT
    alignment = int.from_bytes(bytes.fromhex(digits[:head]), "little")
    data = bytes.fromhex(digits[head:])
    out.varint(alignment)
    out.varint(len(data))
    out.align(alignment)
    out.data += data
