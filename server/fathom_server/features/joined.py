"""The whole document at the end of the pipeline, joined of what its functions and variables become: after a key only
what the key concerned is made again.

    llvm.func @f …        of the first item        front, the parts in order, back: byte for byte what is printed of the
    llvm.func @g …        of the second            whole
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import chain, repeat
from time import process_time
from types import MappingProxyType
from typing import Final, TypeAlias

from fathom.diagnostics import Diagnostic
from fathom.ir.operation import Span
from fathom.ir.printer import Link
from fathom.llvmir.linking import numbered_groups, with_numbers
from fathom.pipeline.apart import declared_together
from fathom.records import record
from fathom.slices import checkpoint, paced
from fathom.syntax.tree import Item
from fathom_server.features.contributions import Contribution, Piece, contributed, text_of
from fathom_server.features.rendering import Rendered
from fathom_server.features.stages import LLVM_DIALECT, LLVM_IR, PreviewStage
from fathom_server.model.apart import can_be_joined, items_apart, note_passes, passes_needed
from fathom_server.model.lowered import LONG, takes_long
from fathom_server.model.modules import Layout, items_of_split, splits
from fathom_server.model.queries import query
from fathom_server.model.scoping import symbols_of
from fathom_server.model.snapshot import Snapshot

MOST_LINES: Final = 20_000
"""A file of more lines than this takes minutes; it is not shown as a whole."""
_ROUNDS: Final = 4
"""So often it is looked which passes are needed by what the others leave."""


def joined(
    snapshot: Snapshot, split: Item | None, stage: PreviewStage, *, seconds: float | None = None
) -> Rendered | None:
    """A split at the last stage of the dialects or as LLVM IR, made of its items; None where that cannot be said of
    each of them alone. If nobody has seen it yet, what was made in so many `seconds` of the processor, if these are
    given, and each time at least as much as before."""
    if stage.id not in (LLVM_DIALECT, LLVM_IR):
        return None
    apart = items_apart(snapshot, split)
    if apart is None:
        return None
    items = apart.named
    before = _begun(snapshot, split, stage.id)
    if before is None or seconds is None:
        enough = None
    else:
        enough = _Enough(before, process_time() + seconds)
    made = _contributions(snapshot, split, stage.id, items, enough)
    if made is None:
        return None
    goes_on = len(made) < len(items)
    _note_begun(snapshot, split, stage.id, len(made) if goes_on else None)
    first = items_of_split(snapshot, split)[0]
    start = snapshot.start_of(first)
    places: dict[str, Place] = {name: snapshot.start_of(item) - start for name, item in items.items()}
    together = _together(made, places)
    if together is None:
        return None
    if apart.root is not None:
        # What passes declare comes from the module.
        places |= {name: apart.root for each in made for name in each.declared}
    write = _whole_dialect if stage.id == LLVM_DIALECT else _whole_llvm_ir
    text, links = write(together, places)
    so_far = Diagnostic(f"so far it is {len(made)} of {len(items)} functions and variables") if goes_on else None
    return Rendered(Layout((first,)), text, links, None, (), so_far, goes_on)


@record
class _Enough:
    """Up to when as many items as `before`, and more, are looked at."""

    before: int
    until: float

    def is_reached(self, count: int) -> bool:
        return count > 2 * self.before and process_time() > self.until


@query(keep=64)
def _known_so_far(_snapshot: Snapshot, _split: Item | None, _stage: str) -> int | None:
    """How much of a split was shown that is not shown as a whole yet; None if all of it was."""
    return 0


def _begun(snapshot: Snapshot, split: Item | None, stage: str) -> int | None:
    """The same; also where another version was shown as a whole."""
    so_far = _known_so_far(snapshot, split, stage)
    if so_far == 0 and any(of == stage for _, _, of, _ in snapshot.memory.answers(contributed)):
        return None
    return so_far


def _note_begun(snapshot: Snapshot, split: Item | None, stage: str, count: int | None) -> None:
    snapshot.memory.learn(_known_so_far, split, stage, answer=count, follows_from=lambda: None)


def is_soon_joined(snapshot: Snapshot, stage: PreviewStage) -> bool:
    """Whether the whole document at a stage takes no longer than a key may. It is not long, and no reason is known why
    it could not be joined."""
    if stage.id not in (LLVM_DIALECT, LLVM_IR) or snapshot.tree.line_count > LONG:
        return False
    for split in splits(snapshot):
        apart, passes = items_apart(snapshot, split), passes_needed(snapshot, split)
        if apart is None or not can_be_joined(snapshot, passes):
            return False
        for name, item in apart.named.items():
            key = (item, name, stage.id, passes)
            if contributed.is_known(snapshot, *key):
                if contributed(snapshot, *key) is None:
                    return False
            elif takes_long(snapshot, item):
                return False
    return True


def items_joined(snapshot: Snapshot, stage: PreviewStage) -> tuple[Item, ...]:
    """The items that have to be known to join what they become at a stage, as far as can be told by their syntax; none
    where nothing is joined."""
    if stage.id not in (LLVM_DIALECT, LLVM_IR) or snapshot.tree.line_count > MOST_LINES:
        return ()
    return tuple(item for item in snapshot.tree.items if symbols_of(item))


def _contributions(
    snapshot: Snapshot, split: Item | None, stage: str, items: Mapping[str, Item], enough: _Enough | None
) -> list[Contribution] | None:
    """What becomes of the items, or the first of them if these are enough, each where those passes are needed that any
    of them needs; None if one of them has none."""
    passes: frozenset[int] = passes_needed(snapshot, split)
    if not can_be_joined(snapshot, passes):
        passes = frozenset()
    known: dict[str, Contribution] = {}
    asked: dict[str, frozenset[int]] = {}
    for _ in range(_ROUNDS):
        for name, item in items.items():
            checkpoint()
            if asked.get(name) == passes:
                continue
            made = contributed(snapshot, item, name, stage, passes)
            if made is None:
                return None
            known[name], asked[name] = made, passes
            if not made.account.needed <= passes:
                passes |= made.account.needed
                if not can_be_joined(snapshot, passes):
                    note_passes(snapshot, split, passes)
                    return None
            if enough is not None and len(known) < len(items) and enough.is_reached(len(known)):
                note_passes(snapshot, split, passes)
                return [*known.values()]
        needed = frozenset[int]().union(*(made.account.needed for made in known.values()))
        if all(before == needed for before in asked.values()):
            note_passes(snapshot, split, needed)
            return [known[name] for name in items]
        passes = needed
    return None


@record
class _Together:
    """The parts of a whole by their names, in order; `beside` are those that LLVM IR declares behind all others."""

    front: str
    back: str
    variables: dict[str, Piece]
    functions: dict[str, Piece]


def _together(made: Sequence[Contribution], own: Collection[str]) -> _Together | None:
    """The parts of a whole of these contributions of items with these names; None where they do not fit."""
    declared = declared_together([each.account for each in made])
    if declared is None or len({(each.front, each.back) for each in made}) != 1:
        return None
    order = dict.fromkeys(chain(declared, own, chain.from_iterable(each.beside for each in made)))
    kinds: tuple[dict[str, Piece], dict[str, Piece]] = ({}, {})
    for each in made:
        for kind, pieces in zip(kinds, (each.variables, each.functions), strict=True):
            for name, piece in pieces.items():
                known = kind.setdefault(name, piece)
                if known is not piece and not (known.is_declaration and _spelled(known) == _spelled(piece)):
                    return None
    added = {name for each in made for name in chain(each.declared, each.beside)}
    if not added.isdisjoint(own) or not kinds[0].keys().isdisjoint(kinds[1]):
        return None
    variables, functions = ({name: kind[name] for name in order if name in kind} for kind in kinds)
    return _Together(made[0].front, made[0].back, variables, functions)


def _spelled(piece: Piece) -> object:
    """What is the same of two pieces that are the same in a whole."""
    return piece.text if piece.linked is None else with_numbers(piece.linked, {})


def _whole_dialect(together: _Together, places: Mapping[str, Place]) -> tuple[str, tuple[Link, ...]]:
    return _put_together([(together.front, (), 0), *_pieces(together.functions, places), (together.back, (), 0)])


def _whole_llvm_ir(together: _Together, places: Mapping[str, Place]) -> tuple[str, tuple[Link, ...]]:
    pieces = (*together.variables.values(), *together.functions.values())
    numbers = numbered_groups([piece.linked for piece in pieces if piece.linked is not None])
    written: list[_Written] = [(together.front, (), 0)]
    if together.variables:
        written += [("\n", (), 0), *_pieces(together.variables, places, numbers)]
    for each in _pieces(together.functions, places, numbers):
        written += [("\n", (), 0), each]
    if numbers:
        groups, _ = text_of(
            ["", *(f"attributes #{number} = {group}" for group, number in numbers.items())], repeat(None)
        )
        written.append((groups, (), 0))
    return _put_together([*written, (together.back, (), 0)])


Place: TypeAlias = "int | Span"
"""By how much the sources of links are to be moved, or what they are."""
_Written: TypeAlias = "tuple[str, tuple[Link, ...], Place]"
"""A text, its links and their place."""


def _pieces(
    of: Mapping[str, Piece], places: Mapping[str, Place], numbers: Mapping[str, int] = MappingProxyType({})
) -> Iterator[_Written]:
    for name, piece in of.items():
        text, links = piece.text, piece.links
        if piece.linked is not None:
            text, links = text_of(with_numbers(piece.linked, numbers), piece.sources)
        yield text, links, places.get(name, 0)


def _put_together(written: Iterable[_Written]) -> tuple[str, tuple[Link, ...]]:
    texts: list[str] = []
    links: list[Link] = []
    length = 0
    for text, own, place in paced(written):
        texts.append(text)
        if isinstance(place, Span):
            links += [Link(place, Span(target.start + length, target.end + length)) for _, target in own]
        else:
            links += [
                Link(Span(source.start + place, source.end + place), Span(target.start + length, target.end + length))
                for source, target in own
            ]
        length += len(text)
    return "".join(texts), tuple(links)
