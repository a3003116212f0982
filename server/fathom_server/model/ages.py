"""Whether a document that says nothing of its release of MLIR is in an older one."""

from __future__ import annotations

from typing import Final

from fathom.diagnostics import OLDER_EDITION, Diagnostic
from fathom.editions.edition import NEWEST
from fathom.editions.outdated import outdated_at
from fathom.ir.operation import Span
from fathom_server.model.mistakes import diagnostics
from fathom_server.model.snapshot import Snapshot

LONGEST: Final = 1_000_000
"""A longer document, in characters, is not read in another edition."""
FIRST: Final = 100
"""So many mistakes are looked at."""


def has_outdated(snapshot: Snapshot) -> bool:
    """Whether one of the first mistakes that are found already is about what older releases wrote otherwise."""
    if snapshot.context.edition is not None or snapshot.tree.length > LONGEST:
        return False
    left = FIRST
    for item in snapshot.tree.items:
        if not diagnostics.is_known(snapshot, item):
            continue
        for mistake in diagnostics(snapshot, item):
            if mistake.severity == "error" and mistake.span is not None:
                if any(True for _ in outdated_at(item, mistake.span.start)):
                    return True
                left -= 1
                if not left:
                    return False
    return False


def older_edition(snapshot: Snapshot) -> str:
    """The newest older edition in which nothing is wrong with a document; empty where there is none. It reads the text
    once for each edition, so it is asked for in the process beside the server."""
    from fathom.modernising.found import find_edition

    name, wrong = find_edition(snapshot.tree.text, snapshot.context.in_edition)
    return name if name != NEWEST and not wrong else ""


def modernised_first(snapshot: Snapshot) -> str:
    """What is added to why the text that passes make cannot stand in a document: that it is of another release, if the
    document is of an older one."""
    edition = snapshot.context.edition
    if edition is None or edition.name == NEWEST:
        return ""
    return f"; passes make MLIR 22 of MLIR {edition.name}, so modernise the document first"


def age(name: str) -> Diagnostic:
    """What is said at the top of a document that reads without a mistake in an older edition."""
    says = f'`// MLIR: {name}` here, or `mlir = "{name}"` in fathom.toml'
    message = f"reads as MLIR {name}: modernise it to MLIR 22, or say {says}"
    return Diagnostic(message, Span(0, 0), "information", OLDER_EDITION)
