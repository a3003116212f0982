"""Constraints of ODS as expressions of a description, with a table for each that has a name of its own.

MLIR's own go by their names. Those that are put together of others are put together in the same way, by the classes of
their records; of all the rest the predicate is read. Source of the rules: *Operation Definition Specification (ODS)*,
"Constraints", and the fields that `OpBase.td`, `CommonTypeConstraints.td` and `CommonAttrConstraints.td` give them.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from itertools import count
from typing import Final

from fathom.irdl.expressions import Call, List, Number, Text, spell
from fathom.irdl.ods.classes import TYPE_CLASSES
from fathom.irdl.ods.draft import Draft, plain
from fathom.irdl.ods.enumerations import enumeration
from fathom.irdl.ods.predicates import UNCHECKED
from fathom.irdl.sections import Table
from fathom.irdl.standard_attributes import ATTRIBUTES
from fathom.irdl.standard_attributes import CLASSES as ATTRIBUTE_CLASSES
from fathom.irdl.standard_types import TYPES
from fathom.tablegen.records import Record, Records

_WIDTHS: Final[Mapping[str, str]] = {"I": "I", "SI": "SI", "UI": "UI", "AnyI": "AnyI", "F": "F"}
"""The classes of types that have a width, and the stems of the names of the usual ones."""

_LONG: Final = 90
"""How long the text of a constraint may be that has no table of its own."""

_WRAPPERS: Final = ("OptionalAttr", "DefaultValuedAttr", "DefaultValuedOptionalAttr")

_WITHOUT_ARGUMENTS: Final = frozenset(
    ("DenseArrayNonNegative", "DenseArraySorted", "DenseArrayStrictlyPositive", "DenseArrayStrictlySorted")
)
"""The classes of constraints whose arguments say nothing more."""
_OF_SHAPE: Final = re.compile(r"elements attribute of shape \[([\d, ]*)\]")
"""What the summary of `RankedI32ElementsAttr<[2, 2]>` and its like ends with: no record keeps the argument."""

_NAME: Final = re.compile(r"[\w:]+")
"""The name of a class, without arguments of a template."""

_STORED: Final[Mapping[str, str]] = {
    **{f"Dense{kind}ArrayAttr": f"Dense{kind}ArrayAttr" for kind in ("Bool", "I8", "I16", "I32", "I64", "F32", "F64")},
    "DictionaryAttr": "DictionaryAttr",
    "FlatSymbolRefAttr": "FlatSymbolRefAttr",
    "SymbolRefAttr": "SymbolRefAttr",
    "TypeAttr": "TypeAttr",
    "UnitAttr": "UnitAttr",
}
"""The constraints whose form in a format attributes of these classes have."""


def constraint(draft: Draft, record: Record) -> Call | None:
    """The expression of a constraint on types or attributes; None for a record that is none."""
    if record.is_a("TypeConstraint"):
        return type_constraint(draft, record)
    return attribute_constraint(draft, record) if record.is_a("AttrConstraint") else None


def refer(draft: Draft, records: Records, values: Sequence[str]) -> tuple[Call, ...] | None:
    """The expressions of constraints by the names of their records; None if one of them is none."""
    constraints = [constraint(draft, record) for name in values if (record := records.get(name)) is not None]
    kept = tuple(call for call in constraints if call is not None)
    return kept if len(kept) == len(values) else None


# ---- types


def type_constraint(draft: Draft, record: Record) -> Call:
    """The expression of a constraint on types."""
    if not record.is_anonymous and record.name in TYPES:
        return Call(_today(draft, record.name))
    if record.is_a("TypeDef"):
        return draft.defined(record) or UNCHECKED
    if record.is_anonymous:
        return _shared(draft, record, "type", _type(draft, record))
    draft.table("constraint", record.name, lambda: _named(record, "type", _type(draft, record)), record)
    return Call(record.name)


_WITH_INDEX: Final[Mapping[str, str]] = {"SignlessIntegerLike": "SignlessIntegerOrIndexLike"}
"""What is called otherwise once the old name means no indices any more, which up to MLIR 19 it does."""


def _today(draft: Draft, name: str) -> str:
    """What a constraint of MLIR's own is called today."""
    new = _WITH_INDEX.get(name)
    return new if new is not None and draft.records.get(new) is None else name


def _named(record: Record, kind: str, expression: Call) -> Table:
    table: Table = {kind: spell(expression)}
    if summary := record.string("summary"):
        table["summary"] = summary
    return table


def _shared(draft: Draft, record: Record, kind: str, expression: Call) -> Call:
    """A constraint without a name: as it is, or if it is long, by the name of its class and a number."""
    text = spell(expression)
    if len(text) <= _LONG:
        return expression
    if text not in draft.shared:
        stem = record.superclasses[-1] if record.superclasses else "Constraint"
        taken = {*draft.shared.values(), *draft.tables["constraint"]}
        draft.shared[text] = next(name for n in count(1) if (name := f"{stem}_{n}") not in taken)
    draft.table("constraint", draft.shared[text], lambda: {kind: text})
    return Call(draft.shared[text])


