"""Types and attributes as they are written in statements: stretches of tokens that may stand as an alias."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final

from fathom.records import record
from fathom.syntax.lexer import Token
from fathom.syntax.pieces import Piece

OPENING: Final = ("<", "(", "[", "{")
CLOSING: Final = (">", ")", "]", "}")
TYPES: Final = ("memref", "tensor", "vector", "complex", "tuple")
ATTRIBUTES: Final = ("affine_map", "affine_set", "dense", "array", "sparse", "strided")
_WITHOUT_PARTS: Final = re.compile(r"[su]?i\d+|index|none|tf32|b?f\d\w*|!.*", re.DOTALL)
TYPED: Final = ("dense", "sparse")
"""Attributes behind which their type stands."""


@record
class Written:
    """A type or an attribute: the tokens from `first` to before `last` of a statement, where they stand in it, and
    their text."""

    first: int
    last: int
    start: int
    end: int
    text: str
    is_type: bool


def written_in(piece: Piece) -> Iterator[Written]:
    """Those of a statement, outer ones before those inside them. Of builtin types those with parts, and those of
    dialects."""
    tokens, spans, text = piece.tokens(), piece.token_spans(), piece.text
    for index in range(len(tokens)):
        last = _end(tokens, index)
        if last is None:
            continue
        start, end = spans[index][0], spans[last - 1][1]
        is_type = tokens[index].kind == "EXCLAIM" or tokens[index].text in TYPES
        yield Written(index, last, start, end, text[start:end], is_type)


def types_in(piece: Piece) -> list[Written]:
    """The types of a statement that are not parts of others, those without parts and aliases too, in its order."""
    types: list[Written] = []
    tokens, behind = piece.tokens(), 0
    outer = {part.first: part for part in reversed(list(written_in(piece)))}
    for index, (start, end) in enumerate(piece.token_spans()):
        if index < behind:
            continue
        text = piece.text[start:end]
        written = outer.get(index)
        if written is None and _WITHOUT_PARTS.fullmatch(text):
            written = Written(index, index + 1, start, end, text, True)
        if written is not None:
            # Behind elements stands their type.
            is_typed = text in TYPED
            behind = (_balanced(tokens, index + 1) if is_typed else None) or written.last
            if written.is_type:
                types.append(written)
    return types


def _end(tokens: Sequence[Token], index: int) -> int | None:
    """The token behind what begins at one, if a type or an attribute does."""
    token = tokens[index]
    opens = index + 1 < len(tokens) and tokens[index + 1].text == "<"
    if token.kind in ("EXCLAIM", "HASH"):
        if "." not in token.text:
            return None
        return _balanced(tokens, index + 1) if opens and _touches(token, tokens[index + 1]) else index + 1
    if not opens or token.text not in (*TYPES, *ATTRIBUTES):
        return None
    last = _balanced(tokens, index + 1)
    if last is not None and token.text in TYPED and last + 1 < len(tokens) and tokens[last].text == ":":
        return _end(tokens, last + 1) or last
    return last


def _touches(one: Token, other: Token) -> bool:
    return one.line == other.line and one.column + len(one.text) == other.column


def _balanced(tokens: Sequence[Token], index: int) -> int | None:
    """The token behind the bracket that closes the one at an index."""
    depth = 0
    for place in range(index, len(tokens)):
        depth += (tokens[place].text in OPENING) - (tokens[place].text in CLOSING)
        if not depth:
            return place + 1
    return None
