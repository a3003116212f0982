"""Attributes of LLVM IR in words, one line of Markdown each."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from fathom_server.features.llvm_ir.attribute_words import ACCESS, ATTRIBUTES, CAPTURES, FLOATS, MEMORY
from fathom_server.model.llvm_ir.tokens import Kind, Token
from fathom_server.model.llvm_ir.types import matching, parts, text_of

_WORDS: Final[Mapping[str, Mapping[str, str]]] = {"captures": CAPTURES, "nofpclass": FLOATS}
"""What the words between the parentheses of an attribute mean."""


def attribute_lines(tokens: Sequence[Token]) -> Iterator[str]:
    """What the attributes among some tokens say."""
    index = 0
    while index < len(tokens):
        token, start = tokens[index], index
        index += 1
        if token.kind is Kind.STRING:
            if index < len(tokens) and tokens[index].text == "=":
                index += 2
            yield f"- `{''.join(part.text for part in tokens[start:index])}`"
            continue
        meaning = ATTRIBUTES.get(token.text)
        if meaning is None:
            if token.text == "(":
                index = matching(tokens, start)
            continue
        inside: Sequence[Token] = ()
        following = tokens[index].text if index < len(tokens) else ""
        if following == "(":
            end = matching(tokens, index)
            inside, index = tokens[index + 1 : end - 1], end
            yield f"- `{token.text}({text_of(inside)})`: {meaning}{_details(token.text, inside)}"
        elif token.text in ("align", "alignstack") and index < len(tokens):
            index += 1 + (following == "=")
            yield f"- `{token.text} {tokens[min(index, len(tokens)) - 1].text}`: {meaning}"
        else:
            yield f"- `{token.text}`: {meaning}"


def _details(name: str, inside: Sequence[Token]) -> str:
    """What stands between the parentheses, in words."""
    if name == "memory":
        return f": {'; '.join(map(_location, parts(inside)))}"
    words = [meaning for token in inside if (meaning := _WORDS.get(name, {}).get(token.text))]
    return f": {', '.join(words)}" if words else ""


def _location(part: Sequence[Token]) -> str:
    """A part of `memory`: a location and how it is accessed, or how all others are."""
    if not part:
        return ""
    access = ACCESS.get(part[-1].text, part[-1].text)
    name = part[0].text.removesuffix(":") if part[0].kind is Kind.LABEL else ""
    return f"{MEMORY.get(name, name) or 'all else'} is {access}"
