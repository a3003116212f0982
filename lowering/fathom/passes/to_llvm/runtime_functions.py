"""Declarations of the functions that lowered code calls: `malloc`, `free`, `aligned_alloc`, `memrefCopy`.

    module { … }   ->   module { llvm.func @malloc(i64) -> !llvm.ptr  … }

A declaration goes to the front of the nearest symbol table, unless the function is declared there already.
Source of the rules: *LLVM IR Target*, "Memory Allocation", and the behaviour of mlir-opt 22.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from fathom.dialects.llvm.types import VOID, LLVMFunctionType
from fathom.ir.attributes import TypeAttr
from fathom.ir.operation import Operation
from fathom.ops.llvm import FuncOp
from fathom.passes.to_llvm.declarations import declared, in_front_of
from fathom.rewriting.pattern import Failure
from fathom.verify.symbols import enclosing_table

if TYPE_CHECKING:
    from fathom.ir.attributes import Attribute
    from fathom.ir.types import Type
    from fathom.rewriting.conversion_rewriter import ConversionRewriter


def declare(
    rewriter: ConversionRewriter,
    user: Operation,
    name: str,
    params: Sequence[Type],
    result: Type = VOID,
    location: Attribute | None = None,
    *,
    renamed: bool = True,
    reserved: bool = True,
) -> str | Failure:
    """Makes sure that `user` can call the function, and returns the name to call it by. A declaration has the location,
    by default that of the module.

    A symbol that is no `llvm.func` takes the name away: the declaration gets another, or if it must not be `renamed`
    has the same, which the verifier reports. A function of another type is a failure, whether the name is
    `reserved` or not.
    """
    table = nearest_symbol_table(user)
    type = LLVMFunctionType(result, tuple(params))
    function = rewriter.declared.get((table, name))
    if function is None or function.parent is None or function in rewriter.replaced:
        function = rewriter.symbols_in(table).get(name)
    if isinstance(function, FuncOp):
        rewriter.declared[table, name] = function
        other = function.function_type
        if other == TypeAttr(type):
            return name
        noun, which = ("reserved function", other) if reserved else ("function", TypeAttr(type))
        text = f"redefinition of {noun} '{name}' of different type '{which}' is prohibited"
        return Failure(text, said_of=function)
    free = rewriter.symbols_in(table).unused(name) if renamed else name
    with in_front_of(rewriter, table):
        rewriter.stand_in(table)
        rewriter.location = location or table.location
        new = declared(rewriter, free, type)
    if free == name:
        rewriter.declared[table, name] = new
    return free


def nearest_symbol_table(op: Operation) -> Operation:
    """The closest module around `op`."""
    table = enclosing_table(op)
    if table is None:
        raise ValueError(f"'{op.name}' stands in no module")
    return table
