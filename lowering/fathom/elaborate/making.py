"""Making operations: each is put in its block, its results get their names, and its place in the text is noted.

An operation is made as others of its shape were, or resolved by itself.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import lru_cache
from types import MappingProxyType
from typing import Final

from fathom.diagnostics import UNKNOWN_OP, Diagnostic, Note
from fathom.elaborate.failure import ElaborationFailure
from fathom.elaborate.findings import report, report_failure
from fathom.elaborate.implied import complete_regions
from fathom.elaborate.nesting import Nesting
from fathom.elaborate.sites import Place, Site
from fathom.elaborate.templates import Template, learn, templates_of
from fathom.elaborate.unknown import keep_text
from fathom.elaborate.words import Segment, StatementSpan, Words
from fathom.ir.operation import Block, BlockArgument, Operation, Region, Span, Value
from fathom.ir.types import POISON
from fathom.syntax.events import OpEvent
from fathom.syntax.nodes import ParsedOp, Ref

_NONE: Final[Mapping[Ref, BlockArgument]] = MappingProxyType({})
_new_span: Final[Callable[[type[StatementSpan]], StatementSpan]] = object.__new__


class OperationMaker(Nesting):
    """Makes the operations of the statements, in the regions that are open."""

    def repeat(self, event: OpEvent, site: Site, holes: list[str]) -> Operation | None:
        """Makes the operation as others of its shape were made. None where it has to be resolved."""
        parsed, top = event.parsed, self.stack[-1]
        names = top.names
        lookup = names.lookup
        known = templates_of(parsed, self.meanings).find(holes, lookup)
        if known is None:
            words = Words(Segment(event.first, site, event.base, holes))
            known = learn(parsed, words, holes, self.meanings, lookup)
            if known is None:
                return None
        template, values = known
        properties = template.known_properties(holes) if template.sources else template.properties
        if properties is not None and parsed.location is None and len(site.piece.lines) == 1:
            span = _new_span(StatementSpan)
            span.origin = site
        else:
            words = Words(Segment(event.first, site, event.base, holes))
            properties = template.properties_of(holes, words, self.meanings)
            if properties is None:
                return None
            span = words.op_span(parsed)
        successors = self._successors(template, site, holes) if template.successors else None
        op = Operation.assembled(
            template.name,
            values if template.operands is None else template.operands_of(values),
            template.result_types,
            properties.copy(),
            template.attributes.copy(),
            span,
            template.definition,
            successors,
            top.block if top.anchor is None else None,
        )
        if parsed.location is not None:
            op.location = self.location(parsed.location, Words(Segment(event.first, site, event.base, holes)))
        if template.definition is None:
            self._report_unknown(parsed, Place(site, template.name_token))
        if op.parent is None:
            self.insert(op)
        site.op = op
        site.template = template
        if not template.names_operands:
            for (_, token, _), value in zip(template.uses, values, strict=True):
                site.mark_use(token, value)
        for hole, token, which in template.results:
            name = holes[hole]
            named: list[Value] = op.results[which]  # pyright: ignore[reportAssignmentType] - a list of its own
            if not named:
                continue
            if names.define_plainly(name, named):
                top.defined[name] = named
            else:
                self.define(name, named, Place(site, token))
        return op

    def _successors(self, template: Template, site: Site, holes: list[str]) -> list[Block]:
        """The blocks whose labels a statement names."""
        use = self.stack[-1].blocks.use
        return [use(holes[hole], Place(site, token)) for hole, token in template.successors]

    def repeat_around(self, parsed: ParsedOp, words: Words, regions: list[Region]) -> bool:
        """The same for an operation whose regions have been read, none of which is empty."""
        top = self.stack[-1]
        for region in regions:
            if region.first is None:
                return False
        holes = words.holes
        known = self.like_others(parsed, words, top.names, holes)
        if known is None:
            return False
        template, values = known
        properties = template.properties_of(holes, words, self.meanings)
        if properties is None:
            return False
        op = template.make(values, properties, words.op_span(parsed), regions)
        if parsed.location is not None:
            op.location = self.location(parsed.location, words)
        words.mark_uses(template.used, values)
        if template.definition is None:
            self._report_unknown(parsed, words.place(parsed.name_token))
        self._put(op, parsed, words)
        self.result.around[op] = template
        self.define_results(op, parsed, words, poison=False)
        return True

    def finish(
        self,
        parsed: ParsedOp,
        words: Words,
        regions: list[Region],
        introduced: Mapping[Ref, BlockArgument] = _NONE,
        *,
        is_closed: bool = True,
    ) -> None:
        """Makes the operation, puts it in its block, and defines its results. What a region that is not closed would
        hold, nobody knows."""
        resolution = self.resolution(parsed, words, self)
        resolution.introduced = introduced
        resolution.regions = regions if is_closed else ()
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
            None if failed or not parsed.is_whole else resolution.definition,
        )
        if parsed.location is not None:
            op.location = self.location(parsed.location, words)
        if not parsed.known:
            keep_text(op, parsed, introduced, words.spaced, self.meanings.alias_named)
        if resolution.definition is None:
            self._report_unknown(parsed, words.place(parsed.name_token))
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
        mark(words.place(parsed.name_token), op)
        if is_spread and len(sites := words.sites) > 1:
            self.result.spread[op] = sites

    def _report_unknown(self, parsed: ParsedOp, place: Place) -> None:
        """Says of an operation without a definition that there is none. One in generic form needs none where its
        dialect is known."""
        name, span = parsed.name, place.span
        if parsed.generic:
            dialect, dot, _ = name.partition(".")
            if not dot or self.context.dialect(dialect) is not None:
                return
            span = Span(span.first + 1, span.last - 1, place.site)  # The name, without its quotes.
        elif parsed.known or self.context.is_defined(name):
            return
        message, notes = _said_of_unknown(name)
        place.site.find(Diagnostic(message, span, "hint", UNKNOWN_OP, notes))

    def introduce(self, parsed: ParsedOp, words: Words, first: Ref) -> None:
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
            top.lent[name] = None
            top.names.lend(name)

    def check_attributes(self, parsed: ParsedOp, words: Words) -> None:
        """Reports a mistake in the attributes before the place where an operation does not parse: MLIR judges each as
        it reads it."""
        try:
            self.resolution(parsed, words, self).resolve_attributes()
        except ElaborationFailure as failure:
            if words.has(failure.place):
                report_failure(failure, words.place)
        except RecursionError:
            return  # That it does not parse is said already.


@lru_cache(maxsize=1000)
def _said_of_unknown(name: str) -> tuple[str, tuple[Note, ...]]:
    """What is said of all operations of a name that nothing defines, of which there may be a million."""
    dialect = name.partition(".")[0]
    cause = f"no definition of dialect '{dialect}' is loaded that covers it"
    remedy = "a description of its dialect, which a quick fix drafts from its uses, makes it known"
    notes = Note(cause, hint=True), Note(remedy, hint=True)
    return f"operation '{name}' is not known and is kept as it is written", notes


def mark(name: Place, op: Operation) -> None:
    """Notes where the name of an operation stands."""
    name.site.mark_operation(name.token, op)
