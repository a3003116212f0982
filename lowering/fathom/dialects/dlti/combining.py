"""Several data layouts as one.

Source of the rules: *Data Layout Modeling*, "Data Layout Nesting"; `DataLayoutSpecAttr::combineWith` of MLIR 22.
"""

from __future__ import annotations

from collections.abc import Iterable

from fathom.dialects.dlti import EntriesAttr, Key
from fathom.dialects.dlti.attribute_checks import LaidOut
from fathom.ir.attributes import Attribute
from fathom.ir.dialect_values import DialectType
from fathom.ir.types import FloatType, Type


def combined(layouts: Iterable[EntriesAttr]) -> EntriesAttr | None:
    """The entries of all, those of names first, then those of types, kind by kind. Of a type the last entry counts;
    None where a name has two values, or where an entry of a type contradicts an earlier one."""
    named: dict[Key, Attribute] = {}
    typed: dict[object, dict[Key, Attribute]] = {}
    for layout in layouts:
        earlier = {kind: dict(entries) for kind, entries in typed.items()}
        for key, value in layout.entries:
            if not isinstance(key, Type):
                if named.setdefault(key, value) != value:
                    return None
                continue
            kind = _kind(key)
            known = earlier.get(kind)
            if isinstance(key, LaidOut) and known is not None and not key.overrides(value, known.get(key)):
                return None
            typed.setdefault(kind, {})[key] = value
    entries = (*named.items(), *(entry for of_kind in typed.values() for entry in of_kind.items()))
    return EntriesAttr("dl_spec", entries)


def _kind(type: Type) -> object:
    """What the entries of types of one kind stand together by: each float is a kind of its own."""
    if isinstance(type, FloatType):
        return type
    return type.definition if isinstance(type, DialectType) else type.__class__
