"""The operations of `arm_sve` as those of its intrinsics.

    %0 = arm_sve.sdot %c, %a, %b : vector<[16]xi8> to vector<[4]xi32>
->
    %0 = "arm_sve.intr.sdot"(%c, %a, %b) : (vector<[4]xi32>, vector<[16]xi8>, vector<[16]xi8>) -> vector<[4]xi32>

Source of the rules: *'arm_sve' Dialect*, and what mlir-opt 22 makes of it.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import TYPE_CHECKING, Final

from fathom.dialects.vector.common import rank, vector_of, vector_type
from fathom.ir.types import I1, I32, I64, VectorType
from fathom.ops.arm_sve import PselOp
from fathom.ops.vector import CreateMaskOp
from fathom.passes.arithmetic import constant
from fathom.passes.conversions.convert_vector_to_llvm.extensions.calls import NO_TYPE, replace_by
from fathom.passes.to_llvm import emit
from fathom.passes.to_llvm.patterns import pattern
from fathom.passes.vectors.building import SCALABLE, extract, insert, positions
from fathom.records import replace
from fathom.rewriting.allowance import too_many_operations
from fathom.rewriting.pattern import Failure, Pattern, named
from fathom.slices import checkpoint

if TYPE_CHECKING:
    from fathom.ir.operation import Operation, Value
    from fathom.passes.to_llvm.llvm_type_converter import LLVMTypeConverter
    from fathom.passes.to_llvm.patterns import Lower
    from fathom.rewriting.conversion_rewriter import ConversionRewriter

SVBOOL: Final = vector_of([16], I1, [True])

DIRECT: Final = {
    "sdot": "sdot",
    "smmla": "smmla",
    "udot": "udot",
    "ummla": "ummla",
    "usmmla": "usmmla",
    "dupq_lane": "dupq_lane",
    "zip.x2": "zip.x2",
    "zip.x4": "zip.x4",
    "masked.addi": "add",
    "masked.addf": "fadd",
    "masked.subi": "sub",
    "masked.subf": "fsub",
    "masked.muli": "mul",
    "masked.mulf": "fmul",
    "masked.divi_signed": "sdiv",
    "masked.divi_unsigned": "udiv",
    "masked.divf": "fdiv",
}
"""The intrinsics that take the same operands."""

INTRINSICS: Final = tuple(
    f"arm_sve.intr.{name}"
    for name in (*DIRECT.values(), "bfmmla", "convert.from.svbool", "convert.to.svbool", "psel", "whilelt")
)
"""What goes into LLVM IR as it is."""


def _direct(intrinsic: str) -> Lower:
    @named("OneToOneConvertToLLVMPattern")
    def lower(
        op: Operation, operands: Sequence[Value], rewriter: ConversionRewriter, types: LLVMTypeConverter
    ) -> Failure | None:
        return replace_by(op, f"arm_sve.intr.{intrinsic}", operands, rewriter, types)

    return lower


def _predicates(intrinsic: str) -> Lower:
    @named("SvboolConversionOpLowering")
    def lower(
        op: Operation, operands: Sequence[Value], rewriter: ConversionRewriter, types: LLVMTypeConverter
    ) -> Failure | None:
        """
            %0 = arm_sve.convert_to_svbool %m : vector<2x[4]xi1>
        ->
            %1 = vector.extract %m[0] : vector<[4]xi1> from vector<2x[4]xi1>
            %2 = "arm_sve.intr.convert.to.svbool"(%1) : (vector<[4]xi1>) -> vector<[16]xi1>
            %3 = vector.insert %2, %cst[0] : vector<[16]xi1> into vector<2x[16]xi1>
            …
        """
        (source,) = op.operands
        outer, result = vector_type(source).ranked_shape[:-1], vector_type(op.result)
        if (refused := too_many_operations(op, 3 * prod(outer))) is not None:
            return refused
        made = constant(rewriter, 0, result)
        row = vector_of(result.ranked_shape[-1:], result.element, [True])
        for position in positions(outer):
            checkpoint()
            part = extract(rewriter, source, *position)
            converted = rewriter.create(f"arm_sve.intr.{intrinsic}", [part], [row]).result
            made = insert(rewriter, converted, made, *position)
        rewriter.replace(op, [made])
        return None

    return lower


@named("PselOpLowering")
def choose_predicate(
    op: PselOp, operands: Sequence[Value], rewriter: ConversionRewriter, types: LLVMTypeConverter
) -> Failure | None:
    """`arm_sve.psel`, whose intrinsic takes and gives predicates of all lengths as one of bytes."""
    first = operands[0]
    whole = rewriter.create("arm_sve.intr.convert.to.svbool", [first], [SVBOOL]).result
    index = rewriter.create("arith.index_cast", [op.index], [I32]).result
    chosen = rewriter.create("arm_sve.intr.psel", [whole, op.p2, index], [SVBOOL]).result
    rewriter.replace_with(op, "arm_sve.intr.convert.from.svbool", [chosen], [first.type])
    return None


def compare_with_steps(
    op: CreateMaskOp, operands: Sequence[Value], rewriter: ConversionRewriter, types: LLVMTypeConverter
) -> Failure | None:
    """
        %0 = vector.create_mask %n : vector<[4]xi1>
    ->
        %z = llvm.mlir.zero : i64
        %0 = "arm_sve.intr.whilelt"(%z, %n) : (i64, i64) -> vector<[4]xi1>
    """
    type = op.result.type
    if not isinstance(type, VectorType) or rank(type) != 1 or not type.scalable:
        return SCALABLE
    if type.ranked_shape[0] not in (2, 4, 8, 16):
        return Failure("a predicate has 2, 4, 8 or 16 elements")
    if operands[0].type != I64:
        return NO_TYPE
    zero = emit.null(rewriter, I64)
    rewriter.replace_with(op, "arm_sve.intr.whilelt", [zero, operands[0]], [type])
    return None


LOWERINGS: Final[dict[str, Lower]] = {
    **{f"arm_sve.{name}": _direct(intrinsic) for name, intrinsic in DIRECT.items()},
    "arm_sve.convert_to_svbool": _predicates("convert.to.svbool"),
    "arm_sve.convert_from_svbool": _predicates("convert.from.svbool"),
    "arm_sve.psel": choose_predicate,
}


def mask(types: LLVMTypeConverter) -> Pattern:
    """The pattern for masks of the length of a predicate; it comes before those for all processors."""
    made = pattern("vector.create_mask", compare_with_steps, types)
    return replace(made, benefit=4096, name="CreateMaskOpLowering")
