"""The shape of a line, under which what was learnt of one is used for another, says which tokens the line has."""

from __future__ import annotations

from random import Random

import pytest

from fathom.elaborate import load
from fathom.syntax.lexer import hole_indices, is_trivia, shape_key, split_line, tokens_of

LINES = 60_000
PIECES = (
    *'% ^ # @ " // / 0 9 12 1.5 1. e-3 E x 0x1F a _ $ . - -> ? * [ ] < > ! ( ) , : {-# #-} { } = + \\"'.split(),
    *(" ", " x ", "x", "f32", "tensor<", '"b"', '"c'),
)

Said = tuple[tuple[str, ...], tuple[int, ...], tuple[str, ...]]
"""Of a line the kinds of its tokens, which hole each is, and the texts of those that are none."""


def said_of(line: str) -> tuple[tuple[str, ...], Said, bool]:
    """The key of a line's shape, what its tokens are, and whether all its holes but comments are tokens."""
    parts, tokens = split_line(line), tokens_of(line)
    holes, indices = parts[1::2], hole_indices(parts, tokens)
    texts = tuple(token.text for token, index in zip(tokens, indices, strict=True) if index < 0)
    inside = {*range(len(holes))}.difference(indices)
    are_tokens = all(holes[index].startswith("//") for index in inside)
    return shape_key(parts, holes), (tuple(token.kind for token in tokens), tuple(indices), texts), are_tokens


def test_lines_of_one_shape_have_the_same_tokens() -> None:
    """Those with holes that are a part of a token have only the same tokens where the texts of these holes are the same
    (`fathom.syntax.shapes`); they must not meet a line of which that is not known."""
    chance = Random(1)
    lines = ["".join(chance.choices(PIECES, k=chance.randint(1, 6))) for _ in range(LINES)]
    lines += ["^a:", "^a#1:", "{-#a", "{-#b", "#a}", "#-}", "@tensor<0x1F", "@x<0x1F"]
    known: dict[tuple[str, ...], tuple[Said, str]] = {}
    for line in lines:
        key, said, are_tokens = said_of(line)
        if are_tokens:
            known.setdefault(key, (said, line))
    assert len(known) > LINES // 10
    for line in lines:
        key, said, _ = said_of(line)
        if key in known:
            former, other = known[key]
            assert said == former, (line, other)


@pytest.mark.parametrize("character", ["\f", "\v", "\x1c", "\x85", "\u00a0"])
def test_what_mlir_does_not_pass_over(character: str) -> None:
    for text, column in ((f"func.func @f() {{{character} return }}\n", 16), (f"{character}\n", 0)):
        (diagnostic,) = load(text).diagnostics
        assert (diagnostic.message, diagnostic.span and diagnostic.span.start) == ("unexpected character", column)
        assert not is_trivia(text)


def test_what_mlir_passes_over() -> None:
    assert not load("func.func @f()\t{\0 return\r\n }\n\0\n").diagnostics
