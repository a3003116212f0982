"""A question for what could stand at a position, and what is found out on the way to its answer."""

from __future__ import annotations

from fathom.cached import cached_property
from fathom.elaborate.elaborated import Elaborated
from fathom.elaborate.meaning import Meanings
from fathom.elaborate.sites import Site
from fathom.ir.operation import Block, Operation, Region
from fathom.ir.types import POISON, Type
from fathom.irdl.definition import OpDefinition
from fathom.records import NamedTuple, record
from fathom_server.features.completion.asked import Asked, asked_of
from fathom_server.features.completion.near import Near
from fathom_server.features.completion.position import Position
from fathom_server.model.aliases import aliases_for
from fathom_server.model.elaboration import elaborated
from fathom_server.model.snapshot import Snapshot


class Place(NamedTuple):
    """The statement at a position, or the last one before it that says something, with the block and the region in
    which what stands at the position does."""

    site: Site
    block: Block | None
    region: Region | None


@record(slots=False)
class Inquiry:
    """What could stand at this position of this snapshot?"""

    snapshot: Snapshot
    position: Position

    @cached_property
    def near(self) -> Near:
        """The words and names around."""
        return Near(self.snapshot.tree, self.position.item, self.position.index)

    @cached_property
    def asked(self) -> Asked:
        """What the parser would take."""
        position = self.position
        meanings = Meanings(self.snapshot.context, aliases_for(self.snapshot, position.item))
        return asked_of(position.expected, meanings, is_open=position.is_open)

    @cached_property
    def definition(self) -> OpDefinition | None:
        """The definition of the operation that breaks off at the position."""
        parsed = self.position.expected.parsed
        return self.snapshot.context.lookup(parsed.name) if parsed is not None and parsed.name else None

    @property
    def known(self) -> Elaborated:
        """The IR around."""
        return elaborated(self.snapshot, self.position.item)

    def type_of(self, name: str) -> Type | None:
        """The type of the value that a name means here; None where there is none, or where it is not known."""
        region = self.place.region if self.place is not None else None
        scope = self.known.scopes.get(region) if region is not None else None
        name, _, number = name.partition("#")
        index = int(number[:6]) if number else 0
        while scope is not None and region is not None:
            group = scope.tables.get(region, {}).get(name, ())
            if index < len(group):
                type = group[index].type
                return type if type != POISON else None
            region = region.parent.parent_region if region.parent is not None else None
        return None

    @cached_property
    def place(self) -> Place | None:
        """Where the position is in the IR; None where there is nothing before it."""
        known, position = self.known, self.position
        pieces = position.item.pieces
        for index in range(position.index, -1, -1):
            site = known.sites.get(pieces[index])
            if site is None:
                continue
            op = next(iter(site.operations.values()), None)
            if index == position.index and op is not None:
                return Place(site, op.parent, op.parent_region)
            end = site.end
            if isinstance(end, Region):
                return Place(site, next(iter(end.blocks), None), end)
            block = end.parent if isinstance(end, Operation) else end
            return Place(site, block, block.parent if block is not None else None)
        return None
