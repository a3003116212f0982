"""What was found in an open document, item by item, as it is shown: all of it, or the gist of its lowering where nobody
asked that it should become LLVM IR.

What is wrong with the text is shown either way.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final

from fathom.diagnostics import UNKNOWN_OP, Diagnostic
from fathom.records import field, record, replace
from fathom.slices import paced
from fathom.syntax.tree import Item
from fathom_server.model.commands import mistakes_in_commands
from fathom_server.model.document import Document
from fathom_server.model.gist import Gist, is_leftover
from fathom_server.model.mistakes import stands_outside, unclosed_containers
from fathom_server.model.objections import Objections, by_item

MOST_PER_ITEM = 100
"""No more diagnostics than this are shown for one function."""


@record
class Mistakes:
    """What is wrong with the text of an item: all, and what is `calm`: without each operation of a dialect that nobody
    described, of which `unknown` has the first of each dialect."""

    all: tuple[Diagnostic, ...]
    calm: tuple[Diagnostic, ...]
    unknown: dict[str, Diagnostic]


@record
class Leftovers:
    """What the lowering of an item finds: all, what is `calm`: what fails, and not what is left behind, of which there
    is the `gist`."""

    all: tuple[Diagnostic, ...]
    calm: tuple[Diagnostic, ...]
    gist: Gist


NO_MISTAKES = Mistakes((), (), {})
NO_LEFTOVERS = Leftovers((), (), Gist())


@record
class Found:
    """What was found in an item so far."""

    mistakes: Mistakes = NO_MISTAKES
    """In its text."""
    whole: Mistakes | None = None
    """What is shown in their place, where it takes a look at the whole to find out."""
    left: Leftovers = NO_LEFTOVERS
    """By lowering it."""
    objected: Objections = ()
    """What lowering it tells of other items."""
    unused: tuple[Diagnostic, ...] = ()
    """Its values that are not used."""
    unused_names: tuple[Diagnostic, ...] = ()
    """Its symbols and aliases that were not when everything had been looked at."""
    deprecated: tuple[Diagnostic, ...] = ()
    """Its operations that should not be used any more."""
    remarks: tuple[Diagnostic, ...] = ()
    """What LLVM remarked as it made code of its functions, for who asked."""


NOTHING: Final = Found()


@record(frozen=False)
class Findings:
    """What was found so far, by the items of which there is anything to say."""

    items: dict[Item, Found] = field(default_factory=dict[Item, Found])
    changes: int = 0
    """How often what is shown changed."""
    faults: dict[Item, tuple[Diagnostic, ...]] = field(default_factory=dict[Item, "tuple[Diagnostic, ...]"])
    """Of these, what is to be mended in another file: in code of the workspace."""
    age: tuple[Diagnostic, ...] = ()
    """What is said at the top: that the document is of an older release of MLIR."""

    def of(self, item: Item) -> Found:
        """What was found in an item."""
        return self.items.get(item, NOTHING)

    def note(self, item: Item, now: Found) -> None:
        """Keeps what was found in an item."""
        self.changes += now != self.of(item)
        if now != NOTHING:
            self.items[item] = now
        else:
            self.items.pop(item, None)
        faults = tuple(fault for fault in now.left.all if fault.place is not None)
        if faults:
            self.faults[item] = faults
        else:
            self.faults.pop(item, None)

    def dated(self, age: tuple[Diagnostic, ...]) -> None:
        """Keeps what is said of the release of MLIR that the document is of."""
        self.changes += age != self.age
        self.age = age

    def forget(self, item: Item) -> None:
        """Forgets what was found in an item that is gone."""
        self.items.pop(item, None)
        self.faults.pop(item, None)

    def forget_lowering(self) -> None:
        """Forgets what the pipeline found, since it is another one."""
        for item, known in list(self.items.items()):
            self.note(item, replace(known, left=NO_LEFTOVERS, objected=(), unused=(), remarks=()))

    def is_broken(self, item: Item) -> bool:
        """Whether there is an error in the text of an item."""
        return any(diagnostic.severity == "error" for diagnostic in self.of(item).mistakes.all)

    def shown(
        self, document: Document, is_asked: Callable[[Item], bool], *, with_unused: bool, with_deprecated: bool
    ) -> Iterator[tuple[int, list[Diagnostic]]]:
        """What is known to be wrong, item by item in the order of the text, with the indices of the items; and what is
        not used, or deprecated, if that is wanted. `is_asked` says whether an item should become LLVM IR."""
        objected = {item: of_item.objected for item, of_item in self.items.items() if of_item.objected}
        told = by_item(document.snapshot(), objected) if objected else {}
        unclosed = unclosed_containers(document.tree)
        commands = mistakes_in_commands(document.tree, document.symbols, document.context)
        met: set[str] = set()
        age = self.age if document.context.edition is None else ()
        top = {document.tree.items[0]} if age and document.tree.items else set[Item]()
        concerned = (self.items.keys(), told.keys(), unclosed.keys(), commands.keys(), top)
        for index, item in document.tree.items.in_order(*concerned):
            known = self.of(item)
            wrong = known.whole if known.whole is not None else known.mistakes
            diagnostics = [*wrong.all, *known.left.all] if is_asked(item) else list(calm(wrong, known.left, met))
            diagnostics += commands.get(item, ())
            diagnostics += (*told.get(item, ()), *known.remarks)
            if with_unused:
                diagnostics += (*known.unused, *known.unused_names)
            if with_deprecated:
                diagnostics += known.deprecated
            if (brace := unclosed.get(item)) is not None and known.whole is None:
                diagnostics = [diagnostic for diagnostic in diagnostics if not stands_outside(item, brace, diagnostic)]
                diagnostics.append(brace)
            if not index:
                diagnostics += age
            if diagnostics:
                diagnostics.sort(key=lambda d: d.span.start if d.span is not None else 0)
                yield index, diagnostics


def mistakes(diagnostics: tuple[Diagnostic, ...], unknown: dict[str, Diagnostic]) -> Mistakes:
    """What is shown of the mistakes of an item."""
    if not diagnostics:
        return NO_MISTAKES
    all = shown(diagnostics)
    return Mistakes(
        all,
        shown(tuple(diagnostic for diagnostic in paced(diagnostics) if diagnostic.code != UNKNOWN_OP))
        if unknown
        else all,
        unknown,
    )


def leftovers(diagnostics: tuple[Diagnostic, ...], gist: Gist) -> Leftovers:
    """What is shown of the lowering of an item."""
    if not diagnostics:
        return NO_LEFTOVERS
    return Leftovers(
        shown(diagnostics),
        shown(tuple(diagnostic for diagnostic in paced(diagnostics) if not is_leftover(diagnostic))),
        gist,
    )


def calm(wrong: Mistakes, left: Leftovers, met: set[str]) -> Iterator[Diagnostic]:
    """What is shown of an item where nobody asked for its lowering. `met` are the dialects of which the items before it
    said something that is said once."""
    yield from wrong.calm
    yield from left.calm
    yield from left.gist.functions
    met |= left.gist.told
    for dialect, diagnostic in (*wrong.unknown.items(), *left.gist.beside):
        if dialect not in met:
            met.add(dialect)
            yield diagnostic


def shown(diagnostics: tuple[Diagnostic, ...]) -> tuple[Diagnostic, ...]:
    """What is to be shown of what was found in an item: causes, not what follows from them. Of a great many the first
    are shown, and where the others begin, how many these are."""
    if any(diagnostic.follows_from is not None for diagnostic in paced(diagnostics)):
        diagnostics = tuple(diagnostic for diagnostic in paced(diagnostics) if diagnostic.follows_from is None)
    if len(diagnostics) <= MOST_PER_ITEM:
        return diagnostics
    left = diagnostics[MOST_PER_ITEM:]
    severity = "error" if any(diagnostic.severity == "error" for diagnostic in left) else left[0].severity
    more = Diagnostic(f"and {len(left):,} more, which are not shown", left[0].span, severity)
    return (*diagnostics[:MOST_PER_ITEM], more)
