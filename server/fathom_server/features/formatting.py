"""Formatting: white space and line breaks as mlir-opt prints them, of a document, of some lines, and as one types.

Edits are small: white space takes the place of white space, so that cursors and marks stay where they are. Before one
is handed out, it is seen to that the text still means the same; otherwise nothing changes, and the fault is logged.
"""

from __future__ import annotations

import logging
from collections.abc import Sequence
from typing import Final

from fathom.elaborate.aliases import defines_names
from fathom.formatting.change import Change, changed
from fathom.formatting.formatter import format_tree
from fathom.formatting.layout import layout_of
from fathom.formatting.lines import is_blank, line_end, margin
from fathom.formatting.meaning import same_meaning, same_tokens
from fathom.formatting.statements import CONTINUED, INDENT
from fathom.ir.printer import print_op
from fathom.ir.printing_flags import COMPARED_FLAGS
from fathom.records import replace
from fathom.syntax.lexer import indentation
from fathom.syntax.parse import reparse, split_lines
from fathom.syntax.pieces import Piece
from fathom.syntax.shapes import Shape
from fathom.syntax.tree import Item, SyntaxTree
from fathom.text.beginnings import TextTooLong
from fathom_server.features.edits import Replacement
from fathom_server.model.document import Document
from fathom_server.model.elaboration import elaborated
from fathom_server.model.lowered import LONG
from fathom_server.model.memory import Memory
from fathom_server.model.snapshot import Snapshot

MOST_COMPARED: Final = 2000
"""Where some lines are formatted in an item of more lines than this, it is seen to that its tokens stay the same, and
not what it means as well: that would cost what the item is, and not what the lines are."""

_LOGGER: Final = logging.getLogger(__name__)


def items_beside(snapshot: Snapshot) -> tuple[Item, ...] | None:
    """A document that takes longer than a key may is formatted in the process beside the server."""
    return () if snapshot.tree.line_count > LONG else None


def impossible(_reason: str) -> list[Replacement]:
    """Nothing changes where a fault of Fathom's own is in the way."""
    return []


def document_formatting(snapshot: Snapshot) -> list[Replacement]:
    """What formats a document."""
    changes = format_tree(snapshot.tree)
    return _harmless(snapshot, changes, snapshot.tree.line_count)


def range_formatting(snapshot: Snapshot, start: int, end: int) -> list[Replacement]:
    """What formats the lines that a range touches; one that ends where a line begins does not touch that."""
    tree = snapshot.tree
    first, (last, last_start) = tree.line_of(start)[0], tree.line_of(end)
    stop = last if end == last_start and last > first else last + 1
    return _harmless(snapshot, format_tree(tree, range(first, stop)), MOST_COMPARED)


# ---- as one types


def on_type_formatting(snapshot: Snapshot, offset: int, typed: str) -> list[Replacement]:
    """The margin of the line in which a brace or a line's end was typed, which stands before the offset."""
    tree = snapshot.tree
    number, start, line = tree.line_at(offset)
    lead = min(indentation(line), len(line) - len(line_end(line)))
    if typed == "}":
        column = _of_code(tree, number) if line[: offset - start].strip() == "}" else None
    else:
        column = _of_new_line(tree, number)
    if column is None or line[:lead] == " " * column:
        return []
    return [Replacement(start, start + lead, " " * column)]


def _piece_at(tree: SyntaxTree, number: int) -> tuple[Piece, int]:
    """The statement that covers a line, and its first line."""
    index, first = tree.items.find_line(number)
    pieces = tree.items[index].pieces
    at, line = pieces.find_line(number - first)
    return pieces[at], first + line


def _of_new_line(tree: SyntaxTree, number: int) -> int | None:
    """The column at which a line that was begun stands; None where it is to be left."""
    if number >= tree.line_count:
        if not tree.items:
            return None
        frame = tree.items[len(tree.items) - 1].frame_out
        return INDENT * frame.depth
    if not is_blank(tree.line(number)):
        return _of_code(tree, number)
    piece, first = _piece_at(tree, number)
    if piece.shape.is_trivia:
        return INDENT * piece.frame.depth
    return _continued(tree, number, first)


