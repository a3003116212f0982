"""Symbols that a conversion adds to a table: at its beginning, or where the rewriter is."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING

from fathom.dialects.llvm.types import LLVMFunctionType
from fathom.ir.attributes import StringAttr, TypeAttr
from fathom.ir.operation import Region
from fathom.ops.llvm import FuncOp

if TYPE_CHECKING:
    from collections.abc import Generator

    from fathom.ir.attributes import Attribute
    from fathom.ir.operation import Operation
    from fathom.ir.types import Type
    from fathom.rewriting.conversion_rewriter import ConversionRewriter


@contextmanager
def in_front_of(
    rewriter: ConversionRewriter, table: Operation, location: Attribute | None = None
) -> Generator[None, None, None]:
    """New operations stand at the beginning of a symbol table, and come from a location."""
    with rewriter.elsewhere():
        (body,) = table.regions[0].blocks
        rewriter.set_insertion_to_start(body)
        rewriter.location = location or rewriter.location
        yield


def function_of(
    rewriter: ConversionRewriter,
    table: Operation,
    name: str,
    params: Sequence[Type],
    result: Type,
    *,
    varargs: bool = False,
    location: Attribute | None = None,
) -> FuncOp:
    """The function of a name, which is declared at the beginning of the table if that has none."""
    known = rewriter.symbols_in(table).get(name)
    if isinstance(known, FuncOp):
        return known
    type = LLVMFunctionType(result, tuple(params), varargs)
    with in_front_of(rewriter, table, location):
        return declared(rewriter, name, type)


def declared(rewriter: ConversionRewriter, name: str, type: LLVMFunctionType) -> FuncOp:
    """A declaration where the rewriter is."""
    properties = {"function_type": TypeAttr(type), "sym_name": StringAttr(name)}
    function = rewriter.create("llvm.func", (), (), properties, regions=[Region()])
    assert isinstance(function, FuncOp)
    return function
