"""From the syntax tree to IR, with the way back: which value each name stands for, where each operation was written.

The elaborator goes through the events of statements with a stack of open regions. Nothing it meets makes it fail: what
is inconsistent becomes a diagnostic, and its results get a type that agrees with any other.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import Final

from fathom.context import Context
from fathom.diagnostics import Diagnostic, Note
from fathom.elaborate.elaborated import Elaborated, Place, Site, note, report, report_failure
from fathom.elaborate.failure import ElaborationFailure
from fathom.elaborate.file_metadata import foreign_resources, read_metadata
from fathom.elaborate.implied import complete_regions
from fathom.elaborate.meaning import Aliases, Meanings
from fathom.elaborate.operations import Resolution, Surroundings
from fathom.elaborate.scopes import BlockNames, ForwardValue, ValueNames
from fathom.elaborate.templates import Template, learn, templates_of
from fathom.elaborate.unknown import keep_text
from fathom.elaborate.words import Segment, StatementSpan, Words
from fathom.interruption import checkpoint
from fathom.ir.locations import LocationAttr
from fathom.ir.operation import Block, BlockArgument, Operation, OpResult, Region, Value
from fathom.ir.types import POISON, Type
from fathom.irdl.traits import ISOLATED_FROM_ABOVE
from fathom.records import field, record
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
from fathom.syntax.nodes import Argument, Node, ParsedOp, Ref
from fathom.syntax.pieces import Piece
from fathom.syntax.tree import Item


@record(frozen=False)
class _OpenRegion:
    """An operation whose region is being filled, or the container that everything else stands in."""

    parsed: ParsedOp | None
    words: Words | None
    names: ValueNames
    isolated: bool
    blocks: BlockNames
    regions: list[Region] = field(default_factory=lambda: [])
    block: Block | None = None
    has_named_arguments: bool = False
    scoped: list[str] = field(default_factory=lambda: [])
    referenced: dict[str, Place] = field(default_factory=lambda: {})
    """The names that the operation's own text uses, that were not defined when the region began and that its arguments
    may not have."""
    introduced: dict[Ref, BlockArgument] = field(default_factory=lambda: {})
    """The names in an unknown operation's own text that are arguments of its regions."""


_NONE: Final[Mapping[Ref, BlockArgument]] = MappingProxyType({})


