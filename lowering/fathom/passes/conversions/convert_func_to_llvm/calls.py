"""Lowers calls and returns. Source of the rules: *LLVM IR Target*, "Calling Conventions"."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from fathom.dialects.llvm.types import PTR, VOID
from fathom.ir.attributes import Attribute, StringAttr
from fathom.ir.operation import types_of
from fathom.ir.types import MemRefType
from fathom.ops.llvm import FuncOp
from fathom.passes.to_llvm import emit
from fathom.passes.to_llvm.calling_convention import (
    BARE_POINTER,
    passed,
    received,
    return_instead,
    taken_apart,
    uses_bare_pointers,
)
from fathom.passes.to_llvm.patterns import Lower
from fathom.passes.to_llvm.runtime_functions import nearest_symbol_table
from fathom.rewriting.pattern import Failure, named

if TYPE_CHECKING:
    from fathom.ir.operation import Operation, Value
    from fathom.ops.func import CallIndirectOp, CallOp, ConstantOp
    from fathom.passes.to_llvm.llvm_type_converter import LLVMTypeConverter
    from fathom.rewriting.conversion_rewriter import ConversionRewriter


def bare_functions(root: Operation) -> frozenset[tuple[Operation, str]]:
    """The functions that ask for the bare convention themselves, by module and name."""
    bare: set[tuple[Operation, str]] = set()
    for op in root.walk():
        name = op.properties.get("sym_name")
        if BARE_POINTER in op.attributes and isinstance(name, StringAttr):
            bare.add((nearest_symbol_table(op), name.value))
    return frozenset(bare)


def call_of(bare: frozenset[tuple[Operation, str]]) -> Lower:
    """The lowering of calls, where these functions take bare pointers."""

    @named("CallOpLowering")
    def lower(
        op: CallOp, operands: Sequence[Value], rewriter: ConversionRewriter, types: LLVMTypeConverter
    ) -> Failure | None:
        return call(op, operands, rewriter, types, bare)

    return lower


def call(
    op: CallOp,
    operands: Sequence[Value],
    rewriter: ConversionRewriter,
    types: LLVMTypeConverter,
    bare_functions: frozenset[tuple[Operation, str]],
) -> Failure | None:
    """Memrefs are passed as the fields of their descriptors; several results come in one struct.

        %0:2 = func.call @f(%m) : (memref<?xf32>) -> (i32, f32)
    ->
        %s = llvm.call @f(%m[0], %m[1], %m[2], %m[3, 0], %m[4, 0]) : (…) -> !llvm.struct<(i32, f32)>
        %0#0 = llvm.extractvalue %s[0],  %0#1 = llvm.extractvalue %s[1]
    """
    callee = op.callee
    asked = bool(bare_functions) and (nearest_symbol_table(op), callee.root) in bare_functions
    bare = asked or uses_bare_pointers(None, types)
    properties = {name: value for name, value in op.properties.items() if name != "callee"}
    return _call(op, callee.root, operands, op.operands, properties, rewriter, types, bare=bare)


@named("CallIndirectOpLowering")
def call_indirect(
    op: CallIndirectOp, operands: Sequence[Value], rewriter: ConversionRewriter, types: LLVMTypeConverter
) -> Failure | None:
    """%0 = func.call_indirect %f(%x) : (i32) -> i32   ->   %0 = llvm.call %f(%x) : !llvm.ptr, (i32) -> i32"""
    bare = uses_bare_pointers(None, types)
    callee, *arguments = operands
    return _call(op, callee, arguments, op.callee_operands, op.properties, rewriter, types, bare=bare)


def _call(
    op: Operation,
    callee: str | Value,
    operands: Sequence[Value],
    originals: Sequence[Value],
    properties: Mapping[str, Attribute],
    rewriter: ConversionRewriter,
    types: LLVMTypeConverter,
    *,
    bare: bool,
) -> Failure | None:
    result_types = types_of(op.results)
    packed = types.pack_results(result_types, bare=bare)
    if packed is None:
        return Failure("a result of the call has no LLVM type")
    if bare and any(isinstance(value.type, MemRefType) and value.type.shape is None for value in originals):
        return Failure("a bare pointer cannot stand for an unranked memref")
    arguments = passed(operands, originals, rewriter, bare=bare)
    results = [] if packed == VOID else [packed]
    new = emit.call(rewriter, callee, arguments, results, properties, op.attributes)
    values = taken_apart(new.results, len(result_types), rewriter)
    converted = received(op, values, result_types, rewriter, types, bare=bare)
    if isinstance(converted, Failure):
        return converted
    rewriter.replace(op, converted)
    return None


@named("ConstantOpLowering")
def constant(
    op: ConstantOp, operands: Sequence[Value], rewriter: ConversionRewriter, types: LLVMTypeConverter
) -> Failure | None:
    """%f = func.constant @g : (i32) -> i32   ->   %f = llvm.mlir.addressof @g : !llvm.ptr"""
    properties = {"global_name": op.value}
    rewriter.replace_with(op, "llvm.mlir.addressof", (), [PTR], properties, op.attributes)
    return None


@named("ReturnOpLowering")
def return_(
    op: Operation, operands: Sequence[Value], rewriter: ConversionRewriter, types: LLVMTypeConverter
) -> Failure | None:
    """As the function around it passes memrefs."""
    function = op.parent_op
    bare = uses_bare_pointers(function if isinstance(function, FuncOp) else None, types)
    return return_instead(op, operands, rewriter, types, bare=bare)
