"""Types and attributes that have no encoding of their own: their text, as MLIR's parser reads it.

Each such text stands alone. It knows no alias, and the numbers in it of `distinct[…]` are its own.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Hashable
from itertools import count
from typing import Final, Literal, TypeAlias

from fathom.bytecode.encoding import Malformed
from fathom.context import Context
from fathom.elaborate.failure import ElaborationFailure
from fathom.elaborate.meaning import Aliases, Meanings
from fathom.elaborate.reader import Reader
from fathom.ir.attributes import Attribute, DistinctAttr
from fathom.ir.metadata import Metadata
from fathom.ir.types import Type
from fathom.syntax.lexer import Token, tokens_of
from fathom.text.beginnings import MOST_OUTPUT, TextTooLong

Kind: TypeAlias = Literal["Attribute", "Type"]

_DIALECTS: Final = frozenset(("ALIAS", "HASH", "EXCLAIM"))
"""The tokens that may name a dialect."""
_MOST_TOKENS: Final = 200_000


class TextReader:
    """Reads the texts of one file. `refuses` tells which dialects may not be named, and what is said of them."""

    def __init__(self, context: Context, metadata: Metadata, refuses: Callable[[str], bool]) -> None:
        self._context = context
        self._aliases = Aliases(metadata=metadata)
        self._identities: dict[Hashable, object] = {}
        self._refuses = refuses
        self.distinct = count()
        """The numbers of distinct attributes that were not given yet."""

    def read(self, kind: Kind, text: str) -> Type | Attribute:
        """The type or attribute that a text stands for; Malformed where it is not one, or has something behind it."""
        tokens = self._tokens(text)
        places = list(range(len(tokens)))
        self._identities = {k: v for k, v in self._identities.items() if not _is_distinct(k)}
        reader = Reader(tokens, Meanings(self._context, self._aliases, self._identities), 0, places)
        try:
            value = reader.type() if kind == "Type" else reader.attribute()
        except ElaborationFailure as failure:
            raise Malformed(failure.message) from None
        if not reader.at_end:
            rest = text[_offset(text, tokens[reader.position]) :]
            raise Malformed(f"trailing characters found after {kind} assembly format: {rest}")
        return value

    def _tokens(self, text: str) -> list[Token]:
        tokens: list[Token] = []
        for number, line in enumerate(text.split("\n")):
            tokens += tokens_of(line, number, 0)
            if len(tokens) > _MOST_TOKENS:
                raise Malformed(f"a type or attribute of more than {_MOST_TOKENS:,} tokens is not read")
        for token, behind in zip(tokens, [*tokens[1:], None], strict=True):
            if token.kind in _DIALECTS:
                name, dot, _ = token.text[1:].partition(".")
                if (dot or (behind is not None and behind.text == "<")) and self._refuses(name):
                    raise Malformed(_not_created(text[_offset(text, token) :]))
        return self._renumbered(tokens)

    def _renumbered(self, tokens: list[Token]) -> list[Token]:
        """The tokens with numbers behind `distinct` that nothing else in the file has."""
        own: dict[str, str] = {}
        for index, token in enumerate(tokens[2:], 2):
            if token.kind == "INTEGER" and tokens[index - 2].text == "distinct" and tokens[index - 1].text == "[":
                number = own.setdefault(token.text, "")
                if not number:
                    number = own[token.text] = str(next(self.distinct))
                tokens[index] = Token("INTEGER", number, token.line, token.column)
        return tokens


def unknown_dialect(name: str) -> str:
    """What MLIR says of a dialect that is not registered."""
    return (
        f"dialect '{name}' is unknown. If this is intended, please call allowUnregisteredDialects() on the "
        "MLIRContext, or use -allow-unregistered-dialect with the MLIR tool used."
    )


def _not_created(text: str) -> str:
    """What MLIR says of a text that begins with a type or attribute of a dialect that is not registered."""
    depth, end = 0, len(text)
    for index, character in enumerate(text):
        depth += (character in "<[({") - (character in ">])}" and text[index - 1] != "-")
        if depth < 0 or (not depth and character in ",: "):
            end = index
            break
    prefix, name, body = text[0], *re.split(r"\.|(?=<)", text[1:end], maxsplit=1)
    if body.startswith("<"):
        body = body[1:-1]
    spelt = f'!"{name}"<"{body}">'
    what = f"`{spelt}` type" if prefix == "!" else f"#{spelt[1:]} : 'none' attribute"
    return (
        f"{what} created with unregistered dialect. If this is intended, please call allowUnregisteredDialects() on "
        "the MLIRContext, or use -allow-unregistered-dialect with the MLIR opt tool used"
    )


def spelt(element: Type | Attribute) -> str:
    """The text of a type or attribute without aliases. TextTooLong for one that stands for more than a text holds."""
    known: dict[Type | Attribute, str] = {}
    distinct: dict[DistinctAttr, int] = {}
    written = 0

    def of(part: Type | Attribute) -> str:
        nonlocal written
        text = known.get(part)
        if text is None:
            if isinstance(part, DistinctAttr):
                text = part.spell_numbered(distinct.setdefault(part, len(distinct)), of)
            else:
                text = part.spell(of)
            known[part] = text
        written += len(text)
        if written > MOST_OUTPUT:
            raise TextTooLong(f"a text of more than {MOST_OUTPUT:,} characters is not written")
        return text

    return of(element)


def _is_distinct(name: Hashable) -> bool:
    return isinstance(name, tuple) and name[:1] == ("distinct",)


def _offset(text: str, token: Token) -> int:
    """Where a token begins."""
    start = 0
    for _ in range(token.line):
        start = text.index("\n", start) + 1
    return start + token.column
