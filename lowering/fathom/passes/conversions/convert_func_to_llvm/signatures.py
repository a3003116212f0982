"""What lowered functions and their wrappers are made from: the type of the function, and an `llvm.func` like it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from fathom.dialects.llvm.attributes import CCC, EXTERNAL
from fathom.ir.attributes import Attribute, TypeAttr, i64_attr
from fathom.ir.operation import Operation, Region
from fathom.ir.types import FunctionType
from fathom.irdl.build import definition_of

if TYPE_CHECKING:
    from fathom.dialects.llvm.types import LLVMFunctionType
    from fathom.rewriting.conversion_rewriter import ConversionRewriter

LINKAGE: Final = "llvm.linkage"
VARARGS: Final = "func.varargs"
READNONE: Final = "llvm.readnone"
ABSORBED: Final = frozenset({LINKAGE, VARARGS, READNONE})
"""Attributes of a `func.func` that become properties of the `llvm.func`."""


def function_type(op: Operation) -> FunctionType:
    """The type of a `func.func`. Raises TypeError where it has none, which the verifier reports."""
    attribute = op.properties.get("function_type")
    if not isinstance(attribute, TypeAttr) or not isinstance(attribute.type, FunctionType):
        raise TypeError("a func.func has a function type")
    return attribute.type


def new_function(
    rewriter: ConversionRewriter,
    original: Operation,
    name: Attribute,
    type: LLVMFunctionType,
    linkage: Attribute = EXTERNAL,
) -> Operation:
    """An `llvm.func` without body that carries the attributes of `original`, as properties where it has such."""
    properties: dict[str, Attribute] = {
        "CConv": CCC,
        "function_type": TypeAttr(type),
        "linkage": linkage,
        "sym_name": name,
        "visibility_": i64_attr(0),
    }
    known = definition_of(rewriter.context, "llvm.func").property_map
    discardable: dict[str, Attribute] = {}
    for key, value in original.attributes.items():
        if key not in ABSORBED:
            (properties if key in known else discardable)[key] = value
    return rewriter.create("llvm.func", (), (), properties, discardable, regions=[Region()])
