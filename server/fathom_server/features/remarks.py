"""What LLVM remarks about a function as it makes code of it: what it vectorised, inlined and spilled, what it did not,
and why; at the places of the function's item."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable
from itertools import accumulate

from fathom.diagnostics import REMARK, Diagnostic
from fathom.ir.operation import Span
from fathom.records import record, replace
from fathom_server.model.code import Tracked, code_for, how_made, to_make, tracked
from fathom_server.model.scoping import find, unit_of
from fathom_server.model.snapshot import Snapshot


@record
class Remarks:
    """Remarks, whose spans count from the beginning of the function's item; or the `problem` that there are none."""

    told: tuple[Diagnostic, ...] = ()
    problem: str = ""


def remarks(snapshot: Snapshot, name: str) -> Remarks:
    """The remarks about a function. Never raises for what was typed."""
    of = _tracked(snapshot, name)
    if of is None:
        return Remarks(problem=f"there is no function @{name}")
    if of.translation is None:
        return Remarks(problem=of.problem.message if of.problem is not None else "it is not lowered")
    made = code_for(of.translation, how_made(snapshot).wanted, "assembly", remarks=True)
    if made.error is not None:
        return Remarks(problem=made.error.message)
    symbol = find(snapshot, name)
    assert symbol is not None
    starts = [0, *accumulate(item.length for item in of.layout.items[:-1])]
    found: list[Diagnostic] = []
    for each in made.told:
        if each.code != REMARK or each.span is None:
            continue
        number = max(bisect_right(starts, each.span.start) - 1, 0)
        if of.layout.items[number] is symbol.item:
            start, span = starts[number], each.span
            found.append(replace(each, span=Span(span.start - start, span.end - start)))
    return Remarks(tuple(found))


def ahead(snapshot: Snapshot, name: str) -> Callable[[], None] | None:
    """What has LLVM make the code, which may be done in any thread; None if that is made, or cannot be."""
    of = _tracked(snapshot, name)
    if of is None or of.translation is None:
        return None
    return to_make(of.translation, how_made(snapshot).wanted, "assembly", remarks=True)


def _tracked(snapshot: Snapshot, name: str) -> Tracked | None:
    symbol = find(snapshot, name)
    return tracked(snapshot, unit_of(symbol)) if symbol is not None and not symbol.is_open else None
