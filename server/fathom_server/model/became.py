"""What becomes of one operation: what the pipeline makes of it in its item, or why it leaves it behind."""

from __future__ import annotations

import re
from array import array
from bisect import bisect_left
from itertools import accumulate
from typing import Final

from fathom.ir.attributes import SymbolRefAttr
from fathom.ir.operation import Operation, Span
from fathom.ir.printer import print_ops, print_with_map
from fathom.ir.printing_flags import ELIDED_IN_MESSAGES, PrintingFlags
from fathom.irdl.interfaces import Call
from fathom.irdl.traits import SYMBOL, SYMBOL_TABLE
from fathom.records import field, record
from fathom.syntax.tree import Item
from fathom.text.beginnings import MOST_IN_EDITOR, TextTooLong, beginning
from fathom.verify.printing import flags_for
from fathom_server.model.lowered import LoweredModule, lowered_at_the_end, quickly_stalled, takes_long
from fathom_server.model.queries import query
from fathom_server.model.snapshot import Snapshot

_FLAGS: Final = PrintingFlags(elide_elements_above=ELIDED_IN_MESSAGES, local_scope=True, most=MOST_IN_EDITOR)
LONGEST_LINE: Final = 400
"""Of a longer line the beginning is shown."""
MOST_LINES: Final = 16
"""Of an operation no more lines than this are shown."""


@record
class Became:
    """What became of an operation: lines of the LLVM dialect, of which there are so many `more`, and the functions of
    libraries that these call, without `@`. Or why it is `left` behind. Neither where nothing is said of it, and while
    that is not known yet of an item that takes long."""

    lines: tuple[str, ...] = ()
    more: int = 0
    calls: tuple[str, ...] = ()
    left: tuple[str, ...] | None = None


def became_of(snapshot: Snapshot, item: Item, op: Operation) -> Became:
    """What becomes of an operation of an item."""
    if op.span is None:
        return Became()
    became = Became()
    if op.definition is not None and _has_lines(op):
        if not takes_long(snapshot, item):
            became = _made_of(op, op.span, lowered_at_the_end(snapshot, item, False))
        elif (known := lines_by_place.remembered(snapshot, item)) is not None:
            became = _first(known.at(op.span))
    left = re.compile(rf'(%[^=]* = )?"?{re.escape(op.name)}(?![\w.$])')
    if became.lines and not any(left.match(line.lstrip()) for line in became.lines):
        return became
    return Became(left=why_left(snapshot, item, op, op.span))


def _has_lines(op: Operation) -> bool:
    """Whether lines of its own may come of an operation."""
    return op.dialect not in ("llvm", "builtin") and not op.has(SYMBOL) and not op.has(SYMBOL_TABLE)


def why_left(snapshot: Snapshot, item: Item, op: Operation, place: Span) -> tuple[str, ...] | None:
    """Why the pipeline leaves an operation behind; None if it does not, or that is not known."""
    for diagnostic in quickly_stalled(snapshot, item):
        if (
            diagnostic.left == op.name
            and diagnostic.span is not None
            and place.start <= diagnostic.span.start < place.end
        ):
            return tuple(note.message for note in diagnostic.notes)
    return None


def _made_of(op: Operation, place: Span, made: LoweredModule) -> Became:
    """What a lowering made of an operation at a place. Only the lines that are shown are printed."""
    if made.stops:
        return Became()
    came = [op for op in made.module.op.walk() if op.span and (op.span.start, op.span.end) == (place.start, place.end)]
    leaves = [made_op for made_op in came if not made_op.regions]
    shown = leaves[:MOST_LINES]
    unsure = () if made.lowering.is_valid else shown
    flags = next((flags for made_op in unsure if (flags := flags_for(made_op, _FLAGS)).generic), _FLAGS)
    try:
        lines = print_ops(shown, flags, made.module.op)
    except TextTooLong:
        return Became()
    callees = [made_op.properties.get("callee") for made_op in came if made_op.interface(Call) is not None]
    calls = dict.fromkeys(callee.root for callee in callees if isinstance(callee, SymbolRefAttr))
    return Became(
        tuple(beginning(line, LONGEST_LINE).rstrip() for line in lines),
        len(leaves) - len(shown),
        tuple(calls) if op.interface(Call) is None else (),
    )


def _first(lines: list[str]) -> Became:
    return Became(tuple(lines[:MOST_LINES]), max(len(lines) - MOST_LINES, 0))


# ---- of a big item


@record
class LoweredLines:
    """Lines of the LLVM dialect, each with the place of the operation that it came from, in the order of these. It is a
    text and numbers, so that it comes from another process at no cost to speak of, however long it is."""

    text: str = ""
    starts: array[int] = field(default_factory=lambda: array("L"))
    """Where the operation of each line begins."""
    ends: array[int] = field(default_factory=lambda: array("L"))
    """Where it ends."""
    lines: array[int] = field(default_factory=lambda: array("L"))
    """Where each line begins in the text."""

    def at(self, span: Span) -> list[str]:
        """The lines that came from the operation at a place."""
        rendered: list[str] = []
        index = bisect_left(self.starts, span.start)
        while index < len(self.starts) and self.starts[index] == span.start:
            if self.ends[index] == span.end:
                end = self.lines[index + 1] if index + 1 < len(self.lines) else len(self.text)
                rendered.append(self.text[self.lines[index] : end].rstrip())
            index += 1
        return rendered


@query(keep=64)
def lines_by_place(snapshot: Snapshot, item: Item) -> LoweredLines:
    """The lines of the LLVM dialect for the operations of an item, by where these stand in the item."""
    made = lowered_at_the_end(snapshot, item, False)
    if made.stops:
        return LoweredLines()
    try:
        flags = _FLAGS if made.lowering.is_valid else flags_for(made.module.op, _FLAGS)
        text, ranges = print_with_map(made.module.op, flags)
    except TextTooLong:
        return LoweredLines()
    places = [
        (op.span.start, op.span.end, number, beginning(text[first:last], LONGEST_LINE))
        for number, (op, first, last) in enumerate(ranges)
        if op.span is not None and not op.regions
    ]
    places.sort()
    lengths = [len(line) for _, _, _, line in places]
    return LoweredLines(
        "".join(line for _, _, _, line in places),
        array("L", [start for start, _, _, _ in places]),
        array("L", [end for _, end, _, _ in places]),
        array("L", [0, *accumulate(lengths)][: len(lengths)]),
    )
