"""Attributes that go, and numbers that become smaller: extents of shapes, in all types at once, and constants."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

from fathom.reducing.edits import Edit, Replacement
from fathom.reducing.lists import commas_between, without_one

if TYPE_CHECKING:
    from fathom.reducing.outline import Node, Outline, Word

_NUMBER: Final = re.compile(r"[0-9]+")
_ATTRIBUTES: Final = "attributes"
_LONGEST: Final = 18
"""A number of more digits is made no smaller than that many allow."""


def fewer_attributes(outline: Outline, node: Node) -> Iterator[Edit]:
    """The edits by which a dictionary in the head of an operation goes, or one of its entries."""
    words = outline.words
    end = node.op.span.end if node.op.span is not None else node.end
    first, last = outline.word_at(node.name), outline.word_at(end)
    for index in range(first, last):
        if words[index].text != "{":
            continue
        closing = outline.closing(index)
        if closing >= last:
            continue
        begin = index - 1 if index > first and words[index - 1].text == _ATTRIBUTES else index
        before = words[begin - 1].end if begin > first else words[begin].start
        yield [Replacement(before, words[closing].end)]
        entries = commas_between(outline, index + 1, closing)
        for number in range(len(entries) + 1 if entries else 0):
            yield without_one(outline, index + 1, closing, number) or []


def extents(outline: Outline) -> Iterator[int]:
    """The extents of shapes that can be smaller, the greatest first."""
    numbers = {int(n) for word in outline.words if word.kind == "DIMS" for n in _NUMBER.findall(word.text[:_LONGEST])}
    yield from sorted((number for number in numbers if number > 1), reverse=True)


def smaller_extents(outline: Outline, extent: int) -> Iterator[Edit]:
    """The edits by which all extents that are equal become a smaller one: with the same numbers elsewhere, or alone."""
    for new in dict.fromkeys((1, 2, extent // 2)):
        if new < extent:
            alone = [_with(word, extent, new) for word in outline.words if word.kind == "DIMS"]
            shapes = [replacement for replacement in alone if replacement is not None]
            numbers = [
                Replacement(word.start, word.end, f"{new}")
                for word in outline.words
                if word.kind == "INTEGER" and len(word.text) <= _LONGEST and int(word.text) == extent
            ]
            if numbers:
                yield [*shapes, *numbers]
            yield shapes


def _with(word: Word, extent: int, new: int) -> Replacement | None:
    text = _NUMBER.sub(lambda match: f"{new}" if int(match[0][:_LONGEST]) == extent else match[0], word.text)
    return Replacement(word.start, word.end, text) if text != word.text else None


def numbers(outline: Outline) -> Iterator[Word]:
    """The numbers in the text that can be smaller."""
    for word in outline.words:
        is_large = word.kind == "INTEGER" and len(word.text) <= _LONGEST and int(word.text) > 1
        if is_large or (word.kind == "FLOAT" and word.text not in ("0.0", "1.0")):
            yield word


def smaller_numbers(word: Word) -> Iterator[Edit]:
    """The edits by which a number becomes smaller."""
    if word.kind == "FLOAT":
        yield from ([Replacement(word.start, word.end, new)] for new in ("0.0", "1.0"))
        return
    value = int(word.text)
    for new in dict.fromkeys((0, 1, 2, value // 2)):
        if new < value:
            yield [Replacement(word.start, word.end, f"{new}")]