class Elaborator:
    """Elaborates items, one after the other, into one `Elaborated`. With `identities`, empty at first, they are a whole
    text, throughout which some names mean one thing."""

    def __init__(
        self,
        context: Context,
        aliases: Aliases | None = None,
        base: int = 0,
        identities: dict[Hashable, object] | None = None,
    ) -> None:
        self.context = context
        self.meanings = Meanings(context, aliases, identities)
        self.result = Elaborated(base)
        names, blocks = ValueNames(), BlockNames()
        top = _OpenRegion(None, None, names, True, blocks, [Region()])
        top.block = top.regions[0].append(Block())
        self.stack: list[_OpenRegion] = [top]

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
            self._end_of_text()
        top = self.stack[0]
        top.names.end()
        block = top.block
        assert block is not None, "the top level has one block"
        self.result.operations = list(block)
        return self.result

    # ---- events

    def _piece(self, piece: Piece, site: Site) -> None:
        holes = piece.holes()
        events = piece.shape.events
        if len(events) == 1 and isinstance(event := events[0], OpEvent) and self._repeat(event, site, holes):
            return
        lowest = len(self.stack)
        for event in piece.shape.events:
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
                        self._end_of_text()
                case BrokenEndEvent():
                    self._end_of_text()
                case AliasEvent():
                    self._alias(event, site, holes)
                case _:
                    pass
            # One region that closes as the next one opens takes the nesting down for a moment.
            reopens = isinstance(event, OpenEvent) and event.reopens
            lowest = min(lowest, len(self.stack) - reopens)
        if piece.shape.has_errors:
            self._follow_errors(piece, lowest - 1)

    def _follow_errors(self, piece: Piece, lowest: int) -> None:
        """After a mistake the nesting is what the parser decided: that of the frame after the piece. `lowest` is how
        deep the outermost place was that the events of the piece led to."""
        kept = piece.frame.depth - piece.shape.pops - self._outer_depth(piece)
        if kept < lowest:
            while len(self.stack) - 1 > max(kept, 0):
                self._end_of_text()
        depth = kept + len(piece.shape.pushes)
        while len(self.stack) - 1 > max(depth, 0):
            self._end_of_text()
        while len(self.stack) - 1 < depth:
            self._push(None, None, isolated=False)
            self._begin_region([])

    def _outer_depth(self, piece: Piece) -> int:
        first = next(iter(self.result.sites))
        return min(first.frame.depth, piece.frame.depth)

    def _op(self, event: OpEvent, site: Site, holes: list[str]) -> None:
        segment = Segment(event.first, site, event.base, holes)
        if not event.ends_region:
            self._finish(event.parsed, Words(segment), [])
        elif len(self.stack) > 1:
            self._end_region()
            open = self.stack.pop()
            if open.words is None:
                return  # Its beginning is lost to a mistake.
            words = _extended(open.words, segment)
            if open.introduced or not self._repeat_around(event.parsed, words, open.regions):
                self._finish(event.parsed, words, open.regions, open.introduced)

    def _repeat(self, event: OpEvent, site: Site, holes: list[str]) -> bool:
        """Makes the operation as others of its shape were made. False where it has to be resolved."""
        parsed, names = event.parsed, self.stack[-1].names
        if event.ends_region or not parsed.known:
            return False
        found = templates_of(parsed, self.meanings).find(holes, names.values)
        if found is None:
            words = Words(Segment(event.first, site, event.base, holes))
            found = learn(parsed, words, holes, self.meanings, names.values)
            if found is None:
                return False
        template, values = found
        words: Words | None = None
        if parsed.location is not None or len(site.piece.lines) > 1:
            words = Words(Segment(event.first, site, event.base, holes))
        top = self.stack[-1]
        blocks = [top.blocks.use(holes[hole], Place(site, token)) for hole, token in template.successors]
        op = Operation(
            template.name,
            template.operands_of(values),
            template.result_types,
            template.properties,
            template.attributes,
            blocks,
            (),
            StatementSpan(site) if words is None else words.op_span(parsed),
            template.definition,
        )
        if words is not None and parsed.location is not None:
            op.location = self._location(parsed.location, words)
        self._insert(op)
        site.op = op
        site.template = template
        if template.operands is not None:
            for (_, token, _), value in zip(template.uses, values, strict=True):
                site.mark_use(token, value)
        for hole, token, named in template.named(op):
            name = holes[hole]
            if names.define_plainly(name, named):
                top.scoped.append(name)
            else:
                self._define(name, named, Place(site, token))
        return True

    def _repeat_around(self, parsed: ParsedOp, words: Words, regions: list[Region]) -> bool:
        """The same for an operation whose regions have been read, none of which is empty."""
        top = self.stack[-1]
        if any(region.is_empty for region in regions):
            return False
        found = self._like_others(parsed, words, top.names)
        if found is None:
            return False
        template, values = found
        op = Operation(
            template.name,
            template.operands_of(values),
            template.result_types,
            template.properties,
            template.attributes,
            (),
            regions,
            words.op_span(parsed),
            template.definition,
        )
        if parsed.location is not None:
            op.location = self._location(parsed.location, words)
        for ref, value in zip(template.used, values, strict=True):
            place = words.place(ref)
            place.site.mark_use(place.token, value)
        self._put(op, parsed, words)
        self.result.around[op] = template
        self._define_results(op, parsed, words, poison=False)
        return True

    def _like_others(self, parsed: ParsedOp, words: Words, names: ValueNames) -> tuple[Template, list[Value]] | None:
        """The template of an operation, and the values that it names; None where it has to be resolved."""
        if not parsed.known:
            return None
        holes = words.holes
        found = templates_of(parsed, self.meanings).find(holes, names.values)
        return found or learn(parsed, words, holes, self.meanings, names.values)

    def _open(self, event: OpenEvent, site: Site, holes: list[str]) -> None:
        segment = Segment(event.first, site, event.base, holes)
        parsed = event.open.parsed
        if event.reopens and len(self.stack) > 1:
            self._end_region()
            top = self.stack[-1]
            top.parsed = parsed
            top.words = _extended(top.words, segment)
        else:
            definition = self.context.lookup(parsed.name) if parsed is not None else None
            isolated = definition is not None and definition.has(ISOLATED_FROM_ABOVE)
            self._push(parsed, Words(segment), isolated=isolated)
        self._begin_region(self._region_arguments(self.stack[-1]))
        if parsed is not None and not parsed.known:
            self._introduce(parsed, _words(self.stack[-1]), segment.first)

    def _introduce(self, parsed: ParsedOp, words: Words, first: Ref) -> None:
        """Makes the names before a region of an unknown operation that nothing defines arguments of that region."""
        top = self.stack[-1]
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
            self._define(name, [argument], place)

    def _error(self, event: ErrorEvent, site: Site, holes: list[str]) -> None:
        """What a broken operation would have defined is defined all the same, so that its uses are no mistakes too."""
        parsed = event.parsed
        words, regions = Words(Segment(0, site, event.base, holes)), list[Region]()
        if event.closes and len(self.stack) > 1:
            self._end_region()
            open = self.stack.pop()
            words, regions = open.words or words, open.regions
        if parsed is None or event.start < event.base:
            if len(self.stack) > 1:
                # What stands here is not known, but the region is not empty.
                self._insert(Operation(""))
            return
        op = Operation(parsed.name, regions=regions)
        op.span = words.op_span(parsed)
        self._insert(op)
        if parsed.name:
            _mark(words.place(parsed.name_token), op)
            self._check_attributes(parsed, words)
        for uses in parsed.operands.values():
            for ref in uses:
                # What was taken for an operand may stand on a line that became a statement of its own.
                value = self.stack[-1].names.find(words.text(ref)) if words.has(ref) else None
                if value is not None:
                    at = words.place(ref)
                    at.site.mark_use(at.token, value)
        self._define_results(op, parsed, words, poison=True)

    def _check_attributes(self, parsed: ParsedOp, words: Words) -> None:
        """Reports a mistake in the attributes before the place where an operation does not parse: MLIR judges each as
        it reads it."""
        try:
            self._resolution(parsed, words, self).resolve_attributes()
        except ElaborationFailure as failure:
            if words.has(failure.place):
                report_failure(failure, words.place)
        except RecursionError:
            return  # That it does not parse is said already.

    def _label(self, event: LabelEvent, site: Site, holes: list[str]) -> None:
        top = self.stack[-1]
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
        for argument in label.arguments:
            self._add_argument(top.block, argument, self._argument_type(argument, words), words)

    def _metadata(self, event: MetadataEvent, site: Site, holes: list[str]) -> None:
        words = Words(Segment(0, site, event.base, holes))
        _, mistakes = read_metadata(event.metadata, words.text)
        mistakes += foreign_resources(event.metadata, lambda name: self.context.dialect(name) is not None)
        for mistake in mistakes:
            report(mistake.message, words.place(mistake.place))

    # ---- regions

    def _push(self, parsed: ParsedOp | None, words: Words | None, *, isolated: bool) -> None:
        names = ValueNames() if isolated else self.stack[-1].names
        self.stack.append(_OpenRegion(parsed, words, names, isolated, BlockNames()))

    def _begin_region(self, arguments: list[tuple[Argument, Type]]) -> None:
        top = self.stack[-1]
        region = Region()
        top.regions.append(region)
        top.blocks = BlockNames()
        top.block = None
        top.scoped = []
        top.has_named_arguments = bool(arguments)
        if arguments:
            top.block = region.append(Block())
            for argument, type in arguments:
                self._add_argument(top.block, argument, type, _words(top), in_signature=True)

    def _region_arguments(self, top: _OpenRegion) -> list[tuple[Argument, Type]]:
        """The arguments that the operation's own syntax names for the region that opens, with their types."""
        parsed = top.parsed
        index = len(top.regions)
        if parsed is None or index >= len(parsed.regions) or not parsed.regions[index].arguments:
            return []
        arguments = parsed.regions[index].arguments
        words = _words(top)
        definition = self.context.lookup(parsed.name)
        custom = definition.custom if definition is not None else None
        names_first = custom is not None and custom.operands_first
        if not names_first and all(argument.type is not None for argument in arguments):
            return [(argument, self._argument_type(argument, words, quiet=True)) for argument in arguments]
        found = self._like_others(parsed, words, self.stack[-2].names)
        if found is not None:
            known = found[0].region_argument_types
            return _typed(arguments, known[index] if index < len(known) else [])
        quiet = _Quiet(self.stack[-2].names)
        if names_first:
            top.referenced = quiet.forward
        resolution = self._resolution(parsed, words, quiet)
        try:
            resolution.resolve()
            types = resolution.region_argument_types[index] if index < len(resolution.region_argument_types) else []
        except ElaborationFailure:
            types = [self._argument_type(argument, words, quiet=True) for argument in arguments]
        return _typed(arguments, types)

    def _argument_type(self, argument: Argument, words: Words, *, quiet: bool = False) -> Type:
        if argument.type is None:
            return POISON
        try:
            return self.meanings.type(argument.type, words.text)
        except ElaborationFailure as failure:
            if not quiet:
                report_failure(failure, words.place)
            return POISON

    def _add_argument(
        self, block: Block, argument: Argument, type: Type, words: Words, *, in_signature: bool = False
    ) -> None:
        value = block.add_argument(type)
        if argument.location is not None:
            value.location = self._location(argument.location, words)
        if argument.token >= 0:
            name, place = words.text(argument.token), words.place(argument.token)
            value.span = place.span
            if in_signature:
                name = self._check_argument(name, place)
            self._define(name, [value], place, in_signature=in_signature)

    def _check_argument(self, name: str, place: Place) -> str:
        """The name of an argument that stands in an operation's own text, which may not use it nor number it."""
        name, mark, _ = name.partition("#")
        if mark:
            report("result number not allowed in argument list", place)
        used = self.stack[-1].referenced.get(name)
        if used is not None:
            previous = note("previously referenced here", used)
            report(f"region entry argument '{name}' is already in use", place, *previous)
        return name

    def _end_region(self) -> None:
        top = self.stack[-1]
        for block in top.blocks.end():
            top.regions[-1].append(block)
        if top.isolated:
            top.names.end()
        else:
            top.names.forget(top.scoped)

    def _end_of_text(self) -> None:
        """Ends the innermost region without a closing brace."""
        if len(self.stack) == 1:
            return
        self._end_region()
        open = self.stack.pop()
        if open.parsed is not None and open.parsed.name and open.words is not None:
            self._finish(open.parsed, open.words, open.regions, open.introduced)
        else:
            self._insert(Operation("", regions=open.regions))

    # ---- operations

    def _resolution(self, parsed: ParsedOp, words: Words, surroundings: Surroundings) -> Resolution:
        definition = self.context.lookup(parsed.name) if parsed.known else None
        return Resolution(parsed, definition, self.meanings, words.text, words.place, surroundings)

    def _finish(
        self,
        parsed: ParsedOp,
        words: Words,
        regions: list[Region],
        introduced: Mapping[Ref, BlockArgument] = _NONE,
    ) -> None:
        """Makes the operation, puts it in its block, and defines its results."""
        resolution = self._resolution(parsed, words, self)
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
        op = Operation(
            parsed.name,
            resolution.operands,
            [] if failed else resolution.result_types,
            resolution.properties,
            resolution.attributes,
            resolution.successors,
            [regions[index] for index in resolution.region_order] if resolution.region_order else regions,
            words.op_span(parsed),
            None if failed else resolution.definition,
        )
        if parsed.location is not None:
            op.location = self._location(parsed.location, words)
        if not parsed.known:
            self._unknown(op, parsed, words, introduced)
        self._put(op, parsed, words)
        self._define_results(op, parsed, words, poison=failed)

    def _put(self, op: Operation, parsed: ParsedOp, words: Words) -> None:
        """Puts an operation, with what its text may leave out, where the text has it."""
        is_spread = bool(op.regions)
        if not parsed.generic:
            complete_regions(op, self.context)
        self._insert(op)
        _mark(words.place(parsed.name_token), op)
        if is_spread and len(sites := words.sites) > 1:
            self.result.spread[op] = sites

    def _unknown(self, op: Operation, parsed: ParsedOp, words: Words, introduced: Mapping[Ref, BlockArgument]) -> None:
        keep_text(op, parsed, introduced, words.spaced)
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

    def _insert(self, op: Operation) -> None:
        top = self.stack[-1]
        if top.block is None:
            top.block = top.regions[-1].append(Block())
        top.block.append(op)

    def _define_results(self, op: Operation, parsed: ParsedOp, words: Words, *, poison: bool) -> None:
        if poison:
            total = sum(group.count for group in parsed.result_groups)
            op.results = [OpResult(POISON, op, i) for i in range(min(total, 1000))]
        start = 0
        for group in parsed.result_groups:
            values: list[Value] = list(op.results[start : start + group.count])
            start += group.count
            if values:
                self._define(words.text(group.token), values, words.place(group.token))

    def _define(self, name: str, values: list[Value], place: Place, *, in_signature: bool = False) -> None:
        top = self.stack[-1]
        if top.names.define(name, values, place, in_signature=in_signature):
            top.scoped.append(name)

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

    def _location(self, node: Node, words: Words) -> LocationAttr | None:
        try:
            value = self.meanings.attribute(node, words.text)
        except ElaborationFailure as failure:
            is_alias = node.nodes and node.nodes[0].kind == "alias_location"
            is_lost = is_alias and failure.message.startswith("undefined symbol alias id")
            message = "operation location alias was never defined" if is_lost else failure.message
            report(message, words.place(failure.place))
            return None
        return value if isinstance(value, LocationAttr) else None

    # ---- names, as an operation asks for them (Surroundings)

    def use(self, text: str, type: Type | None, place: Place) -> Value:
        return self.stack[-1].names.use(text, type, place)

    def block(self, label: str, place: Place) -> Block:
        return self.stack[-1].blocks.use(label, place)

    def report(self, message: str, place: Place) -> None:
        report(message, place)


