"""From the syntax tree to IR, with the way back: which value each name stands for, where each operation was written.

The elaborator goes through the events of statements with a stack of open regions. Nothing it meets makes it fail: what
is inconsistent becomes a diagnostic, and its results get a type that agrees with any other.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from types import MappingProxyType
from typing import Final

from fathom.diagnostics import Diagnostic, Note
from fathom.elaborate.elaborated import Elaborated, Place, Site, report, report_failure
from fathom.elaborate.failure import ElaborationFailure
from fathom.elaborate.file_metadata import foreign_resources, read_metadata
from fathom.elaborate.implied import complete_regions
from fathom.elaborate.nesting import Nesting, NotFollowed, OpenRegion, words_of
from fathom.elaborate.templates import learn, templates_of
from fathom.elaborate.unknown import keep_text
from fathom.elaborate.words import Segment, StatementSpan, Words
from fathom.ir.attributes import Attribute
from fathom.ir.operation import Block, BlockArgument, Operation, Region
from fathom.ir.types import POISON
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
from fathom.syntax.nodes import ParsedOp, Ref
from fathom.syntax.pieces import Piece
from fathom.syntax.tree import Item

MANY: Final = 100
"""A statement of so many operations takes a while."""

_NONE: Final[Mapping[Ref, BlockArgument]] = MappingProxyType({})


class Elaborator(Nesting):
    """Elaborates items, one after the other, into one `Elaborated`. With `identities`, empty at first, they are a whole
    text, throughout which some names mean one thing."""

    _outer: int | None = None
    """How deep the frame is in which the outermost region begins; None until it was looked up."""

    def run(self, items: Iterable[Item]) -> Elaborated:
        """Elaborates the items; regions that they leave open end with them."""
        for item in items:
            for piece in item.pieces:
                checkpoint()
                if piece.shape.events:
                    self._piece(piece, self.result.add(piece))
                else:
                    self.result.length += piece.length
        while len(self.stack) > 1:
            checkpoint()
            self._end_of_text()
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
        lowest = self._events(piece, site)
        if piece.shape.has_errors:
            self._follow_errors(site, lowest - 1)
        top = self.stack[-1]
        if top.anchor is not None:
            site.end = top.anchor.previous or top.block
        else:
            site.end = top.regions[-1] if top.block is None else top.block.last or top.block

    def _events(self, piece: Piece, site: Site) -> int:
        """Elaborates what a statement says. Gives the size of the smallest stack on the way."""
        holes = piece.take_holes()
        events = piece.shape.events
        if len(events) == 1 and isinstance(event := events[0], OpEvent) and self._repeat(event, site, holes):
            return len(self.stack)
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
            self._finish(event.parsed, Words(segment), [])
        elif len(self.stack) > 1:
            self.end_region()
            open = self.stack.pop()
            if open.words is None:
                return  # Its beginning is lost to a mistake.
            open.words.add(segment)
            if open.introduced or not self._repeat_around(event.parsed, open.words, open.regions):
                self._finish(event.parsed, open.words, open.regions, open.introduced)

    def _repeat(self, event: OpEvent, site: Site, holes: list[str]) -> bool:
        """Makes the operation as others of its shape were made. False where it has to be resolved."""
        parsed, names = event.parsed, self.stack[-1].names
        if event.ends_region or not parsed.known:
            return False
        found = templates_of(parsed, self.meanings).find(holes, names.lookup)
        if found is None:
            words = Words(Segment(event.first, site, event.base, holes))
            found = learn(parsed, words, holes, self.meanings, names.lookup)
            if found is None:
                return False
        template, values = found
        words: Words | None = None
        is_plain = parsed.location is None and len(site.piece.lines) == 1
        properties: Mapping[str, Attribute] | None = template.properties
        if template.sources or not is_plain:
            words = Words(Segment(event.first, site, event.base, holes))
            properties = template.properties_of(words, self.meanings)
            if properties is None:
                return False
        top = self.stack[-1]
        blocks = [top.blocks.use(holes[hole], Place(site, token)) for hole, token in template.successors]
        span = StatementSpan(site) if words is None or is_plain else words.op_span(parsed)
        op = template.make(values, properties, span, successors=blocks)
        if words is not None and parsed.location is not None:
            op.location = self.location(parsed.location, words)
        self.insert(op)
        site.op = op
        site.template = template
        if template.operands is not None:
            for (_, token, _), value in zip(template.uses, values, strict=True):
                site.mark_use(token, value)
        for hole, token, named in template.named(op):
            name = holes[hole]
            if names.define_plainly(name, named):
                top.defined[name] = named
            else:
                self.define(name, named, Place(site, token))
        return True

    def _repeat_around(self, parsed: ParsedOp, words: Words, regions: list[Region]) -> bool:
        """The same for an operation whose regions have been read, none of which is empty."""
        top = self.stack[-1]
        if any(region.is_empty for region in regions):
            return False
        found = self.like_others(parsed, words, top.names)
        if found is None:
            return False
        template, values = found
        properties = template.properties_of(words, self.meanings)
        if properties is None:
            return False
        op = template.make(values, properties, words.op_span(parsed), regions=regions)
        if parsed.location is not None:
            op.location = self.location(parsed.location, words)
        for ref, value in zip(template.used, values, strict=True):
            place = words.place(ref)
            place.site.mark_use(place.token, value)
        self._put(op, parsed, words)
        self.result.around[op] = template
        self.define_results(op, parsed, words, poison=False)
        return True

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
            self._introduce(parsed, words_of(self.stack[-1]), segment.first)

    def _introduce(self, parsed: ParsedOp, words: Words, first: Ref) -> None:
        """Makes the names before a region of an unknown operation that nothing defines arguments of that region, which
        it may define anew."""
        top = self.stack[-1]
        top.lent.clear()
        for ref, argument in top.introduced.items():
            # What a clause before one region names may be meant in all that follow.
            self._lend(words.text(ref), argument, words.place(ref))
        for ref in parsed.operands.get("", ()):
            if ref < first:
                continue
            name = words.text(ref)
            if "#" in name or top.names.find(name) is not None:
                continue
            if top.block is None:
                top.block = top.regions[-1].append(Block())
            place = words.place(ref)
            argument = top.introduced[ref] = top.block.add_argument(POISON, place.span)
            self._lend(name, argument, place)

    def _lend(self, name: str, argument: BlockArgument, place: Place) -> None:
        top = self.stack[-1]
        if top.names.find(name) is None:
            self.define(name, [argument], place)
            top.lent.add(name)
            top.names.lend(name)

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
            _mark(words.place(parsed.name_token), op)
            self._check_attributes(parsed, words)
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

    def _check_attributes(self, parsed: ParsedOp, words: Words) -> None:
        """Reports a mistake in the attributes before the place where an operation does not parse: MLIR judges each as
        it reads it."""
        try:
            self.resolution(parsed, words, self).resolve_attributes()
        except ElaborationFailure as failure:
            if words.has(failure.place):
                report_failure(failure, words.place)
        except RecursionError:
            return  # That it does not parse is said already.

    def _label(self, event: LabelEvent, site: Site, holes: list[str]) -> None:
        top = self.stack[-1]
        if top.anchor is not None:
            raise NotFollowed
        words = Words(Segment(0, site, event.base, holes))
        label = event.label
        place = words.place(label.block)
        if top.has_named_arguments and top.block is not None and top.block.is_entry and top.block.is_empty:
            report("invalid block name in region with named arguments", place)
        if len(self.stack) == 1:
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

    def _end_of_text(self, site: Site | None = None) -> None:
        """Ends the innermost region without a closing brace, at a statement or at the end of the text."""
        if len(self.stack) == 1:
            return
        self.end_region()
        open = self.stack.pop()
        if open.parsed is not None and open.parsed.name and open.words is not None:
            self._finish(open.parsed, open.words, open.regions, open.introduced)
            return
        op = Operation("", regions=open.regions)
        self.insert(op)
        if site is not None:
            site.mark_operation(-1 - len(site.piece.shape.tokens) - len(site.operations), op)

    # ---- operations

    def _finish(
        self,
        parsed: ParsedOp,
        words: Words,
        regions: list[Region],
        introduced: Mapping[Ref, BlockArgument] = _NONE,
    ) -> None:
        """Makes the operation, puts it in its block, and defines its results."""
        resolution = self.resolution(parsed, words, self)
        resolution.introduced = introduced
        resolution.regions = regions
        failed = False
        try:
            resolution.resolve()
        except ElaborationFailure as failure:
            failed = True
            report_failure(failure, words.place)
        except RecursionError:
            failed = True
            report("the operation is nested too deeply", words.place(parsed.name_token))
        count = sum(group.count for group in parsed.result_groups)
        is_bound = bool(parsed.result_groups) and (resolution.definition is not None or parsed.generic)
        if not failed and is_bound and count != len(resolution.result_types):
            failed = True
            report(
                f"operation defines {len(resolution.result_types)} results but was provided {count} to bind"
                if resolution.result_types
                else "cannot name an operation with no results",
                words.place(parsed.result_groups[0].token),
            )
        for site in words.sites if failed else ():
            site.mark_obscure()
        op = Operation(
            parsed.name,
            resolution.operands,
            [] if failed else resolution.result_types,
            resolution.properties,
            resolution.attributes,
            resolution.successors,
            [regions[index] if index >= 0 else Region() for index in resolution.region_order] or regions,
            words.op_span(parsed),
            None if failed else resolution.definition,
        )
        if parsed.location is not None:
            op.location = self.location(parsed.location, words)
        if not parsed.known:
            self._unknown(op, parsed, words, introduced)
        if resolution.imply is not None and not failed:
            resolution.imply(op, self.context)
        self._put(op, parsed, words)
        self.define_results(op, parsed, words, poison=failed)

    def _put(self, op: Operation, parsed: ParsedOp, words: Words) -> None:
        """Puts an operation, with what its text may leave out, where the text has it."""
        is_spread = bool(op.regions)
        if not parsed.generic:
            complete_regions(op, self.context)
        self.insert(op)
        _mark(words.place(parsed.name_token), op)
        if is_spread and len(sites := words.sites) > 1:
            self.result.spread[op] = sites

    def _unknown(self, op: Operation, parsed: ParsedOp, words: Words, introduced: Mapping[Ref, BlockArgument]) -> None:
        keep_text(op, parsed, introduced, words.spaced, self.meanings.alias_named)
        if self.context.is_defined(op.name):
            return
        dialect = op.name.partition(".")[0]
        place = words.place(parsed.name_token)
        place.site.find(
            Diagnostic(
                f"operation '{op.name}' is not known and is kept as it is written",
                place.span,
                "hint",
                "unknown-op",
                (Note(f"no definition of dialect '{dialect}' is loaded that covers it", hint=True),),
            )
        )

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


def _mark(name: Place, op: Operation) -> None:
    """Notes where the name of an operation stands."""
    name.site.mark_operation(name.token, op)
