"""Results of functions that go, where no call's is used.

func.func @f() -> (i32, i64) {      func.func @f() -> (i64) {
  return %a, %b : i32, i64     ->     return %b : i64
}                                   }
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from fathom.irdl.interfaces import FunctionLike, symbol_name
from fathom.reducing.edits import Edit, Replacement
from fathom.reducing.lists import commas_between, without_one, without_one_in
from fathom.reducing.signatures import calls_of

if TYPE_CHECKING:
    from fathom.ir.operation import Operation
    from fathom.reducing.outline import Node, Outline

_ARROW = "->"


def fewer_results(outline: Outline, node: Node) -> Iterator[Edit]:
    """The edits by which a function has one result fewer."""
    function = node.op.interface(FunctionLike)
    body = function.body(node.op) if function is not None else None
    ends = [block.last for block in body.blocks if block.last is not None] if body is not None else []
    returns = [end for end in ends if not end.successors]
    if not returns:
        return
    for number in reversed(range(len(returns[0].operands))):
        edit = [*_types(outline, node.name, node.end, number)]
        for end in returns:
            edit += _returned(outline, end, number)
        for call in calls_of(outline, symbol_name(node.op)):
            if number >= len(call.op.results) or call.op.results[number].uses:
                break
            edit += _types(outline, call.name, call.end, number, last=True)
            edit += _names(outline, call, number)
        else:
            yield edit


def _types(outline: Outline, start: int, end: int, number: int, *, last: bool = False) -> Edit:
    """The removal of a type behind the arrow of a signature: of the first arrow in the head of an operation, or of the
    last."""
    words = outline.words
    indices = range(outline.word_at(start), outline.word_at(end))
    arrows = [at for at in indices if words[at].text == _ARROW]
    if not arrows:
        return []
    arrow = arrows[-1 if last else 0]
    listed = without_one_in(outline, arrow + 1, number)
    if listed is not None and (last or commas_between(outline, arrow + 2, outline.closing(arrow + 1))):
        return listed
    behind = arrow + 1
    while behind < indices.stop and words[behind].text not in ("{", "attributes"):
        behind = outline.closing(behind) + 1 if words[behind].text in ("<", "(", "[") else behind + 1
    if last:
        return [Replacement(words[arrow].end, words[behind - 1].end, " ()")]
    return [Replacement(words[arrow - 1].end, words[behind - 1].end)]


def _returned(outline: Outline, end: Operation, number: int) -> Edit:
    """The removal of a value that is returned, and of its type."""
    node, words = outline.by_op.get(end), outline.words
    if node is None:
        return []
    first, last = outline.word_at(node.name) + 1, outline.word_at(node.end)
    if len(end.operands) == 1:
        return [Replacement(words[first - 1].end, node.end)]
    colon = next((at for at in range(first, last) if words[at].text == ":"), last)
    types = without_one(outline, colon + 1, last, number) if colon < last else None
    if number == len(end.operands) - 1 and types is not None:
        types = [Replacement(types[0].start, node.end)]  # Nothing stands behind the last type.
    return [*(without_one(outline, first, colon, number) or ()), *(types or ())]


def _names(outline: Outline, call: Node, number: int) -> Iterator[Replacement]:
    """The names of the results of a call, which are fewer."""
    results = call.op.results
    if len(results) == 1:
        yield Replacement(call.start, call.name)
        return
    group = outline.words[outline.word_at(call.start)]
    left = [result for result in results if result.index != number]
    if "#" not in outline.names.get(results[0], ""):
        return
    end = outline.words[outline.word_at(call.name) - 1].start
    yield Replacement(call.start, end, f"{group.text}:{len(left)} " if len(left) > 1 else f"{group.text} ")
    for index, result in enumerate(left):
        name = f"{group.text}#{index}" if len(left) > 1 else group.text
        yield from (Replacement(*place, name) for place in outline.uses_of(result))
