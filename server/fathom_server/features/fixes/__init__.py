"""What would mend a mistake, by its code: one module for each kind of fix."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Final

from fathom.diagnostics import (
    DOMINANCE,
    MISSING_TERMINATOR,
    TYPE_MISMATCH,
    UNDECLARED_VALUE,
    UNKNOWN_FUNCTION,
    UNKNOWN_OP,
    UNREGISTERED,
)
from fathom_server.features.edits import Fix
from fathom_server.features.fixes.block_arguments import as_block_argument
from fathom_server.features.fixes.casts import casts
from fathom_server.features.fixes.functions import declared
from fathom_server.features.fixes.mistake import Mistake
from fathom_server.features.fixes.names import functions, operations, values
from fathom_server.features.fixes.terminators import terminated
from fathom_server.model.elaboration import diagnostics
from fathom_server.model.snapshot import Snapshot

FIXES: Final[dict[str, tuple[Callable[[Mistake], Iterable[Fix]], ...]]] = {
    UNDECLARED_VALUE: (values,),
    UNREGISTERED: (operations,),
    TYPE_MISMATCH: (casts,),
    DOMINANCE: (as_block_argument,),
    MISSING_TERMINATOR: (terminated,),
    UNKNOWN_FUNCTION: (functions, declared),
}


def fixes_at(snapshot: Snapshot, start: int, end: int) -> list[Fix]:
    """The fixes of the mistakes that a range of the document touches, the likeliest of each mistake first."""
    return [
        fix
        for mistake in _found_at(snapshot, start, end)
        if mistake.found.follows_from is None
        for fixes in FIXES.get(mistake.found.code, ())
        for fix in fixes(mistake)
    ]


def unknown_dialects_at(snapshot: Snapshot, start: int, end: int) -> Iterator[str]:
    """The dialects that nobody has described of the operations that a range of the document touches."""
    for mistake in _found_at(snapshot, start, end):
        dialect, dot, _ = mistake.item.text_between(mistake.span.start, mistake.span.end).partition(".")
        if mistake.found.code == UNKNOWN_OP and dot and snapshot.context.dialect(dialect) is None:
            yield dialect


def _found_at(snapshot: Snapshot, start: int, end: int) -> Iterator[Mistake]:
    """What was found at a range of the document."""
    tree = snapshot.tree
    if not tree.items:
        return
    for index in range(tree.item_at_offset(start), tree.item_at_offset(end) + 1):
        item, base = tree.items[index], tree.start(index)
        for found in diagnostics(snapshot, item):
            span = found.span
            if span is not None and base + span.start <= end and start <= base + span.end:
                yield Mistake(snapshot, item, base, found, span)
