"""Calls of functions of the C library in the place of operations, with `func.call`, and their declarations.

    module {                                    module {
      %1 = complex.sin %0 : complex<f32>   ->     func.func private @csinf(complex<f32>) -> complex<f32>
    }                                             %1 = call @csinf(%0) : (complex<f32>) -> complex<f32>
                                                }

Source of the rules: the behaviour of mlir-opt 22.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from fathom.ir.attributes import StringAttr, SymbolRefAttr, TypeAttr
from fathom.ir.locations import UnknownLoc
from fathom.ir.operation import Region
from fathom.ir.types import FunctionType
from fathom.passes.to_llvm.runtime_functions import nearest_symbol_table

if TYPE_CHECKING:
    from fathom.ir.attributes import Attribute
    from fathom.ir.operation import Operation
    from fathom.rewriting.conversion_rewriter import ConversionRewriter


def call_instead(
    op: Operation, name: str, rewriter: ConversionRewriter, attributes: Mapping[str, Attribute] | None = None
) -> None:
    """Replaces `op` by a call of the function `name` with its operands, and declares that, with these attributes, where
    the nearest symbol table has nothing of the name. What has the name is called as it is."""
    operands, results = [value.type for value in op.operands], [value.type for value in op.results]
    _declare(op, name, FunctionType(tuple(operands), tuple(results)), rewriter, attributes)
    rewriter.replace_with(op, "func.call", op.operands, results, {"callee": SymbolRefAttr(name)})


def _declare(
    user: Operation,
    name: str,
    type: FunctionType,
    rewriter: ConversionRewriter,
    attributes: Mapping[str, Attribute] | None,
) -> None:
    table = nearest_symbol_table(user)
    function = rewriter.declared.get((table, name))
    if function is None or function.parent is None or function in rewriter.replaced:
        function = rewriter.symbols_in(table).get(name)
    if function is None:
        with rewriter.elsewhere():
            (body,) = table.regions[0].blocks
            rewriter.set_insertion_to_start(body)
            rewriter.stand_in(table)
            rewriter.location = UnknownLoc()
            properties = {
                "function_type": TypeAttr(type),
                "sym_name": StringAttr(name),
                "sym_visibility": StringAttr("private"),
            }
            function = rewriter.create("func.func", (), (), properties, attributes, regions=[Region()])
    rewriter.declared[table, name] = function
