"""What was found in an item of an open document, as it is shown: all of it, or the gist of its lowering where nobody
asked that it should become LLVM IR.

What is wrong with the text is shown either way.
"""

from __future__ import annotations

from collections.abc import Iterator

from fathom.diagnostics import UNKNOWN_OP, Diagnostic
from fathom.records import record
from fathom.slices import paced
from fathom_server.model.gist import Gist, is_leftover

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
