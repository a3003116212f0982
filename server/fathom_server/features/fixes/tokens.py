"""A token that is missing, or that is one too many, and a brace that is missing.

%0 = arith.addi %a %b : i32         ->   %0 = arith.addi %a, %b : i32
%0 = arith.addi %a, %b : i32 i32    ->   %0 = arith.addi %a, %b : i32
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import chain, islice
from typing import Final

from fathom.elaborate.aliases import defines_names
from fathom.ir.operation import Span
from fathom.syntax.lexer import indentation
from fathom.syntax.mistakes import number_of_mistakes
from fathom.syntax.parse import parse
from fathom.syntax.tree import SyntaxTree
from fathom_server.features.completion import completion
from fathom_server.features.edits import Fix, Trust
from fathom_server.features.fixes.mistake import Mistake
from fathom_server.features.fixes.trials import can_be_tried, mending
from fathom_server.model.trial import tree_after

TOKENS: Final = (",", ":", ")", "(", "]", ">", "}", "=", "->", '"', "<", "[")
"""What is tried where a statement does not go on as it should."""
TYPES: Final = ("tensor", "memref", "vector", "complex", "tuple")
"""The types whose names are followed by a bracket."""
_BEGUN: Final = re.compile(rf"(?:{'|'.join(TYPES)})(?=[\w?*])")
_ENDS: Final = re.compile(r"(?=[),>]|\s->|\s*$)", re.MULTILINE)
LONGEST_WORD: Final = 80
"""A token of so many characters is named in a title."""
MOST: Final = 6
"""So many types of values are tried behind a colon."""


def inserted(mistake: Mistake) -> Iterator[Fix]:
    """The token without which the item has more mistakes; or a colon with the type of a value that the statement names.
    Where nothing is to be inserted, the token that is one too many."""
    if not can_be_tried(mistake.item):
        return
    # On what an alias stands for all may depend, so there is no trial, and nothing is taken away.
    has_trial, tree = not defines_names(mistake.item), parse(mistake.text, mistake.snapshot.context.shapes)
    present = _mistakes(tree)
    changes = (*_tokens(mistake), *_brackets(mistake), *(_removals(mistake) if has_trial else ()))
    likely = [change for change in changes if _mistakes(_tree_after(tree, mistake, change)) < present]
    if has_trial:
        likely = chain(mending(mistake, likely, wholly=True), mending(mistake, likely))
    yield from islice(likely, 1)


def removed(mistake: Mistake) -> Iterator[Fix]:
    """A statement in short that is one token too many, such as a brace."""
    yield from islice(mending(mistake, _removals(mistake), wholly=True), 1)


def _tokens(mistake: Mistake) -> Iterator[Fix]:
    """What may be missing before the place of a mistake."""
    item, place, text = mistake.item, mistake.span.start, mistake.text
    while place and text[place - 1] in " \t":
        place -= 1
    index = item.piece_at(mistake.span.start)
    known = (mistake.known.value_at(item.pieces[index], token) for token in range(len(item.pieces[index].shape.tokens)))
    types = list(dict.fromkeys(str(value.type) for value in known if value is not None))[:MOST]
    suggested = completion(mistake.snapshot, mistake.base + place + len(text[place:]) - len(text[place:].lstrip(" \t")))
    words = [
        suggestion.label
        for suggestion in (suggested.suggestions if suggested is not None else ())
        if suggestion.kind == "keyword"
    ]
    for token in (*TOKENS, *(f": {type}" for type in types), *words[:MOST]):
        spaced = f" {token}" if token[0] in ":=-}" or token[0].isalpha() else token
        is_apart = token in ("=", "->") or token[0].isalpha()
        behind = " " if is_apart and text[place : place + 1] not in (" ", "") else ""
        yield Fix(f"Insert `{token}`", (mistake.inserted(place, f"{spaced}{behind}"),))


def _brackets(mistake: Mistake) -> Iterator[Fix]:
    """The bracket that begins what a type is made of, or the word before it; or the bracket that ends it."""
    place, text = mistake.span.start, mistake.text
    place += len(text[place:]) - len(text[place:].lstrip(" \t"))
    if (word := _BEGUN.match(text, place)) is not None:
        yield Fix("Insert `<`", (mistake.inserted(word.end(), "<"),))
    elif text[place : place + 1] == "<":
        yield from (Fix(f"Insert `{name}`", (mistake.inserted(place, name),), trust=Trust.GUESSED) for name in TYPES)
        ends = (match_.start() for match_ in _ENDS.finditer(text, place, text.find("\n", place) % (len(text) + 1)))
        yield from (Fix("Insert `>`", (mistake.inserted(end, ">"),)) for end in islice(ends, MOST))


def _removals(mistake: Mistake) -> Iterator[Fix]:
    """The token at a mistake, and the one before it, each left out."""
    base, place = mistake.start_of(mistake.piece), mistake.span.start
    spans = [Span(base + start, base + end) for start, end in mistake.piece.token_spans()]
    number = next((number for number, span in enumerate(spans) if span.end > place), len(spans))
    for span in reversed(spans[max(number - 1, 0) : number + 1]):
        word, before = mistake.text[span.start : span.end], mistake.text[: span.start].rstrip(" \t")
        start = len(before) if before and before[-1] != "\n" else span.start
        if len(word) <= LONGEST_WORD:
            yield Fix(f"Remove `{word}`", (mistake.removed(start, span.end),))


def opened(mistake: Mistake) -> Iterator[Fix]:
    """The brace that opens a region, at the end of the statement that has to have one."""
    place = len(mistake.text[: mistake.span.start].rstrip())
    yield from mending(mistake, [Fix("Insert `{`", (mistake.inserted(place, " {"),))])


def _tree_after(tree: SyntaxTree, mistake: Mistake, fix: Fix) -> SyntaxTree:
    """The tree of the item after a fix of it, which is one change."""
    (change,) = fix.edit
    start, end = change.start - mistake.base, change.end - mistake.base
    return tree_after(tree, start, end, change.text, mistake.snapshot.context.shapes)[0]


def _mistakes(tree: SyntaxTree) -> int:
    """How many mistakes of syntax a text has."""
    return sum(number_of_mistakes(item.pieces, item.frame_out) for item in tree.items) + len(tree.unclosed())


def closed(mistake: Mistake) -> Iterator[Fix]:
    """The brace that closes a region, before the first statement that begins no further to the right than the one that
    opens the region."""
    item = mistake.item
    number = item.line_at(mistake.span.start)[0]
    first = next(iter(mistake.piece.token_spans(1)), (0, 0))[0]
    line = item.line_at(mistake.start_of(mistake.piece) + first)[2]
    margin = indentation(line)
    at = 0
    place = item.length
    for index, line_text in enumerate(item.lines):
        if index > number and line_text.strip() and indentation(line_text) <= margin:
            place = at
            break
        at += len(line_text)
    before = mistake.text[:place].rstrip()
    text = f"{mistake.line_break}{line[:margin]}}}"
    yield Fix("Insert `}`", (mistake.inserted(len(before), text),))
