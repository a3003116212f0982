"""What older releases of MLIR called otherwise: the notes that say so, beside mistakes in MLIR's own words."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Final

from fathom.diagnostics import ELABORATE, OVERRUN, PARSE, UNKNOWN_OP, UNREGISTERED, Diagnostic, Note
from fathom.records import replace
from fathom.slices import paced
from fathom.syntax.tree import Item

MOST: Final = 100
"""Of so many mistakes in a text it is looked up."""
_CODES: Final = frozenset({ELABORATE, OVERRUN, PARSE, UNKNOWN_OP, UNREGISTERED})


def with_renames(diagnostics: Iterable[Diagnostic], item_at: Callable[[int], tuple[Item, int]]) -> list[Diagnostic]:
    """The diagnostics of a text, with a note to those about what a release of MLIR renamed, or came to write otherwise.
    `item_at` gives the item that an offset lies in, and where that begins."""
    left = MOST
    noted: list[Diagnostic] = []
    for diagnostic in paced(diagnostics):
        if diagnostic.code in _CODES and diagnostic.span is not None and left:
            left -= 1
            from fathom.editions.outdated import outdated_at

            item, base = item_at(diagnostic.span.start)
            about = [outdated.said for outdated in outdated_at(item, diagnostic.span.start - base) if outdated.said]
            notes = tuple(Note(text, hint=True) for text in dict.fromkeys(about))
            # Who is told the name that it has needs no description of what it was.
            others = diagnostic.notes if diagnostic.code != UNKNOWN_OP else ()
            diagnostic = replace(diagnostic, notes=(*notes, *others)) if notes else diagnostic
        noted.append(diagnostic)
    return noted
