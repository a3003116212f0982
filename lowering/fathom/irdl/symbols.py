"""Symbols as checks see them: what `@a` and `@a::@b` mean where an operation names them.

What is looked up may be elsewhere in a document, where only the beginning of it is known: an *outline*, which has an
operation without a name for all that it holds. So there are three answers: what is named; None, if nothing has the
name; and, where nobody can tell, what stands for anything (`not_at_hand`). Nothing is said of an operation whose check
was given that, so checks need not know of it. Source of the rules: *Symbols and Symbol Tables*.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Protocol, TypeVar

from fathom.ir.attributes import Attribute, SymbolRefAttr
from fathom.ir.operation import Operation
from fathom.ir.types import POISON
from fathom.irdl.interfaces import symbol_name

OpT = TypeVar("OpT", bound=Operation)
T = TypeVar("T")


class Lookup(Protocol):
    """What symbols mean where an operation stands that names them."""

    def __call__(self, symbol: str | SymbolRefAttr, /) -> Operation | None:
        """What a name, or a path of names, means in the symbol table around the operation."""
        ...

    def outwards(self, symbol: SymbolRefAttr, /) -> Iterator[Operation | None]:
        """What it means in each of the symbol tables around the operation, from the innermost."""
        ...

    def once(self, op: Operation, find: Callable[[Operation], T], /) -> T:
        """What `find` says of an operation that many may name, asked once while symbols are looked at: nothing changes
        until then."""
        ...


def meant(lookup: Lookup, symbol: Attribute | None, kind: type[OpT]) -> OpT | None:
    """What a symbol means, if that is an operation of a class (`fathom.ops`)."""
    op = lookup(symbol) if isinstance(symbol, SymbolRefAttr) else None
    return op if isinstance(op, kind) else None


def not_at_hand() -> Operation:
    """What stands for an operation of which nothing is known: no check of those that name it says anything."""
    return Operation("", result_types=[POISON])


def symbol_in(table: Operation | None, *names: str) -> Operation | None:
    """What `@a::@b` means in a symbol table: the operation that names itself `b` in the one that names itself `a`."""
    for name in names:
        inside = list(_directly_in(table))
        table = next((op for op in inside if symbol_name(op) == name), None)
        if table is None and not all(op.name for op in inside):
            return not_at_hand()
    return table


def _directly_in(table: Operation | None) -> Iterator[Operation]:
    for region in table.regions if table is not None else ():
        for block in region.blocks:
            yield from block
