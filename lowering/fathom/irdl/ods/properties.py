"""Properties that are no attributes at heart, by the kinds that descriptions have for them.

Source of the rules: `mlir/IR/Properties.td` and `mlir/IR/EnumAttr.td`.
"""

from __future__ import annotations

import re
from typing import Final

from fathom.irdl.expressions import Call, Text
from fathom.irdl.ods.draft import Draft
from fathom.irdl.ods.enumerations import case_of, enumeration
from fathom.irdl.ods.predicates import ANYTHING
from fathom.tablegen.records import Record

_KINDS: Final = {
    "bool": "BoolProp",
    "int32_t": "I32Prop",
    "int64_t": "I64Prop",
    "std::string": "StringProp",
}
"""The kinds by the types in C++ in which they are kept."""
_LIST: Final = re.compile(r"(?:::)?llvm::SmallVector<(.*)>")
_OPTIONAL: Final = re.compile(r"(?:::)?std::optional<(.*)>")
_NOTHING: Final = re.compile(r"(?:::)?(?:llvm::)?(?:ArrayRef|SmallVector)<[^{}]*>(?:\{\}|\(\))|\{\}")
"""How C++ writes an empty list."""


def property_entry(draft: Draft, record: Record) -> tuple[Call | None, str | None]:
    """The kind of a property, and its default; None for a kind that only C++ reads and writes."""
    default = record.string("defaultValue") or None
    if record.is_a("DefaultValuedProp"):
        base = draft.resolve(record, "baseProperty")
        kind = property_entry(draft, base)[0] if base is not None else None
        return kind, _default(draft, record, default)
    if record.is_a("ConfinedProp"):
        base = draft.resolve(record, "baseProperty")
        kind, inherited = property_entry(draft, base) if base is not None else (None, None)
        predicate = draft.predicates.term(draft.resolve(record, "predicate"))
        confined = Call("ConfinedProp", (kind, predicate, _summary(record))) if kind is not None else None
        return confined, inherited
    if record.is_a("OptionalProp"):
        return _optional(draft, record), None
    if record.is_a("_cls_UnitProp"):
        return Call("UnitProp"), None
    if record.is_a("EnumProp"):
        enum = draft.resolve(record, "enum")
        if enum is None or record.is_a("EnumPropWithAttrForm"):
            return None, None
        name, mnemonic = Call(enumeration(draft, enum)), record.string("mnemonic")
        kind = Call("NamedEnumProp", (name, Text(mnemonic))) if mnemonic else Call("EnumProp", (name,))
        return kind, case_of(draft, enum, default) if default else None
    if record.is_a("ArrayProp"):
        return _array(draft, record), _default(draft, record, default)
    is_plain = record.is_a("IntProp") or record.is_a("_cls_StringProp")
    return (_stored(draft, record.string("storageType")) if is_plain else None), _default(draft, record, default)


def _summary(record: Record) -> Text:
    return Text(record.string("summary") or "")


def _stored(draft: Draft, storage: str | None) -> Call | None:
    """The kind by the type in which C++ keeps it."""
    storage = (storage or "").strip().removeprefix("::")
    if storage in _KINDS:
        return Call(_KINDS[storage])
    for pattern, name in ((_LIST, "ArrayProp"), (_OPTIONAL, "OptionalProp")):
        if (match := pattern.fullmatch(storage)) is not None:
            inner = _stored(draft, match[1])
            return Call(name, (inner,)) if inner is not None else None
    enum = draft.find_enumeration(storage)
    return Call("EnumProp", (Call(enumeration(draft, enum)),)) if enum is not None else None


def _array(draft: Draft, record: Record) -> Call | None:
    """An array, whose element is an argument of its class that no record keeps: the type in which C++ keeps it says
    what it is, and the predicate what is demanded of it."""
    kind = _stored(draft, record.string("storageType"))
    if kind is None or not isinstance(element := kind.arguments[0], Call):
        return None
    demanded = draft.predicates.term(_within(draft, draft.resolve(record, "predicate")))
    summary = record.string("summary") or ""
    if demanded != ANYTHING:
        element = Call("ConfinedProp", (element, demanded, Text(summary.removeprefix("array of "))))
    return Call("IntArrayProp" if record.is_a("IntArrayProp") else "ArrayProp", (element,))


def _optional(draft: Draft, record: Record) -> Call | None:
    """What may be there or not, which no record keeps either."""
    kind = _stored(draft, record.string("storageType"))
    if kind is None or not isinstance(inner := kind.arguments[0], Call):
        return None
    predicate = draft.resolve(record, "predicate")
    if predicate is not None and predicate.is_a("CombinedPred") and len(predicate.list("children")) == 2:
        # "It is not there, or …".
        demanded = draft.predicates.term(_within(draft, draft.records.resolve(predicate.list("children")[1])))
        summary = (record.string("summary") or "").removeprefix("optional ")
        inner = Call("ConfinedProp", (inner, demanded, Text(summary)))
    return Call("OptionalProp", (inner,))


def _within(draft: Draft, predicate: Record | None) -> Record | None:
    """The predicate that MLIR puts other C++ around."""
    while predicate is not None and predicate.ref("kind") in ("PredCombinerConcat", "PredCombinerSubstLeaves"):
        children = predicate.list("children")
        predicate = draft.records.resolve(children[0]) if children else None
    return predicate


def _default(draft: Draft, record: Record, default: str | None) -> str | None:
    if default is None:
        return None
    if _NOTHING.fullmatch(default.strip()):
        return "[]"
    enum = draft.find_enumeration(record.string("storageType") or "")
    return case_of(draft, enum, default) if enum is not None else default
