"""How often the functions that may go are still referred to, kept up to date while calls of them are inlined.

Source of the rules: mlir-opt 22's inliner.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import TYPE_CHECKING

from fathom.irdl.interfaces import Symbol
from fathom.irdl.traits import SYMBOL_TABLE
from fathom.rewriting.call_graph import Node
from fathom.rewriting.dead_symbols import references_in
from fathom.rewriting.symbol_uses import visible_tables

if TYPE_CHECKING:
    from fathom.ir.operation import Operation
    from fathom.rewriting.call_graph import CallGraph
    from fathom.rewriting.symbol_uses import SymbolTables


class FunctionUses:
    """The uses of each function that nobody outside sees."""

    def __init__(self, root: Operation, graph: CallGraph, tables: SymbolTables) -> None:
        self._graph = graph
        self._tables = tables
        self._counts: dict[Node, int] = {}
        self._of: dict[Node, Counter[Node]] = {}
        live: set[Node] = set()
        for table, all_visible in visible_tables(root):
            for op in table.regions[0].operations():
                node = graph.of(op)
                if node is None:
                    live.update(self._referred(op))
                    continue
                symbol = op.interface(Symbol)
                visibility = symbol.visibility(op) if symbol is not None else "public"
                if visibility == "private" or (all_visible and visibility != "public"):
                    self._counts[node] = 0
        for node in live:
            self._counts.pop(node, None)
        for node in graph:
            self.recount(node)

    def _referred(self, op: Operation) -> Iterator[Node]:
        """The functions that an operation, and what is nested in it, refers to."""
        table = op.parent_op
        while table is not None and not table.has(SYMBOL_TABLE):
            table = table.parent_op
        pending = [op]
        while pending and table is not None:
            current = pending.pop()
            for attribute in (*current.properties.values(), *current.attributes.values()):
                for reference in references_in(attribute):
                    symbol = self._tables.resolve(table, reference)
                    node = self._graph.of(symbol) if symbol is not None else None
                    if node is not None:
                        yield node
            if not current.has(SYMBOL_TABLE):
                pending += (inner for region in current.regions for inner in region.operations())

    def recount(self, node: Node) -> None:
        """Counts anew what a function uses."""
        self._forget(node)
        uses = self._of[node] = Counter(referred for referred in self._referred(node.op) if referred in self._counts)
        for referred, count in uses.items():
            self._counts[referred] += count

    def _forget(self, node: Node) -> None:
        for referred, count in self._of.pop(node, Counter[Node]()).items():
            if referred in self._counts:
                self._counts[referred] -= count

    def is_dead(self, node: Node) -> bool:
        """Whether nothing refers to the function, which may go."""
        return self._counts.get(node) == 0

    def is_used_once(self, node: Node) -> bool:
        """Whether there is one reference to the function, which may go then."""
        return self._counts.get(node) == 1

    def drop_call(self, user: Node, call: Operation) -> None:
        """The call is about to go."""
        uses = self._of.setdefault(user, Counter[Node]())
        for referred in self._referred(call):
            if referred in uses:
                uses[referred] -= 1
                self._add(referred, -1)

    def merge(self, inlined: Node, into: Node) -> None:
        """What one function uses is now used by the other too."""
        uses = self._of.setdefault(into, Counter[Node]())
        for referred, count in list(self._of.get(inlined, Counter[Node]()).items()):
            uses[referred] += count
            self._add(referred, count)

    def _add(self, node: Node, count: int) -> None:
        # A function that went may still be called by one that calls itself by way of others: it is counted once more.
        self._counts[node] = self._counts.get(node, 0) + count

    def erase(self, node: Node) -> None:
        """The function goes, with those in it."""
        for child in node.children:
            self.erase(child)
        self._forget(node)
        self._counts.pop(node, None)
