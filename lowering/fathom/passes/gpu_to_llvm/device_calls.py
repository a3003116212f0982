"""Calls of functions of a device library in the place of operations, element by element on vectors."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from math import prod
from typing import TYPE_CHECKING, Final

from fathom.dialects.arith.attributes import FASTMATH_FLAGS
from fathom.dialects.llvm.types import LLVMArrayType, LLVMFunctionType
from fathom.ir.attributes import EnumAttr, IntegerAttr, i64_attr
from fathom.ir.traversal import closest_with
from fathom.ir.types import F16, F32, F64, I1, I32, FloatType, VectorType
from fathom.irdl.interfaces import FunctionLike
from fathom.ops.llvm import FuncOp
from fathom.passes.gpu_to_llvm.texts import outside
from fathom.passes.to_llvm import emit
from fathom.passes.to_llvm.declarations import declared
from fathom.passes.to_llvm.elementwise import for_each_vector
from fathom.passes.to_llvm.patterns import pattern
from fathom.passes.to_llvm.runtime_functions import nearest_symbol_table
from fathom.records import record
from fathom.rewriting.allowance import too_many_operations
from fathom.rewriting.pattern import Failure, named
from fathom.slices import checkpoint

if TYPE_CHECKING:
    from fathom.ir.operation import Operation, Value
    from fathom.ir.types import Type
    from fathom.passes.to_llvm.llvm_type_converter import LLVMTypeConverter
    from fathom.rewriting.conversion_rewriter import ConversionRewriter
    from fathom.rewriting.pattern import Pattern

_APPROXIMATE: Final = FASTMATH_FLAGS["afn"]


@record
class Functions:
    """The functions for one operation, by what they compute with; empty where there is none. `fast` is the one for
    `f32` that may be approximate."""

    f32: str = ""
    f64: str = ""
    fast: str = ""
    f16: str = ""
    i32: str = ""

    def of(self, type: Type, op: Operation) -> str:
        """The one for a type."""
        if type == F32:
            flags = op.properties.get("fastmath")
            fast = self.fast if isinstance(flags, EnumAttr) and flags.value & _APPROXIMATE else ""
            return fast or self.f32
        return next((name for of, name in ((F16, self.f16), (F64, self.f64), (I32, self.i32)) if of == type), "")


def call_patterns(table: Mapping[str, Functions], types: LLVMTypeConverter, benefit: int = 1) -> list[Pattern]:
    """The patterns that call these functions: for what the functions compute with, and for vectors."""
    made: list[Pattern] = []
    for root, functions in table.items():
        made += [pattern(root, lower, types, benefit) for lower in (partial(call, functions), by_elements)]
    return made


@named("ScalarizeVectorOpLowering")
def by_elements(
    op: Operation, operands: Sequence[Value], rewriter: ConversionRewriter, types: LLVMTypeConverter
) -> Failure | None:
    """
        %r = math.sin %v : vector<2xf32>
    becomes
        %0 = llvm.extractelement %v[0],  %1 = math.sin %0 : f32,  … llvm.insertelement …
    """
    shape = op.result.type
    if not any(isinstance(operand.type, (VectorType, LLVMArrayType)) for operand in operands):
        return Failure("no llvm.array or vector to unroll")
    if isinstance(shape, VectorType) and shape.has_static_shape:
        if (refused := too_many_operations(op, prod(shape.ranked_shape) * (len(operands) + 3))) is not None:
            return refused
    return for_each_vector(op, operands, partial(_scalars, op, rewriter, types), rewriter)


def _scalars(
    op: Operation, rewriter: ConversionRewriter, types: LLVMTypeConverter, type: Type, operands: Sequence[Value]
) -> Value:
    assert isinstance(type, VectorType)
    result = emit.poison(rewriter, type)
    for number in range(type.ranked_shape[0]):
        checkpoint()
        index = emit.constant(rewriter, types.index, IntegerAttr(number, types.index))
        scalars = [_extracted(operand, index, rewriter) for operand in operands]
        scalar = rewriter.create(op.name, scalars, [type.element], op.properties, op.attributes).result
        result = emit.insert_element(rewriter, result, scalar, index)
    return result


def _extracted(operand: Value, index: Value, rewriter: ConversionRewriter) -> Value:
    return emit.extract_element(rewriter, operand, index) if isinstance(operand.type, VectorType) else operand


@named("OpToFuncCallLowering")
def call(
    functions: Functions,
    op: Operation,
    operands: Sequence[Value],
    rewriter: ConversionRewriter,
    types: LLVMTypeConverter,
) -> Failure | None:
    """
        %r = math.sin %a : bf16
    becomes
        %0 = llvm.fpext %a : bf16 to f32,  %1 = llvm.call @__nv_sinf(%0),  %r = llvm.fptrunc %1 : f32 to bf16
    What is true or false comes as a number that is not zero or is.
    """
    if closest_with(op, FunctionLike) is None:
        return Failure("expected op to be within a function region")
    given = [widened(operand, rewriter, has_half=bool(functions.f16)) for operand in operands]
    is_test = op.result.type == I1
    name = functions.of(given[0].type, op)
    if not name:
        return Failure(f"the library has no function of '{given[0].type}'")
    result = I32 if is_test else given[0].type
    function = library_function(op, name, LLVMFunctionType(result, tuple(value.type for value in given)), rewriter)
    value = emit.call(rewriter, function, given, [result]).result
    if result != operands[0].type:
        if is_test:
            zero = emit.i32(rewriter, 0)
            value = rewriter.create("llvm.icmp", [value, zero], [I1], {"predicate": i64_attr(1)}).result
        else:
            value = emit.cast(rewriter, "llvm.fptrunc", value, operands[0].type)
    rewriter.replace(op, [value])
    return None


def widened(operand: Value, rewriter: ConversionRewriter, *, has_half: bool = False) -> Value:
    """A float of 16 bits as one of 32, with which libraries compute; one that `has_half` computes with `f16` too."""
    type = operand.type
    if not isinstance(type, FloatType) or type.name not in ("f16", "bf16") or (has_half and type == F16):
        return operand
    with rewriter.standing_in(operand):
        return emit.cast(rewriter, "llvm.fpext", operand, F32)


def library_function(op: Operation, name: str, type: LLVMFunctionType, rewriter: ConversionRewriter) -> str:
    """The name of a function that is declared before the one around an operation, unless the closest symbol table has
    it."""
    table = nearest_symbol_table(op)
    if not isinstance(rewriter.symbols_in(table).get(name), FuncOp):
        around = closest_with(op, FunctionLike)
        assert around is not None, "who calls asked whether there is one"
        with rewriter.elsewhere():
            rewriter.set_insertion_before(around)
            rewriter.location = outside(rewriter.location)
            declared(rewriter, name, type)
    return name
