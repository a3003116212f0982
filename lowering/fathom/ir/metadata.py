"""The metadata of a file: the blobs that attributes refer to by key, and what other tools keep with the module.

Source of the rules: *MLIR Language Reference*, "External resources"; observed behaviour of mlir-opt 22.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from fathom.ir.attributes import spell_key


@dataclass(slots=True)
class Metadata:
    """`blobs` are the digits of the builtin dialect's resources by key; `external` has for each tool its entries, as
    they are spelt."""

    blobs: dict[str, str] = field(default_factory=dict[str, str])
    external: dict[str, dict[str, str]] = field(default_factory=dict[str, "dict[str, str]"])

    def update(self, other: Metadata) -> None:
        """Takes over what the metadata of the same file says further below."""
        self.blobs.update(other.blobs)
        for tool, entries in other.external.items():
            self.external.setdefault(tool, {}).update(entries)


def spell_metadata(metadata: Metadata) -> str:
    """`{-# … #-}` with a line break at its end; empty for no entries."""
    blobs = {key: spell_blob(digits) for key, digits in metadata.blobs.items()}
    parts = {"dialect_resources": {"builtin": blobs}, "external_resources": metadata.external}
    spelt = [text for name, sections in parts.items() if (text := _part(name, sections))]
    return "{-#\n" + ",\n".join(spelt) + "\n#-}\n" if spelt else ""


def spell_blob(digits: str) -> str:
    """A blob as a string of hexadecimal digits."""
    return f'"0x{digits.upper()}"'


def _part(name: str, sections: Mapping[str, Mapping[str, str]]) -> str:
    filled = [_section(key, entries) for key, entries in sections.items() if entries]
    return f"  {name}: {{\n" + ",\n".join(filled) + "\n  }" if filled else ""


def _section(name: str, entries: Mapping[str, str]) -> str:
    lines = [f"      {spell_key(key)}: {value}" for key, value in entries.items()]
    return f"    {name}: {{\n" + ",\n".join(lines) + "\n    }"