def _of_code(tree: SyntaxTree, number: int) -> int | None:
    """The column at which the code of a line stands."""
    piece, first = _piece_at(tree, number)
    if piece.shape.is_trivia or piece.shape.begins_split:
        return None
    layout = piece.shape.known(layout_of)
    if layout.frozen:
        return None
    if number == first:
        return INDENT * (piece.frame.depth + layout.starts.get(0, 0))
    start = tree.line_start(number)
    end = start + indentation(tree.line(number))
    changes = format_tree(tree, range(number, number + 1))
    return next((len(change.text) for change in changes if change.start == start and change.end == end), None)


def _continued(tree: SyntaxTree, number: int, first: int) -> int | None:
    """The column of a blank line in a statement: that of the line before it, or deeper behind the first."""
    before = next((near for near in range(number - 1, first - 1, -1) if not is_blank(tree.line(near))), None)
    if before is None:
        return None
    return margin(tree.line(before)) + (CONTINUED if before == first else 0)


# ---- seeing to it that nothing else changes


def _harmless(snapshot: Snapshot, changes: Sequence[Change], most: int) -> list[Replacement]:
    """The changes as an edit, if the text means the same with them. Items of more lines than `most` are only compared
    by their tokens."""
    if changes and not _is_same(snapshot, changes, most):
        _LOGGER.error("formatting would change the meaning of %s, version %s", snapshot.uri, snapshot.version)
        return []
    return [Replacement(change.start, change.end, change.text) for change in changes]


def _is_same(snapshot: Snapshot, changes: Sequence[Change], most: int) -> bool:
    tree = snapshot.tree
    first, last = tree.line_of(changes[0].start)[0], tree.line_of(changes[-1].end)[0] + 1
    start, stop = tree.line_start(first), tree.line_start(last)
    before = "".join(tree.line(number) for number in range(first, last))
    moved = [Change(change.start - start, change.end - start, change.text) for change in changes]
    after = changed(before, moved)
    assert len(before) == stop - start, "lines are what stands from the beginning of one to that of another"
    if not same_tokens(before, after):
        return False
    now, gone, came = _edited(snapshot, first, last, after)
    if len(gone) != len(came):
        # A module begins where another item does, on a line of its own now.
        return same_meaning(tree, now.tree.text, snapshot.context)
    known: set[tuple[Shape, Shape]] = set()
    for one, other in zip(gone, came, strict=True):
        shapes = _shapes(one, other)
        if one.line_count > most or (shapes and known.issuperset(shapes)):
            continue
        if one.text != other.text and _meaning(snapshot, one) != _meaning(now, other):
            return False
        known |= shapes
    return True


def _shapes(one: Item, other: Item) -> set[tuple[Shape, Shape]]:
    """The shapes that statements had and have, of two items of as many statements; none if they have not. What a
    statement means follows from its shape and its tokens, so that it has to be looked at once for each pair."""
    old, new = ([piece.shape for piece in item.pieces if not piece.shape.is_trivia] for item in (one, other))
    return set(zip(old, new, strict=True)) if len(old) == len(new) else set()


def _edited(snapshot: Snapshot, first: int, last: int, text: str) -> tuple[Snapshot, Sequence[Item], Sequence[Item]]:
    """The document with a text in the place of some lines, and the items that went and came."""
    old, context = snapshot.tree, snapshot.context
    tree, gone, new = reparse(old, first, last, split_lines(text), context.shapes)
    removed, added = old.items[gone.start : gone.stop], tree.items[new.start : new.stop]
    if any(_concerns_others(item) for item in (*removed, *added)):
        now = Document(snapshot.uri, snapshot.version, tree.text, context, snapshot.settings).snapshot()
        return now, removed, now.tree.items[new.start : new.stop]
    symbols = snapshot.symbols.updated(removed, added)
    return replace(snapshot, tree=tree, symbols=symbols, memory=Memory()), removed, added


def _concerns_others(item: Item) -> bool:
    """Whether an item says what names in others mean, beside symbols."""
    return item.begins_split or defines_names(item)


def _meaning(snapshot: Snapshot, item: Item) -> tuple[list[str], list[tuple[str, str]]]:
    """The operations of an item, in the generic form, and what is wrong with it. What is too long to be written, or
    nested too deep, is as its tokens say."""
    meaning = elaborated(snapshot, item)
    # Which of several on a line was found first depends on the line breaks.
    mistakes = sorted((error.code, error.message) for error in (*item.errors, *meaning.diagnostics))
    try:
        return [print_op(op, COMPARED_FLAGS) for op in meaning.operations], mistakes
    except (TextTooLong, RecursionError):
        return [], mistakes
