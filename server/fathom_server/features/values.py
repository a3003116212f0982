"""What each line computed last in a call that was made: found out by interpreting it."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from itertools import accumulate
from pathlib import Path
from typing import TYPE_CHECKING

from fathom.budget import MOST_ELEMENTS
from fathom.checking.running import unlike_claim
from fathom.execution.files import with_files
from fathom.execution.outcome import ArgumentProblem, Given
from fathom.irdl.interfaces import symbol_name
from fathom.programs.computed import OTHERWISE, Computed, Program, Ran, computed
from fathom.records import replace
from fathom_server.features.functions import signature_of
from fathom_server.model.claims import claim_at
from fathom_server.model.modules import Layout, Module, module_for
from fathom_server.model.scoping import find, unit_of
from fathom_server.model.snapshot import Snapshot
from fathom_server.model.values import Key, Values, not_known

if TYPE_CHECKING:
    from fathom.execution.outcome import Json
    from fathom.programs.told import Told
    from fathom_server.model.scoping import Symbol


def values_of_call(
    snapshot: Snapshot, name: str, arguments: Sequence[Json], folder: Path, ran: Ran
) -> dict[int, Values]:
    """The values of a call of `@name`, of which it is known what it did: by the indices of the items that they are in.
    Files that arguments name are looked for from the folder."""
    symbol = find(snapshot, name)
    if symbol is None or not symbol.has_body:
        return {}
    return _by_item(snapshot, symbol, *_computed(snapshot, symbol, arguments, folder, ran))


def values_of_claim(snapshot: Snapshot, line: int, folder: Path, wrong: str) -> dict[int, Values]:
    """The values of the call that the claim in a line makes. What is `wrong` with the claim is known; nothing, if it
    holds."""
    claim = claim_at(snapshot.tree, line)
    symbol = find(snapshot, claim.function) if claim is not None else None
    if claim is None or symbol is None or not symbol.has_body:
        return {}
    module, made = _computed(snapshot, symbol, claim.arguments, folder, Ran(elements=MOST_ELEMENTS))
    signature = signature_of(snapshot, symbol)
    if made.behaviour is not None and signature is not None:
        does = made.behaviour.outcome
        try:
            unlike = unlike_claim(claim, does, claim.function, signature)
        except ArgumentProblem as problem:
            unlike = problem.failure.message
        if bool(unlike) is not bool(wrong) or (does.failure is None and unlike and unlike not in wrong):
            made = Computed(unknown=wrong or OTHERWISE)
    return _by_item(snapshot, symbol, module, made)


def _computed(
    snapshot: Snapshot, symbol: Symbol, arguments: Sequence[Json], folder: Path, ran: Ran
) -> tuple[Module, Computed]:
    module = module_for(snapshot, (unit_of(symbol),), True)
    signature = signature_of(snapshot, symbol)
    operations = (op for region in module.inner.regions for op in region.operations())
    function = next((op for op in operations if symbol_name(op) == symbol.name), None)
    if module.problem is not None or function is None or signature is None:
        return module, Computed(unknown="the function is not interpreted where it stands")
    try:
        given: Sequence[Given] = with_files(arguments, folder)
    except ArgumentProblem as problem:
        return module, Computed(unknown=problem.failure.message)
    failed_at = _in_module(snapshot, module.layout, ran.failed_at)
    program = Program(module.op, function, snapshot.context)
    return module, computed(program, signature, given, replace(ran, failed_at=failed_at))


def _in_module(snapshot: Snapshot, layout: Layout, offset: int | None) -> int | None:
    """Where a place of the document is in the text of a module."""
    if offset is None:
        return None
    start = 0
    for item in layout.items:
        if 0 <= (here := offset - snapshot.start_of(item)) < item.length:
            return start + here
        start += item.length
    return None


def _by_item(snapshot: Snapshot, symbol: Symbol, module: Module, made: Computed) -> dict[int, Values]:
    """The values, and why there are none, by the items that they are in."""
    items = module.layout.items
    starts = [0, *accumulate(item.length for item in items[:-1])]
    parts: list[dict[Key, Told]] = [{} for _ in items]
    for (start, name, number), told in made.values.items():
        at = max(bisect_right(starts, start) - 1, 0)
        parts[at][start - starts[at], name, number] = told
    found = {snapshot.tree.index_of(item): Values(values) for item, values in zip(items, parts, strict=True) if values}
    return {snapshot.tree.index_of(symbol.item): not_known(symbol, made.unknown)} if made.unknown else found
