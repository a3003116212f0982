"""The dlti dialect of MLIR 19: an entry has its long form alone, and a colon stands between a device and what is said
of it.

    #dlti.dl_spec<#dlti.dl_entry<index, 32 : i64>>

Source of the rules: *DLTI Dialect* of MLIR 19; observed behaviour of mlir-opt 19.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Final

from fathom.dialects.dlti import EntriesAttr, EntryAttr, Key, spell_key
from fathom.ir.types import Speller
from fathom.irdl.dialect import Dialect
from fathom.irdl.keywords import enclosed
from fathom.records import record, replace

if TYPE_CHECKING:
    from fathom.ir.attributes import Attribute
    from fathom.irdl.readers import BodyReader

_SYSTEM: Final = "target_system_spec"


@record
class FormerEntriesAttr(EntriesAttr):
    """`#dlti.dl_spec<#dlti.dl_entry<index, 32 : i64>>`, or `#dlti.target_system_spec<"CPU" : …>`."""

    def spell(self, of: Speller) -> str:
        if self.kind == _SYSTEM:
            entries = [f"{spell_key(key, of)} : {of(value)}" for key, value in self.entries]
        else:
            entries = [EntryAttr(key, value).spell(of) for key, value in self.entries]
        return f"#dlti.{self.kind}<{', '.join(entries)}>"


def _read_entry(reader: BodyReader) -> tuple[Key, Attribute]:
    entry = reader.attribute()
    return (entry.key, entry.value) if isinstance(entry, EntryAttr) else reader.fail("expected DLTI entry")


def _read_device(reader: BodyReader) -> tuple[Key, Attribute]:
    key = reader.string()
    reader.expect(":")
    return key, reader.attribute()


def _read_entries(kind: str) -> Callable[[BodyReader], EntriesAttr]:
    read = _read_device if kind == _SYSTEM else _read_entry

    def body(reader: BodyReader) -> EntriesAttr:
        entries: dict[Key, Attribute] = {}
        while not reader.at(">"):
            key, value = read(reader)
            if key in entries:
                reader.fail(f"repeated layout entry key: {spell_key(key, str)}")
            entries[key] = value
            if not reader.accept(","):
                break
        return FormerEntriesAttr(kind, tuple(entries.items()))

    return enclosed(body)


def completed(dialect: Dialect) -> Dialect:
    """The dialect with the lists of entries that it has."""
    lists = {kind: _read_entries(kind) for kind in ("dl_spec", "target_device_spec", _SYSTEM)}
    return replace(dialect, attributes={**dialect.attributes, **lists})
