"""Whether a text means what another one does, from which it differs in white space: the same tokens, the same
operations in the generic form, which shows no locations, and the same mistakes."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from fathom.context import Context
from fathom.elaborate import load
from fathom.ir.printer import print_op
from fathom.ir.printing_flags import PrintingFlags
from fathom.slices import paced
from fathom.syntax.carried import whole
from fathom.syntax.lexer import tokens_of
from fathom.syntax.parse import parse, split_lines
from fathom.syntax.tree import SyntaxTree
from fathom.text.beginnings import MOST_IN_EDITOR, TextTooLong

_GENERIC = PrintingFlags(generic=True, most=MOST_IN_EDITOR)


def same_meaning(before: SyntaxTree, after: str, context: Context) -> bool:
    """Whether a text means what that of a tree does."""
    return same_tokens(before.text, after) and all(
        one == other or _meaning(one, context) == _meaning(other, context)
        for one, other in zip(_parts(before), _parts(parse(after, context.shapes, splits=True)), strict=False)
    )


def same_tokens(one: str, other: str) -> bool:
    """Whether two texts have the same tokens."""
    theirs = _tokens(other)
    return all(token == next(theirs, None) for token in _tokens(one)) and next(theirs, None) is None


def _tokens(text: str) -> Iterator[tuple[str, str]]:
    for line in paced(split_lines(text)):
        for token in tokens_of(line):
            yield token.kind, whole(token.text)


def _parts(tree: SyntaxTree) -> Iterator[str]:
    """The texts between lines `// -----`, which have nothing to do with each other."""
    starts = [*(tree.split_starts if tree.items else ()), len(tree.items)]
    for first, last in pairwise(starts):
        yield "".join(item.text for item in tree.items[first:last])


def _meaning(text: str, context: Context) -> tuple[str, list[tuple[str, str]]]:
    """The operations of a text, and what is wrong with it. What is too long to be written, or
    nested too deep, is as its tokens say."""
    loaded = load(text, context)
    mistakes = [(diagnostic.code, diagnostic.message) for diagnostic in loaded.diagnostics]
    try:
        return print_op(loaded.module, _GENERIC), mistakes
    except (TextTooLong, RecursionError):
        return "", mistakes
