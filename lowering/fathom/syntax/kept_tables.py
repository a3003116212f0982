"""The tables of the grammar, as they are kept.

To make them takes a third of the start of a command, so they stand beside the grammar as data, in `mlir.json`.
`python -m fathom.syntax.lalr` writes them anew. Where the grammar is not the one that they were made of, Lark is asked
when they are needed.
"""

from __future__ import annotations

import json
from binascii import crc32
from functools import lru_cache
from typing import TypedDict

from fathom.syntax.tables import GRAMMAR, TABLES, Rule, Tables


class _File(TypedDict):
    grammar: int
    rules: list[Rule]
    starts: dict[str, int]
    ends: dict[str, int]
    states: list[dict[str, int]]


@lru_cache(maxsize=1)
def tables() -> Tables:
    """The tables of the grammar."""
    grammar = GRAMMAR.read_bytes()
    if TABLES.exists():
        kept: _File = json.loads(TABLES.read_bytes())
        if kept["grammar"] == crc32(grammar):
            return Tables(kept["rules"], kept["starts"], kept["ends"], kept["states"])
    from fathom.syntax.lalr import make_tables

    return make_tables(grammar.decode())
