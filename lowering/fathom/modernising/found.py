"""Which edition of MLIR a text is in, where nothing says one: the newest in which nothing is wrong with it."""

from __future__ import annotations

from collections.abc import Callable

from fathom.context import Context
from fathom.diagnostics import Diagnostic
from fathom.editions.chosen import said_in
from fathom.editions.edition import NEWEST, OLDER
from fathom.modernising.engine import mistakes_in, parts_of


def find_edition(text: str, context_for: Callable[[str], Context]) -> tuple[str, list[Diagnostic]]:
    """The name of the edition, and what is wrong with the text in it: of several in which something is wrong, the one
    in which it is the least."""
    said = said_in(text)
    best: tuple[str, list[Diagnostic]] | None = None
    for name in (said,) if said is not None else (NEWEST, *OLDER):
        wrong = [mistake for part in parts_of(text) for mistake in mistakes_in(*part, context_for(name))]
        if not wrong:
            return name, []
        if best is None or len(wrong) < len(best[1]):
            best = name, wrong
    assert best is not None, "there is an edition"
    return best
