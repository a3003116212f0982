"""Makes the LALR(1) tables of the grammar `mlir.lark`, by Lark: `python -m fathom.syntax.lalr` writes `mlir.json`."""

from __future__ import annotations

import json
from binascii import crc32
from collections.abc import Iterator
from typing import Any, cast

from lark import Lark
from lark.lexer import Lexer

from fathom.syntax.tables import GRAMMAR, STARTS, TABLES, Rule, Tables


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
    return Tables(rules, starts, ends, states)


def as_text(made: Tables, grammar: bytes) -> str:
    """The tables as they are kept: JSON, with a line for each rule and state."""

    def lines(rows: list[Rule] | list[dict[str, int]]) -> str:
        return "[\n" + ",\n".join(json.dumps(row, separators=(",", ":")) for row in rows) + "\n]"

    head = {"grammar": crc32(grammar), "starts": made.starts, "ends": made.ends}
    fields = [f'"{name}": {json.dumps(value)}' for name, value in head.items()]
    fields += [f'"rules": {lines(made.rules)}', f'"states": {lines(made.states)}']
    return "{\n" + ",\n".join(fields) + "\n}\n"


if __name__ == "__main__":
    source = GRAMMAR.read_bytes()
    TABLES.write_text(as_text(make_tables(source.decode()), source), encoding="utf-8")
