"""The call graph of a module: its functions, who calls whom, and who only names whom.

Source of the rules: *Symbols and Symbol Tables*; *'CallOpInterface'*.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Final

from fathom.graphs.graph import Drawing, Graph, Limits, Node
from fathom.ir.attributes import SymbolRefAttr
from fathom.ir.symbol_references import references_of_operation
from fathom.irdl.interfaces import Call, FunctionLike, Symbol, symbol_name
from fathom.slices import paced
from fathom.text.beginnings import beginning
from fathom.verify.symbols import enclosing_table

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fathom.graphs.printed import Printed
    from fathom.ir.operation import Operation

KIND: Final = "calls"


def calls(module: Operation, printed: Printed, name: str, limits: Limits) -> Graph:
    """The graph of the functions that stand anywhere in a module."""
    drawing = Drawing(limits)
    tables: dict[Operation, dict[str, Operation]] = {}
    """What each symbol table has, by name; the first of a name counts."""
    functions: dict[Operation, int | None] = {}
    for op in paced(module.walk()):
        if op is module or op.interface(Symbol) is None:
            continue
        table = enclosing_table(op)
        if table is not None:
            tables.setdefault(table, {}).setdefault(symbol_name(op), op)
        model = op.interface(FunctionLike)
        if model is not None:
            kind = "declaration" if model.body(op) is None else "function"
            title = beginning("::".join(f"@{part}" for part in _path(op, module)), 80)
            functions[op] = drawing.node(Node(kind, title, (op.name,), printed.head(op), op.span))
    for function, node in functions.items():
        for (callee, kind), count in _named(function, tables).items():
            label = f"{count:,}×" if count > 1 else ""
            drawing.edge(node, functions.get(callee), kind, label, is_back=callee is function)
    return drawing.graph(KIND, name)


def _named(function: Operation, tables: dict[Operation, dict[str, Operation]]) -> Counter[tuple[Operation, str]]:
    """The functions that a function names, with how, and how often."""
    found: Counter[tuple[Operation, str]] = Counter()
    for op in paced(function.walk()):
        if op is not function and op.interface(FunctionLike) is not None:
            continue
        model = op.interface(Call)
        called = model.callee(op) if model is not None else None
        for reference in references_of_operation(op):
            meant = _meant(op, reference, tables)
            if meant is not None:
                found[meant, "call" if reference == called else "reference"] += 1
    return found


def _meant(op: Operation, symbol: SymbolRefAttr, tables: dict[Operation, dict[str, Operation]]) -> Operation | None:
    """What a symbol means from where an operation stands: in the nearest table that has its name."""
    table = enclosing_table(op)
    while table is not None:
        found: Operation | None = tables.get(table, {}).get(symbol.root)
        for part in symbol.nested:
            found = tables.get(found, {}).get(part) if found is not None else None
        if found is not None:
            return found
        table = enclosing_table(table)
    return None


def _path(op: Operation, module: Operation) -> Iterator[str]:
    names: list[str] = []
    around: Operation | None = op
    while around is not None and around is not module:
        names.append(symbol_name(around))
        around = around.parent_op
    return filter(None, reversed(names))
