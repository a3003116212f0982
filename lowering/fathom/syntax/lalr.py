"""Makes the LALR(1) tables of the grammar `mlir.lark`, by Lark: `python -m fathom.syntax.lalr` writes `mlir.tables`.

Only who changes the grammar needs Lark.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any, cast

from lark import Lark
from lark.lexer import Lexer

from fathom.syntax.kept_tables import as_text
from fathom.syntax.tables import GRAMMAR, STARTS, TABLES, Rule, Tables
from fathom.text.files import read_text


class _NoLexer(Lexer):
    """Lark wants a lexer; tokens are fed to the tables directly, so this one is never asked."""

    def __init__(self, config: object) -> None:
        pass

    def lex(self, lexer_state: object, parser_state: object) -> Iterator[Any]:
        return iter(())


def make_tables(grammar: str) -> Tables:
    """What Lark makes of a grammar, with states and rules numbered in the order in which they are met from the starts,
    so that equal grammars give equal tables."""
    lark = Lark(
        grammar, parser="lalr", lexer=_NoLexer, start=list(STARTS), maybe_placeholders=False, keep_all_tokens=True
    )
    return _numbered(lark)


def _numbered(lark: Lark) -> Tables:
    # Lark does not say what its tables are made of; they are read here, and nowhere else.
    made: Any = cast("Any", lark).parser.parser.parser.parse_table
    order = [made.start_states[start] for start in STARTS]
    numbers: dict[int, int] = {state: number for number, state in enumerate(order)}
    rules: list[Rule] = []
    rule_numbers: dict[object, int] = {}
    states: list[dict[str, int]] = []
    for old in order:
        row: dict[str, int] = {}
        for symbol, (action, target) in sorted(made.states[old].items()):
            if action.name == "Shift":
                if target not in numbers:
                    numbers[target] = len(order)
                    order.append(target)
                row[str(symbol)] = numbers[target]
            else:
                if target not in rule_numbers:
                    rule_numbers[target] = len(rules)
                    inlined = [
                        index
                        for index, part in enumerate(target.expansion)
                        if not part.is_term and part.name.startswith("_")
                    ]
                    rules.append((str(target.origin.name), len(target.expansion), inlined))
                row[str(symbol)] = ~rule_numbers[target]
        states.append(row)
    starts = {start: numbers[made.start_states[start]] for start in STARTS}
    ends = {start: numbers[made.end_states[start]] for start in STARTS}
    return Tables(rules, starts, ends, dict(enumerate(states)))


if __name__ == "__main__":
    Path(TABLES).write_text(as_text(make_tables(read_text(GRAMMAR))), encoding="utf-8")
