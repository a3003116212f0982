"""Barriers and reductions over groups, as calls of functions that whoever compiles the kernel knows by their names.

    %r = spirv.GroupFAdd <Workgroup> <Reduce> %x : f32
->
    %r = llvm.call spir_funccc @_Z17__spirv_GroupFAddiif(%scope, %operation, %x) {convergent, no_unwind, will_return}
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from fathom.dialects.llvm.attributes import calling_convention, cases
from fathom.dialects.llvm.types import VOID, LLVMFunctionType
from fathom.dialects.spirv.words import number as number_of
from fathom.ir.attributes import UNIT, Attribute, StringAttr, TypeAttr
from fathom.ir.operation import Operation, Region
from fathom.ir.types import F16, F32, F64, I32, FloatType, IntegerType, Type
from fathom.ops.llvm import FuncOp
from fathom.passes.to_llvm import emit
from fathom.passes.to_llvm.runtime_functions import nearest_symbol_table
from fathom.rewriting.pattern import Failure, named

if TYPE_CHECKING:
    from fathom.ir.operation import Value
    from fathom.passes.to_llvm.llvm_type_converter import LLVMTypeConverter
    from fathom.passes.to_llvm.patterns import Lower
    from fathom.rewriting.conversion_rewriter import ConversionRewriter

FLAGS: Final[dict[str, Attribute]] = {
    "CConv": calling_convention(cases("CConv")["spir_funccc"]),
    "convergent": UNIT,
    "no_unwind": UNIT,
    "will_return": UNIT,
}
"""What is said of such a function, and of a call of it."""


def _call(
    rewriter: ConversionRewriter,
    op: Operation,
    name: str,
    operands: Sequence[Value],
    params: Sequence[Type],
    result: Type,
) -> None:
    """Puts a call in the place of an operation. The module declares the function at its front, unless it has it."""
    table = nearest_symbol_table(op)
    function = rewriter.symbols_in(table).get(name)
    if not isinstance(function, FuncOp):
        with rewriter.elsewhere():
            rewriter.set_insertion_to_start(next(iter(table.regions[0].blocks)))
            rewriter.stand_in(table)
            type = TypeAttr(LLVMFunctionType(result, tuple(params)))
            properties = {**FLAGS, "function_type": type, "sym_name": StringAttr(name)}
            function = rewriter.create("llvm.func", (), (), properties, regions=[Region()])
    flags = {flag: value for flag in FLAGS if (value := function.properties.get(flag)) is not None}
    called = emit.call(rewriter, name, operands, [result] if result != VOID else [], flags)
    rewriter.replace(op, list(called.results))


def _mangled(name: str) -> str:
    """The name of a function that takes two numbers first."""
    return f"_Z{len(name)}{name}ii"


def _barrier(name: str) -> Lower:
    """`spirv.ControlBarrier <Workgroup>, <Device>, <Acquire>` becomes a call with the three numbers."""

    @named("ControlBarrierPattern")
    def lower(
        op: Operation, operands: Sequence[Value], rewriter: ConversionRewriter, types: LLVMTypeConverter
    ) -> Failure | None:
        words = ("execution_scope", "memory_scope", "memory_semantics")
        numbers = [emit.i32(rewriter, number_of(op, word) or 0) for word in words]
        _call(rewriter, op, f"{_mangled(name)}i", numbers, [I32, I32, I32], VOID)
        return None

    return lower


_LETTERS: Final[dict[Type, str]] = {
    F16: "Dh",
    F32: "f",
    F64: "d",
    **{IntegerType(width): letter for width, letter in ((1, "b"), (8, "c"), (16, "t"), (32, "j"), (64, "m"))},
}
"""What numbers are called in the name of a function; whether they have a sign makes no difference."""


def _reduction(name: str) -> Lower:
    """See the module. One over a part of the group, a cluster, takes its size as well."""

    @named("GroupReducePattern")
    def lower(
        op: Operation, operands: Sequence[Value], rewriter: ConversionRewriter, types: LLVMTypeConverter
    ) -> Failure | None:
        type = op.result.type
        if not isinstance(type, (IntegerType, FloatType)):
            return Failure("only single numbers are reduced by functions")
        letter = _LETTERS.get(IntegerType(type.width) if isinstance(type, IntegerType) else type)
        if letter is None:
            return Failure(f"no function reduces numbers of type '{type}'")
        cluster = operands[1:]
        words = ("execution_scope", "group_operation")
        numbers = [emit.i32(rewriter, number_of(op, word) or 0) for word in words]
        function = _mangled(name) + letter + "j" * len(cluster)
        _call(rewriter, op, function, [*numbers, *operands], [I32, I32, type, *(I32 for _ in cluster)], type)
        return None

    return lower


_GROUP: Final = "IAdd FAdd FMin UMin SMin FMax UMax SMax".split()
_NON_UNIFORM: Final = (
    "IAdd FAdd IMul FMul SMin UMin FMin SMax UMax FMax BitwiseAnd BitwiseOr BitwiseXor LogicalAnd LogicalOr LogicalXor"
).split()
_REDUCTIONS: Final = [f"Group{name}" for name in _GROUP] + [f"GroupNonUniform{name}" for name in _NON_UNIFORM]

LOWERINGS: Final[dict[str, Lower]] = {
    **{f"spirv.{name}": _reduction(f"__spirv_{name}") for name in _REDUCTIONS},
    "spirv.ControlBarrier": _barrier("__spirv_ControlBarrier"),
    "spirv.INTEL.ControlBarrierArrive": _barrier("__spirv_ControlBarrierArriveINTEL"),
    "spirv.INTEL.ControlBarrierWait": _barrier("__spirv_ControlBarrierWaitINTEL"),
}
