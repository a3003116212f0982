"""What elaboration yields: the IR, what is wrong with it, and the map between it and the text.

The map is kept with the statements: each has a `Site` (`fathom.elaborate.sites`), which knows what its text stands for.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from fathom.diagnostics import Diagnostic
from fathom.elaborate.sites import SPACING, Place, Site, home_of
from fathom.ir.dismantle import dismantle
from fathom.ir.operation import Block, Operation, Region, Span, Value
from fathom.slices import checkpoint, drained
from fathom.syntax.pieces import Piece, Pieces

if TYPE_CHECKING:
    from fathom.elaborate.scopes import BlockNames, ValueNames
    from fathom.elaborate.templates import Template


class Elaborated:
    """The IR of a run of items, and the map between it and the text. All offsets count from the first item."""

    def __init__(self, base: int = 0) -> None:
        self.operations: list[Operation] = []
        self.sites: dict[Piece, Site] = {}
        """The statements that say something, in the order of the text."""
        self.spread: dict[Operation, tuple[Site, ...]] = {}
        """The operations whose own text stands in several statements."""
        self.around: dict[Operation, Template] = {}
        """What operations with regions were made by, if they were made like others."""
        self.scopes: dict[Region, ValueNames] = {}
        """The names that are visible in each region."""
        self.labels: dict[Region, BlockNames] = {}
        """The labels of each region."""
        self.troubled: dict[Site, None] = {}
        """The statements with something wrong."""
        self.obscure: dict[Site, None] = {}
        """Those that could not be read or resolved, so that not all they mention shows in the IR."""
        self.length = base
        self.is_live = False
        """Whether it changes in place with its text."""
        self.version: object = None
        """Another object whenever the text has changed."""
        self._pieces: Pieces | None = None
        """The statements of the text as it is now, if it has changed."""

    def add(self, piece: Piece) -> Site:
        """Takes in a piece that says something."""
        site = self.sites[piece] = Site(piece, self.length, self)
        if piece.shape.has_errors:
            self.obscure[site] = None
        self.length += piece.length
        return site

    def move(self, pieces: Pieces) -> None:
        """Goes on to the text as it is now: what stands where it stood may have moved."""
        self.version = object()
        self._pieces = pieces

    def start_of(self, piece: Piece) -> int:
        """Where a statement of the text as it is now begins."""
        assert self._pieces is not None, "only in a text that changes are places looked up"
        return self._pieces.offset(self._pieces.index_of(piece))

    def place_all(self) -> None:
        """Works out where all statements begin at once, for those who are about to ask for most of them."""
        for piece, start in self._pieces.with_offsets() if self._pieces is not None else ():
            site = self.sites.get(piece)
            if site is not None:
                site.place_at(start)

    def insert(self, pieces: Sequence[Piece], first: int, count: int) -> list[Site]:
        """Takes in those that say something of the statements from `first` on, `count` of them, that now stand among
        `pieces`, the whole text's."""
        fresh = [Site(piece, -1, self) for piece in pieces[first : first + count] if piece.shape.events]
        low = next((site.order for site in self._sites(pieces, range(first - 1, -1, -1))), 0)
        after = self._sites(pieces, range(first + count, len(pieces)))
        high = next((site.order for site in after), low + SPACING * (len(fresh) + 1))
        step = (high - low) // (len(fresh) + 1)
        for number, site in enumerate(fresh, 1):
            self.sites[site.piece] = site
            if site.piece.shape.has_errors:
                self.obscure[site] = None
            site.order = low + number * step
        if not step:
            for number, site in enumerate(self._sites(pieces, range(len(pieces))), 1):
                site.order = number * SPACING
        return fresh

    def _sites(self, pieces: Sequence[Piece], indices: range) -> Iterator[Site]:
        return (site for index in indices if (site := self.sites.get(pieces[index])) is not None)

    def dismantle(self) -> None:
        """Takes the IR and the map apart. Nobody may use any of it afterwards but the places, by which diagnostics that
        were shown are compared with new ones."""
        operations, self.operations = self.operations, []
        for op in operations:
            if (block := op.parent) is not None and (region := block.parent) is not None:
                region.first = region.last = block.parent = block.first = block.last = None
            dismantle(op)
        for _, site in drained(self.sites):
            site.forget()
        for names in self.scopes.values():
            names.dismantle()
        for known in (self.spread, self.around, self.scopes, self.labels, self.troubled, self.obscure):
            checkpoint()
            known.clear()

    @property
    def diagnostics(self) -> list[Diagnostic]:
        """What is wrong, statement by statement."""
        return [finding for site in sorted(self.troubled, key=_order) for finding in site.findings]

    @property
    def is_ordered(self) -> bool:
        """Whether each name is defined before it is used, and once."""
        return not any(names.ordered for names in self.scopes.values())

    def template(self, op: Operation) -> Template | None:
        """What an operation was made by, if it was made like others."""
        if op.regions:
            return self.around.get(op)
        span = op.span  # What follows is `home_of`: this is asked for each operation.
        site = span.origin if span is not None else None
        # What a rewrite makes in place of an operation has its span.
        return site.template if isinstance(site, Site) and site.op is op else None

    # ---- the map

    def sites_of(self, op: Operation) -> tuple[Site, ...]:
        """The statements in which the text of an operation stands, without that of its regions."""
        sites = self.spread.get(op)
        if sites is not None:
            return sites
        site = home_of(op)
        return (site,) if site is not None else ()

    def use_spans(self, value: Value) -> Iterator[Span]:
        """Where a value is used, in no order."""
        for user in value.uses:
            for site in self.sites_of(user):
                yield from (site.span(token) for token, used in site.uses.items() if used is value)

    def label_spans(self, block: Block) -> Iterator[Span]:
        """Where the label of a block stands, at the block itself and where it is a successor."""
        yield from (block.label_span,) if block.label_span is not None else ()
        for other in block.parent.blocks if block.parent is not None else ():
            if block in other.successors and other.last is not None:
                for site in self.sites_of(other.last):
                    yield from (site.span(token) for token, named in site.blocks.items() if named is block)

    def definitions(self) -> Iterator[tuple[Value, Place]]:
        """The values that have a name, in the order of the text."""
        for site in self.sites.values():
            for token, values in site.definitions.items():
                yield from ((value, Place(site, token)) for value in values)

    def value_at(self, piece: Piece, token: int) -> Value | None:
        """The value whose name stands at a token, at its definition or at a use."""
        site = self.sites.get(piece)
        if site is None:
            return None
        return site.uses.get(token) or next(iter(site.definitions.get(token, ())), None)

    def block_at(self, piece: Piece, token: int) -> Block | None:
        """The block whose label stands at a token."""
        site = self.sites.get(piece)
        return site.blocks.get(token) if site is not None else None

    def operation_at(self, piece: Piece, token: int) -> Operation | None:
        """The operation whose name stands at a token."""
        site = self.sites.get(piece)
        return site.operations.get(token) if site is not None else None


def _order(site: Site) -> int:
    return site.order
