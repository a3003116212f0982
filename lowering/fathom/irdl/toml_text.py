"""The text of a description, from its tables."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

from fathom.irdl.sections import Table, Value

_BARE: Final = re.compile(r"[A-Za-z0-9_-]+")
_ESCAPES: Final = {"\\": "\\\\", '"': '\\"', "\n": "\\n", "\t": "\\t", "\r": "\\r"}
_WIDTH: Final = 118


def toml_text(top: Table, tables: Mapping[str, Mapping[str, Table]]) -> str:
    """The text of a description: what stands at the top, and the tables by kind and name."""
    lines = [f"{_key(key)} = {_value(value)}" for key, value in top.items()]
    for kind, of_kind in tables.items():
        for name, table in of_kind.items():
            lines += ["", f"[{kind}.{_key(name)}]"]
            lines += [_entry(key, value) for key, value in table.items()]
    return "\n".join(lines) + "\n"


def _entry(key: str, value: Value) -> str:
    text = f"{_key(key)} = {_value(value)}"
    if len(text) <= _WIDTH or not isinstance(value, list):
        return text
    return "\n".join([f"{_key(key)} = [", *(f"  {_value(element)}," for element in value), "]"])


def _key(key: str) -> str:
    return key if _BARE.fullmatch(key) else _string(key)


def _string(text: str) -> str:
    """A string, in single quotes where that saves escapes."""
    if "'" not in text and ('"' in text or "\\" in text) and text.isprintable():
        return f"'{text}'"
    escaped = "".join(
        _ESCAPES.get(character, character if character.isprintable() else f"\\U{ord(character):08x}")
        for character in text
    )
    return f'"{escaped}"'


def _value(value: Value) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return _string(value)
    if isinstance(value, list):
        return f"[{', '.join(map(_value, value))}]"
    if isinstance(value, dict):
        entries = ", ".join(f"{_key(key)} = {_value(entry)}" for key, entry in value.items())
        return f"{{ {entries} }}" if entries else "{}"
    return str(value)
