"""Functions that passes on async make of what runs beside, and calls of them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fathom.ir.attributes import StringAttr, SymbolRefAttr, TypeAttr
from fathom.ir.operation import Block, Region
from fathom.ir.types import FunctionType
from fathom.rewriting.symbol_names import SymbolNames, symbol_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from fathom.ir.operation import Operation, Value
    from fathom.ir.types import Type
    from fathom.rewriting.rewriter import Rewriter


def add_function(
    rewriter: Rewriter, module: Operation, name: str, inputs: Sequence[Type], results: Sequence[Type] = ()
) -> Operation:
    """A private function at the end of a module, of that name or one like it. The insertion point moves into its empty
    body."""
    entry = Block(inputs)
    for argument in entry.arguments:
        argument.span, argument.location = rewriter.span, rewriter.location
    rewriter.set_insertion_to_end(module.regions[0].entry)
    properties = {
        "function_type": TypeAttr(FunctionType(tuple(inputs), tuple(results))),
        "sym_name": StringAttr(SymbolNames(module, ()).unused(name)),
        "sym_visibility": StringAttr("private"),
    }
    function = rewriter.create("func.func", properties=properties, regions=[Region([entry])])
    rewriter.set_insertion_to_end(entry)
    return function


def call(rewriter: Rewriter, function: Operation, operands: Sequence[Value], results: Sequence[Type] = ()) -> Operation:
    """A call of it."""
    name = symbol_of(function)
    assert name is not None, "a function has a name"
    return rewriter.create("func.call", operands, results, {"callee": SymbolRefAttr(name)})
