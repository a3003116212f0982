"""Operations as text for the place from which they came: with the names that values have there, the aliases, and the
comments."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator
from itertools import accumulate
from typing import Final

from fathom.ir.element_printer import Element
from fathom.ir.naming import Names, name_values
from fathom.ir.operation import Block, Operation, Span
from fathom.ir.operation_printer import Printer
from fathom.ir.printing_flags import PrintingFlags
from fathom.records import record
from fathom.syntax.pieces import Piece
from fathom_server.features.item_text import ItemText
from fathom_server.model.aliases import aliases_for

LONGEST: Final = 10
"""A number of more digits is no name to begin from."""
_NUMBER: Final = re.compile(r"(.*?)(?:_\d+)?")


class PlainPrinter(Printer):
    """A printer that adds no comments."""

    def predecessor_comment(self, block: Block) -> str:
        del block
        return ""


@record
class Comment:
    """A comment: where it begins in the item, its text without white space around it, and whether it has a line of its
    own."""

    start: int
    text: str
    is_alone: bool


def comments_in(item: ItemText, start: int, end: int) -> Iterator[Comment]:
    """The comments in a stretch of an item, and its empty lines, which are comments without a text."""
    index = item.item.piece_at(start)
    at = item.item.start(index)
    for piece in item.item.pieces.from_index(index):
        if at >= end:
            return
        if "//" in piece.text or not piece.shape.tokens:
            yield from (comment for comment in _comments(piece, at) if start <= comment.start < end)
        at += piece.length


def _comments(piece: Piece, at: int) -> Iterator[Comment]:
    spans = piece.token_spans()
    offset = 0
    for line in piece.lines:
        inside = [last for first, last in spans if offset <= first < offset + len(line)]
        behind = max(inside, default=offset) - offset
        text = line[behind:].strip()
        if text.startswith("//"):
            yield Comment(at + offset + behind + line[behind:].index("//"), text, not inside)
        elif not inside and not text:
            yield Comment(at + offset, "", True)
        offset += len(line)


def names_at(item: ItemText, root: Operation, flags: PrintingFlags) -> Names:
    """Names for an operation and all inside it: those of the source where there are any, else new ones."""
    names = name_values(root, flags)
    taken = {hole.partition("#")[0] for piece in item.item.pieces for hole in piece.holes() if hole[:1] in ("%", "^")}
    for op in root.walk():
        for value in op.operands:
            names.values[value] = item.name(value) or names.values.get(value, "%?")
        for block in op.successors:
            names.blocks[block] = label_of(item, block) or names.blocks.get(block, "^bb0")
        _name_results(item, op, names, taken)
        for region in op.regions:
            for block in region.blocks:
                _name_block(item, block, names, taken)
    return names


def _name_results(item: ItemText, op: Operation, names: Names, taken: set[str]) -> None:
    if not op.results:
        return
    if item.name(op.results[0]):
        site = item.known.sites_of(op)[0]
        groups = item.result_groups(op)
        names.results[op] = ", ".join(
            site.text(token) + (f":{len(values)}" if len(values) > 1 else "") for token, values in groups
        )
        for value in op.results:
            names.values[value] = item.name(value)
        return
    fresh = unused(names.values[op.results[0]].partition("#")[0], taken)
    names.results[op] = fresh if len(op.results) == 1 else f"{fresh}:{len(op.results)}"
    for number, value in enumerate(op.results):
        names.values[value] = fresh if len(op.results) == 1 else f"{fresh}#{number}"


def _name_block(item: ItemText, block: Block, names: Names, taken: set[str]) -> None:
    # A label is known in its region only.
    names.blocks[block] = label_of(item, block) or unused(names.blocks.get(block, "^bb0"), set(taken))
    for argument in block.arguments:
        names.values[argument] = item.name(argument) or unused(names.values.get(argument, "%arg"), taken)


def label_of(item: ItemText, block: Block) -> str:
    """The label of a block as it is written; empty where there is none."""
    span = block.label_span
    text = item.text[span.start : span.end] if span is not None else ""
    return text if text.startswith("^") else ""


def unused(name: str, taken: set[str]) -> str:
    """A name like this one that is not taken; it is taken then. What is only a number becomes another number."""
    if name[1:].isdecimal():
        number = int(name[1:]) if len(name) < LONGEST else 0
        while f"{name[0]}{number}" in taken:
            number += 1
        taken.add(f"{name[0]}{number}")
        return f"{name[0]}{number}"
    match = _NUMBER.fullmatch(name)
    stem, number, fresh = match[1] if match is not None else name, 0, name
    while fresh in taken:
        fresh = f"{stem}_{number}"
        number += 1
    taken.add(fresh)
    return fresh


def aliases_at(item: ItemText) -> dict[Element, str]:
    """The aliases that are used in an item, by what they stand for."""
    used = {
        token.text
        for piece in item.item.pieces
        for token in (piece.tokens() if "!" in piece.text or "#" in piece.text else ())
        if token.text[:1] in ("!", "#") and "." not in token.text
    }
    known = aliases_for(item.snapshot, item.item).known
    return {known[name]: name for name in sorted(used) if name in known}


def written(item: ItemText, op: Operation, flags: PrintingFlags, names: Names | None = None) -> str:
    """The text of an operation for its own place, with its comments."""
    extent = item.extent(op)
    indent = item.indent(extent.start)
    names = names if names is not None else names_at(item, op, flags)
    printer = PlainPrinter(names, flags, aliases=aliases_at(item))
    places = {inner: (start, end) for inner, start, end in printed(printer, op, item, extent.start)}
    text = commented(item, "".join(printer.parts), places, list(comments_in(item, extent.start, extent.end)), indent)
    return text.replace("\n", item.line_break)


def printed(printer: Printer, op: Operation, item: ItemText, place: int) -> Iterator[tuple[Operation, int, int]]:
    """Prints an operation as it is written at a place of an item; gives the operations in it, and where in the text
    each begins and ends."""
    printer.indent = item.indent(place)
    dialect = item.item.pieces[item.item.piece_at(place)].frame.default_dialect
    printer.default_dialect = f"{dialect or 'builtin'}."
    printer.ranges = []
    printer.op(op)
    offsets = [0, *accumulate(map(len, printer.parts))]
    return ((inner, offsets[start], offsets[end]) for inner, start, end in printer.ranges)


def commented(
    item: ItemText,
    text: str,
    places: dict[Operation, tuple[int, int]],
    comments: Iterable[Comment],
    indent: str,
) -> str:
    """The text with comments before the lines of the operations that they stood before, or behind that which they stood
    behind; those after the last operation, before the last line."""
    lines = text.split("\n")
    starts = [0, *accumulate(len(line) + 1 for line in lines)]
    root = next(iter(places))
    extents = {op: item.extent(op) for op in places if op.span is not None and item.known.sites_of(op)}
    before: dict[int, list[str]] = {}
    behind: dict[int, list[str]] = {}

    def line_of(op: Operation, *, last: bool = False) -> int:
        start, end = places[op]
        return bisect_right(starts, max(end - 1, start) if last else start) - 1

    for comment in comments:
        around, former, next_one = _neighbours(root, comment.start, extents)
        beside = former if former is not None else around
        if not comment.is_alone and "\n" not in item.text[extents[beside].start : comment.start]:
            line = line_of(beside, last=not beside.regions)
            if "//" not in lines[line]:
                lines[line] += f" {comment.text}"
                continue
        if next_one is not None and (former is None or former.parent is next_one.parent):
            before.setdefault(line_of(next_one), []).append(comment.text)
        else:
            behind.setdefault(line_of(beside, last=former is not None), []).append(comment.text)
    out: list[str] = []
    for number, line in enumerate(lines):
        margin = line[: len(line) - len(line.lstrip())] if number else indent
        inside = f"{margin}  " if line.rstrip().partition(" //")[0].endswith(("{", "({")) else margin
        out += (f"{margin}{comment}".rstrip() for comment in before.get(number, ()))
        out.append(line)
        out += (f"{inside}{comment}".rstrip() for comment in behind.get(number, ()))
    return "\n".join(out)


def _neighbours(
    root: Operation, place: int, extents: dict[Operation, Span]
) -> tuple[Operation, Operation | None, Operation | None]:
    """The operation around a place, the last one directly in it before the place, and the first one behind it."""
    around = root
    while True:
        inside = [op for region in around.regions for block in region.blocks for op in block if op in extents]
        deeper = next((op for op in inside if op.regions and extents[op].start <= place < extents[op].end), None)
        if deeper is None:
            former = next((op for op in reversed(inside) if extents[op].end <= place), None)
            return around, former, next((op for op in inside if extents[op].start > place), None)
        around = deeper
