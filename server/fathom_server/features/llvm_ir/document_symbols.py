"""What a `.ll` file holds, for its outline: functions with their blocks, globals, types and comdats."""

from __future__ import annotations

from typing import Final, Literal

from fathom.slices import paced
from fathom_server.features.document_symbols import Element
from fathom_server.model.llvm_ir.snapshot import LlvmSnapshot
from fathom_server.model.llvm_ir.units import Unit, UnitKind
from fathom_server.model.scoping import Role

MOST_BLOCKS: Final = 5_000
"""So many blocks of a file are shown."""

_ROLES: Final[dict[UnitKind, tuple[Literal["symbol", "type"], Role | None]]] = {
    UnitKind.FUNCTION: ("symbol", Role.FUNCTION),
    UnitKind.DECLARATION: ("symbol", Role.FUNCTION),
    UnitKind.GLOBAL: ("symbol", Role.DATA),
    UnitKind.TYPE: ("type", None),
}
"""What is shown, and as what."""


def document_symbols(snapshot: LlvmSnapshot) -> list[Element]:
    """The elements at the top level, in the order of the text."""
    left = MOST_BLOCKS
    elements: list[Element] = []
    for unit, base in paced(snapshot.tree.with_offsets()):
        shown = _ROLES.get(unit.kind)
        name = unit.name_span
        if shown is None or name is None:
            continue
        kind, role = shown
        blocks = _blocks(unit, base)[:left] if unit.kind is UnitKind.FUNCTION else []
        left -= len(blocks)
        start, end = (base + place for place in name)
        detail = unit.kind.value if unit.kind is UnitKind.DECLARATION else ""
        elements.append(Element(unit.key, kind, role, detail, base, base + unit.end, start, end, blocks))
    return elements


def _blocks(unit: Unit, base: int) -> list[Element]:
    """The blocks that have labels."""
    labels = [(key, mention) for key, mention in unit.names.labels if mention.start >= unit.names.body]
    is_closed = unit.text[unit.end - 1 : unit.end] == "}"
    ends = [mention.start for _, mention in labels[1:]] + [unit.end - is_closed]
    return [
        Element(
            key,
            "block",
            None,
            "",
            base + mention.start,
            base + mention.start + len(unit.text[mention.start : end].rstrip()),
            base + mention.start,
            base + mention.end,
        )
        for (key, mention), end in zip(labels, ends, strict=False)
    ]