class _Quiet:
    """Surroundings in which an operation is resolved only to learn the types of its regions' arguments."""

    def __init__(self, names: ValueNames) -> None:
        self._names = names
        self.forward: dict[str, Place] = {}
        """The names that were used and are not defined yet, and where they were first."""

    def use(self, text: str, type: Type | None, place: Place) -> Value:
        found = self._names.find(text)
        if found is None:
            self.forward.setdefault(text, place)
        return found or ForwardValue(type if type is not None else POISON, place)

    def block(self, label: str, place: Place) -> Block:
        return Block()

    def report(self, message: str, place: Place) -> None:
        """What is wrong is said when the operation is resolved in earnest."""


def _mark(name: Place, op: Operation) -> None:
    """Notes where the name of an operation stands."""
    name.site.mark_operation(name.token, op)


def _typed(arguments: Sequence[Argument], types: Sequence[Type]) -> list[tuple[Argument, Type]]:
    """The arguments with their types, as far as these are known."""
    return list(zip(arguments, [*types, *[POISON] * (len(arguments) - len(types))], strict=False))


def _words(open: _OpenRegion) -> Words:
    assert open.words is not None, "an operation that was parsed has words"
    return open.words


def _extended(words: Words | None, segment: Segment) -> Words:
    """The words of an operation with those that follow its region."""
    if words is None:
        return Words(segment)
    words.add(segment)
    return words
