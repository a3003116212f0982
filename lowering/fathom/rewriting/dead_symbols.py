"""Takes away the symbols that nothing refers to and that nobody outside can see.

Source of the rules: *Symbols and Symbol Tables*, and mlir-opt 22.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from fathom.diagnostics import LOWERING, Diagnostic
from fathom.ir.attributes import Attribute, SymbolRefAttr, UnknownAttr
from fathom.ir.operation import Operation
from fathom.ir.property_values import text_property
from fathom.ir.symbol_references import elements_in
from fathom.irdl.interfaces import symbol_name
from fathom.irdl.traits import SYMBOL_TABLE
from fathom.rewriting.observers import explaining

UNKNOWN_TABLE: Final = (
    "operation contains potentially unknown symbol table, meaning that we can't reliable compute symbol uses"
)
NAMED: Final = re.compile(r"@([\w$.]+)")


def erase_dead_symbols(table: Operation) -> list[Diagnostic]:
    """Works on a symbol table and those nested in it; says what stands in the way, and then changes nothing."""
    if not table.has(SYMBOL_TABLE):
        message = f"'{table.name}' op  was scheduled to run under SymbolDCE, but does not define a symbol table"
        return [Diagnostic(message, table.span, code=LOWERING, op=table)]
    hidden = table.parent_op is None or not symbol_name(table) or visibility_of(table) == "private"
    live = _LiveSymbols()
    live.visit_table(table, hidden=hidden)
    if live.problem is not None:
        return [Diagnostic(UNKNOWN_TABLE, live.problem.span, code=LOWERING, op=live.problem)]
    watch = explaining()
    for inner in list(table.walk()):
        if inner.has(SYMBOL_TABLE):
            for op in list(inner.regions[0].operations()):
                if symbol_name(op) and op not in live.symbols:
                    op.erase()
                elif op in live.symbols and watch is not None:
                    watch.left(op, "erase", _why_live(live.symbols[op], visibility_of(op)))
    return []


def _why_live(user: Operation | None, visibility: str) -> str:
    """Why a symbol stays: who refers to it, or that it can be seen from outside."""
    if user is None:
        return f"it is {visibility}, and may be used from outside"
    name = symbol_name(user)
    return f"'{user.name}'{f' @{name}' if name else ''}, which stays, refers to it"


def visibility_of(op: Operation) -> str:
    """Who sees a symbol: everybody (`public`), its own table only (`private`), or the tables around it (`nested`)."""
    return text_property(op, "sym_visibility") or "public"


class _LiveSymbols:
    """What is referred to from what is known to be needed. `problem` is an operation of which that cannot be told."""

    def __init__(self) -> None:
        self.symbols: dict[Operation, Operation | None] = {}
        """Those that are needed, each with what refers to it; None of one that can be seen from outside."""
        self.problem: Operation | None = None

    def visit_table(self, table: Operation, *, hidden: bool) -> None:
        """Goes through a symbol table, and the tables in it; `hidden` where nothing outside refers into it."""
        pending: list[Operation] = []
        for op in table.regions[0].operations():
            if not symbol_name(op):
                pending.append(op)
                continue
            visibility = visibility_of(op)
            discardable = visibility == "private" or (hidden and visibility != "public")
            if not discardable and op not in self.symbols:
                self.symbols[op] = None
                pending.append(op)
        while pending and self.problem is None:
            op = pending.pop()
            if op.has(SYMBOL_TABLE):
                self.visit_table(op, hidden=hidden or not symbol_name(op) or visibility_of(op) == "private")
            else:
                pending += (inner for region in op.regions for inner in region.operations() if inner.regions)
            parent = op.parent_op
            if parent is None or not parent.has(SYMBOL_TABLE):
                continue
            for reference in self._references(op):
                for symbol in resolve(parent, reference):
                    if symbol not in self.symbols:
                        self.symbols[symbol] = op
                        pending.append(symbol)

    def _references(self, op: Operation) -> Iterator[SymbolRefAttr]:
        """The references in an operation and what is nested in it, but for the insides of symbol tables."""
        pending = [op]
        while pending:
            outer = pending.pop()
            if outer.definition is None and len(outer.regions) == 1:
                self.problem = op
                return
            for attribute in (*outer.properties.values(), *outer.attributes.values()):
                yield from references_in(attribute)
            if not outer.has(SYMBOL_TABLE):
                pending += (inner for region in outer.regions for inner in region.operations())


def references_in(attribute: Attribute) -> Iterator[SymbolRefAttr]:
    """The references to symbols in an attribute; in one that is not understood, all that look like some."""
    for element in elements_in(attribute):
        match element:
            case SymbolRefAttr():
                yield element
            case UnknownAttr(written):
                yield from (SymbolRefAttr(match[1]) for match in NAMED.finditer(written))
            case _:
                pass


def resolve(table: Operation, reference: SymbolRefAttr) -> list[Operation]:
    """The symbols along a reference, from a table; none where one of them is not there."""
    ops: list[Operation] = []
    scope = table
    for name in (reference.root, *reference.nested):
        if not scope.regions:
            return []
        symbol = next((op for op in scope.regions[0].operations() if symbol_name(op) == name), None)
        if symbol is None:
            return []
        ops.append(symbol)
        scope = symbol
    return ops
