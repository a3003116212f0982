"""The regions that are open while a text is elaborated: the operations around a place, and the names that it sees.

What an operation asks of its surroundings while it is resolved is answered here.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence

from fathom.context import Context
from fathom.elaborate.elaborated import Elaborated
from fathom.elaborate.failure import ElaborationFailure
from fathom.elaborate.findings import note, report, report_failure
from fathom.elaborate.meaning import Aliases, Meanings
from fathom.elaborate.operations import Resolution, Surroundings
from fathom.elaborate.scopes import BlockNames, ForwardValue, Mentions, ValueNames
from fathom.elaborate.sites import Place
from fathom.elaborate.templates import Template, learn, templates_of
from fathom.elaborate.unknown import drop_operand
from fathom.elaborate.words import Words
from fathom.ir.locations import LocationAttr
from fathom.ir.operation import Block, BlockArgument, Operation, OpResult, Region, Value
from fathom.ir.types import POISON, Type
from fathom.irdl.groups import Arity
from fathom.syntax.nodes import Argument, Node, ParsedOp, Ref


class NotFollowed(Exception):
    """What is to be elaborated again is more than statements that stand together in the middle of a block."""


class OpenRegion:
    """An operation whose region is being filled, or the container that everything else stands in."""

    __slots__ = (
        "anchor",
        "block",
        "blocks",
        "defined",
        "has_named_arguments",
        "introduced",
        "isolated",
        "lent",
        "mentions",
        "names",
        "parsed",
        "referenced",
        "regions",
        "words",
    )

    def __init__(
        self, parsed: ParsedOp | None, words: Words | None, names: ValueNames, isolated: bool, blocks: BlockNames
    ) -> None:
        self.parsed = parsed
        self.words = words
        self.names = names
        self.isolated = isolated
        self.blocks = blocks
        self.regions: list[Region] = []
        self.block: Block | None = None
        self.has_named_arguments = False
        self.anchor: Operation | None = None
        """Before which operation of the block the next one is put; None at its end. A region that has one does not
        end."""
        self.defined: dict[str, list[Value]] = {}
        """The values that got their names in the open region."""
        self.referenced: dict[str, Place] = {}
        """The names that the operation's own text uses, that were not defined when the region began and that its
        arguments may not have."""
        self.mentions: Mentions = {}
        """What stands for the names that unknown operations in the open region mention, and those in regions that
        ended."""
        self.lent: dict[str, None] = {}
        """The names that the open region has from the text before it, until it defines them itself."""
        self.introduced: dict[Ref, BlockArgument] = {}
        """The names in an unknown operation's own text that are arguments of its regions."""


