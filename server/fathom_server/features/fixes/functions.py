"""Functions: the declaration of one that is called and is not there, the results of one that returns others, another
name for one whose name is taken.

call @g(%a) : (i32) -> i32   ->   func.func private @g(i32) -> i32
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from fathom.ir.attributes import SymbolRefAttr, TypeAttr
from fathom.ir.operation import Operation
from fathom.ir.types import FunctionType, Type
from fathom.irdl.interfaces import SymbolTable
from fathom_server.features.edits import Fix
from fathom_server.features.fixes.mistake import Mistake
from fathom_server.model.symbols import symbols_of

DECLARATIONS: Final = {"func.call": "func.func private", "func.constant": "func.func private", "llvm.call": "llvm.func"}
"""How what an operation calls is declared."""


def declared(mistake: Mistake) -> Iterator[Fix]:
    """A declaration of the types that the call has, before the function in which it stands."""
    op = mistake.op()
    callee = op.properties.get("callee") if op is not None else None
    if op is None or not isinstance(callee, SymbolRefAttr) or callee.nested or op.name not in DECLARATIONS:
        return
    around = _in_table(op)
    type = FunctionType(tuple(each.type for each in op.operands), tuple(each.type for each in op.results))
    inputs = ", ".join(map(str, type.inputs))
    results = str(type).partition(" -> ")[2] if type.results else ""
    declaration = f"{DECLARATIONS[op.name]} {callee}({inputs}){f' -> {results}' if results else ''}"
    yield Fix(f"Declare `{callee}`", (mistake.before(around, declaration),))


def _in_table(op: Operation) -> Operation:
    """The operation around this one that stands directly in a symbol table, or in nothing."""
    while (around := op.parent_op) is not None and around.interface(SymbolTable) is None:
        op = around
    return op


def returned(mistake: Mistake) -> Iterator[Fix]:
    """The types of what a function returns, in the place of those that its header gives."""
    op = mistake.op()
    function = op.parent_op if op is not None and op.name == "func.return" else None
    type = function.properties.get("function_type") if function is not None else None
    if op is None or function is None or not isinstance(type, TypeAttr) or not isinstance(type.type, FunctionType):
        return
    wanted = tuple(each.type for each in op.operands)
    header = mistake.statement(function)
    text = mistake.item.text_between(header.start, header.end)
    brace = len(text) - 1
    results = f" -> {_listed(wanted)}" if wanted else ""
    given = f" -> {_listed(type.type.results)}" if type.type.results else ""
    head = text[:brace].rstrip()
    if wanted == type.type.results or not head.endswith(given):
        return
    start = header.start + len(head) - len(given)
    what = f"`{_listed(wanted)}`" if wanted else "nothing"
    yield Fix(f"Have the function return {what}", (mistake.replaced(start, header.start + len(head), results),))


def _listed(types: Sequence[Type]) -> str:
    shown = ", ".join(map(str, types))
    return shown if len(types) == 1 and not isinstance(types[0], FunctionType) else f"({shown})"


def renamed(mistake: Mistake) -> Iterator[Fix]:
    """Another name for a symbol that has the name of an earlier one of its table."""
    span, snapshot = mistake.span, mistake.snapshot
    text = mistake.item.text_between(span.start, span.end)
    found = next((each for each in symbols_of(mistake.item) if each.name_start == span.start), None)
    if found is None or text != f"@{found.name}":
        return
    number = 0
    while snapshot.symbols.get(f"{found.name}_{number}", ()):
        number += 1
    name = f"@{found.name}_{number}"
    yield Fix(f"Rename to `{name}`", (mistake.replaced(span.start, span.end, name),))
