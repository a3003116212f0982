"""The tables beside the grammar are those that Lark makes of it."""

from __future__ import annotations

from fathom.syntax.lalr import as_text, make_tables
from fathom.syntax.tables import GRAMMAR, TABLES


def test_tables_are_those_of_the_grammar() -> None:
    """`python -m fathom.syntax.lalr` writes them."""
    grammar = GRAMMAR.read_bytes()
    assert TABLES.read_text(encoding="utf-8") == as_text(make_tables(grammar.decode()), grammar)
