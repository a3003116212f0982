"""The names that were probably meant."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from difflib import get_close_matches
from typing import Final

from fathom.editions.renames import today
from fathom.ir.attributes import SymbolRefAttr
from fathom.ir.operation import Block, Operation, Region
from fathom.ir.types import POISON
from fathom_server.features.edits import Fix, Replacement, Trust
from fathom_server.features.fixes.mistake import Mistake
from fathom_server.features.fixes.trials import mending, mending_if_small
from fathom_server.model.aliases import aliases_for
from fathom_server.model.scoping import free_names, is_function, nearest_beside, scope_at, scope_of_symbol, symbols_of

MOST: Final = 3
"""So many names are offered for one."""


def _changes(mistake: Mistake, names: Iterable[str], start: int, end: int) -> Iterator[Fix]:
    for name in names:
        yield Fix(f"Change to `{name}`", (mistake.replaced(start, end, name),), trust=Trust.GUESSED)


def operations(mistake: Mistake) -> Sequence[Fix]:
    """The operations of the dialect whose names are like the one that stands there; if all is well with some of them,
    those alone."""
    item, span = mistake.item, mistake.span
    word = item.text_between(span.start, span.end)
    if today(word) is not None:
        return []  # What it was called is known.
    prefix, dot, rest = word.partition(".") if "." in word else ("", "", word)
    default = item.pieces[item.piece_at(span.start)].frame.default_dialect
    dialect = mistake.snapshot.context.dialect(prefix if dot else default)
    names = [full_name.partition(".")[2] for full_name in dialect.by_name] if dialect is not None else []
    near = (f"{prefix}{dot}{name}" for name in get_close_matches(rest, names, MOST))
    changes = list(_changes(mistake, near, span.start, span.end))
    return list(mending(mistake, changes, wholly=True)) or changes


def dialects(mistake: Mistake) -> Iterator[Fix]:
    """The operations of dialects whose names are like the one of an operation that nobody has described."""
    item, span, context = mistake.item, mistake.span, mistake.snapshot.context
    word = item.text_between(span.start, span.end)
    prefix, dot, name = word.partition(".")
    if not dot or context.dialect(prefix) is not None:
        return
    near = (f"{match_}.{name}" for match_ in get_close_matches(prefix, context.dialect_names(), MOST))
    yield from _changes(
        mistake, (dialect for dialect in near if context.lookup(dialect) is not None), span.start, span.end
    )


def values(mistake: Mistake) -> Iterator[Fix]:
    """The values before the place that can be used there, of the type that is wanted, and whose names are alike."""
    item, span, known = mistake.item, mistake.span, mistake.known
    index = item.piece_at(span.start)
    site = known.sites[item.pieces[index]]
    first = span.start - item.start(index)
    wanted = next((value for token, value in site.uses.items() if site.span(token).first == first), None)
    if wanted is None:
        return
    around = [set(_blocks_around(user)) for user in wanted.uses]
    seen = {block for blocks in around for block in blocks}
    named: dict[str, Block | None] = {}
    for value, place in known.definitions():
        where = place.span
        fits = value.type == wanted.type or POISON in (value.type, wanted.type)
        if fits and where.end <= span.start and value.parent_block in seen:
            named[item.text_between(where.start, where.end).partition(":")[0]] = value.parent_block
    changes: list[Fix] = []
    for name in get_close_matches(item.text_between(span.start, span.end), named, MOST):
        # One mistake is shown for all uses of a name.
        is_seen = all(named[name] in blocks for blocks in around)
        spans = {(place.start, place.end) for place in (*(known.use_spans(wanted) if is_seen else ()), span)}
        edit = tuple(mistake.replaced(*span, name) for span in sorted(spans))
        changes.append(Fix(f"Change to `{name}`", edit, trust=Trust.GUESSED))
    yield from mending_if_small(mistake, changes)
    yield from mending(mistake, _beside(mistake))


def _beside(mistake: Mistake) -> Iterator[Fix]:
    """The name of a value that is defined beside functions, in another item, where such can be seen."""
    start = mistake.span.start
    free = next(
        (text for text, value in free_names(mistake.item, mistake.known) if value.places[0].span.start == start), None
    )
    name, number, index = free.partition("#") if free is not None else ("", "", "")
    near = nearest_beside(mistake.snapshot, mistake.item, name) if name else None
    if near is not None:
        yield from _changes(mistake, [f"{near}{number}{index}"], start, mistake.span.end)


def blocks(mistake: Mistake) -> Iterator[Fix]:
    """The labels of the same region that are like the one that stands there."""
    region = _region(mistake)
    labels = mistake.known.labels.get(region) if region is not None else None
    if labels is not None:
        span = mistake.span
        near = get_close_matches(mistake.item.text_between(span.start, span.end), sorted(labels.defined), MOST)
        yield from _changes(mistake, near, span.start, span.end)


def _region(mistake: Mistake) -> Region | None:
    """The region of the blocks around a mistake."""
    site = mistake.site
    op = next(iter(site.operations.values()), None) if site is not None else None
    return op.parent.parent if op is not None and op.parent is not None else None


def aliases(mistake: Mistake) -> Iterator[Fix]:
    """The aliases of the part of the document whose names are like the one that stands there, where none has it; and
    the definition that another part of the document has of it."""
    item, span = mistake.item, mistake.span
    name = item.text_between(span.start, span.end)
    known = aliases_for(mistake.snapshot, item)
    if name[:1] not in ("!", "#") or "." in name or known.definition(name) is not None:
        return
    names = [f"{name[0]}{alias}" for alias in (known.types if name[0] == "!" else known.attributes)]
    yield from _changes(mistake, get_close_matches(name, names, MOST), span.start, span.end)
    for others in mistake.snapshot.aliases.values():
        definition = others.definition(name)
        if definition is not None:
            text = definition[0].text.strip()
            place = _begin_of_part(mistake)
            yield Fix(f"Define `{name}` as elsewhere", (Replacement(place, place, f"{text}{mistake.line_break}"),))
            return


def _begin_of_part(mistake: Mistake) -> int:
    """Where the first statement stands of the part of the document in which a mistake is."""
    tree = mistake.snapshot.tree
    around = tree.split_around(tree.index_of(mistake.item))
    for index in range(around.start, around.stop):
        item = tree.items[index]
        first = item.first_statement + item.begins_split
        if item.first_statement >= 0 and first < len(item.pieces):
            return tree.start(index) + item.start(first)
    return mistake.base


def redefined(mistake: Mistake) -> Iterator[Fix]:
    """Another name for a value that has that of an earlier one, here and where it is used behind."""
    item, span = mistake.item, mistake.span
    name = item.text_between(span.start, span.end)
    site = mistake.site
    if not name.startswith("%") or site is None:
        return
    token = next((token for token in site.definitions if site.span(token) == span), None)
    if token is None or not is_defined_before(mistake, name.partition(":")[0]):
        return
    fresh = mistake.fresh(name)
    edit = [mistake.replaced(span.start, span.end, fresh)]
    for value in site.definitions[token]:
        for use in mistake.known.use_spans(value):
            old = item.text_between(use.start, use.end)
            edit.append(mistake.replaced(use.start, use.end, fresh + old[len(name) :]))
    yield Fix(f"Rename to `{fresh}`", tuple(sorted(edit, key=lambda replacement: replacement.start)))


def is_defined_before(mistake: Mistake, name: str) -> bool:
    """Whether something before a mistake, in whatever scope, has the name of a value."""
    places = {defined.span.place for _, defined in mistake.known.definitions()}
    before = (mistake.text[start:end] for start, end in places if start < mistake.span.start)
    return any(text.partition(":")[0] == name for text in before)


def _blocks_around(op: Operation) -> Iterable[Block]:
    block = op.parent
    while block is not None:
        yield block
        owner = block.parent.parent if block.parent is not None else None
        block = owner.parent if owner is not None else None


def functions(mistake: Mistake) -> Iterator[Fix]:
    """The functions in the same scope whose names are like the one that is called."""
    op, snapshot = mistake.op(), mistake.snapshot
    callee = op.properties.get("callee") if op is not None else None
    if op is None or not isinstance(callee, SymbolRefAttr) or callee.nested:
        return
    scope = scope_at(snapshot, mistake.item, mistake.span.start)
    names = [
        symbol.name
        for item in snapshot.tree.items
        for symbol in symbols_of(item)
        if is_function(snapshot, symbol) and scope_of_symbol(snapshot, symbol) == scope
    ]
    statement = mistake.statement(op)
    place = mistake.text.find(f"@{callee.root}", statement.start, statement.end)
    if place >= 0:
        near = (f"@{name}" for name in get_close_matches(callee.root, names, MOST))
        yield from _changes(mistake, near, place, place + 1 + len(callee.root))
