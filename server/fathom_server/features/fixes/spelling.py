"""Words that were probably meant where the parser takes another: a keyword, a case of an enumeration, a type; and a
type where there is none.

%0 = arith.cmpi lt, %a, %b : indx   ->   %0 = arith.cmpi slt, %a, %b : index
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from difflib import get_close_matches
from typing import Final

from fathom_server.features.completion import completion
from fathom_server.features.edits import Fix, Trust
from fathom_server.features.fixes.mistake import Mistake
from fathom_server.features.fixes.trials import mending

MOST: Final = 4
"""So many words are tried for one."""
MOST_TYPES: Final = 6
_WORD: Final = re.compile(r"\s*([!#]?[A-Za-z_][\w$.]*)")
_NAME: Final = re.compile(r"%[\w$.-]+")


def spelled(mistake: Mistake) -> Iterator[Fix]:
    """The words like the one that stands there, of those that completion suggests in its place."""
    match = _WORD.match(mistake.text, mistake.span.start)
    if match is None:
        return
    start, end, word = match.start(1), match.end(1), match[1]
    # Completion is asked behind what says which words there may be: `!`, `!llvm.`.
    known = word.rfind(".") + 1 or len(word) - len(word.lstrip("!#"))
    suggested = completion(mistake.snapshot, mistake.base + start + known)
    labels = [suggestion.label for suggestion in suggested.suggestions] if suggested is not None else []
    near = get_close_matches(word, [label for label in labels if label != word], MOST)
    changes = (Fix(f"Change to `{name}`", (mistake.replaced(start, end, name),), trust=Trust.GUESSED) for name in near)
    yield from mending(mistake, changes)


def typed(mistake: Mistake) -> Iterator[Fix]:
    """The type of a value that the statement names, where one is missing behind a colon or an arrow."""
    place = mistake.span.start
    statement, base = mistake.piece.text, mistake.start_of(mistake.piece)
    before = mistake.text[base:place].rstrip()
    if not before.endswith((":", "->", "to")):
        return
    named = set(_NAME.findall(statement))
    types = [
        str(value.type)
        for value, where in mistake.known.definitions()
        if mistake.text[where.span.start : where.span.end].partition(":")[0] in named
    ]
    place = base + len(before)
    changes = (
        Fix(f"Insert `{type_}`", (mistake.inserted(place, f" {type_}"),), trust=Trust.GUESSED)
        for type_ in dict.fromkeys(types[-MOST_TYPES:])
    )
    yield from mending(mistake, changes)
