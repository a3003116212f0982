"""The symbols of a table while a conversion goes on: the table is looked through once, not for each name that is
asked for."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fathom.ir.property_values import text_property

if TYPE_CHECKING:
    from collections.abc import Container

    from fathom.ir.operation import Operation


def symbol_of(op: Operation) -> str | None:
    """The symbol that an operation defines, or None."""
    return text_property(op, "sym_name")


class SymbolNames:
    """The operations of a symbol table by their symbols. Those that were `replaced`, and those that an undone change
    took away, no longer count."""

    def __init__(self, table: Operation, replaced: Container[Operation]) -> None:
        self._replaced = replaced
        self._ops: dict[str, Operation] = {}
        self._counts: dict[str, int] = {}
        for block in table.regions[0].blocks:
            for op in block:
                self.note(op)

    def note(self, op: Operation) -> None:
        """Takes in an operation that stands in the table; of several with one symbol the first counts."""
        name = symbol_of(op)
        if name is not None and self.get(name) is None:
            self._ops[name] = op

    def get(self, name: str) -> Operation | None:
        """The operation with a symbol, or None."""
        op = self._ops.get(name)
        return op if op is not None and op.parent is not None and op not in self._replaced else None

    def unused(self, name: str) -> str:
        """`name`, or `name_0`, `name_1`, …, whichever is free first."""
        if self.get(name) is None:
            return name
        count = self._counts.get(name, 0)
        if self.get(f"{name}_{count - 1}") is None:
            count = 0
        while self.get(f"{name}_{count}") is not None:
            count += 1
        self._counts[name] = count + 1
        return f"{name}_{count}"
