"""The names in a unit of LLVM IR: where they are given, and where they are used.

Arguments and the first block of a function may have no name; they count as the next numbers, and are given where they
stand.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from fathom.records import NamedTuple, record
from fathom.slices import paced
from fathom_server.model.llvm_ir.tokens import Kind, Token, key_of, tokens_in


class Mention(NamedTuple):
    """A place of a name, and whether it is given there."""

    start: int
    end: int
    is_definition: bool = False


@record
class Argument:
    """An argument of a function: what it is known by, and its tokens, its type first."""

    key: str
    tokens: tuple[Token, ...]

    @property
    def start(self) -> int:
        return self.tokens[0].start

    @property
    def end(self) -> int:
        return self.tokens[-1].end


@record
class Names:
    """The names of a unit, by what they are known by; what is local to a function is a name of this unit alone.

    `body` is where the body of a function begins, behind its brace; the end of the text if it has none.
    """

    mentions: dict[str, list[Mention]]
    arguments: tuple[Argument, ...] = ()
    labels: tuple[tuple[str, Mention], ...] = ()
    """The blocks, in their order, the first one of which may have no label."""
    body: int = 0

    def definition(self, key: str) -> Mention | None:
        """Where a name is given, the first time."""
        return next((mention for mention in self.mentions.get(key, ()) if mention.is_definition), None)


_NAME: Final = r'(?:[-$.\w]+|"[^"\n]*")'
_MENTION: Final = re.compile(
    rf"""
      ;[^\n]*+
    | (?:^|(?<=\{{))[ \t]*+({_NAME}:)
    | c?"[^"\n]*+"?
    | ([%@$]{_NAME} | [\#^]\d+ | !(?!(?:DI\w+|GenericDINode)\()[-$.\w\\]+)([ \t]*+=(?!=))?
    """,
    re.ASCII | re.VERBOSE | re.MULTILINE,
)


def names_of(text: str, *, is_function: bool) -> Names:
    """The names in the text of a unit."""
    arguments: tuple[Argument, ...] = ()
    body = len(text)
    given: set[int] = set()
    mentions: dict[str, list[Mention]] = {}
    labels: list[tuple[str, Mention]] = []
    if is_function:
        name, arguments, body = _header(text)
        given = {name, *(argument.tokens[-1].start for argument in arguments if _is_named(argument))}
        for argument in arguments:
            if not _is_named(argument):
                mentions[argument.key] = [Mention(argument.start, argument.end, True)]
    for match in paced(_MENTION.finditer(text)):
        number = match.lastindex
        if number is None:
            continue
        if number == 1:
            start, end = match.span(1)
            if start < body:
                continue
            key, mention = key_of(match[1]), Mention(start, end - 1, True)
            labels.append((key, mention))
        else:
            start, end = match.span(2)
            key, mention = key_of(match[2]), Mention(start, end, number == 3 or start in given)
        mentions.setdefault(key, []).append(mention)
    if body < len(text):
        first = next(tokens_in(text, body), None)
        if not labels or first is None or first.start < labels[0][1].start:
            unnamed = sum(not _is_named(argument) for argument in arguments)
            key, mention = f"%{unnamed}", Mention(body - 1, body, True)
            labels.insert(0, (key, mention))
            mentions.setdefault(key, []).insert(0, mention)
    return Names(mentions, arguments, tuple(labels), body)


def _is_named(argument: Argument) -> bool:
    last = argument.tokens[-1]
    return last.kind is Kind.LOCAL and len(argument.tokens) > 1


def body_of(text: str) -> int:
    """Where the body of a function begins, behind its brace; the end of the text if it has none."""
    return _header(text)[2]


def _header(text: str) -> tuple[int, tuple[Argument, ...], int]:
    """Where the name of a function stands, its arguments, and where its body begins."""
    tokens = (token for token in tokens_in(text) if token.kind is not Kind.COMMENT)
    name = next((token for token in tokens if token.kind is Kind.GLOBAL), None)
    if name is None:
        return -1, (), len(text)
    arguments = tuple(_arguments(tokens))
    return name.start, arguments, _body(text, tokens)


def _body(text: str, tokens: Iterator[Token]) -> int:
    """Where the body begins, behind the tokens of the signature: at the last brace of a line that is in no other one.
    Those before are of a constant (`prefix`, `prologue`)."""
    body = end = len(text)
    depth = 0
    for token in tokens:
        if token.start >= end:
            break
        if token.text == "{":
            if not depth:
                body = token.end
                found = text.find("\n", body)
                end = found if found >= 0 else len(text)
            depth += 1
        elif token.text == "}":
            depth = max(depth - 1, 0)
    return body


def _arguments(tokens: Iterator[Token]) -> Iterator[Argument]:
    """The arguments between the parentheses that come next."""
    first = next(tokens, None)
    if first is None or first.text != "(":
        return
    depth, unnamed = 0, 0
    part: list[Token] = []
    for token in tokens:
        if depth == 0 and token.text in (",", ")"):
            if part and part[0].text != "...":
                argument = Argument(f"%{unnamed}", tuple(part))
                if _is_named(argument):
                    argument = Argument(key_of(part[-1].text), tuple(part))
                else:
                    unnamed += 1
                yield argument
            if token.text == ")":
                return
            part = []
            continue
        depth += (token.text in ("(", "{", "[", "<")) - (token.text in (")", "}", "]", ">"))
        part.append(token)
