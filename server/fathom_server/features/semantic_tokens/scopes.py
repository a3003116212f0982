"""Which names of values are arguments, and which are used by nobody: the names of an item resolved in its text, so that
a line that is not whole makes none of the others unused.

A name means what has it in the regions around it, up to one that sees nothing of what is outside; it may be defined
after its use. Source of the rules: *MLIR Language Reference*, "Value scoping".
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import islice
from typing import Final

from fathom.slices import paced
from fathom.syntax.pieces import Piece, Pieces
from fathom.syntax.sequence import Chunk
from fathom.syntax.shapes import Shape
from fathom_server.features.semantic_tokens.legend import Modifier
from fathom_server.features.semantic_tokens.roles import Act, Roles

NOTHING, ARGUMENT, UNUSED = 0, 1, int(Modifier.UNUSED)
"""What can be said of the name of a value: nothing more, that it is an argument where it is used, or that it is not
used, where it is defined."""

MOST_CHANGED: Final = 20
"""After an edit of more statements than this all names of an item are resolved again."""

Marks = tuple[int, ...]
"""What is said of each name of a value in a statement."""


class _Name:
    """A name that was given to a value, or to several."""

    __slots__ = ("is_argument", "is_used")

    def __init__(self, is_argument: bool, is_used: bool) -> None:
        self.is_argument = is_argument
        self.is_used = is_used


class _Use:
    """A name that is used, and what it stands for once that is known."""

    __slots__ = ("meant", "name")

    def __init__(self, name: str) -> None:
        self.name = name
        self.meant: _Name | None = None


class _Scope:
    """A region that is open: the names in it, and those that are used and not found yet."""

    __slots__ = ("is_isolated", "names", "open")

    def __init__(self, is_isolated: bool, names: dict[str, _Name] | None = None) -> None:
        self.is_isolated = is_isolated
        self.names: dict[str, _Name] = names if names is not None else {}
        self.open: list[_Use] = []


def marks_of(pieces: Iterable[Piece], roles: Callable[[Shape], Roles]) -> list[Marks]:
    """What is said of the names in each of the statements of an item."""
    scopes = [_Scope(True)]
    met = [_meet(piece, piece.shape.known(roles), scopes) for piece in paced(pieces)]
    while scopes:
        _leave(scopes)
    shared: dict[Marks, Marks] = {}
    return [shared.setdefault(marks, marks) for of_piece in paced(met) for marks in (tuple(map(_mark, of_piece)),)]


def marks_after(
    old: Pieces, marks: Sequence[Marks], new: Pieces, roles: Callable[[Shape], Roles]
) -> Sequence[Marks] | None:
    """What is said of the names after an edit, from what was said before it. It goes through those statements alone
    that have a name in common with what the edit changed; None if that opens or closes regions, or has many names."""
    first, removed, added = old.difference(new)
    gone, come = [*islice(old.from_index(first), removed)], [*islice(new.from_index(first), added)]
    if len(gone) + len(come) > MOST_CHANGED:
        return None
    if any(action.act in _MOVES for piece in (*gone, *come) for action in piece.shape.known(roles).actions):
        return None
    before = _acts(mention for piece in gone for mention in _mentions(piece, roles))
    after = _acts(mention for piece in come for mention in _mentions(piece, roles))
    # A name that is used and given as often as before, in the same order, means what it meant, and so do others of it.
    wanted = frozenset(name for name in {**before, **after} if before.get(name) != after.get(name))
    kept: dict[str, list[int]] = {name: [] for name in after}
    for piece, said in zip(gone, marks[first : first + removed], strict=True):
        for (name, _), mark in zip(_mentions(piece, roles), said, strict=True):
            if name in kept:
                kept[name].append(mark)
    left = {name: iter(() if name in wanted else said) for name, said in kept.items()}
    written = [tuple([next(left[name], NOTHING) for name, _ in _mentions(piece, roles)]) for piece in come]
    every: list[Marks] = [*marks[:first], *written, *marks[first + removed :]]
    met: list[tuple[int, Sequence[_Name | _Use | None]]] = []
    scopes = [_Scope(True)]
    of_chunk = _summary_in(roles)
    for chunk, start in paced(zip(new.chunks, new.starts, strict=False)):
        names, structure = chunk.known(of_chunk)
        if names.isdisjoint(wanted):
            _pass(scopes, structure)
            continue
        for index, piece in enumerate(chunk.elements, start):
            met.append((index, _meet(piece, piece.shape.known(roles), scopes, wanted)))
    while scopes:
        _leave(scopes)
    for index, names in met:
        if any(name is not None for name in names):
            said = zip(names, every[index], strict=True)
            every[index] = tuple([mark if name is None else _mark(name) for name, mark in said])
    return every


def _acts(mentions: Iterable[tuple[str, Act]]) -> dict[str, list[Act]]:
    """What is done to each name, in the order of the text."""
    acts: dict[str, list[Act]] = {}
    for name, act in mentions:
        acts.setdefault(name, []).append(act)
    return acts


def prepare(pieces: Pieces, roles: Callable[[Shape], Roles]) -> None:
    """Does ahead what the first edit of an item would need."""
    pieces.known(_summary_in(roles))


_Structure = tuple[int, tuple[bool, ...]]
"""How many regions are closed that were open before, and then opened and left open, each whether it is isolated."""
_FLAT: Final[_Structure] = (0, ())
_MOVES: Final[dict[Act, _Structure]] = {
    Act.CLOSE: (1, ()),
    Act.OPEN: (0, (False,)),
    Act.OPEN_ISOLATED: (0, (True,)),
}


def _structure(roles: Roles) -> _Structure:
    """What a statement does to the regions that are open."""
    return _joined(_MOVES[action.act] for action in roles.actions if action.act in _MOVES)


def _joined(structures: Iterable[_Structure]) -> _Structure:
    """What statements do together."""
    closed = 0
    opened: list[bool] = []
    for closes, opens in structures:
        if closes > len(opened):
            closed += closes - len(opened)
        del opened[max(len(opened) - closes, 0) :]
        opened += opens
    return closed, tuple(opened)


def _pass(scopes: list[_Scope], structure: _Structure) -> None:
    """Passes over statements that have nothing to do with the names that are looked for."""
    closed, opened = structure
    for _ in range(closed):
        _leave(scopes)
        if not scopes:
            scopes.append(_Scope(True))
    scopes.extend(map(_Scope, opened))


@lru_cache(maxsize=4)
def _summary_in(roles: Callable[[Shape], Roles]) -> Callable[[Chunk[Piece]], tuple[frozenset[str], _Structure]]:
    """The function that gives the names of values in a chunk, and what it does to the regions that are open."""

    def of_chunk(chunk: Chunk[Piece]) -> tuple[frozenset[str], _Structure]:
        names = frozenset(name for piece in chunk.elements for name, _ in _mentions(piece, roles))
        return names, _joined(_structure(piece.shape.known(roles)) for piece in chunk.elements)

    return of_chunk


def _mentions(piece: Piece, roles: Callable[[Shape], Roles]) -> Iterator[tuple[str, Act]]:
    """The names of values in a statement, and what is done to each, in the order of the text."""
    actions = piece.shape.known(roles).actions
    if actions:
        shape, holes = piece.shape, piece.holes()
        for act, token in actions:
            if act not in _MOVES:
                hole = shape.hole_of[token]
                yield (holes[hole] if hole >= 0 else shape.tokens[token].text).partition("#")[0], act


def _meet(
    piece: Piece, roles: Roles, scopes: list[_Scope], wanted: frozenset[str] | None = None
) -> Sequence[_Name | _Use | None]:
    """Goes through a statement, with the regions that are open before it, and gives what its names stand for; None for
    one that is not wanted."""
    if not roles.actions:
        return ()
    meanings: list[_Name | _Use | None] = []
    arguments: dict[str, _Name] = {}
    shape, holes = piece.shape, piece.holes()
    for act, token in roles.actions:
        if act is Act.CLOSE:
            _leave(scopes)
            if not scopes:  # The region began in another item.
                scopes.append(_Scope(True))
            continue
        if act is Act.OPEN or act is Act.OPEN_ISOLATED:
            for argument in arguments.values():
                argument.is_used = False
            scopes.append(_Scope(act is Act.OPEN_ISOLATED, arguments))
            arguments = {}
            continue
        hole = shape.hole_of[token]
        name = (holes[hole] if hole >= 0 else shape.tokens[token].text).partition("#")[0]
        if wanted is not None and name not in wanted:
            meanings.append(None)
            continue
        if act is Act.USE:
            meanings.append(_use(scopes, name))
            continue
        # What stands beside functions can be used by other items, and an argument without a region by nobody.
        given = _Name(act is not Act.RESULT, len(scopes) == 1 or act is Act.ARGUMENT)
        meanings.append(given)
        (arguments if act is Act.ARGUMENT else scopes[-1].names)[name] = given
    return meanings


def _use(scopes: list[_Scope], name: str) -> _Use:
    use = _Use(name)
    for scope in reversed(scopes):
        meant = scope.names.get(name)
        if meant is not None:
            meant.is_used = True
            use.meant = meant
            return use
        if scope.is_isolated:
            break
    scopes[-1].open.append(use)
    return use


def _leave(scopes: list[_Scope]) -> None:
    """The innermost region ends: what was used in it before its definition is known now."""
    scope = scopes.pop()
    for use in scope.open:
        meant = scope.names.get(use.name)
        if meant is not None:
            meant.is_used = True
            use.meant = meant
        elif scopes and not scope.is_isolated:
            scopes[-1].open.append(use)


def _mark(name: _Name | _Use | None) -> int:
    if name is None:
        return NOTHING
    if isinstance(name, _Use):
        return ARGUMENT if name.meant is not None and name.meant.is_argument else NOTHING
    return NOTHING if name.is_used else UNUSED
