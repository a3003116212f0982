"""Code lenses: what can be done with a function, above it, how often it is used and what it copies, and the test above
each command that a comment says how to run."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, Literal

from fathom.execution.callable import uncallable
from fathom.ir.operation import Span
from fathom.records import record
from fathom_server.features.functions import signature_of
from fathom_server.features.hover.in_memory import Tensors
from fathom_server.features.lower import is_left_in
from fathom_server.features.navigation import references
from fathom_server.features.symbols import OutlineEntry, outline
from fathom_server.features.tests import tests
from fathom_server.model.in_memory import mentions_tensors
from fathom_server.model.lowered import stalled, takes_long
from fathom_server.model.scoping import Role, Symbol, find, name_of
from fathom_server.model.snapshot import Snapshot

Kind = Literal["run", "bench", "preview", "lower", "uses", "copies", "test"]

MOST_LOWERED: Final = 20
"""So many functions of which it is not known yet are lowered to find out whether they can be run."""
CALLABLE: Final = ("func", "llvm")
"""The dialects whose functions can be called from outside."""


@record
class Lens:
    """Something to do about `function`, by the name that clients call it by, or about the test whose text is `command`;
    shown above the line of a range of the document. How often a function is used, and what it copies, is found out when
    the lens is shown."""

    kind: Kind
    start: int
    end: int
    function: str = ""
    command: str = ""


def lenses(snapshot: Snapshot) -> list[Lens]:
    """The lenses of a document, in the order of the text."""
    shown = [Lens("test", test.start, test.end, command=test.command) for test in tests(snapshot)]
    left = MOST_LOWERED
    for entry in _functions(outline(snapshot)):
        symbol = entry.symbol
        if symbol is None:
            continue
        dialect, name = symbol.op_name.partition(".")[0], name_of(snapshot, symbol)
        offered: dict[Kind, bool] = {
            "run": symbol.has_body and dialect in CALLABLE and _is_callable(snapshot, symbol),
            "bench": False,
            "preview": symbol.has_body,
            "lower": symbol.has_body and dialect != "llvm",
            "uses": True,
            "copies": symbol.has_body and mentions_tensors(snapshot, symbol.item),
        }
        if offered["run"]:
            is_known = stalled.is_known(snapshot, symbol.item)
            if not is_known and left > 0 and not takes_long(snapshot, symbol.item):
                left, is_known = left - 1, True
            offered["run"] = not is_known or not any(
                is_left_in(diagnostic, (symbol,)) for diagnostic in stalled(snapshot, symbol.item)
            )
        offered["bench"] = offered["run"]
        shown += [
            Lens(kind, entry.name_start, entry.name_end, name) for kind, is_offered in offered.items() if is_offered
        ]
    return sorted(shown, key=lambda lens: lens.start)


def _is_callable(snapshot: Snapshot, symbol: Symbol) -> bool:
    """Whether the types of a function are such as a program can be called with."""
    signature = signature_of(snapshot, symbol)
    return signature is not None and uncallable(signature) is None


@record
class Counted:
    """The title of a lens, and the places that it counts."""

    title: str
    places: list[Span]


def counted(snapshot: Snapshot, function: str, kind: str) -> Counted | None:
    """How often a function is used, or what it copies; None if it is not there any more."""
    symbol = find(snapshot, function)
    if symbol is None:
        return None
    return copies_in(snapshot, symbol) if kind == "copies" else _uses_of(snapshot, symbol)


def _uses_of(snapshot: Snapshot, symbol: Symbol) -> Counted:
    """Where a function is used, in the order of the text."""
    places = references(snapshot, snapshot.start_of(symbol.item) + symbol.name_start, False)
    return Counted("1 use" if len(places) == 1 else f"{len(places) or 'no'} uses", places)


def copies_in(snapshot: Snapshot, symbol: Symbol) -> Counted:
    """What a function copies of tensors, and what it allocates again and again."""
    tensors, start = Tensors(snapshot, symbol.item), snapshot.start_of(symbol.item)
    if not tensors.have_memory:
        failed = "no memory for its tensors" if tensors.failed else "copies are not known"
        return Counted("too many tensors to count copies" if tensors.too_many else failed, [])
    made = [new for new in tensors.made if symbol.start <= new.op.start < symbol.full_end]
    copies, again = (
        [made_here for made_here in made if made_here.is_copy],
        [made_here for made_here in made if made_here.again and not made_here.is_copy],
    )
    said = [_count(len(copies), "copy", "copies")]
    if again:
        said.append(f"{_count(len(again), 'allocation', 'allocations')} in loop")
    places = dict.fromkeys((copy.op.start, copy.op.end) for copy in (*copies, *again))
    return Counted(", ".join(said), [Span(start + first, start + last) for first, last in sorted(places)])


def _count(number: int, one: str, several: str) -> str:
    return f"{number or 'no'} {one if number == 1 else several}"


def _functions(entries: list[OutlineEntry]) -> Iterator[OutlineEntry]:
    for entry in entries:
        if entry.role is Role.FUNCTION:
            yield entry
        yield from _functions(entry.children)
