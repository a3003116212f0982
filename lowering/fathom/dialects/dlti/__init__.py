"""The dlti dialect: what a module says about data layouts and targets, as attributes. It has no operations.

Source of the rules: *DLTI Dialect*.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, ClassVar, Final, TypeAlias

from fathom.dialects import Modules
from fathom.ir.attributes import Attribute
from fathom.ir.types import Speller, Type
from fathom.irdl.dialect import Dialect
from fathom.irdl.keywords import enclosed
from fathom.records import record
from fathom.text.escapes import quote

if TYPE_CHECKING:
    from fathom.irdl.readers import BodyReader

Key: TypeAlias = "str | Type"


def spell_key(key: Key, of: Speller) -> str:
    return quote(key) if isinstance(key, str) else of(key)


@record
class EntryAttr(Attribute):
    """`#dlti.dl_entry<index, 32 : i32>`, the long form of an entry."""

    FULL_NAME: ClassVar[str] = "dlti.dl_entry"

    key: Key
    value: Attribute

    def spell(self, of: Speller) -> str:
        return f"#dlti.dl_entry<{spell_key(self.key, of)}, {of(self.value)}>"


@record
class EntriesAttr(Attribute):
    """`#dlti.dl_spec<index = 32 : i32>`, and the other kinds of entries; keys are types and strings."""

    kind: str
    entries: tuple[tuple[Key, Attribute], ...]

    @property
    def full_name(self) -> str:
        return f"dlti.{self.kind}"

    def spell(self, of: Speller) -> str:
        entries = ", ".join(f"{spell_key(key, of)} = {of(value)}" for key, value in self.entries)
        return f"#dlti.{self.kind}<{entries}>"


@record
class FunctionPointerAlignmentAttr(Attribute):
    """`#dlti.function_pointer_alignment<32, function_dependent = true>`: bits, and whether functions' own alignment
    counts."""

    FULL_NAME: ClassVar[str] = "dlti.function_pointer_alignment"

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
    if reader.at("="):
        reader.fail_before("expected attribute value")
    reader.attribute()
    return reader.fail_before("invalid kind of attribute specified")


def _read_assignment(reader: BodyReader, *, by_name: bool) -> tuple[Key, Attribute]:
    """`"key" = value`, or an entry in its long form; `by_name` where a type is no key."""
    if reader.at_kind("HASH"):
        entry = reader.attribute()
        return (entry.key, entry.value) if isinstance(entry, EntryAttr) else reader.fail("expected DLTI entry")
    key = _read_key(reader)
    if by_name and isinstance(key, Type):
        reader.fail_before("invalid kind of attribute specified")
    reader.expect("=")
    return key, reader.attribute()


def _read_entries(kind: str) -> Callable[[BodyReader], EntriesAttr]:
    noun = "device ID in dlti.target_system_spec" if kind == "target_system_spec" else "DLTI key"

    def read(reader: BodyReader) -> EntriesAttr:
        entries: dict[Key, Attribute] = {}
        while not reader.at(">"):
            key, value = _read_assignment(reader, by_name=kind.startswith("target"))
            if key in entries:
                reader.fail(f"repeated {noun}: {spell_key(key, str)}")
            entries[key] = value
            if not reader.accept(","):
                break
        return EntriesAttr(kind, tuple(entries.items()))

    return enclosed(read)


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
    if not reader.at_kind("STRING") and not reader.at_type():
        reader.fail_here("expected a type or a quoted string")
    key = reader.string() if reader.at_kind("STRING") else reader.type()
    reader.expect(",")
    return EntryAttr(key, reader.attribute())


def _read_alignment(reader: BodyReader) -> FunctionPointerAlignmentAttr:
    alignment = reader.integer()
    reader.expect(",")
    reader.expect("function_dependent")
    reader.expect("=")
    dependent = reader.optional_keyword(("true", "false")) or reader.fail("expected 'true' or 'false'")
    return FunctionPointerAlignmentAttr(alignment, dependent == "true")


DIALECT: Final = Dialect(
    "dlti",
    aspects=Modules("dlti"),
    complete=True,
    attributes={
        "dl_entry": enclosed(_read_entry),
        "dl_spec": _read_entries("dl_spec"),
        "function_pointer_alignment": enclosed(_read_alignment),
        "map": _read_entries("map"),
        "target_device_spec": lambda reader: _check_targets(reader, _read_entries("target_device_spec")(reader)),
        "target_system_spec": _read_system,
    },
)