class Nesting:
    """The open regions, from the outermost inwards, with what is elaborated so far."""

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
        top = OpenRegion(None, None, ValueNames(), True, BlockNames())
        top.regions.append(Region())
        top.block = top.regions[0].append(Block())
        self.stack: list[OpenRegion] = [top]

    def push(self, parsed: ParsedOp | None, words: Words | None, *, isolated: bool) -> None:
        top = self.stack[-1]
        names = ValueNames() if isolated else top.names
        # Its blocks are those of the region that begins.
        self.stack.append(OpenRegion(parsed, words, names, isolated, top.blocks))

    def begin_region(self, arguments: list[tuple[Argument, Type]]) -> None:
        top = self.stack[-1]
        if top.isolated and top.regions:
            top.names = ValueNames()
        region = Region()
        top.regions.append(region)
        top.names.enter(region)
        top.blocks = BlockNames()
        top.block = None
        top.defined = {}
        top.has_named_arguments = bool(arguments)
        if arguments:
            top.block = region.append(Block())
            for argument, type in arguments:
                self.add_argument(top.block, argument, type, words_of(top), in_signature=True)

    def region_arguments(self, top: OpenRegion) -> list[tuple[Argument, Type]]:
        """The arguments that the operation's own syntax names for the region that opens, with their types."""
        parsed = top.parsed
        index = len(top.regions)
        if parsed is None or index >= len(parsed.regions) or not parsed.regions[index].arguments:
            return []
        arguments = parsed.regions[index].arguments
        words = words_of(top)
        definition = self.context.lookup(parsed.name)
        custom = definition.custom if definition is not None else None
        names_first = custom is not None and custom.operands_first
        if not names_first and all(argument.type is not None for argument in arguments):
            return [(argument, self.argument_type(argument, words, quiet=True)) for argument in arguments]
        alike = self.like_others(parsed, words, self.stack[-2].names, words.holes)
        if alike is not None:
            known = alike[0].region_argument_types
            return _typed(arguments, known[index] if index < len(known) else [])
        quiet = _Quiet(self.stack[-2].names)
        if names_first:
            top.referenced = quiet.forward
        resolution = self.resolution(parsed, words, quiet)
        try:
            resolution.resolve()
            types = resolution.region_argument_types[index] if index < len(resolution.region_argument_types) else []
        except ElaborationFailure:
            types = [self.argument_type(argument, words, quiet=True) for argument in arguments]
        return _typed(arguments, types)

    def like_others(
        self, parsed: ParsedOp, words: Words, names: ValueNames, holes: list[str]
    ) -> tuple[Template, list[Value]] | None:
        """The template of an operation, and the values that it names; None where it has to be resolved. `holes` are
        those of its words."""
        if not parsed.known:
            return None
        alike = templates_of(parsed, self.meanings).find(holes, names.lookup)
        return alike or learn(parsed, words, holes, self.meanings, names.lookup)

    def argument_type(self, argument: Argument, words: Words, *, quiet: bool = False) -> Type:
        if argument.type is None:
            return POISON
        if isinstance(argument.type, Type):
            return argument.type
        try:
            return self.meanings.type(argument.type, words.text)
        except ElaborationFailure as failure:
            if not quiet:
                report_failure(failure, words.place)
            return POISON

    def add_argument(
        self, block: Block, argument: Argument, type: Type, words: Words, *, in_signature: bool = False
    ) -> None:
        value = block.add_argument(type)
        if argument.location is not None:
            value.location = self.location(argument.location, words)
        if argument.token >= 0:
            name, place = words.text(argument.token), words.place(argument.token)
            value.span = place.span
            if in_signature and ("#" in name or self.stack[-1].referenced):
                name = self._check_argument(name, place)
            elif "#" in name:
                name = _without_first_number(name)
            self.define(name, [value], place, in_signature=in_signature)

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

    def end_region(self) -> None:
        top = self.stack[-1]
        if top.anchor is not None:
            raise NotFollowed
        region = top.regions[-1]
        for block in top.blocks.end():
            region.append(block)
        self.result.scopes[region] = top.names.leave(region, top.defined)
        self.result.labels[region] = top.blocks
        if top.isolated:
            self.end_names(top)
            return
        top.names.forget(top.defined)
        if top.mentions:
            for name, mention in top.mentions.items():
                self.stack[-2].mentions.setdefault(name, []).extend(mention)
            top.mentions = {}

    def end_names(self, scope: OpenRegion) -> None:
        """Reports the names that were used in a scope and never defined; those in texts of unknown operations are the
        texts' own."""
        scope.names.end()
        for mention in scope.mentions.values():
            for _, stand_in in mention:
                for op in list(stand_in.uses):
                    drop_operand(op, stand_in)
        scope.mentions = {}

    def resolution(self, parsed: ParsedOp, words: Words, surroundings: Surroundings) -> Resolution:
        definition = self.context.lookup(parsed.name)
        resolution = Resolution(
            parsed, definition if parsed.known else None, self.meanings, words.text, words.place, surroundings
        )
        if not parsed.known and not parsed.result_groups and definition is not None:
            resolution.unnamed = sum(result.arity is Arity.ONE for result in definition.results)
        return resolution

    def insert(self, op: Operation) -> None:
        top = self.stack[-1]
        if top.block is None:
            top.block = top.regions[-1].append(Block())
        top.block.insert_before(op, top.anchor)

    def define_results(self, op: Operation, parsed: ParsedOp, words: Words, *, poison: bool) -> None:
        if poison:
            total = sum(group.count for group in parsed.result_groups)
            op.results = [OpResult(POISON, op, i) for i in range(min(total, 1000))]
        start = 0
        for group in parsed.result_groups:
            values: list[Value] = list(op.results[start : start + group.count])
            start += group.count
            # In a broken operation what was taken for a result may stand on a line that became a statement of its own.
            if values and (not poison or words.has(group.token)):
                name, place = words.text(group.token), words.place(group.token)
                # Names where there is no operation may as well be operands of what was broken off before them.
                known = self.stack[-1].names.find(name) if not parsed.name else None
                if known is not None:
                    place.site.mark_use(place.token, known)
                else:
                    self.define(name, values, place)

    def define(self, name: str, values: list[Value], place: Place, *, in_signature: bool = False) -> None:
        top = self.stack[-1]
        if name in top.lent:
            del top.lent[name]
            top.names.forget([name])
        if top.names.define(name, values, place, in_signature=in_signature):
            top.defined[name] = values
        if top.mentions:
            top.names.resolve_mentions(top.mentions, name, values)

    def location(self, node: Node, words: Words) -> LocationAttr | None:
        try:
            value = self.meanings.attribute(node, words.text)
        except ElaborationFailure as failure:
            is_alias = bool(node.nodes) and node.nodes[0].kind == "alias_location"
            if is_alias and self.meanings.aliases.definition(words.text(failure.place)) is None:
                failure.message = "operation location alias was never defined"
            report_failure(failure, words.place)
            return None
        return value if isinstance(value, LocationAttr) else None

    def use(self, text: str, type: Type | None, place: Place) -> Value:
        return self.stack[-1].names.use(text, type, place)

    def mention(self, text: str, place: Place) -> Value:
        return self.stack[-1].names.mention(text, place, self.stack[-1].mentions)

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
        value = self._names.find(text)
        if value is None:
            self.forward.setdefault(text, place)
        return value or ForwardValue(type if type is not None else POISON, place)

    def mention(self, text: str, place: Place) -> Value:
        return self.use(text, None, place)

    def block(self, label: str, place: Place) -> Block:
        return Block()

    def report(self, message: str, place: Place) -> None:
        """What is wrong is said when the operation is resolved in earnest."""


def _typed(arguments: Sequence[Argument], types: Sequence[Type]) -> list[tuple[Argument, Type]]:
    """The arguments with their types, as far as these are known."""
    return list(zip(arguments, [*types, *[POISON] * (len(arguments) - len(types))], strict=False))


def _without_first_number(name: str) -> str:
    """What the argument `%x#0` of a label is known by; one with another number is not one of a pack `%x`."""
    base, _, number = name.partition("#")
    return name if number.strip("0") else base


def words_of(open: OpenRegion) -> Words:
    assert open.words is not None, "an operation that was parsed has words"
    return open.words
