"""LLVM IR that was pasted into a document of MLIR becomes its import into the LLVM dialect."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import Final

from fathom_server.features.assists.assist import Made, Offer
from fathom_server.features.assists.selection import Selection
from fathom_server.features.edits import Refusal, Replacement
from fathom_server.model.llvm_ir.units import begins_as_llvm_ir
from fathom_server.model.snapshot import Snapshot

MOST_LINES: Final = 100
"""So many lines are looked at to find out whether a document is LLVM IR."""


def is_llvm_ir(snapshot: Snapshot) -> bool:
    """Whether a document begins as LLVM IR does."""
    tree = snapshot.tree
    return begins_as_llvm_ir("".join(islice(tree.lines_from(0), MOST_LINES)))


def offered(selection: Selection) -> Iterator[Offer]:
    if is_llvm_ir(selection.snapshot):
        yield Offer("Import this LLVM IR into the LLVM dialect")


def made(snapshot: Snapshot) -> Made:
    """The import, in the place of the whole document."""
    from fathom_server.model.llvm_ir.importing import imported

    tree = snapshot.tree
    outcome = imported(tree.text, snapshot.context)
    return Refusal(outcome.reason) if outcome.problem else [Replacement(0, tree.length, outcome.text)]
