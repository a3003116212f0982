"""Texts that device code refers to, as constants of the symbol table around it."""

from __future__ import annotations

from itertools import count
from typing import TYPE_CHECKING, TypeGuard

from fathom.dialects.llvm.attributes import linkage
from fathom.dialects.llvm.types import LLVMArrayType, LLVMPointerType
from fathom.ir.attributes import UNIT, StringAttr, SymbolRefAttr, TypeAttr, i32_attr, i64_attr
from fathom.ir.locations import FileLineColLoc, UnknownLoc, nested_locations
from fathom.ir.operation import Region
from fathom.ir.types import I8
from fathom.ops.llvm import MlirGlobalOp
from fathom.passes.to_llvm import emit
from fathom.passes.to_llvm.declarations import in_front_of
from fathom.text.encodings import utf8

if TYPE_CHECKING:
    from fathom.ir.attributes import Attribute
    from fathom.ir.operation import Operation, Value
    from fathom.ir.types import Type
    from fathom.rewriting.conversion_rewriter import ConversionRewriter


def string_constant(
    rewriter: ConversionRewriter,
    table: Operation,
    prefix: str,
    text: str,
    *,
    space: int = 0,
    location: Attribute | None = None,
) -> Value:
    """The address of a text with a zero behind it. A constant of the table that is it already is taken; a new one has a
    number behind `prefix`.

        llvm.mlir.global internal constant @printfFormat_0("Hello\\00") {addr_space = 0 : i32}
    """
    value = StringAttr(text + "\0")
    type = LLVMArrayType(len(utf8(value.value)), I8)
    found = next((each for each in table.regions[0].operations() if _is_it(each, type, value, space)), None)
    if found is None:
        names = rewriter.symbols_in(table)
        name = next(name for number in count() if names.get(name := f"{prefix}{number}") is None)
        properties: dict[str, Attribute] = {
            "addr_space": i32_attr(space),
            "constant": UNIT,
            "global_type": TypeAttr(type),
            "linkage": linkage("internal"),
            "sym_name": StringAttr(name),
            "value": value,
            "visibility_": i64_attr(0),
        }
        with in_front_of(rewriter, table, location):
            rewriter.create("llvm.mlir.global", (), (), properties, regions=[Region()])
    else:
        name = found.sym_name.value
    pointer = LLVMPointerType(space)
    address = rewriter.create("llvm.mlir.addressof", (), [pointer], {"global_name": SymbolRefAttr(name)}).result
    return emit.gep(rewriter, address, type, 0, 0)


def _is_it(op: Operation, type: Type, value: StringAttr, space: int) -> TypeGuard[MlirGlobalOp]:
    return (
        isinstance(op, MlirGlobalOp)
        and (op.global_type.type, op.value, op.addr_space.value) == (type, value, space)
        and op.constant is not None
        and not (op.alignment is not None and op.alignment.value)
    )


def outside(location: Attribute | None) -> Attribute | None:
    """Where something stands that is of no function: the first place of a file in a location, without what debuggers
    are told of functions. None is the place in the text that is lowered."""
    if location is None:
        return None
    return next((each for each in nested_locations(location) if isinstance(each, FileLineColLoc)), UnknownLoc())
