"""A text of an older edition of MLIR as MLIR 22 writes it: read, rewritten, and changed where it differs.

What is printed of an operation before and after tells what to change of its text (`merging`). The result is read and
verified by MLIR 22's rules, and compared with what was rewritten; where it is not the same, the operation is written
anew as a whole, and where that does not help, the text stays as it is.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Final

from fathom.context import Context
from fathom.diagnostics import MODERNISE, NO_COUNTERPART, Diagnostic, order_in_text
from fathom.elaborate import Loaded, load
from fathom.formatting.change import Change, changed
from fathom.ir.element_printer import Element
from fathom.ir.operation import Span
from fathom.modernising.commands import in_comments
from fathom.modernising.elements import ElementMap
from fathom.modernising.places import Token, comments_of
from fathom.modernising.rewriting import Rewriting, rewrite
from fathom.modernising.rules import RULES, element_rules
from fathom.modernising.sameness import differing
from fathom.modernising.wrapped import composed, unwrapped
from fathom.modernising.writing import Writing, in_order
from fathom.records import record, replace
from fathom.text.beginnings import TextTooLong
from fathom.verify import verify

SPLIT: Final = re.compile(r"^// -----", re.MULTILINE)
MOST_ROUNDS: Final = 6
"""So often a text is written and read again."""


@record
class Modernised:
    """What became of a text. `changes` are none where there is nothing to change, or where not all of it can be said
    today: then `diagnostics` say why, at their places in the text as it was."""

    text: str
    changes: tuple[Change, ...]
    diagnostics: tuple[Diagnostic, ...]

    @property
    def is_refused(self) -> bool:
        return any(diagnostic.severity == "error" for diagnostic in self.diagnostics)


def parts_of(text: str) -> Iterator[tuple[str, int]]:
    """The parts between lines `// -----`, each with the offset at which it begins."""
    starts = [0, *(match.start() for match in SPLIT.finditer(text) if match.start())]
    for start, end in zip(starts, [*starts[1:], len(text)], strict=True):
        yield text[start:end], start


def mistakes_in(part: str, start: int, context: Context) -> list[Diagnostic]:
    """What is wrong with a part of a text that begins at an offset."""
    return [moved(diagnostic, start) for diagnostic in _wrong(load(part, context), context)]


def _wrong(loaded: Loaded, context: Context) -> list[Diagnostic]:
    wrong = [d for d in loaded.diagnostics if d.severity == "error"]
    wrong = wrong or verify(loaded.module, None, context, loaded.elaborated.template)
    return [d for d in wrong if d.severity == "error"]


def modernised(text: str, edition: Context, today: Context) -> Modernised:
    """A text in its present form. Each part between lines `// -----` stands for itself, but nothing is changed where
    not all can be."""
    changes: list[Change] = []
    diagnostics: list[Diagnostic] = []
    for part, start in parts_of(text):
        made = _made_of(part, edition, today)
        changes += (Change(start + one.start, start + one.end, one.text) for one in made.changes)
        diagnostics += (moved(diagnostic, start) for diagnostic in made.diagnostics)
    for found in in_comments(text):
        if isinstance(found, Change):
            changes.append(found)
        else:
            diagnostics.append(found)
    diagnostics.sort(key=order_in_text)
    ordered = in_order(changes)
    if ordered is None or any(diagnostic.severity == "error" for diagnostic in diagnostics):
        return Modernised(text, (), tuple(diagnostics))
    return Modernised(changed(text, ordered), tuple(ordered), tuple(diagnostics))


def _made_of(part: str, edition: Context, today: Context) -> Modernised:
    """One part. Types that are written as no edition prints them are written as this one does first."""
    read = _Part(part, edition, today)
    first = unwrapped(part, read.loaded.tree, edition)
    if not first or _wrong(read.loaded, edition):
        return read.modernise()
    made = _Part(changed(part, first), edition, today).modernise()
    diagnostics = tuple(_at(diagnostic, first) for diagnostic in made.diagnostics)
    if made.is_refused:
        return Modernised(part, (), diagnostics)
    return Modernised(made.text, tuple(composed(part, first, made.changes)), diagnostics)


def moved(diagnostic: Diagnostic, by: int) -> Diagnostic:
    """A diagnostic of a part of a text that begins at an offset."""
    span = diagnostic.span
    return replace(diagnostic, span=Span(span.start + by, span.end + by) if span is not None else None, op=None)


class _Part:
    """One part of a text."""

    def __init__(self, text: str, edition: Context, today: Context) -> None:
        self.text = text
        self.edition = edition
        self.today = today
        self.loaded: Loaded = load(text, edition)

    def modernise(self) -> Modernised:
        if wrong := _wrong(self.loaded, self.edition):
            return self._unchanged(wrong)
        try:
            return self._written()
        except TextTooLong as reason:
            return self._unchanged([Diagnostic(str(reason), None, "error", MODERNISE)])

    def _unchanged(self, why: Sequence[Diagnostic]) -> Modernised:
        return Modernised(self.text, (), tuple(why))

    def _written(self) -> Modernised:
        loaded = self.loaded
        writing = Writing(self.text, loaded, self.edition, self.today)
        rewriting = Rewriting(self.edition, self.today)
        elements = element_rules(self.edition, self.today)
        rewrite(loaded.module, rewriting, RULES, elements)
        if rewriting.problems:
            return self._unchanged(rewriting.problems)
        maps = [ElementMap(rule) for rule in elements]
        writing.rewritten(rewriting, {name: _through(maps, element) for name, element in writing.known.items()})
        return self._checked(writing, rewriting)

    def _checked(self, writing: Writing, rewriting: Rewriting) -> Modernised:
        """The changes after which the text is read as what the IR became."""
        wrong: list[Diagnostic] = []
        for _ in range(MOST_ROUNDS):
            changes = writing.changes(rewriting)
            if changes is None:
                wrong = [Diagnostic("its text cannot be changed piece by piece", None, "error", MODERNISE)]
                break
            text = changed(self.text, changes)
            again = load(text, self.today)
            told = _wrong(again, self.today)
            wrong = [_at(told_one, changes) for told_one in told]
            places = [diagnostic.span.start for diagnostic in wrong if diagnostic.span is not None]
            if not told:
                other = list(differing(self.loaded.module, again.module, rewriting.as_written))
                places = [op.span.start for op in other if op.span is not None]
                says = "what is written today would not mean the same"
                if not other:
                    places = [comment.start for comment in _lost(writing.comments, comments_of(again.tree))]
                    says = "this comment has no place in what is written today"
                if not other and not places:
                    return Modernised(text, tuple(changes), ())
                span = Span(places[0], places[0]) if places else None
                wrong = [Diagnostic(says, span, "error", MODERNISE)]
            if not writing.write_anew(places):
                break
        return self._unchanged(wrong)


def _lost(before: Sequence[Token], after: Sequence[Token]) -> Iterator[Token]:
    """The comments that are there no more."""
    there = Counter(comment.text for comment in after)
    for comment in before:
        there[comment.text] -= 1
        if there[comment.text] < 0:
            yield comment


def _at(diagnostic: Diagnostic, changes: Sequence[Change]) -> Diagnostic:
    """What is wrong with the changed text, at its place in the text as it was."""
    place = back(changes, diagnostic.span.start) if diagnostic.span is not None else None
    code = diagnostic.code if diagnostic.code == NO_COUNTERPART else MODERNISE
    return replace(diagnostic, span=Span(place, place) if place is not None else None, op=None, code=code)


def back(changes: Sequence[Change], place: int) -> int:
    """Where in the text as it was an offset of the changed one lies."""
    shift = 0
    for change in changes:
        if change.start + shift > place:
            break
        grown = len(change.text) - (change.end - change.start)
        if place < change.start + shift + len(change.text):
            return change.start
        shift += grown
    return place - shift


def _through(maps: Sequence[ElementMap], element: Element) -> Element:
    for each in maps:
        element = each.of(element)
    return element
