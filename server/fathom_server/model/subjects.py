"""What is meant at a place of the text, be it a name, a number, or a part of a type or an attribute, with all that is
known of it without lowering anything: one answer, which whoever speaks of it needs to see only."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

from fathom.editions.renames import today
from fathom.elaborate.meaning import Meanings
from fathom.elaborate.sites import Site
from fathom.ir.attributes import Attribute
from fathom.ir.operation import Block, Operation, Span, Value
from fathom.ir.types import Type
from fathom.irdl.definition import OpDefinition
from fathom.records import record
from fathom.syntax.tree import Item
from fathom_server.model.aliases import aliases_for
from fathom_server.model.elaboration import elaborated
from fathom_server.model.outlines import declaration_of
from fathom_server.model.places import Spot, spot_at, symbol_at
from fathom_server.model.snapshot import Snapshot
from fathom_server.model.symbols import Symbol
from fathom_server.model.ways import way_to
from fathom_server.model.written import Tree, Word, tree_at, word_at


@record
class Values:
    """The value that a name stands for; at the definition of several that share a name, all of them; and the item in
    which that is asked."""

    values: Sequence[Value]
    item: Item


@record
class NamedSymbol:
    """A symbol, and its operation without a body; None while that is broken."""

    symbol: Symbol
    declared: Operation | None


@record
class NamedBlock:
    """A block, and the item in which it stands."""

    block: Block
    item: Item


@record
class Alias:
    """An alias with its `!` or `#`, and what it stands for."""

    name: str
    meaning: Type | Attribute


@record
class NamedOperation:
    """An operation, and the item in which it stands. `described` is what is known of operations of its name, also where
    nothing is known of this one, since its text is kept as it is written."""

    op: Operation
    item: Item
    described: OpDefinition | None


@record
class OldName:
    """The name that an operation had in an older release of MLIR, in a statement that cannot be read today."""

    name: str


Subject: TypeAlias = Values | NamedSymbol | NamedBlock | Alias | NamedOperation | OldName | Word | Tree


def subject_at(snapshot: Snapshot, offset: int) -> tuple[Subject, Span] | None:
    """What is meant at an offset, and where in the document that stands; None where nothing is."""
    spot = spot_at(snapshot, offset)
    if spot is None:
        return None
    site = elaborated(snapshot, spot.item).sites.get(spot.piece)
    named = _named(snapshot, spot, site)
    if named is not None:
        return named, Span(spot.start, spot.end)
    way, meanings = way_to(spot), _meanings(snapshot, spot)
    word = word_at(spot, _operation_around(spot, site), way, meanings)
    if word is not None:
        return word, Span(spot.start, spot.end)
    tree = tree_at(way, meanings) if way is not None else None
    return (tree[0], way.span(tree[1])) if way is not None and tree is not None else None


def _named(snapshot: Snapshot, spot: Spot, site: Site | None) -> Subject | None:
    """What has the name that stands at a spot; None where nothing has, or there is none."""
    match spot.token.kind:
        case "VALUE" if site is not None:
            used = site.uses.get(spot.index)
            values = [used] if used is not None else site.definitions.get(spot.index)
            return Values(values, spot.item) if values else None
        case "SYMBOL":
            symbol = symbol_at(snapshot, spot)
            return NamedSymbol(symbol, declaration_of(snapshot, symbol)) if symbol is not None else None
        case "BLOCK" if site is not None:
            block = site.blocks.get(spot.index)
            return NamedBlock(block, spot.item) if block is not None else None
        case "ALIAS" | "EXCLAIM" | "HASH":
            return _alias(spot.token.text, _meanings(snapshot, spot))
        case "BARE" | "STRING":
            op = site.operations.get(spot.index) if site is not None else None
            return NamedOperation(op, spot.item, snapshot.context.lookup(op.name)) if op is not None else _old(spot)
        case _:
            return None


def _meanings(snapshot: Snapshot, spot: Spot) -> Meanings:
    """What types and attributes that are written at a spot mean."""
    return Meanings(snapshot.context, aliases_for(snapshot, spot.item))


def _alias(name: str, meanings: Meanings) -> Alias | None:
    """An alias; None for a name that is none, and for one that stands for nothing."""
    meaning = meanings.alias_named(name) if meanings.aliases.definition(name) is not None else None
    return Alias(name, meaning) if meaning is not None else None


def _old(spot: Spot) -> OldName | None:
    name = spot.token.text.strip('"')
    return OldName(name) if spot.piece.shape.has_errors and today(name) is not None else None


def _operation_around(spot: Spot, site: Site | None) -> Operation | None:
    """The operation to whose own text a spot belongs."""
    if site is None:
        return None
    before = [token for token in site.operations if token <= spot.index]
    if before:
        return site.operations[max(before)]
    # The text goes on behind a region, as in `} {attributes}`.
    return site.end if isinstance(site.end, Operation) else None
