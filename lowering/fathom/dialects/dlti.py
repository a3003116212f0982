"""The dlti dialect: what a module says about data layouts and targets, as attributes. It has no operations.

Source of the rules: *DLTI Dialect*.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, TypeAlias

from fathom.ir.attributes import Attribute, quote
from fathom.ir.types import Speller, Type
from fathom.irdl.dialect import Dialect

if TYPE_CHECKING:
    from fathom.irdl.protocols import BodyReader

Key: TypeAlias = "str | Type"


def spell_key(key: Key, of: Speller) -> str:
    return quote(key) if isinstance(key, str) else of(key)


@dataclass(frozen=True, slots=True)
class EntryAttr(Attribute):
    """`#dlti.dl_entry<index, 32 : i32>`, the long form of an entry."""

    key: Key
    value: Attribute

    def spell(self, of: Speller) -> str:
        return f"#dlti.dl_entry<{spell_key(self.key, of)}, {of(self.value)}>"


@dataclass(frozen=True, slots=True)
class EntriesAttr(Attribute):
    """`#dlti.dl_spec<index = 32 : i32>`, and the other kinds of entries; keys are types and strings."""

    kind: str
    entries: tuple[tuple[Key, Attribute], ...]

    def spell(self, of: Speller) -> str:
        entries = ", ".join(f"{spell_key(key, of)} = {of(value)}" for key, value in self.entries)
        return f"#dlti.{self.kind}<{entries}>"


@dataclass(frozen=True, slots=True)
class FunctionPointerAlignmentAttr(Attribute):
    """`#dlti.function_pointer_alignment<32, function_dependent = true>`: bits, and whether functions' own alignment
    counts."""

    alignment: int
    function_dependent: bool

    def spell(self, of: Speller) -> str:
        dependent = "true" if self.function_dependent else "false"
        return f"#dlti.function_pointer_alignment<{self.alignment}, function_dependent = {dependent}>"


def _read_key(reader: BodyReader) -> Key:
    if reader.at_kind("STRING"):
        key = reader.string()
        return key or reader.fail("empty string as DLTI key is not allowed")
    if reader.at_type():
        return reader.type()
    reader.attribute()
    return reader.fail("invalid kind of attribute specified")


def _read_assignment(reader: BodyReader) -> tuple[Key, Attribute]:
    """`"key" = value`, or an entry in its long form."""
    if reader.at_kind("HASH"):
        entry = reader.attribute()
        return (entry.key, entry.value) if isinstance(entry, EntryAttr) else reader.fail("expected DLTI entry")
    key = _read_key(reader)
    reader.expect("=")
    return key, reader.attribute()


def _read_entries(kind: str) -> Callable[[BodyReader], EntriesAttr]:
    def read(reader: BodyReader) -> EntriesAttr:
        reader.expect("<")
        entries: dict[Key, Attribute] = {}
        while not reader.at(">"):
            key, value = _read_assignment(reader)
            if key in entries:
                reader.fail(f"repeated DLTI key: {spell_key(key, str)}")
            entries[key] = value
            if not reader.accept(","):
                break
        reader.expect(">")
        return EntriesAttr(kind, tuple(entries.items()))

    return read


def _read_device(reader: BodyReader) -> EntriesAttr:
    device = _read_entries("target_device_spec")(reader)
    return _check_targets(reader, device)


def _check_targets(reader: BodyReader, spec: EntriesAttr) -> EntriesAttr:
    """Targets are named by strings, and there is one at least."""
    if not spec.entries:
        reader.fail("no DLTI entries provided")
    if not all(isinstance(key, str) for key, _ in spec.entries):
        reader.fail("invalid kind of attribute specified")
    return spec


def _read_system(reader: BodyReader) -> EntriesAttr:
    system = _check_targets(reader, _read_entries("target_system_spec")(reader))
    for key, value in system.entries:
        if not isinstance(value, EntriesAttr) or value.kind != "target_device_spec":
            reader.fail(f"value associated with key {spell_key(key, str)} is not a DLTI device spec")
    return system


def _read_entry(reader: BodyReader) -> EntryAttr:
    reader.expect("<")
    key = _read_key(reader)
    reader.expect(",")
    value = reader.attribute()
    reader.expect(">")
    return EntryAttr(key, value)


def _read_alignment(reader: BodyReader) -> FunctionPointerAlignmentAttr:
    reader.expect("<")
    alignment = reader.integer()
    reader.expect(",")
    reader.expect("function_dependent")
    reader.expect("=")
    dependent = reader.optional_keyword(("true", "false")) or reader.fail("expected 'true' or 'false'")
    reader.expect(">")
    return FunctionPointerAlignmentAttr(alignment, dependent == "true")


DIALECT: Final = Dialect(
    "dlti",
    attributes={
        "dl_entry": _read_entry,
        "dl_spec": _read_entries("dl_spec"),
        "function_pointer_alignment": _read_alignment,
        "map": _read_entries("map"),
        "target_device_spec": _read_device,
        "target_system_spec": _read_system,
    },
)
