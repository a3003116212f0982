"""The tables of the grammar as they are kept, in `mlir.tables` beside it, so that nobody makes them at a start.

`python -m fathom.syntax.lalr` writes them anew when the grammar has changed. A line is one thing, in words:

    fragment type 0 33       the states in which it begins, and in which it is whole
    rule _types 3 0          a nonterminal, how many symbols it is made of, and which of them are inlined
    state COMMA 12 RPAR -4   for each symbol the state to go to, or the rule to reduce
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache

from fathom.syntax.tables import TABLES, Rule, Tables
from fathom.text.files import read_text


class _States(dict[int, dict[str, int]]):
    """The states by their numbers, each read when it is first come to: most texts go through few of them."""

    def __init__(self, lines: Sequence[str]) -> None:
        self._lines = lines

    def __missing__(self, number: int) -> dict[str, int]:
        words = self._lines[number].split()
        actions = self[number] = dict(zip(words[1::2], map(int, words[2::2]), strict=True))
        return actions


@lru_cache(maxsize=1)
def tables() -> Tables:
    """The tables of the grammar."""
    lines: dict[str, list[str]] = {"fragment": [], "rule": [], "state": []}
    for line in read_text(TABLES).splitlines():
        lines[line.partition(" ")[0]].append(line)
    fragments = [line.split() for line in lines["fragment"]]
    starts = {name: int(start) for _, name, start, _ in fragments}
    ends = {name: int(end) for _, name, _, end in fragments}
    return Tables([_rule(line) for line in lines["rule"]], starts, ends, _States(lines["state"]))


def _rule(line: str) -> Rule:
    _, name, size, *inlined = line.split()
    return name, int(size), [int(number) for number in inlined]


def as_text(made: Tables) -> str:
    """The text of tables, as they are kept."""

    def line(*words: object) -> str:
        return " ".join(map(str, words)) + "\n"

    def lines() -> Iterator[str]:
        for name, start in made.starts.items():
            yield line("fragment", name, start, made.ends[name])
        for name, size, inlined in made.rules:
            yield line("rule", name, size, *inlined)
        for number in range(len(made.states)):
            yield line("state", *_flat(made.states[number].items()))

    return "".join(lines())


def _flat(pairs: Iterable[tuple[str, int]]) -> Iterator[object]:
    for pair in pairs:
        yield from pair
