"""Which names of values are arguments, and which are used by nobody: the names of an item resolved in its text, so that
a line that is not whole makes none of the others unused.

A name means what has it in the regions around it, up to one that sees nothing of what is outside; it may be defined
after its use. Source of the rules: *MLIR Language Reference*, "Value scoping".
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from fathom.slices import paced
from fathom.syntax.pieces import Piece
from fathom.syntax.shapes import Shape
from fathom_server.features.semantic_tokens.legend import Modifier
from fathom_server.features.semantic_tokens.roles import Act, Roles

NOTHING, ARGUMENT, UNUSED = 0, 1, int(Modifier.UNUSED)
"""What can be said of the name of a value: nothing more, that it is an argument where it is used, or that it is not
used, where it is defined."""

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
    found = [_meet(piece, piece.shape.known(roles), scopes) for piece in paced(pieces)]
    while scopes:
        _leave(scopes)
    shared: dict[Marks, Marks] = {}
    return [shared.setdefault(marks, marks) for each in paced(found) for marks in (tuple(map(_mark, each)),)]


def _meet(piece: Piece, roles: Roles, scopes: list[_Scope]) -> Sequence[_Name | _Use]:
    """Goes through a statement, with the regions that are open before it, and gives what its names stand for."""
    if not roles.actions:
        return ()
    found: list[_Name | _Use] = []
    arguments: dict[str, _Name] = {}
    shape, holes = piece.shape, piece.holes()
    for act, token in roles.actions:
        if act is Act.CLOSE:
            _leave(scopes)
            if not scopes:  # The region began in another item.
                scopes.append(_Scope(True))
            continue
        if act is Act.OPEN or act is Act.OPEN_ISOLATED:
            for each in arguments.values():
                each.is_used = False
            scopes.append(_Scope(act is Act.OPEN_ISOLATED, arguments))
            arguments = {}
            continue
        hole = shape.hole_of[token]
        name = (holes[hole] if hole >= 0 else shape.tokens[token].text).partition("#")[0]
        if act is Act.USE:
            found.append(_use(scopes, name))
            continue
        # What stands beside functions can be used by other items, and an argument without a region by nobody.
        given = _Name(act is not Act.RESULT, len(scopes) == 1 or act is Act.ARGUMENT)
        found.append(given)
        (arguments if act is Act.ARGUMENT else scopes[-1].names)[name] = given
    return found


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


def _mark(each: _Name | _Use) -> int:
    if isinstance(each, _Use):
        return ARGUMENT if each.meant is not None and each.meant.is_argument else NOTHING
    return NOTHING if each.is_used else UNUSED
