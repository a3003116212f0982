"""From the syntax tree to IR, with the way back: which value each name stands for, where each operation was written.

The elaborator goes through the events of statements with a stack of open regions. Nothing it meets makes it fail: what
is inconsistent becomes a diagnostic, and its results get a type that agrees with any other.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Final

from fathom.elaborate.elaborated import Elaborated
from fathom.elaborate.failure import ElaborationFailure
from fathom.elaborate.file_metadata import foreign_resources, read_metadata
from fathom.elaborate.findings import report, report_failure
from fathom.elaborate.making import OperationMaker, mark
from fathom.elaborate.nesting import NotFollowed, OpenRegion, words_of
from fathom.elaborate.sites import Site
from fathom.elaborate.words import Segment, Words
from fathom.ir.operation import Block, Operation, Region
from fathom.irdl.traits import ISOLATED_FROM_ABOVE
from fathom.slices import checkpoint, paced
from fathom.syntax.events import (
    AliasEvent,
    BrokenEndEvent,
    ErrorEvent,
    LabelEvent,
    MetadataEvent,
    OpenEvent,
    OpEvent,
    UnclosedEvent,
)
from fathom.syntax.pieces import Piece
from fathom.syntax.tree import Item

MANY: Final = 100
"""A statement of so many operations takes a while."""


class Elaborator(OperationMaker):
    """Elaborates items, one after the other, into one `Elaborated`. With `identities`, empty at first, they are a whole
    text, throughout which some names mean one thing."""

    _outer: int | None = None
    """How deep the frame is in which the outermost region begins; None until it was looked up."""

    def run(self, items: Iterable[Item]) -> Elaborated:
        """Elaborates the items; regions that they leave open end with them."""
        site: Site | None = None
        for item in items:
            for piece in item.pieces:
                checkpoint()
                if piece.shape.events:
                    site = self.result.add(piece)
                    self._piece(piece, site)
                else:
                    self.result.length += piece.length
        while len(self.stack) > 1:
            checkpoint()
            self._end_of_text(site)
        top = self.stack[0]
        top.names.tables[top.regions[-1]] = top.defined
        self.result.scopes[top.regions[-1]] = top.names
        self.end_names(top)
        block = top.block
        assert block is not None, "the top level has one block"
        self.result.operations = list(block)
        return self.result

    def stop(self) -> Elaborated:
        """What there is when not all is elaborated, to be taken apart."""
        regions = [region for open in self.stack for region in open.regions]
        self.result.operations = [op for region in regions for op in region.operations()]
        return self.result

    # ---- events

    def resume(self, sites: Iterable[Site], open: OpenRegion, depth: int, begin: Callable[[Site], None]) -> None:
        """Elaborates statements that stand together in the middle of a block, which is that of `open`; they close what
        they open, and no more. `depth` is that of the frame in which they stand, and `begin` is told of each. Raises
        NotFollowed if they do not."""
        self.stack = [self.stack[0], open]
        self._outer = depth - 1  # The region that the block stands in is the second one.
        for site in sites:
            begin(site)
            self._piece(site.piece, site)
        if len(self.stack) != 2:
            raise NotFollowed

    def _piece(self, piece: Piece, site: Site) -> None:
        shape, holes = piece.shape, piece.take_holes()
        if shape.only is not None and (op := self.repeat(shape.only, site, holes)) is not None:
            site.end = op
            return
        lowest = self._events(piece, site, holes)
        if shape.has_errors:
            self._follow_errors(site, lowest - 1)
        top = self.stack[-1]
        if top.anchor is not None:
            site.end = top.anchor.previous or top.block
        else:
            site.end = top.regions[-1] if top.block is None else top.block.last or top.block

    def _events(self, piece: Piece, site: Site, holes: list[str]) -> int:
        """Elaborates what a statement says. Gives the size of the smallest stack on the way."""
        events = piece.shape.events
        lowest = len(self.stack)
        for event in events if len(events) < MANY else paced(events):
            match event:
                case OpEvent():
                    self._op(event, site, holes)
                case OpenEvent():
                    self._open(event, site, holes)
                case LabelEvent():
                    self._label(event, site, holes)
                case MetadataEvent():
                    self._metadata(event, site, holes)
                case ErrorEvent():
                    self._error(event, site, holes)
                case UnclosedEvent(_, count):
                    for _ in range(count):
                        self._end_of_text(site)
                case BrokenEndEvent():
                    self._end_of_text(site)
                case AliasEvent():
                    self._alias(event, site, holes)
                case _:
                    pass
            # One region that closes as the next one opens takes the nesting down for a moment.
            reopens = isinstance(event, OpenEvent) and event.reopens
            lowest = min(lowest, len(self.stack) - reopens)
        return lowest

    def _follow_errors(self, site: Site, lowest: int) -> None:
        """After a mistake the nesting is what the parser decided: that of the frame after the piece. `lowest` is how
        deep the outermost place was that the events of the piece led to."""
        piece = site.piece
        kept = piece.frame.depth - piece.shape.pops - self._outer_depth(piece)
        if kept < lowest:
            while len(self.stack) - 1 > max(kept, 0):
                self._end_of_text(site)
        depth = kept + len(piece.shape.pushes)
        while len(self.stack) - 1 > max(depth, 0):
            self._end_of_text(site)
        while len(self.stack) - 1 < depth:
            self.push(None, None, isolated=False)
            self.begin_region([])

    def _outer_depth(self, piece: Piece) -> int:
        if self._outer is None:
            first = next(iter(self.result.sites))
            self._outer = first.frame.depth - first.shape.pops if first.shape.leaves_function else first.frame.depth
        return min(self._outer, piece.frame.depth)

    def _op(self, event: OpEvent, site: Site, holes: list[str]) -> None:
        segment = Segment(event.first, site, event.base, holes)
        if not event.ends_region:
            self.finish(event.parsed, Words(segment), [])
        elif len(self.stack) > 1:
            self.end_region()
            open = self.stack.pop()
            if open.words is None or (open.parsed is not None and open.parsed.name != event.parsed.name):
                return  # Its beginning is lost to a mistake.
            open.words.add(segment)
            if open.introduced or not self.repeat_around(event.parsed, open.words, open.regions):
                self.finish(event.parsed, open.words, open.regions, open.introduced)

    def _open(self, event: OpenEvent, site: Site, holes: list[str]) -> None:
        segment = Segment(event.first, site, event.base, holes)
        parsed = event.open.parsed
        if event.reopens and len(self.stack) > 1:
            self.end_region()
            top = self.stack[-1]
            if top.words is None:
                parsed = None  # Its beginning is lost to a mistake.
            else:
                top.words.add(segment)
            top.parsed = parsed
        elif event.reopens:
            parsed = None
            self.push(None, None, isolated=False)
        else:
            # What a text that is kept names inside its regions may stand before them.
            definition = self.context.lookup(parsed.name) if parsed is not None and parsed.known else None
            isolated = definition is not None and definition.has(ISOLATED_FROM_ABOVE)
            self.push(parsed, Words(segment), isolated=isolated)
        self.begin_region(self.region_arguments(self.stack[-1]))
        if parsed is not None and not parsed.known:
            self.introduce(parsed, words_of(self.stack[-1]), segment.first)

    def _error(self, event: ErrorEvent, site: Site, holes: list[str]) -> None:
        """What a broken operation would have defined is defined all the same, so that its uses are no mistakes too."""
        parsed = event.parsed
        words, regions = Words(Segment(0, site, event.base, holes)), list[Region]()
        if event.closes and len(self.stack) > 1:
            self.end_region()
            open = self.stack.pop()
            words, regions = open.words or words, open.regions
        if parsed is None or event.start < event.base:
            if len(self.stack) > 1:
                # What stands here is not known, but the region is not empty.
                op = Operation("")
                self.insert(op)
                site.mark_operation(-1 - event.start, op)
            return
        op = Operation(parsed.name, regions=regions)
        op.span = words.op_span(parsed)
        self.insert(op)
        if parsed.name and words.has(parsed.name_token):
            mark(words.place(parsed.name_token), op)
            self.check_attributes(parsed, words)
        else:
            site.mark_operation(-1 - event.start, op)
        for uses in parsed.operands.values():
            for ref in uses:
                # What was taken for an operand may stand on a line that became a statement of its own.
                value = self.stack[-1].names.find(words.text(ref)) if words.has(ref) else None
                if value is not None:
                    at = words.place(ref)
                    at.site.mark_use(at.token, value)
        self.define_results(op, parsed, words, poison=True)

    def _label(self, event: LabelEvent, site: Site, holes: list[str]) -> None:
        top = self.stack[-1]
        if top.anchor is not None:
            raise NotFollowed
        words = Words(Segment(0, site, event.base, holes))
        label = event.label
        place = words.place(label.block)
        if top.has_named_arguments and top.block is not None and top.block.is_entry and top.block.is_empty:
            report("invalid block name in region with named arguments", place)
        # What stands in a symbol table may be elaborated alone.
        if len(self.stack) == 1 and not site.piece.frame.containers:
            report("expected operation name in quotes", place)
        region = top.regions[-1]
        if top.block is not None and top.block.is_empty and top.block.is_entry and not top.has_named_arguments:
            region.remove(top.block)
        top.block = region.append(top.blocks.define(words.text(label.block), place))
        self._label_arguments(event, top.block, words)

    def _label_arguments(self, event: LabelEvent, block: Block, words: Words) -> None:
        for argument in event.label.arguments:
            self.add_argument(block, argument, self.argument_type(argument, words), words)

    def resume_label(self, site: Site, event: LabelEvent, open: OpenRegion) -> None:
        """Elaborates a label whose block, that of `open`, stands in its region already."""
        block = open.block
        assert block is not None, "the label has a block"
        self.stack = [self.stack[0], open]
        words = Words(Segment(0, site, event.base, site.piece.holes()))
        place = words.place(event.label.block)
        block.label_span = place.span
        site.mark_block(place.token, block)
        self._label_arguments(event, block, words)
        site.end = block

    def _metadata(self, event: MetadataEvent, site: Site, holes: list[str]) -> None:
        words = Words(Segment(0, site, event.base, holes))
        _, mistakes = read_metadata(event.metadata, words.text)
        mistakes += foreign_resources(event.metadata, self.context.is_complete)
        for mistake in mistakes:
            report(mistake.message, words.place(mistake.place))

    def _end_of_text(self, site: Site | None) -> None:
        """Ends the innermost region without a closing brace, at a statement, which is the last one if the text ends."""
        if len(self.stack) == 1:
            return
        self.end_region()
        open = self.stack.pop()
        if open.parsed is not None and open.parsed.name and open.words is not None:
            self.finish(open.parsed, open.words, open.regions, open.introduced, is_closed=False)
            return
        op = Operation("", regions=open.regions)
        self.insert(op)
        if site is not None:
            site.mark_operation(-1 - len(site.piece.shape.tokens) - len(site.operations), op)

    def _alias(self, event: AliasEvent, site: Site, holes: list[str]) -> None:
        """An alias means something where it is used; mistakes in it are reported where it stands."""
        words = Words(Segment(0, site, event.base, holes))
        value = event.alias.value
        try:
            if words.text(event.alias.name).startswith("!"):
                self.meanings.type(value, words.text)
            else:
                self.meanings.attribute(value, words.text)
        except ElaborationFailure as failure:
            report_failure(failure, words.place)
