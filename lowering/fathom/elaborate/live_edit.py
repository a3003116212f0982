"""An edit of a text that stays elaborated: what it changed is elaborated where it stands, and what depends on it.

The statements that came, and those around them that stand or fall with them (`fathom.elaborate.stretches`), are
elaborated anew; the users of a value only if its name or type is not what it was.
"""

from __future__ import annotations

from collections.abc import Iterable
from heapq import heapify, heappop, heappush
from itertools import islice
from typing import Final

from fathom.elaborate.elaborator import Elaborator
from fathom.elaborate.live_blocks import LiveBlocks
from fathom.elaborate.live_changes import Changes, Update, is_before_label
from fathom.elaborate.live_names import InOrder, LiveNames, mentioned
from fathom.elaborate.nesting import NotFollowed, OpenRegion
from fathom.elaborate.scopes import ValueNames, around
from fathom.elaborate.sites import Place, Site
from fathom.elaborate.stretches import Extent, Stretch, extents, is_flat, label_of
from fathom.ir.operation import Block, BlockArgument, Operation, Region, Value
from fathom.slices import checkpoint
from fathom.syntax.events import LabelEvent
from fathom.syntax.pieces import Piece
from fathom.syntax.tree import Item

MOST_ROUNDS: Final = 12
"""So often may it turn out that one more name has to be gone through in order."""
MOST_STATEMENTS: Final = 5_000
"""Where an edit concerns more statements, to follow it is no gain."""


