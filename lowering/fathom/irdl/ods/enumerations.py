"""Enumerations of ODS as tables of a description.

Source of the rules: *Operation Definition Specification (ODS)*, "Enum attributes".
"""

from __future__ import annotations

import re
from typing import Final

from fathom.irdl.ods.draft import Draft
from fathom.irdl.sections import Table, Value
from fathom.tablegen.records import Record


def enumeration(draft: Draft, record: Record) -> str:
    """The name of the table of an enumeration, which is there then: that of its class."""
    name = record.string("className") or record.name
    draft.table("enum", name, lambda: _table(draft, record), record)
    return name


def _cases(draft: Draft, record: Record) -> list[Record]:
    records = (draft.records.resolve(case) for case in record.list("enumerants"))
    return [case for case in records if case is not None]


def _table(draft: Draft, record: Record) -> Table:
    # Up to MLIR 19 they are attributes at once.
    bits = record.is_a("BitEnumBase") or record.is_a("BitEnumAttr")
    cases: dict[str, Value] = {}
    for case in _cases(draft, record):
        cases.setdefault(case.string("str") or case.string("symbol") or case.name, case.integer("value") or 0)
    table: Table = {}
    if summary := record.string("summary"):
        table["summary"] = summary
        if not record.is_a("EnumAttrInfo"):
            table["noun"] = summary
    namespace = record.string("cppNamespace") or ""
    if namespace.strip(":") != f"mlir::{draft.namespace}":
        table["namespace"] = namespace
    numbers = list(cases.values())
    counted = [1 << index if bits else index for index in range(len(numbers))]
    table["cases"] = list(cases) if numbers == counted else cases
    width = record.integer("bitwidth") or _underlying_width(record)
    if width != 32:
        table["width"] = width
    if bits:
        table["bits"] = True
        if (separator := record.string("separator") or "|") != "|":
            table["separator"] = separator
        if record.bit("printBitEnumPrimaryGroups"):
            table["primary_groups"] = True
            groups = {
                case.string("str") or case.name for case in _cases(draft, record) if case.is_a("BitEnumCaseGroup")
            }
            of_one_bit: list[Value] = [
                word for word in cases if word in groups and (number := cases[word]) == _lowest_bit(number)
            ]
            if of_one_bit:
                table["groups"] = of_one_bit
    return table


_INTEGER: Final = re.compile(r"u?int([0-9]+)_t")


def _underlying_width(record: Record) -> int:
    """The width of the integers that stand for the cases, which up to MLIR 19 only C++ tells."""
    match = _INTEGER.fullmatch(record.string("underlyingType") or "")
    return int(match[1]) if match is not None else 32


def _lowest_bit(number: Value) -> int:
    return number & -number if isinstance(number, int) else 0


def case_of(draft: Draft, record: Record, cpp: str) -> str | None:
    """The keyword of a case, by its name in C++: `Size::Large`, or several joined by `|`."""
    by_symbol = {case.string("symbol") or "": case for case in _cases(draft, record)}
    words: list[str] = []
    for word in cpp.split("|"):
        symbol = word.strip().rpartition("::")[2]
        # A symbol that is a word of C++ has an underscore in front of it there.
        case = by_symbol.get(symbol) or by_symbol.get(symbol.removeprefix("_"))
        if case is None:
            return None
        words.append(case.string("str") or symbol)
    return " | ".join(words)
