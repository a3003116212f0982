"""A text with its operations at their places, as those see it who edit it to make it smaller.

Elaboration says what stands where: which token names which value or block, and where an operation begins. Where one
ends that has regions follows from the braces.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

from fathom.cached import cached_property
from fathom.elaborate import Loaded, load
from fathom.ir.operation import Block, Operation, Value
from fathom.irdl.interfaces import FunctionLike
from fathom.irdl.traits import ISOLATED_FROM_ABOVE, TERMINATOR
from fathom.records import NamedTuple, record
from fathom.syntax.events import AliasEvent, MetadataEvent
from fathom.syntax.tree import SyntaxTree
from fathom.verify import verify

if TYPE_CHECKING:
    from fathom.context import Context

OPENING: Final = frozenset("{([<")
CLOSING: Final = frozenset("})]>")
_BRACES: Final = {"{": 1, "}": -1}


class Word(NamedTuple):
    """A token at its place in the text."""

    kind: str
    text: str
    start: int
    end: int


@record(eq=False)
class Node:
    """An operation that stands in the text: from the names of its results at `start` to `end`, with its regions.
    `name` is where its own name begins, `depth` how many such operations are around it."""

    op: Operation
    start: int
    name: int
    end: int
    depth: int

    @property
    def is_terminator(self) -> bool:
        """Whether its block ends with it and cannot be without."""
        block = self.op.parent
        return block is not None and block.last is self.op and (self.op.has(TERMINATOR) or bool(self.op.successors))


def words_of(tree: SyntaxTree) -> list[Word]:
    """The tokens of a text, at their places in it."""
    words: list[Word] = []
    for item, base in tree.items.with_offsets():
        for piece, start in item.pieces.with_offsets():
            spans = piece.token_spans()
            words += [
                Word(token.kind, piece.token_text(index), base + start + first, base + start + last)
                for index, (token, (first, last)) in enumerate(zip(piece.shape.tokens, spans, strict=False))
            ]
    return words


class Outline:
    """A text that was read. All offsets count in it."""

    def __init__(self, text: str, context: Context) -> None:
        self.text = text
        self.context = context
        self.loaded: Loaded = load(text, context)

    @cached_property
    def is_valid(self) -> bool:
        """Whether nothing is wrong with it."""
        loaded = self.loaded
        if loaded.has_errors:
            return False
        found = verify(loaded.module, None, self.context, loaded.elaborated.template)
        return not any(diagnostic.severity == "error" for diagnostic in found)

    # ---- operations

    @cached_property
    def nodes(self) -> list[Node]:
        """The operations that stand in the text, in its order. What a text only implies is left out."""
        nodes: list[Node] = []
        for op in self.loaded.elaborated.operations:
            self._add(op, 0, nodes)
        if not self.loaded.elaborated.operations:  # The only module of the text was taken out.
            self._add(self.loaded.module, 0, nodes)
        return nodes

    def _add(self, op: Operation, depth: int, nodes: list[Node]) -> None:
        node = self._node(op, depth)
        if node is not None:
            nodes.append(node)
        for region in op.regions:
            for block in region.blocks:
                for inner in block:
                    if inner.span is not None and inner.span != op.span:
                        self._add(inner, depth + (node is not None), nodes)

    def _node(self, op: Operation, depth: int) -> Node | None:
        if op.span is None or not self.loaded.elaborated.sites_of(op):
            return None
        name = op.span.start
        start = min([name, *(span[0] for span in self._result_places(op))])
        return Node(op, start, name, self._end(op, start), depth)

    def _result_places(self, op: Operation) -> list[tuple[int, int]]:
        mine = set(op.results)
        places = (self._definitions.get(result) for result in mine)
        return [place for place in places if place is not None]

    def _end(self, op: Operation, start: int) -> int:
        """Where the text of an operation ends that begins at a place: before its neighbour, the label of the next
        block, or the brace that closes what it stands in."""
        if not op.regions and op.span is not None:
            return op.span.end
        behind = self._behind(op)
        depth, end = 0, start
        for index in range(self.word_at(start), len(self.words)):
            word = self.words[index]
            depth += _BRACES.get(word.text, 0)
            if depth < 0 or (behind is not None and word.start >= behind) or word.start in self.aliases:
                break
            end = word.end
        return end

    @cached_property
    def aliases(self) -> dict[int, tuple[str, int]]:
        """The definitions of aliases, by where they begin: their names, `#map`, and where they end."""
        found: dict[int, tuple[str, int]] = {}
        for item, base in self.loaded.tree.items.with_offsets():
            for piece, start in item.pieces.with_offsets():
                if any(isinstance(event, (AliasEvent, MetadataEvent)) for event in piece.shape.events):
                    first, _ = piece.token_span(0)
                    found[base + start + first] = piece.token_text(0), base + start + piece.end
        return found

    def _behind(self, op: Operation) -> int | None:
        """Where what follows an operation in its region begins, if anything does."""
        behind, block, around = op.next, op.parent, op.parent_op
        if behind is not None and behind.span is not None and (around is None or behind.span != around.span):
            return min([behind.span.start, *(place[0] for place in self._result_places(behind))])
        if block is not None and block.next is not None and block.next.label_span is not None:
            return block.next.label_span.start
        return None

    @cached_property
    def by_op(self) -> dict[Operation, Node]:
        return {node.op: node for node in self.nodes}

    def nodes_in(self, block: Block) -> Iterator[Node]:
        """The operations of a block that stand in the text."""
        return (node for op in block if (node := self.by_op.get(op)) is not None)

    # ---- tokens

    @cached_property
    def words(self) -> list[Word]:
        """The tokens."""
        return words_of(self.loaded.tree)

    @cached_property
    def _starts(self) -> list[int]:
        return [word.start for word in self.words]

    def word_at(self, place: int) -> int:
        """The index of the first token that begins at a place or behind it."""
        return bisect_left(self._starts, place)

    def words_between(self, start: int, end: int) -> list[Word]:
        """The tokens of a stretch of the text."""
        return self.words[self.word_at(start) : self.word_at(end)]

    def closing(self, index: int) -> int:
        """The index of the token that closes the bracket at one; of the last token where nothing does."""
        depth = 0
        for at in range(index, len(self.words)):
            text = self.words[at].text
            if text in OPENING:
                depth += 1
            elif text in CLOSING:
                depth -= 1
                if depth <= 0:
                    return at
        return len(self.words) - 1

    # ---- names

    @cached_property
    def _definitions(self) -> dict[Value, tuple[int, int]]:
        """Where the name of each value is written at its definition."""
        places: dict[Value, tuple[int, int]] = {}
        for site in self.loaded.elaborated.sites.values():
            for token, values in site.definitions.items():
                span = site.span(token)
                places.update(dict.fromkeys(values, (span.start, span.end)))
        return places

    @cached_property
    def names(self) -> dict[Value, str]:
        """What a use of each value is written as: `%x`, `%x#1`."""
        names: dict[Value, str] = {}
        for site in self.loaded.elaborated.sites.values():
            for token, values in site.definitions.items():
                text = site.text(token).partition(":")[0]
                for number, value in enumerate(values):
                    names[value] = text if len(values) == 1 else f"{text}#{number}"
        return names

    def uses_of(self, value: Value) -> list[tuple[int, int]]:
        """Where a value is used."""
        return [(span.start, span.end) for span in self.loaded.elaborated.use_spans(value)]

    def label_of(self, block: Block) -> str:
        """The label of a block; empty where it has none."""
        span = block.label_span
        return self.text[span.start : span.end] if span is not None else ""

    @cached_property
    def _taken(self) -> set[str]:
        return {word.text.partition("#")[0] for word in self.words if word.kind == "VALUE"}

    def fresh(self, stem: str) -> str:
        """A name of a value, like the stem, that does not stand in the text; it is taken from then on."""
        number, name = 0, f"%{stem}"
        while name in self._taken:
            number += 1
            name = f"%{stem}_{number}"
        self._taken.add(name)
        return name

    # ---- values

    def available_at(self, op: Operation) -> Iterator[Value]:
        """The named values that may be used at an operation, those that stand nearest before it first."""
        inside: Operation | None = op
        while inside is not None and (block := inside.parent) is not None:
            before = inside.previous
            while before is not None:
                yield from (result for result in before.results if result in self.names)
                before = before.previous
            yield from (argument for argument in block.arguments if argument in self.names)
            entry = block.parent.first if block.parent is not None else None
            if entry is not None and entry is not block:
                yield from (result for other in entry for result in other.results if result in self.names)
                yield from (argument for argument in entry.arguments if argument in self.names)
            inside = block.parent.parent if block.parent is not None else None
            if inside is not None and inside.has(ISOLATED_FROM_ABOVE):
                return

    def is_in_llvm(self, op: Operation) -> bool:
        """Whether a function of the LLVM dialect is around an operation, where constants are its own."""
        inside: Operation | None = op
        while inside is not None:
            if inside.interface(FunctionLike) is not None:
                return inside.dialect == "llvm"
            inside = inside.parent_op
        return False
