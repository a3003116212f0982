"""The tokens of LLVM IR as people write it, with their places.

No token spans lines, so that what is wrong in one line is wrong there alone: a string that is not closed ends with its
line.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from enum import IntEnum
from typing import Final

from fathom.llvmir.spelling import unescape
from fathom.llvmir.types import PRIMITIVES
from fathom.records import NamedTuple


class Kind(IntEnum):
    """What a token is. The numbers are those of the groups of the pattern."""

    COMMENT = 1
    LABEL = 2
    """A name and a colon: it begins a block, or is the name of a field."""
    STRING = 3
    LOCAL = 4
    GLOBAL = 5
    COMDAT = 6
    NODE = 7
    """The class of a specialised metadata node, as `!DILocation`."""
    METADATA = 8
    RECORD = 9
    """A debug record, as `#dbg_value`."""
    GROUP = 10
    SUMMARY = 11
    NUMBER = 12
    TYPE = 13
    WORD = 14
    SIGN = 15


class Token(NamedTuple):
    """A token of a text, and where it begins."""

    kind: Kind
    text: str
    start: int

    @property
    def end(self) -> int:
        return self.start + len(self.text)


_NAME: Final = r'(?:[-$.\w]+|"[^"\n]*"?)'
_PRIMITIVE: Final = "|".join(sorted(map(re.escape, (*PRIMITIVES, "ptr", "x86_mmx", "opaque")), reverse=True))
_TOKEN: Final = re.compile(
    rf"""
      (;[^\n]*|/\*(?:[^*\n]|\*(?!/))*(?:\*/)?)
    | ((?:[-$.\w]+|"[^"\n]*"):)
    | (c?"[^"\n]*"?)
    | (%{_NAME})
    | (@{_NAME})
    | (\${_NAME})
    | (!(?:DI\w+|GenericDINode)(?=\())
    | (![-$.\w\\]+)
    | (\#dbg_\w+)
    | (\#\d+)
    | (\^\d+)
    | ([-+]?(?:[us]?0x[HKLMRhklmr]?[0-9A-Fa-f]+|\d+\.\d*(?:[eE][-+]?\d+)?|\d+)(?![-$.\w]))
    | ((?:i[1-9]\d*|{_PRIMITIVE})(?![-$.\w]))
    | ([-$.\w]+)
    | (\.\.\.|\S)
    """,
    re.ASCII | re.VERBOSE,
)


_KINDS: Final = (Kind.SIGN, *Kind)
"""By the groups of the pattern."""


def tokens_in(text: str, start: int = 0, end: int | None = None) -> Iterator[Token]:
    """The tokens of a part of a text that begins and ends between two of them."""
    for match in _TOKEN.finditer(text, start, len(text) if end is None else end):
        yield Token(_KINDS[match.lastindex or 0], match[0], match.start())


def key_of(token: str) -> str:
    """What a name is known by: its sigil and the name itself, whether it is written in quotes or not. The label of a
    block is a local name."""
    if token[-1:] == ":" and token[:1] not in "%@$!#^":
        token = f"%{token[:-1]}"
    return token[0] + unescape(token[2:].removesuffix('"')) if token[1:2] == '"' else token
