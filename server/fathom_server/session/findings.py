"""What was found in an open document, item by item, as it is shown: all of it, or the gist of its lowering where nobody
asked that it should become LLVM IR.

What is wrong with the text is shown either way.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TypeVar

from fathom.diagnostics import UNKNOWN_OP, Diagnostic
from fathom.records import field, record
from fathom.slices import paced
from fathom.syntax.tree import Item
from fathom_server.model.commands import mistakes_in_commands
from fathom_server.model.document import Document
from fathom_server.model.elaboration import stands_outside, unclosed_containers
from fathom_server.model.gist import Gist, is_leftover
from fathom_server.model.objections import Objections, by_item

T = TypeVar("T")

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


@record(frozen=False)
class Findings:
    """What was found so far: `mistakes` in the text, and what is `left` by lowering it."""

    mistakes: dict[Item, Mistakes] = field(default_factory=dict[Item, Mistakes])
    whole: dict[Item, Mistakes] = field(default_factory=dict[Item, Mistakes])
    """What is shown of items in the place of `mistakes`, where it takes a look at the whole to find out."""
    left: dict[Item, Leftovers] = field(default_factory=dict[Item, Leftovers])
    objected: dict[Item, Objections] = field(default_factory=dict[Item, Objections])
    """What lowering items tells of others."""
    unused: dict[Item, tuple[Diagnostic, ...]] = field(default_factory=dict[Item, "tuple[Diagnostic, ...]"])
    """The values of each item that are not used."""
    unused_names: dict[Item, tuple[Diagnostic, ...]] = field(default_factory=dict[Item, "tuple[Diagnostic, ...]"])
    """The symbols and aliases that were not when everything had been looked at."""
    deprecated: dict[Item, tuple[Diagnostic, ...]] = field(default_factory=dict[Item, "tuple[Diagnostic, ...]"])
    """The operations of each item that should not be used any more."""
    changes: int = 0
    """How often what is shown changed."""

    def note(self, found: dict[Item, T], item: Item, now: T, nothing: T) -> None:
        """Keeps in one of the tables what was found in an item."""
        self.changes += now != found.get(item, nothing)
        if now != nothing:
            found[item] = now
        else:
            found.pop(item, None)

    def forget(self, item: Item) -> None:
        """Drops what was found in an item that is gone."""
        for found in (self.mistakes, self.whole, self.left, self.objected):
            found.pop(item, None)
        for hints in (self.unused, self.unused_names, self.deprecated):
            hints.pop(item, None)

    def forget_lowering(self) -> None:
        """Drops what the pipeline found, since it is another one."""
        self.left.clear()
        self.objected.clear()
        self.unused.clear()

    def is_broken(self, item: Item) -> bool:
        """Whether there is an error in the text of an item."""
        return any(each.severity == "error" for each in self.mistakes.get(item, NO_MISTAKES).all)

    def shown(
        self, document: Document, is_asked: Callable[[Item], bool], *, with_unused: bool, with_deprecated: bool
    ) -> Iterator[tuple[int, list[Diagnostic]]]:
        """What is known to be wrong, item by item in the order of the text, with the indices of the items; and what is
        not used, or deprecated, if that is wanted. `is_asked` says whether an item should become LLVM IR."""
        hints = (self.unused, self.unused_names) if with_unused else ()
        hints += (self.deprecated,) if with_deprecated else ()
        told = by_item(document.snapshot(), self.objected) if self.objected else {}
        unclosed = unclosed_containers(document.tree)
        commands = mistakes_in_commands(document.tree, document.symbols)
        concerned = (
            self.mistakes.keys(),
            self.whole.keys(),
            self.left.keys(),
            told.keys(),
            unclosed.keys(),
            commands.keys(),
            *(known.keys() for known in hints),
        )
        met: set[str] = set()
        for index, item in document.tree.items.in_order(*concerned):
            wrong = self.whole.get(item, self.mistakes.get(item, NO_MISTAKES))
            left = self.left.get(item, NO_LEFTOVERS)
            found = [*wrong.all, *left.all] if is_asked(item) else list(calm(wrong, left, met))
            found += commands.get(item, ())
            found += told.get(item, ())
            found += [each for known in hints for each in known.get(item, ())]
            if (brace := unclosed.get(item)) is not None and item not in self.whole:
                found = [each for each in found if not stands_outside(item, brace, each)]
                found.append(brace)
            found.sort(key=lambda d: d.span.start if d.span is not None else 0)
            yield index, found


def mistakes(found: tuple[Diagnostic, ...], unknown: dict[str, Diagnostic]) -> Mistakes:
    """What is shown of the mistakes of an item."""
    if not found:
        return NO_MISTAKES
    all = shown(found)
    return Mistakes(
        all, shown(tuple(each for each in paced(found) if each.code != UNKNOWN_OP)) if unknown else all, unknown
    )


def leftovers(found: tuple[Diagnostic, ...], gist: Gist) -> Leftovers:
    """What is shown of the lowering of an item."""
    if not found:
        return NO_LEFTOVERS
    return Leftovers(shown(found), shown(tuple(each for each in paced(found) if not is_leftover(each))), gist)


def calm(wrong: Mistakes, left: Leftovers, met: set[str]) -> Iterator[Diagnostic]:
    """What is shown of an item where nobody asked for its lowering. `met` are the dialects of which the items before it
    said something that is said once."""
    yield from wrong.calm
    yield from left.calm
    yield from left.gist.functions
    met |= left.gist.told
    for dialect, found in (*wrong.unknown.items(), *left.gist.beside):
        if dialect not in met:
            met.add(dialect)
            yield found


def shown(found: tuple[Diagnostic, ...]) -> tuple[Diagnostic, ...]:
    """What is to be shown of what was found in an item: causes, not what follows from them. Of a great many the first
    are shown, and where the others begin, how many these are."""
    if any(each.follows_from is not None for each in paced(found)):
        found = tuple(each for each in paced(found) if each.follows_from is None)
    if len(found) <= MOST_PER_ITEM:
        return found
    left = found[MOST_PER_ITEM:]
    severity = "error" if any(each.severity == "error" for each in left) else left[0].severity
    more = Diagnostic(f"and {len(left):,} more, which are not shown", left[0].span, severity)
    return (*found[:MOST_PER_ITEM], more)
