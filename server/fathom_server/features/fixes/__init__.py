"""What would mend a mistake, by its code: one module for each kind of fix."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Final

from fathom.diagnostics import (
    DOMINANCE,
    ELABORATE,
    FAILED_TO_LEGALIZE,
    ILLEGAL_PRODUCT,
    LEFTOVERS,
    MAIN_ARGUMENTS,
    MISSING_SYMBOL,
    MISSING_TERMINATOR,
    NO_TRANSLATION,
    NOT_FREED,
    NOT_IN_PLACE,
    OVERRUN,
    PARSE,
    PIPELINE_NESTING,
    SIGNATURE,
    STRAY,
    TYPE_MISMATCH,
    UNCLOSED,
    UNDECLARED_BLOCK,
    UNDECLARED_VALUE,
    UNKNOWN_FUNCTION,
    UNKNOWN_OP,
    UNREGISTERED,
    UNRESOLVED,
    VERIFY,
)
from fathom.ir.types import MOST_AGAIN
from fathom_server.features.edits import Fix, Trust
from fathom_server.features.fixes.block_arguments import as_block_argument
from fathom_server.features.fixes.endings import ended, moved, otherwise
from fathom_server.features.fixes.entries import with_entry
from fathom_server.features.fixes.functions import called, declared, renamed, returned
from fathom_server.features.fixes.mistake import Mistake
from fathom_server.features.fixes.names import aliases, blocks, dialects, functions, operations, redefined, values
from fathom_server.features.fixes.outdated import modernised
from fathom_server.features.fixes.passing import passed
from fathom_server.features.fixes.pipelines import nested, repaired, with_library
from fathom_server.features.fixes.results import counted, given
from fathom_server.features.fixes.rewording import mismatched, renumbered, reworded
from fathom_server.features.fixes.signatures import unpacked
from fathom_server.features.fixes.spelling import spelled, typed
from fathom_server.features.fixes.terminators import terminated
from fathom_server.features.fixes.tokens import closed, inserted, opened, removed
from fathom_server.model.commands import mistakes_in_commands
from fathom_server.model.lowered import quickly_stalled
from fathom_server.model.mistakes import diagnostics
from fathom_server.model.snapshot import Snapshot

FIXES: Final[dict[str, tuple[Callable[[Mistake], Iterable[Fix]], ...]]] = {
    UNDECLARED_VALUE: (values,),
    UNDECLARED_BLOCK: (blocks,),
    ELABORATE: (modernised, aliases, redefined, counted, renumbered, spelled),
    PARSE: (modernised, spelled, typed, opened, inserted),
    OVERRUN: (modernised,),
    STRAY: (removed,),
    UNCLOSED: (closed,),
    UNREGISTERED: (modernised, ended, operations),
    UNKNOWN_OP: (modernised, dialects),
    TYPE_MISMATCH: (mismatched,),
    VERIFY: (passed, given, returned, renamed, ended, moved, otherwise, reworded),
    DOMINANCE: (as_block_argument,),
    MISSING_TERMINATOR: (terminated,),
    UNKNOWN_FUNCTION: (functions, declared),
    PIPELINE_NESTING: (nested,),
    MISSING_SYMBOL: (with_library,),
    MAIN_ARGUMENTS: (with_entry,),
    **dict.fromkeys(
        (*LEFTOVERS, FAILED_TO_LEGALIZE, ILLEGAL_PRODUCT, NOT_FREED, NOT_IN_PLACE, UNRESOLVED), (repaired,)
    ),
    NO_TRANSLATION: (repaired, called),
    SIGNATURE: (repaired, unpacked),
}


CERTAIN: Final = frozenset({UNREGISTERED, ELABORATE, PARSE, UNCLOSED, MISSING_TERMINATOR})
"""The codes of mistakes that are mended together with all others, where there is one way to mend them."""


def fixes_at(snapshot: Snapshot, start: int, end: int) -> list[Fix]:
    """The fixes of the mistakes that a range of the document touches, the likeliest of each mistake first."""
    return [fix for fix, _, _ in mendings_at(snapshot, start, end)]


def mendings_at(snapshot: Snapshot, start: int, end: int) -> list[tuple[Fix, Mistake, bool]]:
    """The fixes of the mistakes that a range of the document touches, each with the mistake, and whether it is the one
    to be preferred."""
    offered: dict[Fix, tuple[Fix, Mistake, bool]] = {}
    for mistake in mistakes_at(snapshot, start, end):
        fixes = (
            _fixes(mistake, FIXES.get(mistake.diagnostic.code, ())) if mistake.diagnostic.follows_from is None else []
        )
        preferred = _preferred(fixes)
        for fix in fixes:
            offered.setdefault(fix, (fix, mistake, fix is preferred))
    return list(offered.values())


def only_fix(mistake: Mistake, *, is_tried: bool) -> Fix | None:
    """The fix of a mistake that may be made without being looked at: what a table says is the same, or else the only
    one, if it is no guess and does not change what others see or what is computed. This is looked for if it `is_tried`.
    """
    if mistake.diagnostic.follows_from is not None:
        return None
    # Of other mistakes no fix is looked for that would not be made: to try them takes long where there are many.
    is_certain = is_tried and mistake.diagnostic.code in CERTAIN
    ways = FIXES.get(mistake.diagnostic.code, ())
    fix = _preferred(_fixes(mistake, (way for way in ways if is_certain or way is modernised)))
    if fix is None or not fix.edit:
        return None
    return fix if is_certain or fix.trust is Trust.KNOWN else None


def _preferred(fixes: Sequence[Fix]) -> Fix | None:
    """The fix to be preferred to all others: the one that is known to be the same, or else the only one, if it is no
    guess."""
    known = [fix for fix in fixes if fix.trust is Trust.KNOWN]
    if known or len(fixes) != 1:
        return known[0] if len(known) == 1 else None
    return fixes[0] if fixes[0].trust is Trust.MENDS else None


def _fixes(mistake: Mistake, ways: Iterable[Callable[[Mistake], Iterable[Fix]]]) -> list[Fix]:
    fitting: dict[Fix, None] = {}
    for fixes in ways:
        # In the text of a longer type something may be left out.
        fitting |= dict.fromkeys(
            fix for fix in fixes(mistake) if all(len(replacement.text) <= MOST_AGAIN for replacement in fix.edit)
        )
        if any(fix.trust is Trust.KNOWN for fix in fitting):
            break  # What is only like it is not thought of where it is known what it was.
    return list(fitting)


def unknown_dialects_at(snapshot: Snapshot, start: int, end: int) -> Iterator[str]:
    """The dialects that nobody has described of the operations that a range of the document touches."""
    for mistake in mistakes_at(snapshot, start, end):
        dialect, dot, _ = mistake.item.text_between(mistake.span.start, mistake.span.end).partition(".")
        if mistake.diagnostic.code == UNKNOWN_OP and dot and snapshot.context.dialect(dialect) is None:
            yield dialect


def mistakes_of(snapshot: Snapshot, *, known: bool = False, unknown: bool = False) -> Iterator[Mistake]:
    """The errors in a document, but for those of commands and of the lowering, in the order of the text; with `known`
    those that were found already, and with `unknown` the operations that nobody has described as well."""
    for item, base in snapshot.tree.items.with_offsets():
        if known and not diagnostics.is_known(snapshot, item):
            continue
        for diagnostic in diagnostics(snapshot, item):
            if diagnostic.span is not None and (
                diagnostic.severity == "error" or (unknown and diagnostic.code == UNKNOWN_OP)
            ):
                yield Mistake(snapshot, item, base, diagnostic, diagnostic.span)


def mistakes_at(snapshot: Snapshot, start: int, end: int) -> Iterator[Mistake]:
    """What was found at a range of the document."""
    tree = snapshot.tree
    if not tree.items:
        return
    commands = mistakes_in_commands(tree, snapshot.symbols, snapshot.context)
    for index in range(tree.item_at_offset(start), tree.item_at_offset(end) + 1):
        item, base = tree.items[index], tree.start(index)
        left = quickly_stalled(snapshot, item)
        for diagnostic in (*diagnostics(snapshot, item), *commands.get(item, ()), *left):
            span = diagnostic.span
            if span is not None and base + span.start <= end and start <= base + span.end:
                yield Mistake(snapshot, item, base, diagnostic, span)
