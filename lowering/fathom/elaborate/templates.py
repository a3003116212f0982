"""What was learned from the first statement of a shape: how to make the operations of the others unresolved.

An operation follows from the shape of its statement, the types of the values that it names, and the texts of the names
and numbers that its types and attributes are made of. A *template* keeps the operation that follows from one choice of
these. It is learned by resolving the operation while watching what is asked for: values are stand-ins of which only the
type can be seen, so that whatever looks further is never repeated without looking. Templates are kept with what was
parsed, which belongs to a context; those in which an alias has a part, with the aliases of the document. A number from
which nothing is concluded but its type, as that of a constant, is read for each statement, and so is the name of a
symbol from which nothing is, as that of a function.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Final

from fathom.elaborate.failure import ElaborationFailure
from fathom.elaborate.implied import complete_regions
from fathom.elaborate.watching import Watched
from fathom.ir.operation import Operation, Value
from fathom.ir.stand_ins import SeenThrough
from fathom.ir.types import Type
from fathom.syntax.nodes import ParsedOp

if TYPE_CHECKING:
    from fathom.context import Context
    from fathom.elaborate.meaning import Meanings
    from fathom.elaborate.scopes import Lookup
    from fathom.elaborate.words import Words
    from fathom.ir.attributes import Attribute
    from fathom.ir.operation import Region, Span
    from fathom.ir.stand_ins import StandInAttribute
    from fathom.irdl.definition import OpDefinition
    from fathom.verify.alone import Rest

MOST_TEMPLATES: Final = 64
"""No more templates than this are learned of one shape: where each statement says something new, nothing is saved."""


class Template:
    """All that operations have in common which follow from the same choice.

    `uses` are the names of values: hole, token, and the type that the value must have; `operands` are the indices of
    the operands among them, or None where they are just these. `successors` are the labels, and `results` the names of
    the results: hole, token, and for a result which of them the name is for. The holes are those of all statements of
    the operation, and `used` are the references of the names, which tell the statement too. `varying` are the
    properties that are read for each statement, with what stands for them, and `sources` how they are read.
    """

    __slots__ = (
        "_read",
        "_varying_holes",
        "_which_operands",
        "attributes",
        "definition",
        "name",
        "name_token",
        "names_operands",
        "operands",
        "properties",
        "region_argument_types",
        "rest",
        "result_types",
        "results",
        "sources",
        "successors",
        "used",
        "uses",
        "varying",
    )

    def __init__(self, parsed: ParsedOp, watched: Watched) -> None:
        self.name = parsed.name
        self.rest: Rest | None = None
        """What the verifier has to look at of each of these operations."""
        self.name_token = watched.token_of(parsed.name_token)
        self.definition: OpDefinition | None = watched.definition
        self.uses = tuple(watched.uses)
        self.used = tuple(watched.used)
        order = tuple([watched.index_of[id(value)] for value in watched.operands])
        in_order = tuple(range(len(self.uses)))
        if order == in_order:
            self.operands, self._which_operands = None, in_order
        else:
            which = {use: place for place, use in enumerate(order)}
            self.operands = order
            self._which_operands = tuple([which[use] for use in in_order]) if len(which) == len(in_order) else None
        self.names_operands = self._which_operands is not None
        """Whether the values that a statement names are all operands."""
        self.successors = tuple(watched.labels)
        self.result_types: tuple[Type, ...] = tuple(watched.result_types)
        self.region_argument_types = watched.region_argument_types
        self.properties: dict[str, Attribute] = dict(watched.properties)
        self.sources = tuple(watched.sources())
        self.varying: Mapping[str, StandInAttribute] = {read.name: read.stand_in for read in self.sources}
        self._varying_holes = tuple([read.hole for read in self.sources])
        self._read: dict[tuple[str, ...], dict[str, Attribute]] = {}
        """The properties by the texts of those that vary, as far as they were read and are remembered."""
        self.attributes: dict[str, Attribute] = dict(watched.attributes)
        results: list[tuple[int, int, slice]] = []
        start = 0
        for group in parsed.result_groups:
            which = slice(start, start + group.count)
            results.append((watched.hole_of_name(group.token), watched.token_of(group.token), which))
            start += group.count
        self.results = tuple(results)

    @property
    def shows_targets(self) -> bool:
        """Of the arguments of successors, the types are not known where a statement is read."""
        return False

    def values(self, holes: list[str], lookup: Lookup) -> list[Value] | None:
        """The values that the statement names; None where one is not defined yet, or of another type."""
        uses = self.uses
        if len(uses) == 1:  # Most name one or two, and a list that is made whole takes less time and room.
            hole, _, type = uses[0]
            group = lookup(holes[hole])
            if group is None:
                return None
            value = group[0]
            return [value] if value.type is type or value.type == type else None
        if len(uses) == 2:
            (hole, _, type), (other_hole, _, other_type) = uses
            group, other_group = lookup(holes[hole]), lookup(holes[other_hole])
            if group is None or other_group is None:
                return None
            value, other = group[0], other_group[0]
            fits = (value.type is type or value.type == type) and (other.type is other_type or other.type == other_type)
            return [value, other] if fits else None
        values: list[Value] = []
        for hole, _, type in uses:
            group = lookup(holes[hole])
            if group is None:
                return None
            value = group[0]
            if value.type is not type and value.type != type:
                return None
            values.append(value)
        return values

    def operands_of(self, values: list[Value]) -> list[Value]:
        """The operands, of the values that the statement names."""
        return values if self.operands is None else [values[index] for index in self.operands]

    def make(
        self, values: list[Value], properties: dict[str, Attribute], span: Span, regions: Sequence[Region]
    ) -> Operation:
        """Another operation, with regions: of the values that its statement names, with its own numbers among the
        properties."""
        return Operation(
            self.name,
            self.operands_of(values),
            self.result_types,
            properties,
            self.attributes,
            (),
            regions,
            span,
            self.definition,
        )

    def known_properties(self, holes: list[str]) -> dict[str, Attribute] | None:
        """The properties of a statement's operation; None where some in it have to be read."""
        if not self.sources:
            return self.properties
        return self._read.get(tuple([holes[hole] for hole in self._varying_holes]))

    def properties_of(self, holes: list[str], words: Words, meanings: Meanings) -> dict[str, Attribute] | None:
        """The properties of a statement's operation; None where one in it is wrong."""
        known = self.known_properties(holes)
        if known is not None:
            return known
        properties = dict(self.properties)
        try:
            for read in self.sources:
                properties[read.name] = read.read(meanings, words.text)
        except ElaborationFailure:
            return None
        if len(self._read) < MOST_TEMPLATES:
            self._read[tuple([holes[hole] for hole in self._varying_holes])] = properties
        return properties

    def uses_of(self, op: Operation) -> dict[int, Value]:
        """The values that an operation names, as far as they are its operands, by token."""
        operands, which = op.operands, self._which_operands or ()
        places = zip(self.uses, which, strict=False)
        return {token: operands[place] for (_, token, _), place in places if place < len(operands)}

    def definitions_of(self, op: Operation) -> dict[int, list[Value]]:
        """The results of an operation, by the token of their name."""
        named = ((token, list[Value](op.results[which])) for _, token, which in self.results)
        return {token: values for token, values in named if values}


