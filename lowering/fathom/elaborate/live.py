"""A text that stays elaborated while it is edited: what an edit changed is elaborated again, and what depends on it.

There is one IR for the present version of the text, which changes in place. An edit in the middle of a block, of
statements that open no region and close none, is followed statement by statement: those that came are elaborated where
they stand; the users of a value only if its name or type is not what it was. The result is that of reading the text
from nothing. After any other edit the text has to be, when somebody asks.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from heapq import heapify, heappop, heappush
from typing import Final

from fathom.context import Context
from fathom.elaborate.elaborated import Elaborated, Place, Site, home_of
from fathom.elaborate.elaborator import Elaborator
from fathom.elaborate.implied import complete_end
from fathom.elaborate.live_names import InOrder, LiveBlocks, LiveNames, NotFlat, mentioned
from fathom.elaborate.meaning import Aliases
from fathom.elaborate.scopes import ValueNames
from fathom.elaborate.templates import Template
from fathom.ir.operation import Block, BlockArgument, Operation, Region, Value
from fathom.records import field, record
from fathom.syntax.events import ErrorEvent, OpEvent
from fathom.syntax.tree import Item, Piece

MOST_ROUNDS: Final = 12
"""So often may it turn out that one more name has to be gone through in order."""


@record(frozen=False)
class Update:
    """What an edit did to the IR: the operations that went, those that came or were made anew, and the blocks of which
    an operation went or came."""

    removed: set[Operation] = field(default_factory=set[Operation])
    made: dict[Operation, None] = field(default_factory=lambda: {})
    blocks: dict[Block, None] = field(default_factory=lambda: {})
    has_new_ways: bool = False
    """Whether some block goes on to others than before."""


class Live:
    """The elaborated text of one item, kept up to date."""

    def __init__(self, context: Context, aliases: Aliases, item: Item) -> None:
        self.context = context
        self.item = item
        self.elaborator = Elaborator(context, aliases)
        self.known: Elaborated = self.elaborator.run([item])

    def update(self, item: Item) -> Update | None:
        """Goes on to the text as it is now. None if that cannot be followed: it is of no use any more then."""
        former, self.item = self.item, item
        first, removed, added = former.pieces.difference(item.pieces)
        gone, come = former.pieces[first : first + removed], item.pieces[first : first + added]
        if item.frame is former.frame and all(map(_is_flat, gone)) and all(map(_is_flat, come)):
            try:
                return _Edit(self, first, gone, come).run()
            except (NotFlat, RecursionError):
                pass
        return None

    # ---- what is known of its operations

    def likeness(self, op: Operation) -> Template | None:
        """What an operation was made by, if it was made like others."""
        return self.known.template(op)

    def operations(self) -> Iterator[tuple[Operation, Template | None]]:
        """The operations whose names stand in the text, in no order, each with its template if it has no regions."""
        for site in self.known.sites.values():
            if site.template is not None and site.op is not None:
                yield site.op, site.template
            else:
                yield from ((op, None) for op in site.operations.values())

    @property
    def is_in_order(self) -> bool:
        """Whether all values are defined before they are used, in a text that is one operation."""
        known = self.known
        return len(known.operations) == 1 and not any(names.ordered for names in known.scopes.values())

    def stands_before(self, one: Operation, other: Operation) -> bool:
        """Whether an operation stands before another one of its block, as their text does."""
        first, second = home_of(one), home_of(other)
        if first is None or second is None or first is second:
            return one.is_before_in_block(other)
        return first.order < second.order


def _is_flat(piece: Piece) -> bool:
    """Whether a statement says nothing but operations, whole or broken, and leaves the nesting as it was."""
    shape = piece.shape
    if shape.pops or shape.pushes:
        return False
    return all(
        (isinstance(event, OpEvent) and not event.ends_region) or (isinstance(event, ErrorEvent) and not event.closes)
        for event in shape.events
    )


class _Edit:
    """One edit being followed.

    Statements are elaborated again in the order of the text. When it turns out that a name must be gone through in
    order, all is done once more, with every mention of that name; statements can be elaborated any number of times.
    """

    def __init__(self, live: Live, first: int, removed: Sequence[Piece], added: Sequence[Piece]) -> None:
        self._live = live
        self._known = live.known
        self._first = first
        self._removed = removed
        self._added = added
        self._update = Update()
        self._block, self._after = self._place()
        region = self._block.parent
        if region is None or region.parent is None or region not in live.known.scopes or self._block.is_empty:
            raise NotFlat
        self._scope = live.known.scopes[region]
        self._names = LiveNames(known=live.known, scope=self._scope)
        self._dirty: dict[Site, None] = {}
        self._groups: dict[str, list[list[Value]]] = {}
        """The definitions of the names that are gone through in order, as they were before."""
        self._guessing: set[Value] = set()
        """The values whose types their uses decide, and are to decide anew."""
        self._ways: dict[Block, list[Block]] = {}
        """The successors that the blocks which were touched had before."""
        self._lost: dict[str | Value, None] = {}
        """The names and values of which a mention is gone, and the order of whose mentions decides."""

    def run(self) -> Update:
        """Follows the edit. Raises NotFlat where it concerns more than statements in the middle of blocks; the IR is of
        no use then."""
        self._replace()
        for _ in range(MOST_ROUNDS):
            try:
                self._round()
                break
            except InOrder as found:
                self._go_through(found.what)
        else:
            raise NotFlat
        self._finish()
        return self._update

    def _go_through(self, what: str | Value) -> None:
        """Has a name, or the uses of a value, gone through in order from now on."""
        if isinstance(what, Value):
            if what in self._guessing:
                raise NotFlat
            self._guessing.add(what)
        else:
            if what in self._groups:
                raise NotFlat
            self._groups[what] = list(self._names.groups(what))

    # ---- the statements that the edit took away and brought

    def _place(self) -> tuple[Block, Operation | None]:
        """The block that the edit is in, and the operation before it."""
        for index in range(self._first - 1, -1, -1):
            site = self._known.sites.get(self._live.item.pieces[index])
            end = site.end if site is not None else None
            match end:
                case Operation() if end.parent is not None:
                    return end.parent, end
                case Block():
                    return end, None
                case Region() if end.first is not None and end.first.label_span is None:
                    return end.first, None
                case None:
                    continue
                case _:
                    break
        raise NotFlat

    def _replace(self) -> None:
        known, item = self._known, self._live.item
        known.move(item.pieces)
        for site in [site for piece in self._removed if (site := known.sites.pop(piece, None)) is not None]:
            known.troubled.pop(site, None)
            known.obscure.pop(site, None)
            for op in self._take_apart(site):
                self._erase(op)
        anchor = self._after.next if self._after is not None else self._block.first
        for site in known.insert(item.pieces, self._first, len(self._added)):
            self._ways.setdefault(self._block, list(self._block.successors))
            # It holds the place until the statement is elaborated.
            holder = Operation("")
            self._block.insert_before(holder, anchor)
            site.mark_operation(-1, holder)
            self._dirty[site] = None

    def _take_apart(self, site: Site) -> list[Operation]:
        """Takes the meaning of a statement away; its operations stay where they are, without operands."""
        operations = list(site.operations.values())
        if operations:
            block = operations[0].parent
            if block is None or block.parent is None or block.parent.parent is None:
                raise NotFlat
            self._ways.setdefault(block, list(block.successors))
            labels = self._known.labels[block.parent]
            undefined = {each for each, _ in labels.forward.values()}
            self._names.retire(site, block.parent)
            self._note_lost(site)
            for op in operations:
                if op.regions or not undefined.isdisjoint(op.successors):
                    raise NotFlat
                op.drop_all_references()
        site.clear()
        return operations

    def _note_lost(self, site: Site) -> None:
        """Notes the mentions that are taken away of names and values of which the order of mentions decides."""
        scope = self._scope
        if scope.guessed:
            self._lost.update(dict.fromkeys(value for value in site.uses.values() if value in scope.guessed))
        if scope.ordered:
            names = (site.text(token).partition("#")[0] for token in site.uses)
            self._lost.update(dict.fromkeys(name for name in names if name in scope.ordered))

    def _erase(self, op: Operation) -> None:
        self._update.removed.add(op)
        if op.parent is not None:
            self._update.blocks[op.parent] = None
        op.unlink()

    # ---- elaborating again

    def _round(self) -> None:
        names = self._names
        names.begin(self._groups.keys(), self._guessing)
        todo = dict(self._dirty)
        feeds: dict[Site, None] = {}
        for name, groups in self._groups.items():
            self._scope.redefined.pop(name, None)
            for region in self._scope.regions_of(name):
                del self._scope.tables[region][name]
            sites = dict.fromkeys(mentioned(self._known, name, groups, self._scope))
            sites.update(dict.fromkeys(self._obscure(name)))
            for site in sites:
                if _is_flat(site.piece):
                    todo[site] = None
                else:
                    feeds[site] = None
        for value in self._guessing:
            todo.update(dict.fromkeys(self._users(value, None)))
        for value, name in names.changed:
            todo.update(dict.fromkeys(self._users(value, name)))
        heap = [(site.order, site) for site in (*todo, *feeds)]
        heapify(heap)
        while heap:
            order, site = heappop(heap)
            if site in feeds:
                self._feed(site)
                continue
            known_before = len(names.changed)
            self._elaborate(site)
            for value, name in names.changed[known_before:]:
                for user in self._users(value, name):
                    if user.order < order:
                        raise InOrder(name)
                    if user not in todo:
                        todo[user] = None
                        heappush(heap, (user.order, user))
        names.end()
        for (_, name), groups in names.retired.items():
            is_used = any(value.uses for values in groups for value in values)
            if name not in self._groups and (is_used or (groups and name in self._scope.ordered)):
                raise InOrder(name)
        for what in self._lost:
            if what not in self._groups and what not in self._guessing:
                raise InOrder(what)

    def _users(self, value: Value, name: str | None) -> list[Site]:
        """The statements that use a value."""
        found = dict.fromkeys(site for user in value.uses for site in self._known.sites_of(user))
        if name is not None:
            found.update(dict.fromkeys(self._obscure(name)))
        if not all(_is_flat(site.piece) for site in found):
            raise NotFlat
        return list(found)

    def _obscure(self, name: str) -> list[Site]:
        """The statements that mention a name, and that may do so without it showing in the IR."""
        return [site for site in self._known.obscure if site.mentions(name) and self._is_in_scope(site)]

    def _is_in_scope(self, site: Site) -> bool:
        """Whether a statement sees the names that the edit is about; where that cannot be told, it may."""
        op = next(iter(site.operations.values()), None)
        return op is None or op.parent_region in self._scope.tables

    def _feed(self, site: Site) -> None:
        """Goes over the definitions of a statement that is not elaborated again, such as a label's arguments."""
        names = self._names
        if site.findings or any(site.text(token).partition("#")[0] in self._groups for token in site.uses):
            raise NotFlat
        for token, values in site.definitions.items():
            name = site.text(token)
            if name not in self._groups:
                continue
            argument = values[0]
            region = argument.block.parent if isinstance(argument, BlockArgument) else None
            if region not in self._scope.tables or not isinstance(argument, BlockArgument):
                raise NotFlat
            names.move(region, site.order)
            in_signature = argument.block.label_span is None
            is_new = ValueNames.define(names, name, values, Place(site, token), in_signature=in_signature)
            names.note_defined(name, values, is_new=is_new)
        if site.findings:
            raise NotFlat

    def _elaborate(self, site: Site) -> None:
        self._dirty[site] = None
        former = self._take_apart(site)
        block = former[0].parent
        assert block is not None and block.parent is not None, "a statement that was elaborated stands in a region"
        region = block.parent
        self._names.move(region, site.order)
        labels = LiveBlocks(self._known.labels[region].defined)
        try:
            self._live.elaborator.resume(site, block, former[0], self._names, labels)
        except InOrder:
            for op in self._take_apart(site):
                op.unlink()
            for number, op in enumerate(former):
                site.mark_operation(-1 - number, op)
            raise
        for op in former:
            self._erase(op)
        self._update.blocks[block] = None

    def _finish(self) -> None:
        for site in self._dirty:
            for op in site.operations.values():
                self._update.made[op] = None
        self._names.settle()
        for block in self._update.blocks:
            self._complete(block)
        self._update.has_new_ways = any(block.successors != ways for block, ways in self._ways.items())

    def _complete(self, block: Block) -> None:
        """Gives the operation around a block the terminator that its text leaves out, or takes it away."""
        region = block.parent
        op = region.parent if region is not None else None
        if region is None or op is None or block.is_empty:
            raise NotFlat
        if op.definition is None or not op.definition.implicit_terminator or block is not region.last:
            return
        last = block.last
        assert last is not None, "the block is not empty"
        if last.span is op.span:
            self._erase(last)
        before = block.last
        if before is None:
            raise NotFlat
        complete_end(op, region, self._live.context)
        if block.last is not None and block.last is not before:
            self._update.made[block.last] = None
