"""The whole document at the end of the pipeline, joined of what its functions and variables become: after a key only
what the key concerned is made again.

    llvm.func @f …        of the first item        front, the parts in order, back: byte for byte what is printed of the
    llvm.func @g …        of the second            whole
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import chain, repeat
from types import MappingProxyType
from typing import Final, TypeAlias

from fathom.ir.dismantle import dismantle
from fathom.ir.operation import Operation, Span
from fathom.ir.printer import Link, links_of, print_with_map
from fathom.ir.printing_flags import SHOWN_FLAGS
from fathom.irdl.interfaces import symbol_name
from fathom.llvmir.linking import LinkedPart, numbered_groups, with_numbers
from fathom.pipeline.apart import Account, declared_together
from fathom.pipeline.lowering import Lowering
from fathom.records import record
from fathom.slices import checkpoint, paced
from fathom.syntax.tree import Item
from fathom.translation.module import HEAD
from fathom_server.features.rendering import LONGEST_LINE, Rendered, cut
from fathom_server.features.stages import LLVM_DIALECT, LLVM_IR, PreviewStage
from fathom_server.model.apart import ROOT, can_be_joined, items_apart, lowered_beside, note_passes, passes_needed
from fathom_server.model.locations import locator
from fathom_server.model.modules import Layout, Module, items_of_split
from fathom_server.model.queries import query
from fathom_server.model.snapshot import Snapshot

MOST_ITEMS: Final = 8192
"""So many items are known by what becomes of them."""
_NAMED: Final = 'struct<"'
"""How a type begins that has a name."""
_ROUNDS: Final = 4
"""So often it is looked which passes are needed by what the others leave."""


@record
class Piece:
    """An operation of a module as text, which ends its last line, with links whose sources count from the beginning of
    its item."""

    text: str
    links: tuple[Link, ...]
    is_declaration: bool
    """Whether the whole has one of them, however many declare it."""
    linked: LinkedPart | None = None
    """In LLVM IR, its lines, if there are numbers of attribute groups in them, …"""
    sources: tuple[Span | None, ...] = ()
    """… and where these come from."""


@record
class Contribution:
    """What becomes of an item at a stage: what it is in the module, and what passes declare for it, by their names; and
    the text around. `beside` is what LLVM IR declares besides, in order; variables of LLVM IR stand in front of
    functions."""

    account: Account
    front: str
    back: str
    variables: Mapping[str, Piece]
    functions: Mapping[str, Piece]
    beside: tuple[str, ...] = ()

    @property
    def declared(self) -> Iterator[str]:
        """The names of what passes declared for it."""
        return chain.from_iterable(self.account.declared.values())


def joined(snapshot: Snapshot, split: Item | None, stage: PreviewStage) -> Rendered | None:
    """A split at the last stage of the dialects or as LLVM IR, made of its items; None where that cannot be said of
    each of them alone."""
    if stage.id not in (LLVM_DIALECT, LLVM_IR):
        return None
    apart = items_apart(snapshot, split)
    if apart is None:
        return None
    items = apart.named
    made = _contributions(snapshot, split, stage.id, items)
    if made is None:
        return None
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
    return Rendered(Layout((first,)), text, links, None, ())


def _contributions(
    snapshot: Snapshot, split: Item | None, stage: str, items: Mapping[str, Item]
) -> list[Contribution] | None:
    """What becomes of the items, each where those passes are needed that any of them needs; None if one of them has
    none."""
    passes = passes_needed(snapshot, split)
    known: dict[str, Contribution] = {}
    asked: dict[str, frozenset[int]] = {}
    for _ in range(_ROUNDS):
        for name, item in items.items():
            checkpoint()
            if asked.get(name) == passes:
                continue
            made = contributed(snapshot, item, name, stage, passes) if can_be_joined(snapshot, passes) else None
            if made is None:
                return None
            known[name], asked[name] = made, passes
            passes |= made.account.needed
        needed = frozenset(chain.from_iterable(made.account.needed for made in known.values()))
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
        groups, _ = _text_of(
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
            text, links = _text_of(with_numbers(piece.linked, numbers), piece.sources)
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


# ---- what single items become


@query(keep=MOST_ITEMS)
def contributed(snapshot: Snapshot, item: Item, name: str, stage: str, passes: frozenset[int]) -> Contribution | None:
    """What becomes of an item that is a function or a variable of this name, where others need these passes too; None
    where it is another than in the whole."""
    made = lowered_beside(snapshot, item, passes)
    if made is None:
        return None
    module, lowering, account = made
    try:
        take = _of_dialect if stage == LLVM_DIALECT else _of_llvm_ir
        contribution = take(snapshot, module, lowering, account, name)
    finally:
        dismantle(module.op)
    if contribution is None:
        return None
    for of, piece in (*contribution.variables.items(), *contribution.functions.items()):
        # What stands elsewhere goes its own ways.
        if not all(_is_in(link.source, item) if of == name else link.source == ROOT for link in piece.links):
            return None
    return contribution


def _is_in(source: Span, item: Item) -> bool:
    return 0 <= source.start <= source.end <= item.length


# ---- the LLVM dialect


def _of_dialect(
    _snapshot: Snapshot, module: Module, _lowering: Lowering, account: Account, name: str
) -> Contribution | None:
    text, ranges = print_with_map(module.op, SHOWN_FLAGS)
    top = [(op, start, end) for op, start, end in ranges if op.parent_op is module.op]
    if not top or not text.startswith(module.op.name.partition(".")[2]):
        return None  # Aliases stand in front.
    if _NAMED in text:
        return None  # What is converted of a type with a name gets another, which nothing else has.
    links = links_of(module.op, text, ranges)
    begins = [text.rfind("\n", 0, start) + 1 for _, start, _ in top]
    end = text.find("\n", top[-1][2]) + 1
    wanted = {name, *chain.from_iterable(account.declared.values())}
    pieces: dict[str, Piece] = {}
    for (op, _, _), first, last in zip(top, begins, [*begins[1:], end], strict=True):
        if symbol_name(op) in wanted:
            inside = (link for link in links if first <= link.target.start < last)
            moved = tuple(Link(source, Span(at.start - first, at.end - first)) for source, at in inside)
            pieces[symbol_name(op)] = Piece(text[first:last], moved, _is_declaration(op))
    return Contribution(account, text[: begins[0]], text[end:], {}, pieces) if pieces.keys() == wanted else None


def _is_declaration(op: Operation) -> bool:
    return bool(op.regions) and all(region.is_empty for region in op.regions)


# ---- LLVM IR


def _of_llvm_ir(
    snapshot: Snapshot, module: Module, lowering: Lowering, account: Account, name: str
) -> Contribution | None:
    made = lowering.translated(module.op, shown=LONGEST_LINE, locate=locator(snapshot, module.layout), in_parts=True)
    translation = made.translation
    parts = translation.parts
    if made.told or translation.unsaid or parts is None:
        return None
    inside = {symbol_name(op): op for region in module.op.regions for op in region.operations()}
    wanted = {name, *chain.from_iterable(account.declared.values())}
    beside = tuple(other for other in parts.functions if other not in inside)
    if any(variable not in inside for variable in parts.variables):
        return None

    def pieces(of: Mapping[str, LinkedPart]) -> dict[str, Piece]:
        return {
            other: _linked(part, translation.line_spans, is_declaration=op is None or _is_declaration(op))
            for other, part in of.items()
            for op in (inside.get(other),)
            if other in wanted or op is None
        }

    variables, functions = pieces(parts.variables), pieces(parts.functions)
    if {*variables, *functions} != {*wanted, *beside}:
        return None
    front = "".join(f"{line}\n" for line in (HEAD, *parts.front))
    back = "".join(f"{line}\n" for line in ("", *parts.back)) if parts.back else ""
    return Contribution(account, front, back, variables, functions, beside)


def _linked(part: LinkedPart, spans: Sequence[Span | None], *, is_declaration: bool) -> Piece:
    # The lines of the parts begin with the second one.
    sources = tuple(spans[part.start + 1 : part.start + 1 + len(part.lines)])
    text, links = _text_of(part.lines, sources)
    has_numbers = bool(part.head or part.body)
    return Piece(text, links, is_declaration, part if has_numbers else None, sources if has_numbers else ())


def _text_of(lines: Iterable[str], sources: Iterable[Span | None]) -> tuple[str, tuple[Link, ...]]:
    return cut((f"{line}\n" for line in lines), ((span,) if span is not None else () for span in sources))
