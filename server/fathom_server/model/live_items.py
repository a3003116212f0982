"""The items that stay elaborated and verified while they are edited: the big ones.

A small item is elaborated anew whenever it changes, which is simple and cheap. Of a big one there is one IR, that of
the present version, which changes in place. It belongs to the present version's memory (`model/queries.py`): whoever
still holds a snapshot of a former version never meets it, and elaborates the item, which does not change, from its
text.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Final

from fathom.context import Context
from fathom.diagnostics import Diagnostic
from fathom.elaborate.elaborated import Elaborated
from fathom.elaborate.live import Live
from fathom.elaborate.meaning import Aliases
from fathom.elaborate.templates import Template
from fathom.ir.attributes import SymbolRefAttr
from fathom.ir.operation import Operation
from fathom.ir.symbol_references import references_of_operation
from fathom.irdl.traits import ISOLATED_FROM_ABOVE
from fathom.slices import Slices, paced
from fathom.syntax.tree import Item
from fathom.verify import verify
from fathom.verify.live import LiveChecks
from fathom.verify.symbols import Symbols

LIVE_FROM: Final = 64
"""Items of at least so many statements stay elaborated."""


class LiveItem:
    """An item with its IR, and what is wrong with it. It is made by `make` before anything else."""

    def __init__(self, context: Context, aliases: Aliases, item: Item) -> None:
        self.context = context
        self.aliases = aliases
        self._is_whole = True
        """Whether nothing of the work on it was given up half-way."""
        self._live = Live(context, aliases, item)
        self._checks: dict[Operation, LiveChecks] = {}
        self._headers: object = None
        self._references: dict[Operation, tuple[SymbolRefAttr, ...]] = {}
        self._referenced: Counter[SymbolRefAttr] = Counter()
        # Both are left standing still by whoever is interrupted, and go on with the next one.
        self._making = Slices(self._make)
        self._unmaking = Slices(self._unmake)

    def make(self) -> None:
        """Elaborates the item, or what is left of it."""
        self._making.finish()

    @property
    def is_made(self) -> bool:
        """Whether there is all of it."""
        return self._making.is_over

    def _make(self) -> None:
        self._live.read()
        self._refer_first()

    @property
    def known(self) -> Elaborated:
        """The IR."""
        return self._live.known

    @property
    def references(self) -> frozenset[SymbolRefAttr]:
        """The references to symbols in the item."""
        return frozenset(self._referenced)

    def follow(self, item: Item) -> bool:
        """Goes on to the item that this one has become, at the cost of what the edit touched. False if it cannot; it is
        of no use any more then."""
        is_whole = self._is_whole and all(checks.is_whole for checks in self._checks.values())
        if not is_whole or item is self._live.item:
            return is_whole
        self._is_whole = False
        update = self._live.update(item)
        if update is None:
            return False
        for op in update.removed:
            for reference in self._references.pop(op, ()):
                self._referenced[reference] -= 1
                if not self._referenced[reference]:
                    del self._referenced[reference]
        self._refer(iter(update.made))
        is_one = len(self.known.operations) == 1
        for root, checks in self._checks.items():
            made, freed = (
                [op for op in some if is_one or _outermost(op) is root] for some in (update.made, update.freed)
            )
            blocks = [
                block
                for block in update.blocks
                if is_one or (block.parent is not None and _outermost(block.parent.parent) is root)
            ]
            checks.note(made, update.removed, freed, blocks, has_new_ways=update.has_new_ways)
        self._is_whole = True
        return True

    def prepare(self) -> None:
        """Does ahead what the first edit would need."""
        self._live.prepare()

    def dismantle(self) -> None:
        """Takes the IR apart, or what is left of it. Nobody may use any of it afterwards."""
        self._unmaking.finish()

    def _unmake(self) -> None:
        if not self.is_made:
            self._making.end()
            self._live.elaborator.stop()
        self.known.dismantle()
        self._checks.clear()
        self._references.clear()

    def verify(self, op: Operation, symbols: Symbols, headers: object) -> list[Diagnostic]:
        """What the verifier finds wrong with an operation of the item. `headers` are those of the symbols that it
        refers to; what looks them up is checked again when they are others than the last time."""
        if not (op.regions and op.has(ISOLATED_FROM_ABOVE)):
            return verify(op, symbols, self.context, self.known.template)
        checks = self._checks_of(op)
        checks.update(symbols, has_new_symbols=headers != self._headers)
        self._headers = headers
        return checks.diagnostics

    def _checks_of(self, op: Operation) -> LiveChecks:
        checks = self._checks.get(op)
        if checks is None:
            checks = self._checks[op] = LiveChecks(op, self.context, self._live)
        return checks

    def _refer_first(self) -> None:
        """Notes the symbols that the whole item refers to. Operations that were made alike refer to the same."""
        silent: set[Template] = set()
        for op, template in paced(self._live.operations()):
            if template in silent:
                continue
            self._refer(iter((op,)))
            if template is not None and op not in self._references:
                silent.add(template)

    def _refer(self, operations: Iterator[Operation]) -> None:
        for op in operations:
            if references := references_of_operation(op):
                self._referenced.subtract(self._references.get(op, ()))
                self._references[op] = tuple(references)
                self._referenced.update(references)


def _outermost(op: Operation | None) -> Operation | None:
    """The operation of the item in which one stands."""
    while op is not None and (around := op.parent_op) is not None:
        op = around
    return op