class Edit:
    """One edit being followed.

    Statements are elaborated again in the order of the text. When it turns out that a name must be gone through in
    order, all is done once more, with every mention of that name; statements can be elaborated any number of times.
    """

    def __init__(self, elaborator: Elaborator, former: Item, item: Item) -> None:
        self._elaborator = elaborator
        self._known = elaborator.result
        self._item = item
        first, removed, self._added = former.pieces.difference(item.pieces)
        self._first = first
        self._removed = former.pieces[first : first + removed]
        self._extent, self._block, self._after = self._place(extents(former, item, first, removed, self._added))
        region = self._block.parent
        if region is None or region not in self._known.scopes:
            raise NotFollowed
        self._region = region
        self._scope = self._known.scopes[region]
        self._names = LiveNames(known=self._known, scope=self._scope)
        self._changes = Changes(self._known, self._scope, self._names, elaborator.context)
        self._groups: dict[str, list[list[Value]]] = {}
        """The definitions of the names that are gone through in order, as they were before."""
        self._guessing: set[Value] = set()
        """The values whose types their uses decide, and are to decide anew."""

    def run(self) -> Update:
        """Follows the edit. Raises NotFollowed where it concerns more than statements in the middle of blocks; the IR
        is of no use then."""
        self._replace()
        for _ in range(MOST_ROUNDS):
            try:
                self._round()
                break
            except InOrder as order:
                if order.what is not None:
                    self._go_through(order.what)
        else:
            raise NotFollowed
        self._changes.settle()
        return self._changes.update

    def _go_through(self, what: str | Value) -> None:
        """Has a name, or the uses of a value, gone through in order from now on."""
        if isinstance(what, Value):
            if what in self._guessing:
                raise NotFollowed
            self._guessing.add(what)
        else:
            if what in self._groups:
                raise NotFollowed
            self._groups[what] = list(self._names.groups(what))

    # ---- the statements that the edit took away and brought

    def _place(self, places: Iterable[Extent]) -> tuple[Extent, Block, Operation | None]:
        """What is elaborated again, the block that it stands in, and the operation before it."""
        for extent in places:
            block, after = self._end_before(extent.first)
            if block is not None and _depth(block) == extent.depth - self._item.frame.depth:
                return extent, block, after
        raise NotFollowed

    def _end_before(self, index: int) -> tuple[Block | None, Operation | None]:
        """The block, and the operation, after which a statement stands."""
        while index > 0:
            index -= 1
            site = self._known.sites.get(self._item.pieces[index])
            match site.end if site is not None else None:
                case Operation(parent=Block() as block) as op:
                    return block, op
                case Block(parent=Region()) as block:
                    return block, None
                case Region(first=Block(label_span=None) as block):
                    return block, None
                case None:
                    continue
                case _:
                    break
        return None, None

    def _replace(self) -> None:
        known, item, extent = self._known, self._item, self._extent
        if is_before_label(self._block):
            raise NotFollowed
        known.move(item.pieces)
        gone = [site for piece in self._removed if (site := known.sites.pop(piece, None)) is not None]
        former = [*gone, *self._sites(item.pieces[extent.first : extent.last])]
        self._changes.touch(self._block)
        labels = self._changes.labels(self._region)
        for site in former:
            if self._label(site.piece) is not None:
                self._names.retire(site)
                labels.retire(site)
        self._changes.strip(former, self._region)
        for site in gone:
            known.troubled.pop(site, None)
            known.obscure.pop(site, None)
            site.forget()
        known.insert(item.pieces, self._first, self._added)
        self._begin(labels)
        for site in [site for op in labels.bereft for site in known.sites_of(op)]:
            self._stretch(site)
        self._changes.update.has_new_ways = labels.are_new

    def _begin(self, labels: LiveBlocks) -> None:
        """Gives the statements a place in the block where the edit is, which labels among them divide."""
        extent, block = self._extent, self._block
        anchor = self._after.next if self._after is not None else block.first
        sites: list[Site] = []
        for piece in self._item.pieces[extent.first : extent.last]:
            sites += self._sites((piece,))
            label = self._label(piece)
            if label is not None:
                block = labels.divide(sites[0], label, block, anchor)
                self._changes.update.blocks[block] = None
            depth = piece.frame.depth - piece.shape.pops + len(piece.shape.pushes)
            if sites and depth == extent.depth:
                self._changes.add(Stretch(sites, block, anchor, label))
                sites = []

    def _label(self, piece: Piece) -> LabelEvent | None:
        """The label that a statement of the block is where the edit is."""
        return label_of(piece) if piece.frame.depth == self._extent.depth else None

    def _sites(self, pieces: Iterable[Piece]) -> list[Site]:
        return [site for piece in pieces if (site := self._known.sites.get(piece)) is not None]

    # ---- elaborating again

    def _round(self) -> None:
        names = self._names
        names.begin(self._groups.keys(), self._guessing)
        for stretch in self._changes.dirty:
            self._changes.strip(stretch.sites, stretch.region)
        feeds: dict[Site, None] = {}
        for name, groups in self._groups.items():
            self._scope.redefined.pop(name, None)
            for region in self._scope.regions_of(name):
                del self._scope.tables[region][name]
            mentions = mentioned(self._known, name, groups, self._scope)
            sites = dict.fromkeys(islice(mentions, MOST_STATEMENTS))
            if next(mentions, None) is not None:
                raise NotFollowed  # It is found out before anything is elaborated again.
            sites.update(dict.fromkeys(self._obscure(name)))
            for site in sites:
                if self._is_fed(site):
                    feeds[site] = None
                else:
                    self._stretch(site)
        for value in self._guessing:
            for site in self._users(value, None):
                self._stretch(site)
        for value, name in names.changed:
            for site in self._users(value, name):
                self._stretch(site)
        heap: list[tuple[int, int, Stretch | Site]] = [
            (outdated.order, id(outdated), outdated) for outdated in (*self._changes.dirty, *feeds)
        ]
        heapify(heap)
        while heap:
            checkpoint()
            order, _, what = heappop(heap)
            if isinstance(what, Site):
                self._feed(what)
                continue
            if what.is_absorbed:
                continue
            known_before = len(names.changed)
            self._elaborate(what)
            for value, name in names.changed[known_before:]:
                for user in self._users(value, name):
                    is_new = user not in self._changes.stretches
                    stretch = self._stretch(user)
                    if stretch is not what and stretch.order <= order:
                        raise InOrder(name if user.order < order else None)
                    if is_new:
                        heappush(heap, (stretch.order, id(stretch), stretch))
        names.end()
        for (_, name), groups in names.retired.items():
            if name in self._groups or not groups:
                continue
            is_used = any(value.uses for values in groups for value in values)
            if is_used or name in self._scope.ordered or self._obscure(name):
                raise InOrder(name)
        for what in self._changes.lost:
            if what not in self._groups and what not in self._guessing:
                raise InOrder(what)

    def _stretch(self, site: Site) -> Stretch:
        """The statements that are elaborated together with one, from now on also if they were not before."""
        known = self._changes.stretches.get(site)
        if known is not None and not known.is_absorbed:
            return known
        checkpoint()
        if len(self._changes.stretches) > MOST_STATEMENTS:
            raise NotFollowed
        sites, piece = [site], site.piece
        if self._known.sites.get(piece) is not site:
            raise NotFollowed  # The edit took it away, and what it made is still used.
        if not is_flat(piece):
            index = self._item.index_of(piece)
            extent = next(extents(self._item, self._item, index, 1, 1), None)
            sites = self._sites(self._item.pieces[extent.first : extent.last]) if extent is not None else []
            if not sites:
                raise NotFollowed
        depth = sites[0].piece.frame.depth - self._item.frame.depth
        operations = [op for site in sites for op in site.operations.values()]
        block = next((op.parent for op in operations if op.parent is not None and _depth(op.parent) == depth), None)
        region = block.parent if block is not None else None
        if block is None or region is None or self._known.scopes.get(region) is not self._scope:
            raise NotFollowed
        here = {op for op in operations if op.parent is block}
        first = next(op for op in here if op.previous not in here)
        stretch = Stretch(sites, block, first, None)
        self._changes.add(stretch)
        self._changes.strip(sites, region)
        return stretch

    def _users(self, value: Value, name: str | None) -> list[Site]:
        """The statements that use a value."""
        users = dict.fromkeys(site for user in value.uses for site in self._known.sites_of(user))
        if name is not None:
            users.update(dict.fromkeys(self._obscure(name)))
        return list(users)

    def _obscure(self, name: str) -> list[Site]:
        """The statements that mention a name, and that may do so without it showing in the IR."""
        return [site for site in self._known.obscure if site.mentions(name) and self._is_in_scope(site)]

    def _is_in_scope(self, site: Site) -> bool:
        """Whether a statement sees the names that the edit is about; where that cannot be told, it may."""
        op = next(iter(site.operations.values()), None)
        return op is None or op.parent_region in self._scope.tables

    def _is_fed(self, site: Site) -> bool:
        """Whether a statement only defines names that are gone through in order, and is not elaborated again: a label,
        or the beginning of an operation with regions."""
        if is_flat(site.piece) or site in self._changes.stretches or site.findings:
            return False
        if site in self._known.obscure:
            return False  # What it mentions may not be among its uses, as what was not defined where it is broken.
        if any(site.text(token).partition("#")[0] in self._groups for token in site.uses):
            return False
        definitions = site.definitions.items()
        return all(
            isinstance(values[0], BlockArgument) for token, values in definitions if site.text(token) in self._groups
        )

    def _feed(self, site: Site) -> None:
        """Goes over the definitions of a statement that is not elaborated again."""
        names = self._names
        for token, values in site.definitions.items():
            name, argument = site.text(token), values[0]
            if name not in self._groups:
                continue
            region = argument.block.parent if isinstance(argument, BlockArgument) else None
            if region not in self._scope.tables or not isinstance(argument, BlockArgument):
                raise NotFollowed
            names.move(region, site.order)
            in_signature = argument.block.label_span is None
            is_new = ValueNames.define(names, name, values, Place(site, token), in_signature=in_signature)
            names.note_defined(name, values, is_new=is_new)
        if site.findings:
            raise NotFollowed

    def _elaborate(self, stretch: Stretch) -> None:
        region, names = stretch.region, self._names
        open = OpenRegion(None, None, names, False, self._changes.labels(region))
        open.regions, open.block = [region], stretch.block
        names.move(region, stretch.order)
        try:
            if stretch.label is not None:
                stretch.block.arguments = []
                self._elaborator.resume_label(stretch.sites[0], stretch.label, open)
                return
            open.anchor = stretch.holder
            self._elaborator.resume(stretch.sites, open, stretch.sites[0].piece.frame.depth, names.go_on)
        except InOrder:
            self._abandon(stretch)
            raise
        if any(block.parent is None for block in names.entered):
            raise NotFollowed  # A mistake has taken the beginning of its operation away.
        self._changes.update.blocks[stretch.block] = None

    def _abandon(self, stretch: Stretch) -> None:
        """Takes away what became of statements so far. Regions that did not come to their end belong to nothing."""
        for site in stretch.sites:
            for op in site.operations.values():
                op.drop_all_references()
                self._known.spread.pop(op, None)
                self._known.around.pop(op, None)
        self._changes.strip(stretch.sites, stretch.region)
        for region in self._names.entered:
            self._changes.drop(region)


def _depth(block: Block) -> int:
    """In how many operations a block stands."""
    depth = -1
    region = block.parent
    while region is not None:
        depth, region = depth + 1, around(region)
    return depth
