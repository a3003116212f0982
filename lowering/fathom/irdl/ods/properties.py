"""Properties that are no attributes at heart, by the kinds that descriptions have for them.

Source of the rules: `mlir/IR/Properties.td` and `mlir/IR/EnumAttr.td`.
"""

from __future__ import annotations

from typing import Final

from fathom.irdl.expressions import Call
from fathom.irdl.ods.draft import Draft
from fathom.irdl.ods.enumerations import case_of, enumeration
from fathom.tablegen.records import Record

_KINDS: Final = {
    "bool": "BoolProp",
    "int32_t": "I32Prop",
    "int64_t": "I64Prop",
    "std::string": "StringProp",
}
"""The kinds by the types in C++ in which they are kept."""


def property_kind(draft: Draft, record: Record, default: str | None) -> tuple[Call | None, str | None]:
    """The kind of a property and its default; None for a kind that is kept and written by C++ only."""
    if record.is_a("_cls_UnitProp"):
        return Call("UnitProp"), None
    if record.is_a("EnumProp"):
        enum = draft.resolve(record, "enum")
        if enum is None or record.is_a("EnumPropWithAttrForm"):
            return None, None
        written = case_of(draft, enum, default) if default else None
        return Call("EnumProp", (Call(enumeration(draft, enum)),)), written
    kind = _KINDS.get((record.string("storageType") or "").removeprefix("::"))
    if kind is None or record.is_a("ArrayProp"):
        return None, None
    return Call(kind), default or None
