"""From the syntax tree to IR, with the way back: which value each name stands for, and where each operation was written.

The elaborator goes through the events of statements with a stack of open regions. Nothing it meets makes it fail: what is
inconsistent becomes a diagnostic, and its results get a type that agrees with any other.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Final, NamedTuple

from fathom.dialects import Registry
from fathom.elaborate.failure import ElaborationFailure
from fathom.elaborate.file_metadata import foreign_resources, read_metadata
from fathom.elaborate.meaning import Aliases, Meanings
from fathom.elaborate.operations import ResolveContext
from fathom.elaborate.scopes import POISON, BlockNames, ForwardValue, ValueNames
from fathom.ir.attributes import LocationAttr
from fathom.ir.operation import Block, BlockArgument, Operation, Region, Span, Value
from fathom.ir.types import Type
from fathom.irdl.definition import Arity
from fathom.irdl.traits import ISOLATED_FROM_ABOVE
from fathom.syntax.events import (
    BrokenEndEvent,
    ErrorEvent,
    Event,
    LabelEvent,
    MetadataEvent,
    OpenEvent,
    OpEvent,
    UnclosedEvent,
)
from fathom.syntax.nodes import Argument, ParsedOp, Ref
from fathom.syntax.tree import Item, Piece
from fathom.verify.diagnostic import Diagnostic, Note


class Place(NamedTuple):
    """A token of the text that is elaborated: the number of the piece, and the token's index in it."""

    piece: int
    token: int


class Elaborated:
    """The IR of a run of items, and the map between it and the text. All offsets count from the first item."""

    def __init__(self, base: int = 0) -> None:
        self.operations: list[Operation] = []
        self.diagnostics: list[Diagnostic] = []
        self.pieces: list[Piece] = []
        self.piece_starts: list[int] = []
        self.uses: dict[Place, Value] = {}
        self.definitions: dict[Value, Place] = {}
        self.blocks: dict[Place, Block] = {}
        self.block_definitions: dict[Block, Place] = {}
        self.op_at: dict[Place, Operation] = {}
        """The operation whose name stands at a place."""
        self.length = base
        self._spans: dict[int, list[tuple[int, int]]] = {}

    def add(self, piece: Piece) -> int:
        self.pieces.append(piece)
        self.piece_starts.append(self.length)
        self.length += piece.length
        return len(self.pieces) - 1

    def span(self, place: Place) -> Span:
        """Where a token stands."""
        spans = self._spans.get(place.piece)
        if spans is None:
            spans = self._spans[place.piece] = self.pieces[place.piece].token_spans()
        start = self.piece_starts[place.piece]
        if not spans:
            return Span(start, start)
        first, last = spans[min(place.token, len(spans) - 1)]
        return Span(start + first, start + last)

    def definition_span(self, value: Value) -> Span | None:
        """Where the name of a value is written at its definition."""
        place = self.definitions.get(value)
        return self.span(place) if place is not None else None


@dataclass(slots=True)
class _Segment:
    """A stretch of an operation's tokens: references from `first` on are the tokens of a piece from `base` on."""

    first: int
    piece: int
    base: int
    holes: list[str]


@dataclass(slots=True)
class _OpenRegion:
    """An operation whose region is being filled, or the container that everything else stands in."""

    parsed: ParsedOp | None
    segments: list[_Segment]
    names: ValueNames
    isolated: bool
    regions: list[Region]
    blocks: BlockNames = field(default_factory=BlockNames)
    block: Block | None = None
    has_named_arguments: bool = False
    scoped: list[str] = field(default_factory=list[str])
    introduced: dict[Ref, BlockArgument] = field(default_factory=dict["Ref", BlockArgument])
    """The names in an unknown operation's own text that are arguments of its regions."""


_NONE: Final[Mapping[Ref, BlockArgument]] = MappingProxyType({})


