"""What is found out about the lowering of a big item in the process beside the server, and taken over from there."""

from __future__ import annotations

from typing import Final

from fathom.diagnostics import Diagnostic
from fathom.records import record
from fathom.syntax.tree import Item
from fathom_server.model.became import LoweredLines, lines_by_place
from fathom_server.model.gist import Gist, gist
from fathom_server.model.in_memory import MOST_TENSORS, NOTHING, InMemory, ask_memory_basis, in_memory
from fathom_server.model.lowered import added, ask_basis, idle, is_reported, stalled
from fathom_server.model.objections import Objections, objections
from fathom_server.model.own_code import runs_code
from fathom_server.model.snapshot import Snapshot

MOST_STALLS: Final = 1000
"""No more than this is said of what is left behind of one function."""


@record
class Found:
    """What is shown of the lowering of an item: what is left behind, the lines for hovers, which passes had nothing to
    do, what is told of other symbols, and what becomes of its tensors. `added` are the names of the symbols that its
    passes add."""

    stalls: tuple[Diagnostic, ...]
    gist: Gist
    lines: LoweredLines
    idle: frozenset[int] | None = None
    objections: Objections = ()
    added: frozenset[str] = frozenset()
    in_memory: InMemory = NOTHING


def found_by_lowering(snapshot: Snapshot, index: int) -> Found:
    """What is shown of the lowering of an item of the document."""
    item = snapshot.tree.items[index]
    stalls, of_it = stalled(snapshot, item)[:MOST_STALLS], gist(snapshot, item)
    if not (is_reported(snapshot) or runs_code(snapshot.context)):
        return Found(stalls, of_it, LoweredLines())
    lines, known = lines_by_place(snapshot, item), idle(snapshot, item)
    tensors = in_memory(snapshot, item)
    tensors = tensors if len(tensors.values) <= MOST_TENSORS else InMemory(too_many=True)
    return Found(stalls, of_it, lines, known, objections(snapshot, item), added(snapshot, item), tensors)


def learn(snapshot: Snapshot, item: Item, answers: Found) -> None:
    """Takes over what was found out about an item of this version."""
    memory = snapshot.memory

    def basis() -> None:
        ask_basis(snapshot, item, answers.added)

    memory.learn(stalled, item, answer=answers.stalls, follows_from=basis)
    memory.learn(gist, item, answer=answers.gist, follows_from=basis)
    memory.learn(objections, item, answer=answers.objections, follows_from=basis)
    memory.learn(lines_by_place, item, answer=answers.lines, follows_from=basis)
    memory.learn(idle, item, answer=answers.idle, follows_from=basis)

    def basis_in_memory() -> None:
        ask_memory_basis(snapshot, item)

    memory.learn(in_memory, item, answer=answers.in_memory, follows_from=basis_in_memory)
