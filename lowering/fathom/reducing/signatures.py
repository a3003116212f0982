"""Arguments that go: of a function, with what its calls give for them, and of a block, with what branches pass."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from fathom.ir.attributes import SymbolRefAttr
from fathom.ir.operation import Block, BlockArgument
from fathom.irdl.interfaces import Branch, Call, FunctionLike, symbol_name
from fathom.reducing.edits import Edit, Replacement, indentation
from fathom.reducing.lists import commas_between, without_one, without_one_in
from fathom.reducing.values import constants_for

if TYPE_CHECKING:
    from fathom.reducing.outline import Node, Outline


def fewer_arguments(outline: Outline, node: Node) -> Iterator[Edit]:
    """The edits by which a function has one argument fewer; a constant with its name comes where that is used."""
    function = node.op.interface(FunctionLike)
    body = function.body(node.op) if function is not None else None
    entry = body.first if body is not None else None
    name = symbol_name(node.op)
    if entry is None or not name:
        return
    for argument in reversed(entry.arguments):
        removed = _given(outline, node, f"@{name}", argument.index)
        if removed is None:
            continue
        edit = [*removed]
        for call in calls_of(outline, name):
            given = _given(outline, call, f"@{name}", argument.index)
            types = _typed(outline, call, f"@{name}", argument.index)
            edit += [*(given or ()), *(types or ())]
        for constant in _constants(outline, entry, argument):
            yield [*edit, *constant]


def fewer_block_arguments(outline: Outline, block: Block) -> Iterator[Edit]:
    """The edits by which a block has one argument fewer."""
    label = outline.label_of(block)
    if not label or block.is_entry:
        return
    start = block.label_span.start if block.label_span is not None else 0
    for argument in reversed(block.arguments):
        removed = without_one_in(outline, outline.word_at(start) + 1, argument.index)
        if removed is None:
            continue
        edit = [*removed]
        for branch in block.branches:
            node = outline.by_op.get(branch)
            if node is None or branch.interface(Branch) is None:
                break
            for index in range(outline.word_at(node.start), outline.word_at(node.end)):
                if outline.words[index].text == label:
                    edit += _passed(outline, index + 1, argument.index)
        else:
            for constant in _constants(outline, block, argument):
                yield [*edit, *constant]


def _constants(outline: Outline, block: Block, argument: BlockArgument) -> Iterator[Edit]:
    """What has the name of an argument that goes, at the beginning of its block."""
    first = next(outline.nodes_in(block), None)
    if not argument.uses:
        yield []
    elif first is not None and argument in outline.names:
        margin = indentation(outline.text, first.start)
        for constant in constants_for(argument.type, in_llvm=outline.is_in_llvm(first.op)):
            yield [Replacement(first.start, first.start, f"{outline.names[argument]} = {constant}\n{margin}")]


def calls_of(outline: Outline, name: str) -> Iterator[Node]:
    """The calls of a function."""
    for node in outline.nodes:
        call = node.op.interface(Call)
        callee = call.callee(node.op) if call is not None else None
        if isinstance(callee, SymbolRefAttr) and callee.root == name and not callee.nested:
            yield node


def _symbol(outline: Outline, node: Node, name: str) -> int | None:
    """The index of the token that is a symbol, in the text of an operation."""
    indices = range(outline.word_at(node.start), outline.word_at(node.end))
    return next((index for index in indices if outline.words[index].text == name), None)


def _given(outline: Outline, node: Node, name: str, number: int) -> Edit | None:
    """The removal of one of those that are listed behind a symbol."""
    index = _symbol(outline, node, name)
    return without_one_in(outline, index + 1, number) if index is not None else None


def _typed(outline: Outline, node: Node, name: str, number: int) -> Edit | None:
    """The removal of the type of one, in the list behind the colon."""
    index = _symbol(outline, node, name)
    if index is None:
        return None
    colons = (at for at in range(index, outline.word_at(node.end)) if outline.words[at].text == ":")
    return next((without_one_in(outline, colon + 1, number) for colon in colons), None)


def _passed(outline: Outline, index: int, number: int) -> Edit:
    """The removal of a value that is passed to a label, and of its type: `(%a, %b : i32, i32)`."""
    words = outline.words
    if index >= len(words) or words[index].text != "(":
        return []
    end = outline.closing(index)
    colon = next((at for at in range(index, end) if words[at].text == ":"), end)
    if not commas_between(outline, index + 1, colon):
        return [Replacement(words[index].start, words[end].end)]
    return [
        *(without_one(outline, index + 1, colon, number) or ()),
        *(without_one(outline, colon + 1, end, number) or ()),
    ]
