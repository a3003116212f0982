"""What ends a block and should not, or not there: the terminator of another operation, one in the middle of the block;
and the other branch of what gives results.

scf.for … {            scf.for … {
  return           ->    scf.yield
}                      }
"""

from __future__ import annotations

from collections.abc import Iterator

from fathom.ir.operation import Operation
from fathom.irdl.interfaces import RegionBranch
from fathom.irdl.traits import TERMINATOR
from fathom_server.features.edits import Fix
from fathom_server.features.fixes.mistake import Mistake
from fathom_server.features.fixes.passing import values_before
from fathom_server.features.fixes.trials import mending
from fathom_server.model.terminators import terminator_in

STEP = "  "


def ended(mistake: Mistake) -> Iterator[Fix]:
    """What the operation around it ends with, in the place of the terminator of another one."""
    piece, base = mistake.piece, mistake.start_of(mistake.piece)
    opened, spans = piece.frame.open, piece.token_spans(1)
    parsed = opened.parsed if opened is not None else None
    wanted = terminator_in(mistake.snapshot.context, parsed.name) if parsed is not None else None
    if wanted is None or not spans:
        return
    start, end = base + spans[0][0], base + spans[0][1]
    name = mistake.text[start:end]
    if name.rpartition(".")[2] not in ("return", "yield", "terminator", "condition", "reduce"):
        return
    fix = Fix(f"Change to `{wanted}`", (mistake.replaced(start, end, wanted),))
    yield from mending(mistake, [fix])


def moved(mistake: Mistake) -> Iterator[Fix]:
    """A terminator in the middle of its block at the end of it; or not at all, where there is one."""
    op = mistake.op()
    if op is None or not op.has(TERMINATOR) or op.next is None or op.parent is None or op.parent.last is None:
        return
    extent, last = mistake.extent(op), mistake.extent(op.parent.last)
    name = mistake.text[mistake.span.start : extent.end].split(maxsplit=1)[0]
    text, gone = mistake.text[extent.start : extent.end], mistake.removed(extent.start, extent.end)
    indent = mistake.indent(mistake.statement(op.parent.last).start)
    there = mistake.inserted(last.end, f"{mistake.line_break}{indent}{text}")
    is_ended = op.parent.last.has(TERMINATOR)
    fix = Fix(f"Remove `{name}`", (gone,)) if is_ended else Fix(f"Move `{name}` to the end of the block", (gone, there))
    yield from mending(mistake, [fix])


def otherwise(mistake: Mistake) -> Iterator[Fix]:
    """An `else` for an operation with results that has none: it gives the last values before that have their types."""
    op = mistake.op()
    if op is None or op.interface(RegionBranch) is None or not op.results or len(op.regions) != 2:
        return
    end = terminator_in(mistake.snapshot.context, op.name)
    names = [_last(mistake, op, number) for number in range(len(op.results))]
    if op.regions[1].is_empty and end is not None and all(names):
        place = mistake.extent(op).end
        margin, line = mistake.indent(mistake.statement(op).start), mistake.line_break
        types = ", ".join(str(result.type) for result in op.results)
        text = f" else {{{line}{margin}{STEP}{end} {', '.join(names)} : {types}{line}{margin}}}"
        shown = ", ".join(f"`{name}`" for name in names)
        yield from mending(mistake, [Fix(f"Add an `else` that yields {shown}", (mistake.inserted(place, text),))])


def _last(mistake: Mistake, op: Operation, number: int) -> str:
    """The name of the last value before an operation that is of the type of one of its results; empty for none."""
    type = op.results[number].type
    return next((name for value in values_before(op) if value.type == type and (name := mistake.name(value))), "")
