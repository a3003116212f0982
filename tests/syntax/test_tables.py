"""The tables beside the grammar are those that Lark makes of it."""

from __future__ import annotations

from fathom.syntax.kept_tables import as_text, tables
from fathom.syntax.lalr import make_tables
from fathom.syntax.tables import GRAMMAR, TABLES
from fathom.text.files import read_text


def test_tables_are_those_of_the_grammar() -> None:
    """`python -m fathom.syntax.lalr` writes them."""
    made = make_tables(read_text(GRAMMAR))
    assert read_text(TABLES) == as_text(made)
    kept = tables()
    assert (kept.rules, kept.starts, kept.ends) == (made.rules, made.starts, made.ends)
    assert [kept.states[number] for number in range(len(made.states))] == list(made.states.values())