class Elaborator:
    """Elaborates items, one after the other, into one `Elaborated`."""

    def __init__(self, registry: Registry, aliases: Aliases | None = None, base: int = 0) -> None:
        self.registry = registry
        self.meanings = Meanings(registry, aliases)
        self.result = Elaborated(base)
        top = _OpenRegion(None, [], ValueNames(), True, [Region()])
        top.block = top.regions[0].append(Block())
        self.stack: list[_OpenRegion] = [top]

    def run(self, items: Iterable[Item]) -> Elaborated:
        """Elaborates the items; regions that they leave open end with them."""
        for item in items:
            for piece in item.pieces:
                number = self.result.add(piece)
                if piece.shape.events:
                    self._piece(piece, number)
        while len(self.stack) > 1:
            self._end_of_text()
        top = self.stack[0]
        self._undefined_values(top.names)
        block = top.block
        assert block is not None, "the top level has one block"
        self.result.operations = list(block)
        return self.result

    # ---- events

    def _piece(self, piece: Piece, number: int) -> None:
        holes = piece.holes()
        lowest = len(self.stack)
        for event in piece.shape.events:
            match event:
                case OpEvent():
                    self._op(event, number, holes)
                case OpenEvent():
                    self._open(event, number, holes)
                case LabelEvent():
                    self._label(event, number, holes)
                case MetadataEvent():
                    self._metadata(event, number, holes)
                case ErrorEvent():
                    self._error(event, number, holes)
                case UnclosedEvent(_, count):
                    for _ in range(count):
                        self._end_of_text()
                case BrokenEndEvent():
                    self._end_of_text()
                case _:
                    pass
            # One region that closes as the next one opens takes the nesting down for a moment.
            reopens = isinstance(event, OpenEvent) and event.reopens
            lowest = min(lowest, len(self.stack) - reopens)
        if piece.shape.has_errors:
            self._follow_errors(piece, lowest - 1)

    def _follow_errors(self, piece: Piece, lowest: int) -> None:
        """After a mistake the nesting is what the parser decided: that of the frame after the piece. `lowest` is how deep
        the outermost place was that the events of the piece led to."""
        kept = piece.frame.depth - piece.shape.pops - self._outer_depth(piece)
        if kept < lowest:
            while len(self.stack) - 1 > max(kept, 0):
                self._end_of_text()
        depth = kept + len(piece.shape.pushes)
        while len(self.stack) - 1 > max(depth, 0):
            self._end_of_text()
        while len(self.stack) - 1 < depth:
            self._push(None, [], False)
            self._begin_region([])

    def _outer_depth(self, piece: Piece) -> int:
        if not hasattr(self, "_first_depth"):
            self._first_depth = self.result.pieces[0].frame.depth
        return min(self._first_depth, piece.frame.depth)

    def _op(self, event: OpEvent, number: int, holes: list[str]) -> None:
        segment = _Segment(event.first, number, event.base, holes)
        if event.ends_region:
            if len(self.stack) == 1:
                return
            self._end_region()
            open = self.stack.pop()
            open.segments.append(segment)
            self._finish(event.parsed, open.segments, open.regions, open.introduced)
            return
        self._finish(event.parsed, [segment], [])

    def _open(self, event: OpenEvent, number: int, holes: list[str]) -> None:
        segment = _Segment(event.first, number, event.base, holes)
        parsed = event.open.parsed
        if event.reopens and len(self.stack) > 1:
            self._end_region()
            top = self.stack[-1]
            top.parsed = parsed
            top.segments.append(segment)
        else:
            definition = self.registry.lookup(parsed.name) if parsed is not None else None
            self._push(parsed, [segment], definition is not None and definition.has(ISOLATED_FROM_ABOVE))
        self._begin_region(self._region_arguments(self.stack[-1]))
        if parsed is not None and not parsed.known:
            self._introduce(parsed, segment)

    def _introduce(self, parsed: ParsedOp, segment: _Segment) -> None:
        """Makes the names before a region of an unknown operation that nothing defines arguments of that region."""
        top = self.stack[-1]
        for ref in parsed.operands.get("", ()):
            if ref < segment.first:
                continue
            name = self._text(top.segments, ref)
            if "#" in name or top.names.find(name) is not None:
                continue
            if top.block is None:
                top.block = top.regions[-1].append(Block())
            argument = top.introduced[ref] = top.block.add_argument(POISON)
            self._define(name, [argument], self._place(top.segments, ref))

    def _error(self, event: ErrorEvent, number: int, holes: list[str]) -> None:
        """What a broken operation would have defined is defined all the same, so that its uses are no mistakes too."""
        parsed = event.parsed
        segment = _Segment(0, number, event.base, holes)
        if event.closes and len(self.stack) > 1:
            self._end_region()
            open = self.stack.pop()
            segments, regions = open.segments, open.regions
        else:
            segments, regions = [segment], []
        if parsed is None or event.start < event.base:
            return
        op = Operation(parsed.name or "unknown", regions=regions)
        op.span = self._op_span(parsed, segments)
        self._insert(op)
        self.result.op_at[self._place(segments, parsed.name_token)] = op
        for uses in parsed.operands.values():
            for ref in uses:
                if not self._has_token(segments, ref):
                    # What was taken for an operand stands on a line that became a statement of its own.
                    continue
                value = self.stack[-1].names.find(self._text(segments, ref))
                if value is not None:
                    self.result.uses[self._place(segments, ref)] = value
        self._define_results(op, parsed, segments, poison=True)

    def _label(self, event: LabelEvent, number: int, holes: list[str]) -> None:
        top = self.stack[-1]
        segments = [_Segment(0, number, event.base, holes)]
        label = event.label
        name = self._text(segments, label.block)
        place = self._place(segments, label.block)
        if top.has_named_arguments and top.block is not None and top.block.is_entry and top.block.is_empty:
            self._report("invalid block name in region with named arguments", place)
        if len(self.stack) == 1:
            self._report("expected operation name in quotes", place)
        if name in top.blocks.defined:
            previous = top.blocks.places.get(name)
            notes = (Note("previously defined here", self.result.span(previous)),) if previous else ()
            self._report(f"redefinition of block '{name}'", place, notes)
            block = Block()
        else:
            block = top.blocks.forward.pop(name)[0] if name in top.blocks.forward else Block()
            top.blocks.defined[name] = block
            top.blocks.places[name] = place
        region = top.regions[-1]
        if top.block is not None and top.block.is_empty and top.block.is_entry and not top.has_named_arguments:
            region.remove(top.block)
        region.append(block)
        top.block = block
        block.name_hint = name[1:]
        block.label_span = self.result.span(place)
        self.result.blocks[place] = block
        self.result.block_definitions[block] = place
        for argument in label.arguments:
            self._add_argument(block, argument, self._argument_type(argument, segments), segments)

    def _metadata(self, event: MetadataEvent, number: int, holes: list[str]) -> None:
        segments = [_Segment(0, number, event.base, holes)]
        _, mistakes = read_metadata(event.metadata, lambda ref: self._text(segments, ref))
        mistakes += foreign_resources(event.metadata, lambda name: self.registry.dialect(name) is not None)
        for mistake in mistakes:
            self._report(mistake.message, self._place(segments, mistake.place))

    # ---- regions

    def _push(self, parsed: ParsedOp | None, segments: list[_Segment], isolated: bool) -> None:
        names = ValueNames() if isolated else self.stack[-1].names
        self.stack.append(_OpenRegion(parsed, segments, names, isolated, []))

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
                self._add_argument(top.block, argument, type, top.segments)

    def _region_arguments(self, top: _OpenRegion) -> list[tuple[Argument, Type]]:
        """The arguments that the operation's own syntax names for the region that opens, with their types."""
        parsed = top.parsed
        index = len(top.regions)
        if parsed is None or index >= len(parsed.regions) or not parsed.regions[index].arguments:
            return []
        arguments = parsed.regions[index].arguments
        context = self._context(parsed, top.segments, _Quiet(self))
        try:
            context.resolve()
            types = context.region_argument_types[index] if index < len(context.region_argument_types) else []
        except ElaborationFailure:
            types = [self._argument_type(argument, top.segments, quiet=True) for argument in arguments]
        types = [*types, *[POISON] * (len(arguments) - len(types))]
        return list(zip(arguments, types, strict=False))

    def _argument_type(self, argument: Argument, segments: list[_Segment], *, quiet: bool = False) -> Type:
        if argument.type is None:
            return POISON
        try:
            return self.meanings.type(argument.type, lambda ref: self._text(segments, ref))
        except ElaborationFailure as failure:
            if not quiet:
                self._report(failure.message, self._place(segments, failure.place))
            return POISON

    def _add_argument(self, block: Block, argument: Argument, type: Type, segments: list[_Segment]) -> None:
        value = block.add_argument(type)
        if argument.location is not None:
            value.location = self._location(argument.location, segments)
        if argument.token < 0:
            return
        self._define(self._text(segments, argument.token), [value], self._place(segments, argument.token))

    def _end_region(self) -> None:
        top = self.stack[-1]
        for label, (block, place) in top.blocks.forward.items():
            del label
            self._report("reference to an undefined block", place)
            top.regions[-1].append(block)
        self._undefined_values(top.names if top.isolated else None)
        if not top.isolated:
            for name in top.scoped:
                top.names.values.pop(name, None)
                top.names.places.pop(name, None)

    def _end_of_text(self) -> None:
        """Ends the innermost region without a closing brace."""
        if len(self.stack) == 1:
            return
        self._end_region()
        open = self.stack.pop()
        if open.parsed is not None and open.parsed.name:
            self._finish(open.parsed, open.segments, open.regions, open.introduced)
            return
        op = Operation("unknown", regions=open.regions)
        self._insert(op)

    def _undefined_values(self, names: ValueNames | None) -> None:
        if names is None:
            return
        for name, value in names.forward.items():
            del name
            self._report("use of undeclared SSA value name", value.place)
        names.forward.clear()

    # ---- operations

    def _context(self, parsed: ParsedOp, segments: list[_Segment], surroundings: Elaborator | _Quiet) -> ResolveContext:
        definition = self.registry.lookup(parsed.name) if parsed.known else None
        return ResolveContext(
            parsed,
            definition,
            self.meanings,
            lambda ref: self._text(segments, ref),
            lambda ref: self._place(segments, ref),
            surroundings,
        )

    def _finish(
        self,
        parsed: ParsedOp,
        segments: list[_Segment],
        regions: list[Region],
        introduced: Mapping[Ref, BlockArgument] = _NONE,
    ) -> None:
        """Makes the operation, puts it in its block, and defines its results."""
        context = self._context(parsed, segments, self)
        context.introduced = introduced
        failed = False
        try:
            context.resolve()
        except ElaborationFailure as failure:
            failed = True
            notes = tuple(Note(text) for text in failure.notes)
            self._report(failure.message, self._place(segments, failure.place), notes)
        except RecursionError:
            failed = True
            self._report("the operation is nested too deeply", self._place(segments, parsed.name_token))
        count = sum(group.count for group in parsed.result_groups)
        if (
            not failed
            and parsed.result_groups
            and count != len(context.result_types)
            and context.definition is not None
        ):
            failed = True
            self._report(
                f"operation defines {len(context.result_types)} results but was provided {count} to bind",
                self._place(segments, parsed.result_groups[0].token),
            )
        op = Operation(
            parsed.name,
            context.operands,
            [] if failed else context.result_types,
            context.properties,
            context.attributes,
            context.successors,
            [regions[index] for index in context.region_order] if context.region_order else regions,
            self._op_span(parsed, segments),
            None if failed else context.definition,
        )
        if parsed.location is not None:
            op.location = self._location(parsed.location, segments)
        if not parsed.known:
            self._unknown(op, parsed, segments, introduced)
        if not parsed.generic:
            self._complete_regions(op)
        self._insert(op)
        self.result.op_at[self._place(segments, parsed.name_token)] = op
        self._define_results(op, parsed, segments, poison=failed)

    def _complete_regions(self, op: Operation) -> None:
        """Gives the operation the regions, blocks and terminators that its custom form may leave out."""
        if op.definition is None:
            return
        defined = op.definition.regions
        written = list(op.regions)
        if defined and len(op.regions) < len(defined) and all(r.arity is not Arity.VARIADIC for r in defined):
            for _ in range(len(defined) - len(op.regions)):
                op.add_region(Region())
        for region, each in zip(op.regions, defined, strict=False):
            if each.single_block and region.is_empty:
                region.append(Block())
        if not op.definition.implicit_terminator:
            return
        from fathom.irdl.build import create

        for region in written:
            if region.is_empty:
                region.append(Block())
            block = region.last
            assert block is not None, "a region that is not empty has a last block"
            last = block.terminator
            if last is None or not _is_terminator(last, self.registry):
                terminator = create(op.definition.implicit_terminator, span=op.span)
                self._complete_regions(terminator)
                block.append(terminator)

    def _unknown(
        self, op: Operation, parsed: ParsedOp, segments: list[_Segment], introduced: Mapping[Ref, BlockArgument]
    ) -> None:
        from fathom.elaborate.unknown import keep_text

        keep_text(op, parsed, introduced, lambda ref: self._word(segments, ref))
        dialect = op.name.partition(".")[0]
        self.result.diagnostics.append(
            Diagnostic(
                f"operation '{op.name}' is not known and is kept as it is written",
                self.result.span(self._place(segments, parsed.name_token)),
                "hint",
                "unknown-op",
                (Note(f"no definition of dialect '{dialect}' is loaded that covers it"),),
            )
        )

    def _insert(self, op: Operation) -> None:
        top = self.stack[-1]
        if top.block is None:
            top.block = top.regions[-1].append(Block())
        top.block.append(op)

    def _define_results(self, op: Operation, parsed: ParsedOp, segments: list[_Segment], *, poison: bool) -> None:
        if poison:
            from fathom.ir.operation import OpResult

            total = sum(group.count for group in parsed.result_groups)
            op.results = [OpResult(POISON, op, i) for i in range(min(total, 1000))]
        start = 0
        for group in parsed.result_groups:
            values: list[Value] = list(op.results[start : start + group.count])
            start += group.count
            if values:
                self._define(self._text(segments, group.token), values, self._place(segments, group.token))

    def _define(self, name: str, values: list[Value], place: Place) -> None:
        top = self.stack[-1]
        names = top.names
        if name in names.values:
            previous = names.places.get(name)
            notes = (Note("previously defined here", self.result.span(previous)),) if previous else ()
            self._report(f"redefinition of SSA value '{name}'", place, notes)
        else:
            top.scoped.append(name)
        names.values[name] = values
        names.places[name] = place
        for index, value in enumerate(values):
            value.name_hint = name[1:] if len(values) == 1 else None
            self.result.definitions[value] = place
            if names.forward:
                for stand_in in names.take_forward(name, index):
                    self._resolve_forward(stand_in, value, place)

    def _resolve_forward(self, stand_in: ForwardValue, value: Value, place: Place) -> None:
        if stand_in.type != value.type and POISON not in (stand_in.type, value.type):
            name = "%" + (value.name_hint or "")
            self._report(
                f"definition of SSA value '{name}#{getattr(value, 'index', 0)}' has type '{value.type}'",
                place,
                (Note(f"previously used here with type '{stand_in.type}'", self.result.span(stand_in.place)),),
            )
        stand_in.replace_all_uses_with(value)
        for at, used in list(self.result.uses.items()):
            if used is stand_in:
                self.result.uses[at] = value

    def _location(self, node: object, segments: list[_Segment]) -> LocationAttr | None:
        try:
            value = self.meanings.attribute(node, lambda ref: self._text(segments, ref))  # type: ignore[arg-type]
        except ElaborationFailure as failure:
            self._report(failure.message, self._place(segments, failure.place))
            return None
        return value if isinstance(value, LocationAttr) else None

    # ---- names (Surroundings)

    def use(self, text: str, type: Type | None, place: Place) -> Value:
        names = self.stack[-1].names
        value = names.find(text)
        if value is None:
            value = names.forward.get(text)
            if value is None:
                name = text.partition("#")[0]
                if name in names.values:
                    self._report(f"reference to invalid result number for SSA value '{name}'", place)
                    return ForwardValue(type or POISON, place)
                value = names.forward[text] = ForwardValue(type if type is not None else POISON, place)
        self.result.uses[place] = value
        if type is not None and value.type != type:
            if value.type == POISON:
                value.type = type
            elif type != POISON:
                previous = self.result.definitions.get(value)
                notes = (Note("prior use here", self.result.span(previous)),) if previous is not None else ()
                self._report(
                    f"use of value '{text}' expects different type than prior uses: '{type}' vs '{value.type}'",
                    place,
                    notes,
                )
        return value

    def block(self, label: str, place: Place) -> Block:
        block = self.stack[-1].blocks.find(label, place)
        self.result.blocks[place] = block
        return block

    # ---- places

    @staticmethod
    def _segment(segments: list[_Segment], ref: Ref) -> _Segment:
        found = segments[0]
        for segment in segments[1:]:
            if segment.first <= ref:
                found = segment
        return found

    def _has_token(self, segments: list[_Segment], ref: Ref) -> bool:
        segment = self._segment(segments, ref)
        return segment.base + ref - segment.first < len(self.result.pieces[segment.piece].shape.tokens)

    def _text(self, segments: list[_Segment], ref: Ref) -> str:
        segment = segments[0] if len(segments) == 1 else self._segment(segments, ref)
        shape = self.result.pieces[segment.piece].shape
        token = segment.base + ref - segment.first
        hole = shape.hole_of[token]
        return segment.holes[hole] if hole >= 0 else shape.tokens[token].text

    def _word(self, segments: list[_Segment], ref: Ref) -> tuple[str, bool]:
        """The text of a token, and whether white space stands before it."""
        segment = self._segment(segments, ref)
        tokens = self.result.pieces[segment.piece].shape.tokens
        token = segment.base + ref - segment.first
        if token >= len(tokens):
            return "", True
        before = tokens[token - 1] if token else None
        spaced = before is None or before.line != tokens[token].line or before.end != tokens[token].column
        return self._text(segments, ref), spaced

    def _place(self, segments: list[_Segment], ref: Ref) -> Place:
        segment = segments[0] if len(segments) == 1 else self._segment(segments, ref)
        return Place(segment.piece, segment.base + ref - segment.first)

    def _op_span(self, parsed: ParsedOp, segments: list[_Segment]) -> Span:
        """From the operation's name to the end of its statement, or to its first region."""
        segment = segments[0]
        piece = self.result.pieces[segment.piece]
        start = self.result.piece_starts[segment.piece]
        if len(piece.shape.events) == 1 and len(piece.lines) == 1:
            line = piece.lines[0]
            # An unfinished line may have results and no `=` yet.
            first = line.find("=") + 1 if parsed.result_groups else 0
            first += len(line[first:]) - len(line[first:].lstrip())
            comment = segment.holes[-1] if segment.holes and segment.holes[-1].startswith("//") else ""
            return Span(start + first, start + len(line.rstrip().removesuffix(comment.rstrip()).rstrip()))
        first = self.result.span(self._place(segments, parsed.name_token))
        last = Place(segment.piece, max(segment.base + max(parsed.end, 1) - 1, segment.base))
        return Span(first.start, max(self.result.span(last).end, first.end))

    def _report(self, message: str, place: Place, notes: tuple[Note, ...] = ()) -> None:
        self.result.diagnostics.append(Diagnostic(message, self.result.span(place), "error", "elaborate", notes))


class _Quiet:
    """Surroundings in which an operation is resolved only to learn the types of its regions' arguments."""

    def __init__(self, elaborator: Elaborator) -> None:
        self._elaborator = elaborator

    def use(self, text: str, type: Type | None, place: Place) -> Value:
        value = self._elaborator.stack[-2 if len(self._elaborator.stack) > 1 else -1].names.find(text)
        return value if value is not None else ForwardValue(type if type is not None else POISON, place)

    def block(self, label: str, place: Place) -> Block:
        return Block()


def _is_terminator(op: Operation, registry: Registry) -> bool:
    """Whether the operation ends a block. One that is not known does not, so that an implied terminator follows it."""
    from fathom.irdl.traits import TERMINATOR

    definition = op.definition or registry.lookup(op.name)
    return definition is not None and definition.has(TERMINATOR)


Handler = Callable[[Event], None]
__all__ = ["BlockArgument", "Elaborated", "Elaborator", "Place"]
