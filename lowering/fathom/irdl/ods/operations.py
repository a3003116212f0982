"""Operations of ODS as tables of a description.

Source of the rules: *Operation Definition Specification (ODS)*, and the fields that `mlir/IR/OpBase.td` gives them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from fathom.irdl.expressions import Call, Text, spell
from fathom.irdl.ods.constraints import attribute_constraint, type_constraint
from fathom.irdl.ods.defaults import default_text
from fathom.irdl.ods.draft import Draft
from fathom.irdl.ods.effects import effects_of
from fathom.irdl.ods.predicates import UNCHECKED
from fathom.irdl.ods.properties import property_entry
from fathom.irdl.ods.traits import traits_of
from fathom.irdl.sections import Table
from fathom.irdl.standard_types import TYPES
from fathom.tablegen.records import Dag, Record

_BLOCKS: Final = re.compile(r"region with (at least |at most )?(\d+) blocks")
_REGIONS: Final = {"at least ": "MinSizedRegion", "at most ": "MaxSizedRegion", None: "SizedRegion"}
_DEFAULT_DIALECT: Final = re.compile(r'getDefaultDialect\(\)\s*\{\s*return\s*"(\w+)"\s*;\s*\}')
_SET_NAME: Final = re.compile(r'setNameFn\(\s*(get\w+)\(\)\s*,\s*"(\w+)"\s*\)')
_PARSER: Final = re.compile(r"\bParseResult\s+parse\(")
_DIALECTS_PARSER: Final = "getParseOperationHook("
"""What reads those operations of a dialect that have no syntax of their own."""
_DEPRECATED: Final = re.compile(r"^[\s*]*deprecat(?:ed|ion)\b.*", re.IGNORECASE | re.MULTILINE)
_INSTEAD: Final = re.compile(r"\buse ((?:`?[\w.]+`?)(?:(?:/| or )`?[\w.]+`?)*)", re.IGNORECASE)
_GROUPS: Final = ("Optional", "VariadicOfVariadic", "Variadic")


def add_operation(draft: Draft, op: Record) -> None:
    """Adds the table of an operation of the dialect."""
    draft.table("op", op.string("opName") or op.name, lambda: _table(draft, op), op)


def _table(draft: Draft, op: Record) -> Table:
    table: Table = {}
    if draft.texts:
        for key in ("summary", "description"):
            if text := (op.string(key) or "").strip():
                table[key] = text
    if deprecated := _deprecated(op):
        table["deprecated"] = deprecated
    operands: list[str] = []
    attributes: list[str] = []
    properties: list[str] = []
    for index, (record, name) in enumerate(_members(draft, op.dag("arguments"))):
        if record.is_a("TypeConstraint"):
            operands.append(_value(draft, record, name or f"_operand{index}"))
        elif record.is_a("AttrConstraint") and not record.is_a("DerivedAttr"):
            attributes.append(_attribute(draft, record, name or f"_attribute{index}"))
        elif record.is_a("Property"):
            properties.append(_property(draft, record, name or f"_property{index}"))
    results = [
        _value(draft, record, name or f"_result{index}")
        for index, (record, name) in enumerate(_members(draft, op.dag("results")))
    ]
    regions = [
        f"{name or f'_region{index}'}{_region(draft, record)}"
        for index, (record, name) in enumerate(_members(draft, op.dag("regions")))
    ]
    successors = [
        f"{name or f'_successor{index}'}{_successor(record)}"
        for index, (record, name) in enumerate(_members(draft, op.dag("successors")))
    ]
    entries = {
        "operands": operands,
        "results": results,
        "attributes": attributes,
        "properties": properties,
        "regions": regions,
        "successors": successors,
        "traits": traits_of(draft, op),
        "effects": effects_of(draft, op),
    }
    table.update((key, [*texts]) for key, texts in entries.items() if texts)
    syntax = op.string("assemblyFormat")
    if syntax and syntax.strip():
        table["syntax"] = " ".join(syntax.split())
    elif _is_read_by_code(draft, op):
        table["opaque"] = True
    if "prop-dict" in (syntax or "") and "parseProperties(" in (op.string("extraClassDeclaration") or ""):
        table["own_properties"] = True
    if named := _result_names(op, [entry.partition(":")[0] for entry in results]):
        table["result_names"] = [*named]
    if (dialect := _default_dialect(draft, op)) is not None:
        table["default_dialect"] = dialect
    return table


def _is_read_by_code(draft: Draft, op: Record) -> bool:
    """Whether code has the custom form of an operation without a syntax: its own, or that of its dialect."""
    if op.bit("hasCustomAssemblyFormat") or _PARSER.search(op.string("extraClassDeclaration") or ""):
        return True
    if (op.string("parser") or "").strip():
        return True  # Up to MLIR 14 the code stands in the definition.
    dialect = draft.records.get(op.ref("opDialect"))
    return dialect is not None and _DIALECTS_PARSER in (dialect.string("extraClassDeclaration") or "")


def _deprecated(op: Record) -> str:
    """What to do instead of using an operation that is deprecated: what the class `Deprecated` says, or which names a
    summary or a line of a description gives that begins with the word; empty for any other."""
    if reason := (op.string("odsDeprecated") or "").strip():
        return reason
    match = next(filter(None, (_DEPRECATED.search(op.string(key) or "") for key in ("summary", "description"))), None)
    if match is None:
        return ""
    instead = _INSTEAD.search(match[0])
    names = re.findall(r"[\w.]*\w", instead[1].replace(" or ", "/")) if instead is not None else []
    return f"use {' or '.join(names)}" if names else "it may go in a later version"


def _result_names(op: Record, results: list[str]) -> list[str]:
    """What C++ in the definition calls the results of an operation."""
    given = dict(_SET_NAME.findall(op.string("extraClassDefinition") or ""))
    by_getter = {f"get{''.join(part.capitalize() for part in name.split('_'))}".lower(): name for name in results}
    names_by_getter = {by_getter.get(getter.lower(), ""): name for getter, name in given.items()}
    return (
        [names_by_getter.get(name, "") for name in results] if any(name in names_by_getter for name in results) else []
    )


def _default_dialect(draft: Draft, op: Record) -> str | None:
    """The prefix that may be left out inside the regions of an operation: what its C++ says, or its own, where it says
    it in another file; either counts for what has the interface that asks for it."""
    traits = [trait for trait in map(draft.records.resolve, op.list("traits")) if trait is not None]
    written = _DEFAULT_DIALECT.search(op.string("extraClassDeclaration") or "")
    if written is not None and any(trait.string("cppInterfaceName") == "OpAsmOpInterface" for trait in traits):
        return written[1]
    if any("getDefaultDialect" in trait.strings("alwaysOverriddenMethods") for trait in traits):
        return draft.name
    return None


def _members(draft: Draft, dag: Dag | None) -> Iterator[tuple[Record, str | None]]:
    """The constraints of a list of operands and the like, with their names; decorations are taken off."""
    for value, name in dag or ():
        record = draft.records.resolve(value)
        while record is not None and record.is_a("OpVariable"):
            record = draft.resolve(record, "constraint")
        if record is not None:
            yield record, name


# ---- values


def _value(draft: Draft, record: Record, name: str) -> str:
    group = next((class_ for class_ in _GROUPS if record.is_a(class_)), None)
    base = draft.resolve(record, "baseType") if group is not None and record.name not in TYPES else None
    if group is None or base is None:
        return f"{name}: {spell(type_constraint(draft, record))}"
    inner = type_constraint(draft, base)
    if group == "VariadicOfVariadic":
        segments = Text(record.string("segmentAttrName") or "")
        return f"{name}: {spell(Call(group, (inner, segments)))}"
    return f"{name}: {spell(Call(group, (inner,)))}"


# ---- attributes and properties


def _attribute(draft: Draft, record: Record, name: str) -> str:
    default, optional, constraint = None, False, attribute_constraint(draft, record)
    innermost: Record | None = record
    while innermost is not None:
        record = innermost
        optional = optional or record.bit("isOptional")
        # A default without a text is none.
        default = record.string("defaultValue") or None if default is None else default
        innermost = draft.resolve(record, "baseAttr")
    written = default_text(draft, record, default) if default is not None else None
    if constraint != Call("UnitAttr") and (optional or (default is not None and written is None)):
        constraint = Call("OptionalAttr", (constraint,))
    return f"{name}: {spell(constraint)}" + (f" = {written}" if written is not None else "")


def _property(draft: Draft, record: Record, name: str) -> str:
    kind, written = property_entry(draft, record)
    if kind is None:
        kind, written = Call("OptionalProp", (UNCHECKED,)), None
    return f"{name}: {spell(kind)}" + (f" = {written}" if written is not None else "")


# ---- regions and successors


def _region(draft: Draft, record: Record) -> str:
    match = _BLOCKS.fullmatch(record.string("summary") or "")
    inner = f"{_REGIONS[match[1]]}<{match[2]}>" if match is not None else "AnyRegion"
    if record.is_a("VariadicRegion"):
        return f": VariadicRegion<{inner}>"
    return "" if inner == "AnyRegion" else f": {inner}"


def _successor(record: Record) -> str:
    return ": VariadicSuccessor<AnySuccessor>" if record.is_a("VariadicSuccessor") else ""
