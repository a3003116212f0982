"""Types of the LLVM dialect that are written as no edition prints them: the first step of a text that has such, after
which what is written and what is printed have the same tokens.

    !llvm<"{ float*, i64 }">, !llvm.ptr<float>      ->     !llvm.struct<(ptr<f32>, i64)>, !llvm.ptr<f32>      of MLIR 11
    !llvm.array<2xi64>                              ->     !llvm.array<2 x i64>                               of MLIR 15
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final

from fathom.context import Context
from fathom.editions.edition import OLDER
from fathom.formatting.change import Change, changed
from fathom.modernising.reading import type_of
from fathom.slices import paced
from fathom.syntax.tree import SyntaxTree

_HEAD: Final = "!llvm"
_WRAPPED: Final = r"!llvm\s*<|!llvm\.i\d|\b(?:half|bfloat|float|double|fp128|x86_fp80|vec)\b"
"""Of the releases before the oldest edition."""
_GLUED: Final = r"\b(?:array|vec)\s*<[\s\d?x]*\dx[a-z]"
"""A size and an element with nothing between."""
LAST_GLUED: Final = 15
"""The last release that reads it."""


def unwrapped(text: str, tree: SyntaxTree, edition: Context) -> list[Change]:
    """The changes of all types that are written so."""
    release = int(edition.language.edition)
    if release > LAST_GLUED:
        return []
    pattern = re.compile(_GLUED if edition.language.edition != OLDER[-1] else f"{_WRAPPED}|{_GLUED}")
    found: list[Change] = []
    known: dict[str, str | None] = {}
    for start, end in _types(text, tree):
        written = text[start:end]
        if pattern.search(written) is None:
            continue
        if written not in known:
            type = type_of(written, edition)
            known[written] = str(type) if type is not None else None
        spelt = known[written]
        if spelt is not None and spelt != written:
            found.append(Change(start, end, spelt))
    return found


def _types(text: str, tree: SyntaxTree) -> Iterator[tuple[int, int]]:
    """Where the types of the dialect stand, the outermost ones."""
    for item, start in tree.items.with_offsets():
        for piece, offset in paced(item.pieces.with_offsets()):
            spans = [(start + offset + first, start + offset + last) for first, last in piece.token_spans()]
            texts = [text[first:last] for first, last in spans]
            last = 0
            for at, token in enumerate(texts):
                if at >= last and (token == _HEAD or token.startswith(f"{_HEAD}.")):
                    last = _end(texts, at)
                    yield spans[at][0], spans[last - 1][1]


def _end(tokens: Sequence[str], at: int) -> int:
    """Behind which token a type ends: the bracket that closes the one behind its name, if there is one."""
    depth = 0
    for place in range(at + 1, len(tokens)):
        depth += (tokens[place] == "<") - (tokens[place] == ">")
        if depth <= 0:
            return place + 1 if tokens[place] == ">" else at + 1
    return at + 1


def composed(text: str, first: Sequence[Change], second: Sequence[Change]) -> list[Change]:
    """The changes of a text that do at once what some do, and then others of what these made. Both are in order."""
    between = changed(text, first)
    moved: list[tuple[int, int, Change]] = []
    shift = 0
    for change in first:
        moved.append((change.start + shift, change.start + shift + len(change.text), change))
        shift += len(change.text) - (change.end - change.start)
    edits: list[tuple[int, int, Change | None]] = [(start, end, None) for start, end, _ in moved]
    edits += [(change.start, change.end, change) for change in second]
    found: list[Change] = []
    group: list[Change] = []
    start = end = -1
    for low, high, change in [*sorted(edits, key=lambda edit: edit[:2]), (len(between) + 1, len(between) + 1, None)]:
        if low > end:
            if end >= 0:
                inside = [Change(one.start - start, one.end - start, one.text) for one in group]
                found.append(Change(_before(moved, start), _before(moved, end), changed(between[start:end], inside)))
            start, end, group = low, high, []
        end = max(end, high)
        group += [change] if change is not None else []
    return [change for change in found if text[change.start : change.end] != change.text]


def _before(moved: Sequence[tuple[int, int, Change]], place: int) -> int:
    """Where an offset of the changed text, which lies in no change, lies in the text as it was."""
    shift = 0
    for start, end, change in moved:
        if place <= start:
            break
        shift += (change.end - change.start) - (end - start)
    return place + shift
