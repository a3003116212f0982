"""Defaults of attributes, which definitions give in C++, as descriptions write them."""

from __future__ import annotations

import re
from typing import Final

from fathom.irdl.ods import cpp
from fathom.irdl.ods.draft import Draft
from fathom.irdl.ods.enumerations import case_of
from fathom.tablegen.records import Record

_CAST: Final = re.compile(r"static_cast<\w+>\((.*)\)")
_ARRAYS: Final = re.compile(r"(?:::)?(?:mlir::)?(?:Dense\w*|Array)Attr")


def default_text(draft: Draft, record: Record, text: str) -> str | None:
    """The default of an attribute of this constraint; None where only C++ knows what it is."""
    if record.is_a("EnumAttrInfo"):
        return case_of(draft, record, text)
    if record.is_a("EnumAttr"):
        enum = draft.resolve(record, "enum")
        return case_of(draft, enum, text) if enum is not None else None
    storage = (record.string("storageType") or "").strip()
    if storage.endswith("StringAttr"):
        match cpp.parse_cpp(text):
            case cpp.Text(value):
                return '"' + value.replace("\\", "\\\\").replace('"', '\\"') + '"'
            case _:
                return None
    cast = _CAST.fullmatch(text.strip())
    tree = cpp.parse_cpp(cast[1] if cast is not None else text)
    if storage.endswith("DictionaryAttr"):
        return "{}" if tree == cpp.Braces(()) else None
    if storage.endswith("UnitAttr"):
        return None
    return _value(tree) if not isinstance(tree, cpp.Braces) or _ARRAYS.fullmatch(storage) else None


def _value(tree: cpp.Cpp | None) -> str | None:
    match tree:
        case cpp.Number(text):
            return text
        case cpp.Name("true" | "false" as word):
            return word
        case cpp.Text(value):
            return f'"{value}"'
        case cpp.Braces(elements):
            texts = [_value(element) for element in elements]
            return f"[{', '.join(element_text or '' for element_text in texts)}]" if all(texts) else None
        case _:
            return None
