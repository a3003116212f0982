"""Inlay hints: what the text leaves out. The types of values where the syntax hides them, what they become in the LLVM
dialect, where a block is come to from, what the operands of the generic form are called, which tensors are written in
place, and what each line computed in the call that was made last. Each has its setting."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import Final, Literal

from fathom.bufferization.told import Operand
from fathom.elaborate.elaborated import Elaborated
from fathom.elaborate.failure import ElaborationFailure
from fathom.elaborate.meaning import Meanings
from fathom.elaborate.sites import Site
from fathom.ir.operation import Block, Operation, Value
from fathom.ir.types import POISON, FunctionType, Type
from fathom.passes.to_llvm.describe import describe
from fathom.programs.told import label, of_statement
from fathom.records import record
from fathom.slices import paced
from fathom.syntax.events import LabelEvent
from fathom.syntax.nodes import Node
from fathom.syntax.tree import Item
from fathom_server.features.hover import hover
from fathom_server.features.hover.in_memory import Tensors
from fathom_server.features.told_values import reasons_at, told_at
from fathom_server.model.aliases import aliases_for
from fathom_server.model.elaboration import elaborated
from fathom_server.model.snapshot import Snapshot
from fathom_server.model.trees import stretch_of, trees_in
from fathom_server.model.values import NO_VALUES, values_in

LONGEST: Final = 60
"""Of a label so many characters are shown; the whole of it is in the hover."""
LONGEST_VALUES: Final = 100
"""Of one that says values, so many."""
MOST_BLOCKS: Final = 8
"""Of the blocks from which one is come to so many are named."""


@record
class Hint:
    """A label at an offset. `about` is where what it is about stands, for the hover; -1 for nothing. One that is
    `apart` stands behind what is on the line, with a space before it."""

    offset: int
    label: str
    kind: Literal["type", "operand", "note", "values"]
    about: int = -1

    @property
    def is_apart(self) -> bool:
        return self.kind in ("note", "values")


def hints(snapshot: Snapshot, start: int, end: int) -> list[Hint]:
    """The hints between two offsets, in the order of the text."""
    tree, shown = snapshot.tree, snapshot.settings.hints
    kinds = shown.types, shown.llvm_types, shown.predecessors, shown.operands, shown.in_place, shown.values
    if not tree.items or not any(kinds):
        return []
    collected: list[Hint] = []
    for index in range(tree.item_at_offset(start), tree.item_at_offset(max(start, end)) + 1):
        item, base = tree.items[index], tree.start(index)
        if item.is_trivia:
            continue
        collected += _Reader(snapshot, item, base).read(start - base, end - base)
    return sorted((hint for hint in collected if start <= hint.offset <= end), key=lambda hint: hint.offset)


def said_of(snapshot: Snapshot, version: int, offset: int, kind: str) -> str:
    """What there is to say of a hint of a kind that is about an offset of a version: what a hover says there, or what
    values were; nothing if that is not the present one."""
    if version != snapshot.version or offset < 0:
        return ""
    if kind == "values":
        return told_at(snapshot, offset)
    told = hover(snapshot, offset)
    return told.markdown if told is not None else ""


class _Reader:
    """Finds the hints of an item."""

    def __init__(self, snapshot: Snapshot, item: Item, start: int) -> None:
        self._item = item
        self._start = start
        self._shown = snapshot.settings.hints
        self._known: Elaborated = elaborated(snapshot, item)
        self._meanings = Meanings(snapshot.context, aliases_for(snapshot, item))
        self._tensors = Tensors(snapshot, item) if self._shown.in_place else None
        self._values = values_in(snapshot, item) if self._shown.values else NO_VALUES

    def read(self, start: int, end: int) -> Iterator[Hint]:
        """Those of the statements between two offsets of the item."""
        first, last = self._item.piece_at(start), self._item.piece_at(end)
        at = self._start + self._item.start(first)
        for piece in islice(paced(self._item.pieces.from_index(first)), last - first + 1):
            site = self._known.sites.get(piece)
            if site is not None and piece.shape.tokens:
                spans = [(at + low, at + high) for low, high in piece.token_spans()]
                if self._shown.types:
                    yield from self._types(site, spans)
                if self._shown.llvm_types:
                    yield from self._converted(site, spans)
                if self._shown.predecessors:
                    yield from self._predecessors(site, spans)
                if self._shown.operands:
                    yield from self._operands(site, spans)
                if self._tensors is not None:
                    yield from self._in_place(site, spans, self._tensors)
                if self._values is not NO_VALUES:
                    yield from self._computed(site, spans)
            at += piece.length

    # ---- types

    def _types(self, site: Site, spans: list[tuple[int, int]]) -> Iterator[Hint]:
        """The types of the values that get a name in a statement, where it does not state them."""
        hidden = {token: values for token, values in site.definitions.items() if not self._is_stated(site, token)}
        stated = self._stated(site) if hidden else set[Type]()
        tokens = site.piece.shape.tokens
        for token, values in hidden.items():
            types = [value.type for value in values]
            if POISON in types or all(type in stated for type in types):
                continue
            label = ", ".join(map(str, types))
            # The number of results belongs to their name.
            last = token + 2 if token + 2 < len(tokens) and tokens[token + 1].text == ":" else token
            yield Hint(
                spans[last][1], _short(f": ({label})" if len(types) > 1 else f": {label}"), "type", spans[token][0]
            )

    def _is_stated(self, site: Site, token: int) -> bool:
        """Whether a name has its type behind it, as an argument mostly does, or stands in the generic form."""
        shape = site.piece.shape
        if any(stretch[0].generic for event in shape.events if (stretch := stretch_of(event)) is not None):
            return True
        follows = shape.tokens[token + 1 : token + 3]
        return len(follows) == 2 and follows[0].text == ":" and follows[1].kind != "INTEGER"

    def _stated(self, site: Site) -> set[Type]:
        """The types that a statement writes, but for what they are made of."""
        types: set[Type] = set()
        tokens = site.piece.tokens()
        for tree, shift in trees_in(site.piece.shape):
            for node in _outermost_types(tree):
                try:
                    type = self._meanings.type(node, lambda ref, shift=shift: tokens[shift + ref].text)
                except ElaborationFailure:
                    continue
                types.add(type)
                if isinstance(type, FunctionType):
                    types.update((*type.inputs, *type.results))
        return types

    def _converted(self, site: Site, spans: list[tuple[int, int]]) -> Iterator[Hint]:
        """What the types of the values become that get a name in a statement."""
        named = [
            (f"{site.text(token)}#{index}" if len(values) > 1 else site.text(token), value)
            for token, values in site.definitions.items()
            for index, value in enumerate(values)
        ]
        changed = [(name, llvm_type) for name, value in named if (llvm_type := _llvm_type(value)) is not None]
        if changed:
            is_one = len(named) == 1
            said = ", ".join(type_text if is_one else f"{name}: {type_text}" for name, type_text in changed)
            about = spans[next(iter(site.definitions))][0]
            yield Hint(spans[-1][1], _short(f"⇒ {said}"), "note", about)

    # ---- blocks

    def _predecessors(self, site: Site, spans: list[tuple[int, int]]) -> Iterator[Hint]:
        """From where the blocks are come to that begin in a statement."""
        for event in site.piece.shape.events:
            if not isinstance(event, LabelEvent):
                continue
            block = site.blocks.get(event.base + event.label.block)
            if block is None or block.is_entry:
                continue
            names = [self._name(predecessor) for predecessor in block.predecessors()]
            more = f", and {len(names) - MOST_BLOCKS} more" if len(names) > MOST_BLOCKS else ""
            label = f"from {', '.join(names[:MOST_BLOCKS])}{more}" if names else "from nowhere"
            end = min(event.base + max(event.label.end, 1), len(spans)) - 1
            yield Hint(spans[end][1], label, "note")

    def _name(self, block: Block) -> str:
        span = block.label_span
        return self._item.text_between(span.start, span.end) if span is not None else "the entry"

    # ---- operands

    def _operands(self, site: Site, spans: list[tuple[int, int]]) -> Iterator[Hint]:
        """What the operands of the generic form are, each group once."""
        for event in site.piece.shape.events:
            stretch = stretch_of(event)
            if stretch is None or stretch[2] or not stretch[0].generic:
                continue
            parsed, shift, _ = stretch
            op = site.operations.get(shift + parsed.name_token)
            places = [shift + ref for ref in parsed.operands.get("", ())]
            if op is None or not places:
                continue
            for name, place in zip(_names_of_operands(op), places, strict=False):
                if name and place < len(spans):
                    yield Hint(spans[place][0], f"{name}:", "operand", spans[shift + parsed.name_token][0])

    # ---- memory

    def _in_place(self, site: Site, spans: list[tuple[int, int]], tensors: Tensors) -> Iterator[Hint]:
        """Which operands are written in place, and which are copied, or written to a new buffer, instead."""
        for name_token, op in site.operations.items():
            for operand in tensors.operands(op):
                if operand.in_place and not operand.is_written:
                    continue
                token = _token_of(site, op, operand, tensors)
                if token is not None:
                    label = "in place" if operand.in_place else "copy" if operand.needs_contents else "new buffer"
                    yield Hint(spans[token][1], label, "note", spans[name_token][0])

    # ---- values

    def _computed(self, site: Site, spans: list[tuple[int, int]]) -> Iterator[Hint]:
        """What the values were that get a name in a statement."""
        told = list(of_statement(site, self._values.values))
        said = [label(told)] if told else []
        start = site.start
        said += [f"no values: {why}" for why in reasons_at(self._values, start, start + site.piece.length)]
        for each in said:
            yield Hint(spans[-1][1], _short(each, LONGEST_VALUES), "values", spans[0][0])


def _token_of(site: Site, op: Operation, operand: Operand, tensors: Tensors) -> int | None:
    """Where an operand is written that was decided on; None where a pass made it on the way."""
    value = tensors.value(operand.value)
    tokens = sorted(token for token, used in site.uses.items() if used is value)
    if not tokens or operand.op.name != op.name:
        return tokens[-1] if tokens else None
    number = sum(operand_value is value for operand_value in op.operands[: operand.place])
    return tokens[min(number, len(tokens) - 1)]


def _names_of_operands(op: Operation) -> list[str]:
    """For each operand the name of its group, if it is the first one of that; none if they are not what the definition
    wants."""
    definition = op.definition
    groups = definition.operand_groups(op) if definition is not None else {}
    names = [name if not index else "" for name, values in groups.items() for index in range(len(values))]
    return names if len(names) == len(op.operands) else []


def _outermost_types(tree: Node) -> Iterator[Node]:
    """The types in a tree that are no parts of others."""
    pending = [tree]
    while pending:
        node = pending.pop()
        if node.kind in ("type", "plain_type"):
            yield node
        else:
            pending += node.nodes


def _llvm_type(value: Value) -> str | None:
    """What the type of a value becomes, if that is another one."""
    if value.type == POISON:
        return None
    converted = describe(value.type).converted
    return str(converted) if converted is not None and converted != value.type else None


def _short(label: str, longest: int = LONGEST) -> str:
    """The beginning of a label, in one line; the type of a dialect that nobody knows may have line breaks."""
    if "\n" in label:
        label = " ".join(label.split())
    return label if len(label) <= longest else f"{label[: longest - 1]}…"
