"""Operations in the generic form, and back in their own.

%0 = arith.addi %a, %b : i32   <->   %0 = "arith.addi"(%a, %b) <{…}> : (i32, i32) -> i32
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from fathom.ir.operation import Operation
from fathom.ir.printing_flags import WRITTEN_FLAGS, PrintingFlags
from fathom.irdl.interfaces import FunctionLike, symbol_name
from fathom.text.beginnings import MOST_IN_EDITOR
from fathom_server.features.assists.assist import Made, Offer
from fathom_server.features.assists.sameness import means_the_same
from fathom_server.features.assists.selection import Selection
from fathom_server.features.assists.writing import written
from fathom_server.features.edits import Refusal, Replacement
from fathom_server.features.item_text import ItemText
from fathom_server.model.snapshot import Snapshot

GENERIC: Final = PrintingFlags(generic=True, most=MOST_IN_EDITOR)
OWN: Final = WRITTEN_FLAGS


def offered_generic(selection: Selection) -> Iterator[Offer]:
    """On an operation, or operations, in an item without mistakes that has all of them: in a module stand others."""
    item, ops = selection.sound, selection.operations
    if item is None or not ops or all(is_generic(item, op) and not op.regions for op in ops):
        return
    if item.item.frame_out is not item.item.frame:
        return
    yield Offer(f"Write {_called(ops)} in the generic form", (selection.start, selection.end))


def offered_own(selection: Selection) -> Iterator[Offer]:
    """Where one of them, or one inside, is in the generic form and has one of its own."""
    item, ops = selection.sound, selection.operations
    if item is None:
        return
    if any(True for op in ops for _ in _generic_in(item, op)):
        whose = "its dialect" if len(ops) == 1 else "their dialects"
        yield Offer(f"Write {_called(ops)} in the form of {whose}", (selection.start, selection.end))


def generic(snapshot: Snapshot, start: int, end: int) -> Made:
    """The operations of a selection, with all inside them, in the generic form."""
    selection = Selection(snapshot, start, end)
    item = selection.sound
    return _in_form(item, selection.operations, GENERIC) if item is not None else Refusal("there is a mistake in it")


def own(snapshot: Snapshot, start: int, end: int) -> Made:
    """The operations of a selection, with all inside them, in the forms of their dialects."""
    selection = Selection(snapshot, start, end)
    item = selection.sound
    if item is None:
        return Refusal("there is a mistake in it")
    return _in_form(item, [inner for op in selection.operations for inner in _generic_in(item, op)], OWN)


def _in_form(item: ItemText, ops: Iterable[Operation], flags: PrintingFlags) -> Made:
    edit: list[Replacement] = []
    for op in ops:
        extent = item.extent(op)
        text = written(item, op, flags)
        if text != item.text[extent.start : extent.end]:
            edit.append(item.replaced(extent.start, extent.end, text))
    edit.sort(key=lambda replacement: replacement.start)
    snapshot = item.snapshot
    return edit if means_the_same(snapshot, edit) else Refusal("the text would not mean the same")


def is_generic(item: ItemText, op: Operation) -> bool:
    """Whether an operation is written in the generic form."""
    span = op.span
    return span is not None and item.item.text_between(span.start, span.start + 1) == '"'


def has_own_form(op: Operation) -> bool:
    """Whether an operation can be written in another form than the generic one."""
    return op.definition is not None and op.definition.write is not None


def _generic_in(item: ItemText, op: Operation) -> Iterator[Operation]:
    """The outermost operations in one, itself among them, that are in the generic form and have one of their own."""
    pending = [op]
    while pending:
        inside = pending.pop()
        if is_generic(item, inside) and has_own_form(inside):
            yield inside
        else:
            pending += [inner for region in inside.regions for block in region.blocks for inner in block]


def _called(ops: list[Operation]) -> str:
    if len(ops) > 1:
        return f"the {len(ops)} operations"
    op = ops[0]
    is_function = op.interface(FunctionLike) is not None
    return f"`@{symbol_name(op)}`" if is_function else f"`{op.name}`"
