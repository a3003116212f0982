"""Two places in the source as one, as LLVM merges them: what both have in common.

Of two lines in a function the line is unknown, in the scope that both stand in; of two files it is where both were
included. What was inlined differently is followed outwards to the call that both come from.

Source of the rules: *Source Level Debugging with LLVM*, "Merging instruction locations"; what `mlir-translate` prints.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Final, TypeAlias

from fathom.llvmir.metadata import SpecializedMDNode

if TYPE_CHECKING:
    from fathom.llvmir.unique_nodes import UniqueNodes

Node: TypeAlias = SpecializedMDNode
Place: TypeAlias = "tuple[int, int]"
"""A line and a column."""
_BLOCKS: Final = frozenset({"DILexicalBlock", "DILexicalBlockFile"})


def merged(first: Node | None, second: Node | None, unique: UniqueNodes) -> Node | None:
    """The location of what comes from two."""
    if first is second:
        return first
    if first is None or second is None:
        return None
    outwards = list(_callers(first))
    ends = {_frame(location): index for index, location in reversed(list(enumerate(outwards)))}
    others: list[Node] = []
    result: Node | None = None
    for other in _callers(second):
        others.append(other)
        index = ends.get(_frame(other))
        if index is not None:
            result = other.fields.get("inlinedAt")  # pyright: ignore[reportAssignmentType]
            # From the call that both come from, inwards.
            for one, two in zip(reversed(outwards[: index + 1]), reversed(others), strict=False):
                common = _common(one, two, result, unique)
                if common is None:
                    break
                result = common
            break
    return result or unique.node("DILocation", {"scope": first.fields["scope"]})


def _callers(location: Node) -> Iterator[Node]:
    """A location, and where it is inlined, from the inside out."""
    current: object = location
    while isinstance(current, SpecializedMDNode):
        yield current
        current = current.fields.get("inlinedAt")


def _frame(location: Node) -> tuple[int, int]:
    """The function that a location stands in, and the call that this was inlined at."""
    return id(_scopes(location)[-1][0]), id(location.fields.get("inlinedAt"))


def _scopes(location: Node) -> list[tuple[Node, Place]]:
    """The scopes that a location stands in, from the inside out to the function, and where they begin. What is of
    another file is where the location is."""
    place = location.number("line"), location.number("column")
    found: list[tuple[Node, Place]] = []
    scope: object = location.fields.get("scope")
    while isinstance(scope, SpecializedMDNode):
        if scope.kind.name == "DILexicalBlock":
            place = scope.number("line"), scope.number("column")
        elif scope.kind.name not in _BLOCKS:
            place = scope.number("line"), 0
        found.append((scope, place))
        if scope.kind.name not in _BLOCKS:
            break
        scope = scope.fields.get("scope")
    return found


def _common(one: Node, two: Node, inlined_at: Node | None, unique: UniqueNodes) -> Node | None:
    """What two locations of one function have in common; None where they are of several."""
    if one is two:
        return unique.node("DILocation", {**one.fields, "inlinedAt": inlined_at})
    outer, others = _scopes(one), _scopes(two)
    if outer[-1][0] is not others[-1][0]:
        return None
    around = {id(scope) for scope, _ in outer}
    scope = next(scope for scope, _ in others if id(scope) in around)
    files = {id(of.fields.get("file")) for of in (scope, outer[0][0], others[0][0])}
    if len(files) > 1:
        scope, place = _beginning_together(scope, outer, others, unique)
        files = {id(of.fields.get("file")) for of in (scope, outer[0][0], others[0][0])}
        if len(files) > 1:
            return _at(place, scope, inlined_at, unique)
    line = one.number("line") if one.number("line") == two.number("line") else 0
    column = one.number("column") if line and one.number("column") == two.number("column") else 0
    return _at((line, column), scope, inlined_at, unique)


def _beginning_together(
    parent: Node, outer: list[tuple[Node, Place]], others: list[tuple[Node, Place]], unique: UniqueNodes
) -> tuple[Node, Place]:
    """The first scopes of two locations that begin at one place of one file, as one scope within `parent`."""
    known: dict[tuple[int, Place], list[Node]] = {}
    for scope, place in outer:
        known.setdefault((id(scope.fields.get("file")), place), []).append(scope)
    for scope, place in others:
        found = known.get((id(scope.fields.get("file")), place))
        if found is None:
            continue
        common = scope if scope in found else found[0]
        if common.kind.name in _BLOCKS and common is not parent:
            common = unique.node(common.kind.name, {**common.fields, "scope": parent})
        return common, place
    return parent, (0, 0)


def _at(place: Place, scope: Node, inlined_at: Node | None, unique: UniqueNodes) -> Node:
    line, column = place
    return unique.node(
        "DILocation", {"line": line or None, "column": column or None, "scope": scope, "inlinedAt": inlined_at}
    )
