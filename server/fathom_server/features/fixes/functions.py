"""The declaration of a function that is called and is not there.

call @g(%a) : (i32) -> i32   ->   func.func private @g(i32) -> i32
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from fathom.ir.attributes import SymbolRefAttr
from fathom.ir.operation import Operation
from fathom.ir.types import FunctionType
from fathom.irdl.interfaces import SymbolTable
from fathom_server.features.edits import Fix
from fathom_server.features.fixes.mistake import Mistake

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
