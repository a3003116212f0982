"""The lowering of one operation, for hovers: what the pipeline made of it in its function."""

from __future__ import annotations

import re
from array import array
from bisect import bisect_left
from itertools import accumulate
from typing import Final

from fathom.diagnostics import Diagnostic
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
from fathom_server.model.gist import Gist, gist
from fathom_server.model.lowered import (
    added,
    ask_basis,
    idle,
    is_reported,
    lowered_at_the_end,
    stalled,
    takes_long,
)
from fathom_server.model.objections import Objections, objections
from fathom_server.model.own_code import runs_code
from fathom_server.model.queries import query
from fathom_server.model.snapshot import Snapshot

_FLAGS: Final = PrintingFlags(elide_elements_above=ELIDED_IN_MESSAGES, local_scope=True, most=MOST_IN_EDITOR)
LONGEST_LINE: Final = 400
"""Of a longer line the beginning is shown."""
MOST_LINES: Final = 16
"""A hover shows no more lines than this of what an operation becomes."""
MOST_STALLS: Final = 1000
"""No more than this is said of what is left behind of one function."""


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
        found: list[str] = []
        index = bisect_left(self.starts, span.start)
        while index < len(self.starts) and self.starts[index] == span.start:
            if self.ends[index] == span.end:
                end = self.lines[index + 1] if index + 1 < len(self.lines) else len(self.text)
                found.append(self.text[self.lines[index] : end].rstrip())
            index += 1
        return found


def lowered_lines(snapshot: Snapshot, item: Item, op: Operation) -> str | None:
    """The lines of the LLVM dialect that came from an operation of an item; None where it has none of its own or is
    left as it is, and while they are not known yet of an item that takes long."""
    if op.span is None or op.definition is None or op.dialect in ("llvm", "builtin"):
        return None
    if op.definition.has(SYMBOL) or op.definition.has(SYMBOL_TABLE):
        return None
    if takes_long(snapshot, item):
        known = lines_by_place.remembered(snapshot, item)
        found = known.at(op.span) if known is not None else []
        lines, more = found[:MOST_LINES], len(found) - MOST_LINES
    else:
        lines, more = _lines_at(snapshot, item, op.span)
    left = re.compile(rf'(%[^=]* = )?"?{re.escape(op.name)}(?![\w.$])')
    if any(left.match(each.lstrip()) for each in lines):
        return None
    return "\n".join([*lines, *([f"// … {more} more"] if more > 0 else [])]) or None


def library_calls(snapshot: Snapshot, item: Item, op: Operation) -> list[str]:
    """The functions of libraries that an operation of an item comes to call, which is no call itself, without `@`; none
    of an item that takes long."""
    if op.span is None or op.interface(Call) is not None or takes_long(snapshot, item):
        return []
    made = lowered_at_the_end(snapshot, item, False)
    place = op.span.start, op.span.end
    callees = (
        each.properties.get("callee")
        for each in (() if made.stops else made.module.op.walk())
        if each.interface(Call) is not None and each.span and (each.span.start, each.span.end) == place
    )
    return list(dict.fromkeys(each.root for each in callees if isinstance(each, SymbolRefAttr)))


def _lines_at(snapshot: Snapshot, item: Item, span: Span) -> tuple[list[str], int]:
    """The first lines that came from the operation at a place of a small item, and how many more there are. Only these
    are printed."""
    made = lowered_at_the_end(snapshot, item, False)
    if made.stops:
        return [], 0
    place = span.start, span.end
    leaves = (each for each in made.module.op.walk() if not each.regions)
    came = [each for each in leaves if each.span and (each.span.start, each.span.end) == place]
    shown = came[:MOST_LINES]
    unsure = () if made.lowering.is_valid else shown
    flags = next((flags for each in unsure if (flags := flags_for(each, _FLAGS)).generic), _FLAGS)
    try:
        lines = print_ops(shown, flags, made.module.op)
    except TextTooLong:
        return [], 0
    return [beginning(line, LONGEST_LINE).rstrip() for line in lines], len(came) - MOST_LINES


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


# ---- of a big item


@record
class Found:
    """What is shown of the lowering of an item: what is left behind, the lines for hovers, which passes had nothing to
    do, and what is told of other symbols. `added` are the names of the symbols that its passes add."""

    stalls: tuple[Diagnostic, ...]
    gist: Gist
    lines: LoweredLines
    idle: frozenset[int] | None = None
    objections: Objections = ()
    added: frozenset[str] = frozenset()


def found_by_lowering(snapshot: Snapshot, index: int) -> Found:
    """What is shown of the lowering of an item of the document."""
    item = snapshot.tree.items[index]
    stalls, of_it = stalled(snapshot, item)[:MOST_STALLS], gist(snapshot, item)
    if not (is_reported(snapshot) or runs_code(snapshot.context)):
        return Found(stalls, of_it, LoweredLines())
    lines, known = lines_by_place(snapshot, item), idle(snapshot, item)
    return Found(stalls, of_it, lines, known, objections(snapshot, item), added(snapshot, item))


def learn(snapshot: Snapshot, item: Item, found: Found) -> None:
    """Takes over what was found out about an item of this version."""
    memory = snapshot.memory

    def basis() -> None:
        ask_basis(snapshot, item, found.added)

    memory.learn(stalled, item, answer=found.stalls, follows_from=basis)
    memory.learn(gist, item, answer=found.gist, follows_from=basis)
    memory.learn(objections, item, answer=found.objections, follows_from=basis)
    memory.learn(lines_by_place, item, answer=found.lines, follows_from=basis)
    memory.learn(idle, item, answer=found.idle, follows_from=basis)
