"""A split of the document whose functions and variables can be lowered apart, as they would be beside each other."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from fathom.ir.operation import Operation, Span, is_module
from fathom.passes.pipelines.lower_to_llvm import LIBRARY_FUNCTIONS
from fathom.pipeline.apart import Account, Numbered, lowered_apart, numbered
from fathom.pipeline.lowering import Lowering
from fathom.records import record
from fathom.syntax.tree import Item
from fathom_server.model.elaboration import elaborated
from fathom_server.model.lookup import root
from fathom_server.model.mistakes import first_error
from fathom_server.model.modules import Module, fixed, items_of_split, module_for
from fathom_server.model.own_code import mentions_code
from fathom_server.model.pipelines import pipeline
from fathom_server.model.queries import query
from fathom_server.model.snapshot import Snapshot
from fathom_server.model.symbols import Role, open_tables, role_of, symbols_of

ROOT: Final = Span(-1, -1)
"""The place of the module around items that are lowered apart, which is another when something before them is."""


@record
class ItemsApart:
    """The items of a split by the names of their functions and variables, in order. If the split is a module that is
    written, `root` is where that stands, counted from the beginning of the split."""

    named: Mapping[str, Item]
    root: Span | None


@record
class _Standing:
    """What an item brings: a symbol of a `name`, or the beginning of a `module`, by where it stands in the item; or
    nothing."""

    name: str = ""
    module: Span | None = None


@query()
def standing(snapshot: Snapshot, item: Item) -> _Standing | None:
    """What an item brings to its split; None if anything is wrong with it, or it brings more."""
    if first_error(snapshot, item) is not None:
        return None
    operations, symbols = elaborated(snapshot, item).operations, symbols_of(item)
    if not operations and not symbols:
        return _Standing()
    if len(operations) != 1:
        return None
    if not symbols and _begins_module(item, operations[0]):
        return _Standing(module=fixed(operations[0].span, 0))
    if len(symbols) != 1 or role_of(symbols[0], snapshot.context) not in (Role.FUNCTION, Role.DATA):
        return None
    return _Standing(symbols[0].name)


def _begins_module(item: Item, op: Operation) -> bool:
    """Whether an item begins a module, without a name, and nothing else."""
    is_empty = not any(inner for region in op.regions for inner in region.operations())
    return is_module(op) and not op.properties and is_empty and len(open_tables(item)) == 1


def items_apart(snapshot: Snapshot, split: Item | None) -> ItemsApart | None:
    """The items of a split that can be lowered apart; None if anything else stands there that becomes an operation, or
    if something is wrong with it."""
    if mentions_code(snapshot):
        return None
    items = items_of_split(snapshot, split)
    around = root(snapshot, split)
    place: Span | None = None
    found: dict[str, Item] = {}
    for item in items:
        known = standing(snapshot, item)
        if known is None or known.name in found:
            return None
        if known.module is not None:
            if around is None or around.item is not item:
                return None
            place = fixed(known.module, snapshot.start_of(item) - snapshot.start_of(items[0]))
        elif known.name:
            found[known.name] = item
    return ItemsApart(found, place) if found and LIBRARY_FUNCTIONS.isdisjoint(found) else None


@query(keep=64)
def passes_needed(_snapshot: Snapshot, _split: Item | None) -> frozenset[int]:
    """The passes, by their numbers in the pipeline, that something in a split needs, of those that run as they are
    needed: what was found out of the version before, to begin with."""
    return frozenset()


def note_passes(snapshot: Snapshot, split: Item | None, passes: frozenset[int]) -> None:
    """Takes note of the passes that a split needs."""
    snapshot.memory.learn(passes_needed, split, answer=passes, follows_from=lambda: pipeline(snapshot))


def can_be_joined(snapshot: Snapshot, passes: frozenset[int]) -> bool:
    """Whether what the pipeline makes of a split can be made of its items, where these passes are needed."""
    return _numbered(snapshot).goes_by_function(passes)


@query(keep=1)
def _numbered(snapshot: Snapshot) -> Numbered:
    """The pipeline in force, with the numbers of its passes."""
    return numbered(pipeline(snapshot))


def lowered_beside(snapshot: Snapshot, item: Item, passes: frozenset[int]) -> tuple[Module, Lowering, Account] | None:
    """An item by the whole pipeline, where others need these passes too. None if it is not lowered, or anything is to
    be said of it, or if it is another than in the whole."""
    module = module_for(snapshot, (item,), False)
    if module.problem is not None or module.depth or module.is_apart:
        return None
    if item.frame.containers:
        module.op.span = ROOT
    made = lowered_apart(_numbered(snapshot), module.op, snapshot.context, passes)
    if made is None or made[0].verdict().findings:
        return None
    return module, *made
