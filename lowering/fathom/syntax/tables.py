"""The LALR(1) tables of the grammar `mlir.lark`, and the automaton that runs them.

Lark makes them (`fathom.syntax.lalr`), and they are kept (`fathom.syntax.kept_tables`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final, cast

from fathom.records import record
from fathom.syntax.nodes import Leaf, Node
from fathom.text.files import beside

STARTS: Final = (
    "type",
    "plain_type",
    "type_parens",
    "function_type",
    "attribute",
    "literal",
    "number",
    "string",
    "attr_dict",
    "properties",
    "symbol_ref",
    "affine_map",
    "affine_set",
    "array",
    "location",
    "body",
    "file_metadata",
)
GRAMMAR: Final = beside(__file__, "mlir.lark")
TABLES: Final = beside(__file__, "mlir.tables")
END: Final = "$END"

Rule = tuple[str, int, list[int]]
"""The nonterminal, how many symbols it is made of, and which of them are inlined: those whose names begin with `_`."""


@record
class Tables:
    """`states[s][symbol]` is the state to go to, or `~r` where rule `r` is to be reduced; `starts` and `ends` are the
    states in which a fragment begins, and in which it is whole."""

    rules: list[Rule]
    starts: dict[str, int]
    ends: dict[str, int]
    states: Mapping[int, dict[str, int]]

    def takes(self, trace: Sequence[int], terminal: str) -> bool:
        """Whether a parse that has gone through these states takes a terminal."""
        states = list(trace)
        while (action := self.states[states[-1]].get(terminal)) is not None:
            if action >= 0:
                return True
            name, size, _ = self.rules[~action]
            del states[len(states) - size :]
            states.append(self.states[states[-1]][name])
        return False


class Automaton:
    """A parse of one fragment of kind `start`, fed token by token."""

    __slots__ = ("_end", "_tables", "_trace", "_values", "state")

    def __init__(self, tables: Tables, start: str) -> None:
        self._tables = tables
        self._end = tables.ends[start]
        self.state = tables.starts[start]
        self._trace = [self.state]
        self._values: list[Leaf | Node | list[Leaf | Node]] = []

    @property
    def actions(self) -> dict[str, int]:
        """What can come next, terminals and nonterminals."""
        return self._tables.states[self.state]

    @property
    def states(self) -> list[int]:
        """The states on the way here."""
        return self._trace.copy()

    @property
    def is_whole(self) -> bool:
        """Whether the fragment has been reduced to its start symbol."""
        return self.state == self._end

    @property
    def node(self) -> Node:
        """The tree of a fragment that is whole."""
        return cast("Node", self._values[-1])

    @property
    def stack(self) -> list[Leaf | Node | list[Leaf | Node]]:
        """What was read so far: tokens, trees, and the lists that inlined rules make."""
        return list(self._values)

    def feed(self, terminal: str, leaf: Leaf) -> bool:
        """Take a token; False where it cannot stand here, though what ends before it may have been reduced."""
        if not self._reduce(terminal):
            return False
        self.state = self._tables.states[self.state][terminal]
        self._trace.append(self.state)
        self._values.append(leaf)
        return True

    def finish(self) -> bool:
        """Reduce all, as the text ends here; False where it cannot end."""
        return self.is_whole or self._reduce(END)

    def _reduce(self, terminal: str) -> bool:
        """Reduce until the terminal can be shifted, or at the end until the fragment is whole."""
        states, rules, trace, values = self._tables.states, self._tables.rules, self._trace, self._values
        state = self.state
        while True:
            action = states[state].get(terminal)
            if action is None or action >= 0:
                self.state = state
                return action is not None
            name, size, inlined = rules[~action]
            children: list[Leaf | Node] = []
            if size:
                taken = values[-size:]
                del values[-size:], trace[-size:]
                if inlined:
                    for index, value in enumerate(taken):
                        if index in inlined and not children:
                            # A repetition grows to the left: its list goes on, so that a long one is not copied.
                            children = cast("list[Leaf | Node]", value)
                        elif index in inlined:
                            children += cast("list[Leaf | Node]", value)
                        else:
                            children.append(cast("Leaf | Node", value))
                else:
                    children = cast("list[Leaf | Node]", taken)
            values.append(children if name.startswith("_") else Node(name, children))
            state = states[trace[-1]][name]
            trace.append(state)
            if terminal == END and state == self._end:
                self.state = state
                return True
