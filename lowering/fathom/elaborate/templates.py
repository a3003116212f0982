"""What was learned from the first statement of a shape: how to make the operations of the others unresolved.

An operation follows from the shape of its statement, the types of the values that it names, and the texts of the names
and numbers that its types and attributes are made of. A *template* keeps the operation that follows from one choice of
these. It is learned by resolving the operation while watching what is asked for: values are stand-ins of which only the
type can be seen, so that whatever looks further is never repeated without looking. Templates are kept with what was
parsed, which belongs to a context; those in which an alias has a part, with the aliases of the document.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Final, NoReturn

from fathom.elaborate.failure import ElaborationFailure
from fathom.elaborate.implied import complete_regions
from fathom.elaborate.operations import Resolution
from fathom.ir.operation import Block, Operation, Value
from fathom.ir.stand_ins import SeenThrough, StandIn, StandInBlock
from fathom.ir.types import POISON, Type
from fathom.syntax.carried import Carried
from fathom.syntax.events import OpEvent
from fathom.syntax.nodes import ParsedOp, Ref

if TYPE_CHECKING:
    from fathom.context import Context
    from fathom.elaborate.elaborated import Place
    from fathom.elaborate.meaning import Meanings
    from fathom.ir.attributes import Attribute
    from fathom.irdl.definition import OpDefinition
    from fathom.syntax.shapes import Shape

MOST_TEMPLATES: Final = 64
"""No more templates than this are learned of one shape: where each statement says something new, nothing is saved."""


class Template:
    """All that operations have in common which follow from the same choice.

    `uses` are the names of values: hole, token, and the type that the value must have; `operands` are the indices of
    the operands among them, or None where they are just these. `successors` are the labels, and `results` the names of
    the results: hole, token, and for a result which of them the name is for.
    """

    __slots__ = (
        "attributes",
        "definition",
        "name",
        "name_token",
        "operands",
        "properties",
        "result_types",
        "results",
        "sound",
        "successors",
        "uses",
    )

    def __init__(self, parsed: ParsedOp, name_token: int, watched: _Watched) -> None:
        self.name = parsed.name
        self.sound: bool | None = None
        """What the verifier found out about all these operations (`fathom.verify.alone`)."""
        self.name_token = name_token
        self.definition: OpDefinition | None = watched.definition
        self.uses = tuple(watched.uses)
        order = tuple(watched.index_of[id(value)] for value in watched.operands)
        self.operands = None if order == tuple(range(len(self.uses))) else order
        self.successors = tuple(watched.labels)
        self.result_types: tuple[Type, ...] = tuple(watched.result_types)
        self.properties: Mapping[str, Attribute] = watched.properties
        self.attributes: Mapping[str, Attribute] = watched.attributes
        results: list[tuple[int, int, slice]] = []
        start = 0
        for group in parsed.result_groups:
            token = watched.token_of(group.token)
            results.append((watched.shape.hole_of[token], token, slice(start, start + group.count)))
            start += group.count
        self.results = tuple(results)

    def values(self, holes: list[str], names: Mapping[str, list[Value]]) -> list[Value] | None:
        """The values that the statement names; None where one is not defined yet, or of another type."""
        found: list[Value] = []
        for hole, _, type in self.uses:
            group = names.get(holes[hole])
            if group is None:
                return None
            value = group[0]
            if value.type is not type and value.type != type:
                return None
            found.append(value)
        return found

    def operands_of(self, values: list[Value]) -> list[Value]:
        """The operands, of the values that the statement names."""
        return values if self.operands is None else [values[index] for index in self.operands]

    def named(self, op: Operation) -> Iterator[tuple[int, int, list[Value]]]:
        """The names of the results, with the results that they are for."""
        for hole, token, which in self.results:
            if named := op.results[which]:
                yield hole, token, list[Value](named)

    def uses_of(self, op: Operation) -> dict[int, Value]:
        """The values that an operation names, which are just its operands, by token."""
        return {token: value for (_, token, _), value in zip(self.uses, op.operands, strict=False)}

    def definitions_of(self, op: Operation) -> dict[int, list[Value]]:
        """The results of an operation, by the token of their name."""
        return {token: values for _, token, values in self.named(op)}


class Templates:
    """What was learned of one operation of a shape, by the texts that have a part in what it means.

    Where aliases have a part in it, it is to be found with the aliases of the document.
    """

    __slots__ = ("_by_texts", "_count", "_texts", "context", "need_aliases", "parsed")

    def __init__(self, parsed: ParsedOp, context: Context) -> None:
        self.parsed = parsed
        self.context = context
        self.need_aliases = False
        self._count = 0
        self._texts: tuple[int, ...] = ()
        """The holes whose texts have a part."""
        self._by_texts: dict[tuple[str, ...], list[Template]] = {}

    @property
    def is_full(self) -> bool:
        """Whether no more is to be learned."""
        return self._count >= MOST_TEMPLATES

    def find(self, holes: list[str], names: Mapping[str, list[Value]]) -> tuple[Template, list[Value]] | None:
        """The template of a statement, and the values that it names."""
        texts = tuple([holes[hole] for hole in self._texts]) if self._texts else ()
        for template in self._by_texts.get(texts, ()):
            values = template.values(holes, names)
            if values is not None:
                return template, values
        return None

    def add(self, template: Template, texts: set[int], holes: list[str]) -> None:
        """Takes in a template; the texts of some holes had a part in it."""
        if not texts.issubset(self._texts):
            self._by_texts.clear()
            self._texts = tuple(sorted(texts.union(self._texts)))
        self._by_texts.setdefault(tuple([holes[hole] for hole in self._texts]), []).append(template)
        self._count += 1


def templates_of(parsed: ParsedOp, meanings: Meanings) -> Templates:
    """What was learned of an operation so far, with the aliases of this document if they have a part in it."""
    known = parsed.templates
    if not isinstance(known, Templates) or known.context is not meanings.context:
        known = parsed.templates = Templates(parsed, meanings.context)
    if not known.need_aliases:
        return known
    by_alias = meanings.aliases.templates
    found = by_alias.get(id(parsed))
    if found is None:
        found = by_alias[id(parsed)] = Templates(parsed, meanings.context)
        found.need_aliases = True
    return found


def learn(
    event: OpEvent,
    shape: Shape,
    holes: list[str],
    meanings: Meanings,
    names: Mapping[str, list[Value]],
) -> Template | None:
    """The template of an operation, kept for those that follow. None where the operation follows from more than a
    template can tell, or is wrong."""
    parsed = event.parsed
    definition = meanings.context.lookup(parsed.name)
    watched = _Watched(event, shape, holes, definition, meanings, names)
    meanings.is_alias_free = True
    try:
        watched.resolve()
        if sum(group.count for group in parsed.result_groups) not in (0, len(watched.result_types)):
            return None
        template = Template(parsed, watched.token_of(parsed.name_token), watched)
    except (ElaborationFailure, SeenThrough, RecursionError):
        return None
    if definition is not None and not parsed.generic:
        twin = Operation(parsed.name, definition=definition)
        complete_regions(twin, meanings.context)
        if twin.regions:
            return None
    templates = templates_of(parsed, meanings)
    if not meanings.is_alias_free and not templates.need_aliases:
        templates.need_aliases = True
        templates = templates_of(parsed, meanings)
    templates.add(template, watched.texts, holes)
    return template


class _Watched(Resolution):
    """The resolution of an operation that takes stand-ins for values and blocks, and notes what it is asked for.

    What cannot be repeated without looking raises SeenThrough.
    """

    def __init__(
        self,
        event: OpEvent,
        shape: Shape,
        holes: list[str],
        definition: OpDefinition | None,
        meanings: Meanings,
        names: Mapping[str, list[Value]],
    ) -> None:
        super().__init__(event.parsed, definition, meanings, self._read, _no_place, _Nowhere())
        self.shape = shape
        self._base = event.base - event.first
        self._holes = holes
        self._names = names
        self.texts: set[int] = set()
        self.uses: list[tuple[int, int, Type]] = []
        self.stand_ins: list[Value] = []
        self.index_of: dict[int, int] = {}
        self.labels: list[tuple[int, int]] = []

    def token_of(self, ref: Ref) -> int:
        """The index of a token in its statement."""
        return self._base + ref

    def _read(self, ref: Ref) -> str:
        token = self._base + ref
        hole = self.shape.hole_of[token]
        if hole < 0:
            return self.shape.tokens[token].text
        text = self._holes[hole]
        if isinstance(text, Carried):
            raise SeenThrough  # What follows from it alone is not worth keeping, nor is its line.
        self.texts.add(hole)
        return text

    def operand(self, token: Ref, type: Type | None = None) -> Value:
        index = self._base + token
        hole = self.shape.hole_of[index]
        group = self._names.get(self._holes[hole])
        found = group[0].type if group is not None else POISON
        if found == POISON or (type is not None and found != type):
            raise SeenThrough
        self.uses.append((hole, index, found))
        stand_in = StandIn(found)
        self.index_of[id(stand_in)] = len(self.stand_ins)
        self.stand_ins.append(stand_in)
        return stand_in

    def block_of(self, token: Ref) -> Block:
        index = self._base + token
        self.labels.append((self.shape.hole_of[index], index))
        return StandInBlock()

    def report(self, message: str, token: Ref) -> NoReturn:
        raise SeenThrough


class _Nowhere:
    """The surroundings of an operation that is made for no place: whatever is asked of them, no template can repeat."""

    def use(self, text: str, type: Type | None, place: Place) -> NoReturn:
        raise SeenThrough

    def block(self, label: str, place: Place) -> NoReturn:
        raise SeenThrough

    def report(self, message: str, place: Place) -> NoReturn:
        raise SeenThrough


def _no_place(ref: Ref) -> NoReturn:
    raise SeenThrough
