"""What operations of ODS do to memory, as a description says it: `MemRead<source>`, or `MemWrite` of unknown memory.

Source of the rules: *Side Effects & Speculation*, and the decorations of `mlir/Interfaces/SideEffectInterfaces.td`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from fathom.irdl.expressions import Call, spell
from fathom.irdl.ods.draft import Draft
from fathom.tablegen.records import Record

_EFFECT: Final = re.compile(r"(?:::)?mlir::MemoryEffects::(Allocate|Free|Read|Write)")
_NAMES: Final = {"Allocate": "MemAlloc", "Free": "MemFree", "Read": "MemRead", "Write": "MemWrite"}


def effects_of(draft: Draft, op: Record) -> list[str]:
    """The entries of the list `effects` of an operation: of its traits, then of its operands and results. What is said
    of an attribute, which names memory, is an effect on memory of which nothing is known."""
    effects: list[str] = []
    for listed in op.list("traits"):
        trait = draft.records.resolve(listed)
        if trait is not None and trait.is_a("MemoryEffects"):
            effects += _named(draft, trait, "effects", None)
    for field, word in (("arguments", "operand"), ("results", "result")):
        for index, (value, given) in enumerate(op.dag(field) or ()):
            name = given or f"_{word}{index}"
            record = draft.records.resolve(value)
            while record is not None and record.is_a("OpVariable"):
                constraint = draft.resolve(record, "constraint")
                is_value = constraint is not None and not constraint.is_a("AttrConstraint")
                effects += _named(draft, record, "decorators", name if is_value else None)
                record = constraint
    return list(dict.fromkeys(effects))


def _named(draft: Draft, record: Record, field: str, value: str | None) -> Iterator[str]:
    for entry in record.list(field):
        effect = draft.records.resolve(entry)
        match = _EFFECT.fullmatch(effect.string("effect") or "") if effect is not None else None
        if match is not None:
            yield spell(Call(_NAMES[match[1]], (Call(value),) if value else ()))
