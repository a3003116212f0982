"""What functions and variables become at the end of the pipeline, each lowered alone as it would be beside the others
(`joined.py`): as text, or in the process beside the server, from where the others learn of it.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import chain
from typing import Final

from fathom.ir.dismantle import dismantle
from fathom.ir.operation import Operation, Span
from fathom.ir.printer import Link, links_of, print_with_map
from fathom.ir.printing_flags import SHOWN_FLAGS
from fathom.irdl.interfaces import symbol_name
from fathom.llvmir.linking import LinkedPart
from fathom.pipeline.apart import Account
from fathom.pipeline.lowering import Lowering
from fathom.records import record
from fathom.syntax.tree import Item
from fathom.translation.module import HEAD
from fathom_server.features.rendering import LONGEST_LINE, cut
from fathom_server.features.stages import LLVM_DIALECT
from fathom_server.model.apart import ROOT, lowered_beside, note_passes, passes_needed
from fathom_server.model.locations import locator
from fathom_server.model.lowered import ask_basis
from fathom_server.model.modules import Module
from fathom_server.model.queries import query
from fathom_server.model.snapshot import Snapshot

MOST_ITEMS: Final = 8192
"""So many items are known by what becomes of them."""
_NAMED: Final = 'struct<"'
"""How a type begins that has a name."""


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
    text, links = text_of(part.lines, sources)
    has_numbers = bool(part.head or part.body)
    return Piece(text, links, is_declaration, part if has_numbers else None, sources if has_numbers else ())


def text_of(lines: Iterable[str], sources: Iterable[Span | None]) -> tuple[str, tuple[Link, ...]]:
    return cut((f"{line}\n" for line in lines), ((span,) if span is not None else () for span in sources))


# ---- what is found out elsewhere


@record
class Learned:
    """What an item of a version, by its index, becomes where these passes are needed; or which passes the split needs
    that it begins, None for the first one."""

    item: int | None
    passes: frozenset[int]
    name: str = ""
    stage: str = ""
    contribution: Contribution | None = None


def found(snapshot: Snapshot, known: Collection[object]) -> Iterator[Learned]:
    """What was found out about a version besides what was `known`, by the keys of `keys_known`."""
    index = snapshot.tree.index_of
    for key, passes in snapshot.memory.answers(passes_needed).items():
        (split,) = key
        yield Learned(index(split) if split is not None else None, passes)
    for key, contribution in snapshot.memory.answers(contributed).items():
        if key not in known:
            item, name, stage, passes = key
            yield Learned(index(item), passes, name, stage, contribution)


def keys_known(snapshot: Snapshot) -> Collection[object]:
    """What is known of a version of what its items become."""
    return set(snapshot.memory.answers(contributed))


def learn(snapshot: Snapshot, learned: Learned) -> None:
    """Takes over what was found out about this version elsewhere."""
    item = snapshot.tree.items[learned.item] if learned.item is not None else None
    if not learned.name or item is None:
        note_passes(snapshot, item, learned.passes)
        return
    key = (item, learned.name, learned.stage, learned.passes)
    snapshot.memory.learn(
        contributed, *key, answer=learned.contribution, follows_from=lambda: ask_basis(snapshot, item)
    )
