"""What lowered functions and their wrappers are made from: the type of the function, and an `llvm.func` like it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from fathom.ir.attributes import Attribute, TypeAttr
from fathom.ir.operation import Region
from fathom.ir.types import FunctionType
from fathom.irdl.build import definition_of
from fathom.ops.llvm import FuncOp as LLVMFuncOp

if TYPE_CHECKING:
    from fathom.dialects.llvm.types import LLVMFunctionType
    from fathom.ops.func import FuncOp
    from fathom.rewriting.conversion_rewriter import ConversionRewriter

LINKAGE: Final = "llvm.linkage"
VARARGS: Final = "func.varargs"
READNONE: Final = "llvm.readnone"
ABSORBED: Final = frozenset({LINKAGE, VARARGS, READNONE})
"""Attributes of a `func.func` that become properties of the `llvm.func`."""


def function_type(op: FuncOp) -> FunctionType:
    """The type of a `func.func`."""
    type = op.function_type.type
    assert isinstance(type, FunctionType), "a function has the type of one"
    return type


def new_function(
    rewriter: ConversionRewriter,
    original: FuncOp,
    name: Attribute,
    type: LLVMFunctionType,
    linkage: Attribute | None = None,
) -> LLVMFuncOp:
    """An `llvm.func` without body that carries the attributes of `original`, as properties where it has such, and its
    visibility."""
    properties: dict[str, Attribute] = {
        "function_type": TypeAttr(type),
        "sym_name": name,
    }
    if linkage is not None:
        properties["linkage"] = linkage
    known = definition_of(rewriter.context, "llvm.func").property_map
    discardable: dict[str, Attribute] = {}
    for key, value in original.attributes.items():
        if key not in ABSORBED:
            (properties if key in known else discardable)[key] = value
    if original.sym_visibility is not None and original.sym_visibility.value != "public":
        properties["sym_visibility"] = original.sym_visibility
    made = rewriter.create("llvm.func", (), (), properties, discardable, regions=[Region()])
    assert isinstance(made, LLVMFuncOp)
    return made