def _type(draft: Draft, record: Record) -> Call:
    """A constraint by what it is made of."""
    summary = record.string("summary") or ""
    for name, stem in _WIDTHS.items():
        if record.is_a(name) and record.superclasses[-1] == name and (width := record.integer("bitwidth")):
            usual = f"{stem}{width}"
            return Call(usual) if usual in TYPES else Call(name, (Number(width),))
    if record.is_a("MixedContainerType") and record.superclasses[-1] in ("TupleOf", "NestedTupleOf"):
        element = draft.resolve(record, "elementType")
        parts = refer(draft, draft.records, element.refs("allowedTypes")) if element is not None else None
        if parts:
            return Call(record.superclasses[-1], (List(parts),))
    base = _base_of(draft, record)
    if base is not None:
        extra = draft.predicates.term(draft.resolve(record, "predicate"))
        return Call("ConfinedType", (base, List((extra,)), Text(summary)))
    if record.is_a("AnyTypeOf"):
        parts = refer(draft, draft.records, record.refs("allowedTypes"))
        if parts:
            return Call("AnyTypeOf", (List(parts), Text(summary)))
    term = draft.predicates.term(draft.resolve(record, "predicate"))
    return Call("Type", (term, Text(summary)))


def _base_of(draft: Draft, record: Record) -> Call | None:
    """The type of a dialect that a constraint casts to, if it casts to one."""
    cpp = plain(record.string("cppType") or "Type")
    known = draft.find_class(cpp)
    if known is not None:
        return draft.defined(known) if known.is_a("TypeDef") else None
    namespace, _, name = cpp.rpartition("::")
    if not _NAME.fullmatch(cpp) or not namespace or name.endswith("Interface") or name in TYPE_CLASSES:
        return None
    # These files do not define it, so nobody knows how it is written without its name.
    table: Table = {"dialect": namespace.rpartition("::")[2].lower(), "opaque": True}
    draft.table("type", name, lambda: table)
    return Call(name)


# ---- attributes


def attribute_constraint(draft: Draft, record: Record) -> Call:
    """The expression of a constraint on attributes; whether one may be left out is no part of it."""
    while any(map(record.is_a, _WRAPPERS)) and (base := draft.resolve(record, "baseAttr")) is not None:
        record = base
    if not record.is_anonymous and record.name in ATTRIBUTES:
        return Call(record.name)
    if record.is_a("AttrDef"):
        return draft.defined(record) or UNCHECKED
    if record.is_a("StrEnumAttr"):
        return Call("StrAttr")  # Up to MLIR 18: the words of an enumeration, as strings.
    if record.is_a("EnumAttrInfo"):
        return Call(enumeration(draft, record))
    if record.is_anonymous:
        return _shared(draft, record, "attribute", _attribute(draft, record))
    draft.table("constraint", record.name, lambda: _named(record, "attribute", _attribute(draft, record)), record)
    return Call(record.name)


def _attribute(draft: Draft, record: Record) -> Call:
    """A constraint by what it is made of."""
    summary = Text(record.string("summary") or "")
    known = record.superclasses[-1] if record.superclasses else ""
    if known in _WITHOUT_ARGUMENTS:
        return Call(known)
    if known in ATTRIBUTE_CLASSES and (ranked := _OF_SHAPE.search(summary.value)) is not None:
        return Call(known, (List(tuple(Number(int(number)) for number in ranked[1].split(",") if number)),))
    if record.is_a("ConfinedAttr"):
        return _confined(draft, record) or _other(draft, record)
    if record.is_a("TypedArrayAttrBase"):
        element = refer(draft, draft.records, (record.ref("elementAttr") or "",))
        return Call("TypedArrayAttrBase", (*element, summary)) if element else _other(draft, record)
    if record.is_a("AnyAttrOf"):
        allowed = refer(draft, draft.records, record.refs("allowedAttributes"))
        return Call("AnyAttrOf", (List(allowed), summary)) if allowed else _other(draft, record)
    return _other(draft, record)


def _confined(draft: Draft, record: Record) -> Call | None:
    base = refer(draft, draft.records, (record.ref("baseAttr") or "",))
    extra = refer(draft, draft.records, record.refs("attrConstraints"))
    return Call("ConfinedAttr", (*base, List(extra))) if base and extra is not None else None


def _other(draft: Draft, record: Record) -> Call:
    """A constraint by its predicate, in the form that the class of its attributes has."""
    summary = record.string("summary") or ""
    term = draft.predicates.term(draft.resolve(record, "predicate"))
    own = Call("Attr", (term, Text(summary)))
    storage = plain(record.string("storageType") or "")
    defining = draft.find_class(storage)
    if defining is not None and defining.is_a("AttrDef"):
        base = draft.defined(defining)
        return Call("ConfinedAttr", (base, List((own,)), Text(summary))) if base is not None else own
    if storage in _STORED:
        return Call("ConfinedAttr", (Call(_STORED[storage]), List((own,)), Text(summary)))
    usual = f"{record.ref('valueType') or ''}Attr"
    if storage in ("IntegerAttr", "FloatAttr") and usual in ATTRIBUTES:
        return Call("ConfinedAttr", (Call(usual), List((own,)), Text(summary)))
    is_text = storage == "StringAttr" and record.ref("valueType") in (None, "NoneType")
    return Call("ConfinedAttr", (Call("StrAttr"), List((own,)), Text(summary))) if is_text else own
