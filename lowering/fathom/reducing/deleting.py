"""Operations that go. What they gave to others is given by values before them, or by constants in their place."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from itertools import islice
from typing import TYPE_CHECKING

from fathom.ir.operation import Operation, Value
from fathom.reducing.edits import Edit, Replacement, indentation, removal
from fathom.reducing.values import MOST_TRIED, constants_for, others_for

if TYPE_CHECKING:
    from fathom.reducing.outline import Node, Outline


def without(outline: Outline, nodes: Sequence[Node]) -> Edit | None:
    """The edit by which operations go together; None where what others need of them cannot be had."""
    gone = {inner for node in nodes for inner in node.op.walk()}
    # What nothing can take the place of is a constant already, or something like it.
    stays = {node.op for node in nodes if _is_leaf(node.op) and not _can_go(outline, node.op, gone)}
    gone -= stays
    edit: list[Replacement] = []
    for node in nodes:
        if node.op in stays:
            continue
        made: list[str] = []
        for result in _needed(node.op, gone):
            other = next((name for name in _kept(outline, node.op, result, gone)), None)
            if other is not None:
                edit += _renamed(outline, result, other, gone)
                continue
            constant = next(constants_for(result.type, in_llvm=outline.is_in_llvm(node.op)), None)
            if constant is None:
                return None
            name, renamed = _own_name(outline, node.op, result)
            edit += renamed
            made.append(f"{name} = {constant}")
        edit.append(_replaced(outline, node, made))
    return edit


def alternatives(outline: Outline, node: Node) -> Iterator[Edit]:
    """The edits by which one operation goes, or comes to be a constant: with one value after the other in the place of
    what it gave."""
    gone = set(node.op.walk())
    needed = list(_needed(node.op, gone))
    if not needed:
        yield [_replaced(outline, node, [])]
        return
    names = [list(_kept(outline, node.op, result, gone)) for result in needed]
    for choice in range(MOST_TRIED if all(names) else 0):
        if any(choice < len(given) for given in names):
            edit = [_replaced(outline, node, [])]
            for result, given in zip(needed, names, strict=True):
                edit += _renamed(outline, result, given[min(choice, len(given) - 1)], gone)
            yield edit
    if _is_leaf(node.op):
        return
    in_llvm = outline.is_in_llvm(node.op)
    constants = [list(constants_for(result.type, in_llvm=in_llvm)) for result in needed]
    for choice in range(2 if all(constants) else 0):
        if any(choice < len(given) for given in constants):
            edit: list[Replacement] = []
            made: list[str] = []
            for result, given in zip(needed, constants, strict=True):
                name, renamed = _own_name(outline, node.op, result)
                edit += renamed
                made.append(f"{name} = {given[min(choice, len(given) - 1)]}")
            yield [*edit, _replaced(outline, node, made)]


def unused_aliases(outline: Outline) -> Edit:
    """The removal of the aliases that are mentioned nowhere else."""
    mentioned = Counter(word.text for word in outline.words)
    return [
        removal(outline.text, start, end)
        for start, (name, end) in outline.aliases.items()
        if name[:1] in ("#", "!") and mentioned[name] == 1
    ]


def _can_go(outline: Outline, op: Operation, gone: Collection[Operation]) -> bool:
    return all(any(_kept(outline, op, result, gone)) for result in _needed(op, gone))


def _is_leaf(op: Operation) -> bool:
    """Whether a constant in its place would be no smaller."""
    return not op.operands and not op.regions


def _needed(op: Operation, gone: Collection[Operation]) -> Iterator[Value]:
    """The results that others use."""
    return (result for result in op.results if any(user not in gone for user in result.uses))


def _kept(outline: Outline, op: Operation, result: Value, gone: Collection[Operation]) -> Iterator[str]:
    """The names of values that stay and can take the place of a result."""
    others = others_for(outline, op, result, MOST_TRIED + len(gone))
    return islice((outline.names[other] for other in others if other.defining_op not in gone), MOST_TRIED)


def _renamed(outline: Outline, value: Value, name: str, gone: Collection[Operation]) -> Iterator[Replacement]:
    """The uses of a value by what stays, with another name."""
    elaborated = outline.loaded.elaborated
    for user in value.uses:
        for site in elaborated.sites_of(user) if user not in gone else ():
            for token, used in site.uses.items():
                if used is value:
                    span = site.span(token)
                    yield Replacement(span.start, span.end, name)


def _own_name(outline: Outline, op: Operation, result: Value) -> tuple[str, list[Replacement]]:
    """The name of a result, if it has one of its own; else a new one, and its uses with that."""
    name = outline.names.get(result, "")
    if name and "#" not in name:
        return name, []
    fresh = outline.fresh(name.lstrip("%").replace("#", "_") or "v")
    return fresh, [Replacement(*place, fresh) for place in outline.uses_of(result)]


def _replaced(outline: Outline, node: Node, lines: Sequence[str]) -> Replacement:
    """An operation with others, each on a line, in its place."""
    if not lines:
        return removal(outline.text, node.start, node.end)
    margin = indentation(outline.text, node.start)
    return Replacement(node.start, node.end, f"\n{margin}".join(lines))
