"""Functions: the declaration of one that is called and is not there, the results of one that returns others, another
name for one whose name is taken, the call of one in the place of an operation that nobody knows.

call @g(%a) : (i32) -> i32   ->   func.func private @g(i32) -> i32
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final

from fathom.ir.attributes import SymbolRefAttr, TypeAttr
from fathom.ir.operation import Operation
from fathom.ir.types import FunctionType, Type, spell_results
from fathom.irdl.interfaces import SymbolTable
from fathom.irdl.traits import RETURN_LIKE
from fathom.ops.func import FuncOp
from fathom.passes.leftovers.types import default_types
from fathom.passes.to_llvm.describe import why_not_passed
from fathom_server.features.edits import Fix
from fathom_server.features.fixes.mistake import Mistake
from fathom_server.features.fixes.trials import mending_if_small
from fathom_server.features.item_text import unused
from fathom_server.model.scoping import Symbol, named_at

DECLARATIONS: Final = {"func.call": "func.func private", "func.constant": "func.func private", "llvm.call": "llvm.func"}
"""How what an operation calls is declared."""
_NOT_IN_SYMBOLS: Final = re.compile(r"[^\w$]")


def declared(mistake: Mistake) -> Iterator[Fix]:
    """A declaration of the types that the call has, before the function in which it stands."""
    op = mistake.op()
    callee = op.properties.get("callee") if op is not None else None
    keyword = DECLARATIONS.get(op.name) if op is not None else None
    if op is None or not isinstance(callee, SymbolRefAttr) or callee.nested or keyword is None:
        return
    declaration = _declaration(keyword, str(callee), _type_of(op))
    yield Fix(f"Declare `{callee}`", (mistake.before(_in_table(op), declaration),))


def called(mistake: Mistake) -> Iterator[Fix]:
    """The call of a function of its name and types in the place of an operation that nobody knows, and that is no more
    than its operands and results: without attributes and regions; not of what may end its block. Whoever knows it
    defines the function."""
    op = mistake.op()
    if op is None or op.definition is not None or op.attributes or op.properties or op.regions or op.successors:
        return
    if op.next is None:
        return
    type, types = _type_of(op), default_types()
    operands = [mistake.name(operand) for operand in op.operands]
    function = op.parent_op
    is_passed = all(why_not_passed(passed, types) is None for passed in (*type.inputs, *type.results))
    if function is None or not isinstance(function, FuncOp) or "" in operands or not is_passed:
        return
    stem = _NOT_IN_SYMBOLS.sub("_", op.name)
    symbols = mistake.snapshot.symbols

    def is_taken(name: str) -> bool:
        known = symbols.get(name, ())
        return bool(known) and not _declares(known, name, type)

    callee = unused(stem, is_taken)
    call = f"call @{callee}({', '.join(operands)}) : {type}"
    start, end = mistake.span.start, mistake.extent(op).end
    edit = [mistake.replaced(start, end, call)]
    if not symbols.get(callee, ()):
        declaration = _declaration(DECLARATIONS["func.call"], f"@{callee}", type)
        edit.insert(0, mistake.before(_in_table(op), declaration))
    yield Fix(f"Call `@{callee}` in its place", tuple(edit))


def _declares(known: Sequence[Symbol], callee: str, type: FunctionType) -> bool:
    """Whether the symbols of a name are the declaration of a function of a type."""
    declaration = _declaration(DECLARATIONS["func.call"], f"@{callee}", type)
    return [symbol.item.text_between(symbol.start, symbol.full_end) for symbol in known] == [declaration]


def _type_of(op: Operation) -> FunctionType:
    """The type of a function that takes and makes what an operation does."""
    return FunctionType(tuple(operand.type for operand in op.operands), tuple(result.type for result in op.results))


def _declaration(keyword: str, callee: str, type: FunctionType) -> str:
    results = f" -> {spell_results(type.results, str)}" if type.results else ""
    return f"{keyword} {callee}({', '.join(map(str, type.inputs))}){results}"


def _in_table(op: Operation) -> Operation:
    """The operation around this one that stands directly in a symbol table, or in nothing."""
    while (around := op.parent_op) is not None and around.interface(SymbolTable) is None:
        op = around
    return op


def returned(mistake: Mistake) -> Iterator[Fix]:
    """The types of what a function returns, in the place of those that its header gives."""
    op = mistake.op()
    function = op.parent_op if op is not None and op.has(RETURN_LIKE) else None
    type = function.properties.get("function_type") if function is not None else None
    if op is None or function is None or not isinstance(type, TypeAttr) or not isinstance(type.type, FunctionType):
        return
    wanted = tuple(operand.type for operand in op.operands)
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
    fix = Fix(f"Have the function return {what}", (mistake.replaced(start, header.start + len(head), results),))
    yield from mending_if_small(mistake, [fix])


def _listed(types: Sequence[Type]) -> str:
    shown = ", ".join(map(str, types))
    return shown if len(types) == 1 and not isinstance(types[0], FunctionType) else f"({shown})"


def renamed(mistake: Mistake) -> Iterator[Fix]:
    """Another name for a symbol that has the name of an earlier one of its table."""
    span, snapshot = mistake.span, mistake.snapshot
    text = mistake.item.text_between(span.start, span.end)
    symbol = named_at(mistake.item, span.start)
    if symbol is None or text != f"@{symbol.name}":
        return
    number = 0
    while snapshot.symbols.get(f"{symbol.name}_{number}", ()):
        number += 1
    name = f"@{symbol.name}_{number}"
    yield Fix(f"Rename to `{name}`", (mistake.replaced(span.start, span.end, name),))
