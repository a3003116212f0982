"""A token that is missing, and a brace that is.

%0 = arith.addi %a %b : i32   ->   %0 = arith.addi %a, %b : i32
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from fathom.syntax.lexer import indentation
from fathom.syntax.parse import parse
from fathom_server.features.edits import Fix
from fathom_server.features.fixes.mistake import Mistake
from fathom_server.features.fixes.trials import mending

TOKENS: Final = (",", ":", ")", "(", "]", ">", "}", "=", "->", "to", '"')
"""What is tried where a statement does not go on as it should."""
LONGEST: Final = 400
"""In so many lines a token is tried, with the lines of the item before the mistake."""
MOST_CHARACTERS: Final = 20_000
"""And in so many characters, which are read again with each token."""
MOST: Final = 6
"""So many types of values are tried behind a colon."""


def inserted(mistake: Mistake) -> Iterator[Fix]:
    """The token without which the item does not parse, or has more mistakes of syntax; or a colon with the type of a
    value that the statement names."""
    item, place = mistake.item, mistake.span.start
    if item.line_count > LONGEST or item.length > MOST_CHARACTERS:
        return
    text = mistake.text
    while place and text[place - 1] in " \t":
        place -= 1
    present = _mistakes(mistake, text)
    index = item.piece_at(mistake.span.start)
    known = (mistake.known.value_at(item.pieces[index], token) for token in range(len(item.pieces[index].shape.tokens)))
    types = list(dict.fromkeys(str(value.type) for value in known if value is not None))[:MOST]
    for token in (*TOKENS, *(f": {type}" for type in types)):
        spaced = f" {token}" if token[0] in ":=-t}" else token
        behind = " " if token in ("=", "->", "to") and text[place : place + 1] not in (" ", "") else ""
        if _mistakes(mistake, f"{text[:place]}{spaced}{behind}{text[place:]}") < present:
            yield Fix(f"Insert `{token}`", (mistake.inserted(place, f"{spaced}{behind}"),))
            return


def opened(mistake: Mistake) -> Iterator[Fix]:
    """The brace that opens a region, at the end of the statement that has to have one."""
    place = len(mistake.text[: mistake.span.start].rstrip())
    yield from mending(mistake, [Fix("Insert `{`", (mistake.inserted(place, " {"),))])


def _mistakes(mistake: Mistake, text: str) -> int:
    """How many mistakes of syntax an item of this text has."""
    tree = parse(text, mistake.snapshot.context.shapes)
    return sum(len(item.errors) for item in tree.items) + len(tree.unclosed())


def closed(mistake: Mistake) -> Iterator[Fix]:
    """The brace that closes a region, before the first statement that begins no further to the right than the line that
    opens the region."""
    item = mistake.item
    number, _, line = item.line_at(mistake.span.start)
    margin = indentation(line)
    at = 0
    place = item.length
    for index, each in enumerate(item.lines):
        if index > number and each.strip() and indentation(each) <= margin:
            place = at
            break
        at += len(each)
    before = mistake.text[:place].rstrip()
    text = f"{mistake.line_break}{line[:margin]}}}"
    yield Fix("Insert `}`", (mistake.inserted(len(before), text),))
