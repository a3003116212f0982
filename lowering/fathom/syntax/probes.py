"""What an operation asked for where it ended: whether it would have gone on with another token there."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from fathom.syntax.lexer import Token
from fathom.syntax.token_reader import begins_type

KINDS: Final = {
    "value": ("VALUE",),
    "symbol": ("SYMBOL",),
    "block": ("BLOCK",),
    "string": ("STRING",),
    "integer": ("INTEGER", "HEX"),
    "float": ("FLOAT",),
    "bare": ("BARE",),
    "alias": ("ALIAS", "HASH"),
}
PREFIX: Final = {"value": "%", "symbol": "@", "block": "^", "string": '"', "alias": "#"}
"""The first characters that tell a kind of token from all others."""
BY_KIND: Final = "\0"
"""Begins what is noted of a question for a kind of token that no first character tells from all others."""


def would_take(probes: Iterable[str], token: Token) -> bool:
    """Whether an operation that asked for these beginnings where it ends would have gone on with a token."""
    return any(
        _is_kind(token, probe[1:]) if probe.startswith(BY_KIND) else token.text.startswith(probe) for probe in probes
    )


def words_and_kinds(probes: Iterable[str]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The beginnings of words among what an operation asked for, and the questions for kinds of tokens."""
    kinds = tuple(sorted(probe for probe in probes if probe.startswith(BY_KIND)))
    return tuple(sorted({*probes}.difference(kinds))), kinds


def _is_kind(token: Token, kind: str) -> bool:
    return begins_type(token) if kind == "type" else token.kind in KINDS[kind]
