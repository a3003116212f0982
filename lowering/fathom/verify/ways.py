"""The way that a use is reached without passing the definition of what it uses, for people.

It is found when a diagnostic is shown, from the blocks as they are then.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from fathom.diagnostics import DOMINANCE, Diagnostic, Note
from fathom.ir.operation import Block, Operation, Region, Value
from fathom.records import replace
from fathom.slices import checkpoint

MOST: Final = 20
"""Of a text, the ways of so many uses are looked for."""
MOST_SHOWN: Final = 8
"""Of a way, so many blocks are shown."""


def with_ways(diagnostics: Iterable[Diagnostic]) -> list[Diagnostic]:
    """The diagnostics, with a note to those about dominance that says how the use is reached."""
    left = MOST
    shown: list[Diagnostic] = []
    for diagnostic in diagnostics:
        if diagnostic.code == DOMINANCE and diagnostic.op is not None and left:
            left -= 1
            checkpoint()
            value, user = misplaced(diagnostic.op)
            way = way_around(value.parent_block, user.parent) if value is not None else []
            if way:
                text = f"the way {_spelled(way)} comes here without passing what defines it"
                diagnostic = replace(diagnostic, notes=(*diagnostic.notes, Note(text, hint=True)))
        shown.append(diagnostic)
    return shown


def misplaced(op: Operation) -> tuple[Value | None, Operation]:
    """The first operand of an operation that is defined in a block which does not dominate it, with what stands around
    the operation, or is it, in the region of that block."""
    for operand in op.operands:
        home = operand.parent_block
        around = _in_region(op, home.parent) if home is not None else None
        if around is not None and around.parent is not home and way_around(home, around.parent):
            return operand, around
    return None, op


def _in_region(op: Operation | None, region: Region | None) -> Operation | None:
    while op is not None and op.parent is not None and op.parent.parent is not region:
        op = op.parent_op
    return op if op is not None and op.parent is not None else None


def way_around(avoided: Block | None, target: Block | None) -> list[Block]:
    """The shortest way from the entry of a region to a block that does not pass another; empty if there is none."""
    region = target.parent if target is not None else None
    entry = region.first if region is not None else None
    if entry is None or target is None or avoided is entry:
        return []
    before: dict[Block, Block | None] = {entry: None}
    pending = [entry]
    for block in pending:
        if block is target:
            way: list[Block] = []
            current: Block | None = block
            while current is not None:
                way.insert(0, current)
                current = before[current]
            return way
        for successor in block.successors:
            if successor not in before and successor is not avoided and successor.parent is region:
                before[successor] = block
                pending.append(successor)
    return []


def _spelled(way: list[Block]) -> str:
    names = [f"^{block.name_hint}" if block.name_hint else "the entry block" for block in way]
    if len(names) > MOST_SHOWN:
        names[MOST_SHOWN - 1 : -1] = ["…"]
    return " -> ".join(names)