class Templates:
    """What was learned of one operation of a shape, by the texts that have a part in what it means.

    Where aliases have a part in it, it is to be found with the aliases of the document.
    """

    __slots__ = ("_by_texts", "_count", "_texts", "context", "failures", "need_aliases", "need_all", "parsed")

    def __init__(self, context: Context, parsed: ParsedOp | None = None) -> None:
        """`parsed` is the operation, for those that are found by its identity."""
        self.context = context
        self.parsed = parsed
        self.need_aliases = False
        self.need_all = False
        """Whether more follows from a number than from its type, or anything from a name."""
        self.failures = 0
        """How often it was in vain to try."""
        self._count = 0
        self._texts: tuple[int, ...] = ()
        """The holes whose texts have a part."""
        self._by_texts: dict[tuple[str, ...], list[Template]] = {}

    @property
    def is_full(self) -> bool:
        """Whether no more is to be learned."""
        return self._count >= MOST_TEMPLATES or self.failures >= MOST_TEMPLATES

    def find(self, holes: list[str], lookup: Lookup) -> tuple[Template, list[Value]] | None:
        """The template of a statement, and the values that it names."""
        texts = tuple([holes[hole] for hole in self._texts]) if self._texts else ()
        for template in self._by_texts.get(texts, ()):
            values = template.values(holes, lookup)
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
        known = parsed.templates = Templates(meanings.context)
    if not known.need_aliases:
        return known
    by_alias = meanings.aliases.templates
    templates = by_alias.get(id(parsed))
    if templates is None:
        templates = by_alias[id(parsed)] = Templates(meanings.context, parsed)
        templates.need_aliases = True
    return templates


def learn(
    parsed: ParsedOp, words: Words, holes: list[str], meanings: Meanings, lookup: Lookup
) -> tuple[Template, list[Value]] | None:
    """The template of an operation, kept for those that follow, and the values that the operation names. None where it
    follows from more than a template can tell, or is wrong."""
    templates = templates_of(parsed, meanings)
    if templates.is_full or any(site.piece.shape.has_errors for site in words.sites):
        return None
    watched = Watched(parsed, words, holes, meanings, lookup, sees_all=templates.need_all)
    meanings.is_alias_free = True
    template = _learned(parsed, watched)
    if template is None and watched.varying:
        watched = Watched(parsed, words, holes, meanings, lookup, sees_all=True)
        template = _learned(parsed, watched)
        templates.need_all = template is not None
    if template is None or not _is_whole(template, watched, parsed, meanings):
        templates.failures += 1
        return None
    if not meanings.is_alias_free and not templates.need_aliases:
        templates.need_aliases = True
        templates = templates_of(parsed, meanings)
    templates.add(template, watched.texts, holes)
    values = template.values(holes, lookup)
    return (template, values) if values is not None else None


def _learned(parsed: ParsedOp, watched: Watched) -> Template | None:
    try:
        watched.resolve()
        return Template(parsed, watched)
    except (ElaborationFailure, SeenThrough, RecursionError):
        return None


def _is_whole(template: Template, watched: Watched, parsed: ParsedOp, meanings: Meanings) -> bool:
    """Whether the template tells all of the operation."""
    if watched.region_order or parsed.absent_regions or watched.imply is not None:
        return False
    if sum(group.count for group in parsed.result_groups) not in (0, len(template.result_types)):
        return False
    if parsed.regions or parsed.generic or template.definition is None:
        return not (parsed.regions and template.successors)
    twin = Operation(parsed.name, definition=template.definition)
    complete_regions(twin, meanings.context)
    return not twin.regions
