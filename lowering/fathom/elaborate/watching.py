"""The resolution of an operation under watch: what it asks for, of which a template is made (`templates.py`)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, NoReturn

from fathom.elaborate.literals import symbol_name
from fathom.elaborate.operations import Resolution
from fathom.ir.attributes import StringAttr
from fathom.ir.operation import Block, Value
from fathom.ir.stand_ins import SeenThrough, StandIn, StandInBlock, stand_in_for
from fathom.ir.types import POISON, Type, UnknownType
from fathom.records import NamedTuple
from fathom.syntax.carried import Carried
from fathom.syntax.nodes import Node, ParsedOp, Ref, SymbolToken

if TYPE_CHECKING:
    from collections.abc import Callable

    from fathom.elaborate.meaning import Meanings
    from fathom.elaborate.scopes import Lookup
    from fathom.elaborate.sites import Place
    from fathom.elaborate.words import Words
    from fathom.ir.attributes import Attribute
    from fathom.ir.stand_ins import StandInAttribute
    from fathom.syntax.nodes import AttributeSource


class Varying(NamedTuple):
    """A property that is a number, or the name of a symbol: its name, what stands for it, how it is read, and the hole
    that it is."""

    name: str
    stand_in: StandInAttribute
    source: Node | SymbolToken
    implied: Type | None
    hole: int

    def read(self, meanings: Meanings, text: Callable[[Ref], str]) -> Attribute:
        """What it is in a statement of these texts. Raises ElaborationFailure where that is wrong."""
        if isinstance(self.source, SymbolToken):
            return StringAttr(symbol_name(text(self.source.token)))
        return meanings.attribute(self.source, text, self.implied)


class Watched(Resolution):
    """The resolution of an operation that takes stand-ins for values and blocks, and notes what it is asked for.

    What cannot be repeated without looking raises SeenThrough.
    """

    def __init__(
        self,
        parsed: ParsedOp,
        words: Words,
        holes: list[str],
        meanings: Meanings,
        lookup: Lookup,
        *,
        sees_all: bool,
    ) -> None:
        definition = meanings.context.lookup(parsed.name)
        self._source = _Source(words, holes)
        super().__init__(parsed, definition, meanings, self._source.text, _no_place, _Nowhere())
        self._lookup = lookup
        self._sees_all = sees_all
        self.varying: dict[int, tuple[StandInAttribute, Node | SymbolToken, Type | None]] = {}
        """The numbers and names that were asked for, by the identity of what stands for them."""
        self.uses: list[tuple[int, int, Type]] = []
        self.used: list[Ref] = []
        self.stand_ins: list[Value] = []
        self.index_of: dict[int, int] = {}
        self.labels: list[tuple[int, int]] = []

    @property
    def texts(self) -> set[int]:
        """The holes whose text was asked for."""
        return self._source.texts

    def token_of(self, ref: Ref) -> int:
        """The index of a token in its statement."""
        return self._source.words.place(ref).token

    def hole_of(self, ref: Ref) -> int:
        """The hole that a token is; -1 for one that belongs to the shape."""
        return self._source.hole(ref)

    def hole_of_name(self, ref: Ref) -> int:
        """The hole that the name of a value is. SeenThrough where something else stands, after a mistake."""
        hole = self.hole_of(ref)
        if hole < 0:
            raise SeenThrough
        return hole

    def attribute(self, source: AttributeSource, implied: Type | None = None) -> Attribute:
        if self._sees_all or not isinstance(source, (Node, SymbolToken)):
            return super().attribute(source, implied)
        if isinstance(source, Node) and source.constant:
            return super().attribute(source, implied)
        texts, self._source.texts = self._source.texts, set[int]()
        value = super().attribute(source, implied)
        own, self._source.texts = self._source.texts, texts
        stand_in = stand_in_for(value) if own == {self._hole_in(source)} else None
        if stand_in is not None:
            self.varying[id(stand_in)] = stand_in, source, implied
            return stand_in
        self._source.texts |= own
        return value

    def _hole_in(self, source: Node | SymbolToken) -> int | None:
        """The hole that is a number or the name of a symbol; None for what is neither."""
        if isinstance(source, SymbolToken):
            return self._source.words.hole(source.token)
        node = source
        while node.kind in ("attribute", "literal"):
            node = node.nodes[0]
        return self._source.words.hole(node.leaves[-1].ref) if node.kind in ("number", "symbol_ref") else None

    def sources(self) -> Iterator[Varying]:
        """The properties that are numbers or names, with how they are read. SeenThrough where one became a part of
        anything else."""
        varying = {
            name: self.varying[id(value)] for name, value in self.properties.items() if id(value) in self.varying
        }
        if not self.varying:
            return
        # Whoever has a stand-in in it cannot be hashed.
        rest = [value for name, value in self.properties.items() if name not in varying]
        hash((*rest, *self.attributes.values(), *self.result_types, *map(tuple, self.region_argument_types)))
        for name, (stand_in, source, implied) in varying.items():
            yield Varying(name, stand_in, source, implied, self._hole_in(source) or 0)

    def operand(self, token: Ref, type: Type | None = None) -> Value:
        hole = self.hole_of_name(token)
        group = self._lookup(self._source.holes[hole])
        kind = group[0].type if group is not None else POISON
        if isinstance(kind, UnknownType) and kind == POISON:
            raise SeenThrough
        if type is not None and kind is not type and kind != type:
            raise SeenThrough
        self.uses.append((hole, self.token_of(token), kind))
        self.used.append(token)
        stand_in = StandIn(kind)
        self.index_of[id(stand_in)] = len(self.stand_ins)
        self.stand_ins.append(stand_in)
        return stand_in

    def block_of(self, token: Ref) -> Block:
        self.labels.append((self.hole_of(token), self.token_of(token)))
        return StandInBlock()

    def report(self, message: str, token: Ref) -> NoReturn:
        raise SeenThrough


class _Source:
    """What an operation is read from, and the holes whose text was asked for. It knows nothing of who asks: the two
    would keep each other until the garbage collector comes."""

    def __init__(self, words: Words, holes: list[str]) -> None:
        self.words = words
        self.holes = holes
        self.texts: set[int] = set()

    def hole(self, ref: Ref) -> int:
        hole = self.words.hole(ref)
        if hole is None:
            raise SeenThrough
        return hole

    def text(self, ref: Ref) -> str:
        hole = self.hole(ref)
        if hole < 0:
            return self.words.text(ref)
        text = self.holes[hole]
        if isinstance(text, Carried):
            raise SeenThrough  # What follows from it alone is not worth keeping, nor is its line.
        self.texts.add(hole)
        return text


class _Nowhere:
    """The surroundings of an operation that is made for no place: whatever is asked of them, no template can repeat."""

    def use(self, text: str, type: Type | None, place: Place) -> NoReturn:
        raise SeenThrough

    def mention(self, text: str, place: Place) -> NoReturn:
        raise SeenThrough

    def block(self, label: str, place: Place) -> NoReturn:
        raise SeenThrough

    def report(self, message: str, place: Place) -> NoReturn:
        raise SeenThrough


def _no_place(ref: Ref) -> NoReturn:
    raise SeenThrough
