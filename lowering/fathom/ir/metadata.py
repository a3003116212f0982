"""The metadata of a file: the blobs that attributes refer to by key, and what other tools keep with the module.

Source of the rules: *MLIR Language Reference*, "External resources"; observed behaviour of mlir-opt 22.
"""

from __future__ import annotations

from collections.abc import Mapping

from fathom.ir.attributes import Blob
from fathom.ir.spelling import spell_key
from fathom.records import field, record


@record(frozen=False)
class Metadata:
    """`blobs` are the builtin dialect's resources by key; `external` has for each tool its entries, as they are
    spelt."""

    blobs: dict[str, Blob] = field(default_factory=dict[str, Blob])
    external: dict[str, dict[str, str]] = field(default_factory=dict[str, "dict[str, str]"])

    def update(self, other: Metadata) -> None:
        """Takes over what the metadata of the same file says further below."""
        self.blobs.update(other.blobs)
        for tool, entries in other.external.items():
            self.external.setdefault(tool, {}).update(entries)


def spell_metadata(metadata: Metadata, elide_above: int | None = None) -> str:
    """`{-# … #-}` with a line break at its end; empty for no entries. Entries of more than `elide_above` characters are
    left out, and MLIR prints the rest even if it is nothing."""
    shown = {key: blob for key, blob in metadata.blobs.items() if elide_above is None or blob.count + 4 <= elide_above}
    blobs = {key: spell_blob(blob.digits()) for key, blob in shown.items()}
    external = {tool: _short(entries, elide_above) for tool, entries in metadata.external.items()}
    parts = {"dialect_resources": {"builtin": blobs}, "external_resources": external}
    spelt = [text for name, sections in parts.items() if (text := _part(name, sections))]
    is_empty = not (metadata.blobs or any(metadata.external.values()))
    return "" if is_empty else "{-#\n" + ",\n".join(spelt) + "\n#-}\n"


def spell_blob(digits: str) -> str:
    """A blob as a string of hexadecimal digits."""
    return f'"0x{digits.upper()}"'


def _short(entries: Mapping[str, str], elide_above: int | None) -> dict[str, str]:
    return {key: text for key, text in entries.items() if elide_above is None or len(text) <= elide_above}


def _part(name: str, sections: Mapping[str, Mapping[str, str]]) -> str:
    filled = [_section(key, entries) for key, entries in sections.items() if entries]
    return f"  {name}: {{\n" + ",\n".join(filled) + "\n  }" if filled else ""


def _section(name: str, entries: Mapping[str, str]) -> str:
    lines = [f"      {spell_key(key)}: {value}" for key, value in entries.items()]
    return f"    {name}: {{\n" + ",\n".join(lines) + "\n    }"
