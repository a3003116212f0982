"""Operations on several dimensions become operations on one, for each row.

Source of the rules: what mlir-opt 22 makes of them before it lowers vectors to the LLVM dialect.
"""

from __future__ import annotations

from math import prod
from typing import TYPE_CHECKING, Final

from fathom.dialects.arith.elements import dense
from fathom.dialects.vector.common import count_of, flags, rank, vector_type, without_first
from fathom.ir.types import VectorType
from fathom.ops import vector as ops
from fathom.passes.arithmetic import constant
from fathom.passes.vectors.building import (
    SCALABLE,
    extract,
    first_fixed,
    for_each_row,
    insert,
    poison,
    positions,
    repeated_zero,
)
from fathom.rewriting.allowance import too_many_elements, too_many_operations
from fathom.rewriting.pattern import Failure, Pattern
from fathom.rewriting.rewriter import source_of
from fathom.slices import checkpoint

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from fathom.ir.operation import Operation, Value
    from fathom.ir.types import Type
    from fathom.rewriting.rewriter import Rewriter

ONE_DIMENSION: Final = Failure("it has one dimension already, or a scalable one before it")


def unroll_bitcast(op: ops.BitcastOp, operands: Sequence[Value], rewriter: Rewriter) -> Failure | None:
    """One `vector.bitcast` for each vector of one dimension."""

    def cast(parts: Sequence[Value], row: VectorType) -> Sequence[Value]:
        return rewriter.create("vector.bitcast", parts, [row]).results

    return _by_rows(op, rewriter, poison, cast)


def unroll_interleave(op: ops.InterleaveOp, operands: Sequence[Value], rewriter: Rewriter) -> Failure | None:
    """One `vector.interleave` for each vector of one dimension."""

    def interleave(parts: Sequence[Value], row: VectorType) -> Sequence[Value]:
        return rewriter.create("vector.interleave", parts, [row]).results

    return _by_rows(op, rewriter, _zero, interleave)


def unroll_deinterleave(op: ops.DeinterleaveOp, operands: Sequence[Value], rewriter: Rewriter) -> Failure | None:
    """One `vector.deinterleave` for each vector of one dimension."""

    def deinterleave(parts: Sequence[Value], row: VectorType) -> Sequence[Value]:
        return rewriter.create("vector.deinterleave", parts, [row, row]).results

    return _by_rows(op, rewriter, _zero, deinterleave)


def _zero(rewriter: Rewriter, type: Type) -> Value:
    return constant(rewriter, 0, type)


def _by_rows(
    op: Operation,
    rewriter: Rewriter,
    first: Callable[[Rewriter, Type], Value],
    make: Callable[[Sequence[Value], VectorType], Sequence[Value]],
) -> Failure | None:
    """Replaces the results by what `make` gives for each vector of one dimension of the operands, given the type of
    its results; they are put into what `first` gives."""
    type = vector_type(op.results[0])
    outer = first_fixed(type, 1)
    if not outer:
        return ONE_DIMENSION
    if (refused := too_many_operations(op, 3 * prod(outer))) is not None:
        return refused
    made = [first(rewriter, type)] * len(op.results)
    row = without_first(type, len(outer))
    for position in positions(outer):
        checkpoint()
        parts = make([extract(rewriter, operand, *position) for operand in op.operands], row)
        made = [insert(rewriter, part, whole, *position) for part, whole in zip(parts, made, strict=True)]
    rewriter.replace(op, made)
    return None


def unroll_gather(op: ops.GatherOp, operands: Sequence[Value], rewriter: Rewriter) -> Failure | None:
    """One `vector.gather` for each row."""
    before = [*op.all_of("base"), *op.offsets]
    vectors = [op.one_of(name) for name in ("indices", "mask", "pass_thru")]
    alignment = op.alignment

    def row(type: VectorType, number: int) -> Value:
        parts = [extract(rewriter, vector, number) for vector in vectors]
        properties = {"alignment": alignment} if alignment is not None else {}
        return rewriter.create("vector.gather", [*before, *parts], [type], properties).result

    return for_each_row(op, rewriter, row)


def unroll_from_elements(op: ops.FromElementsOp, operands: Sequence[Value], rewriter: Rewriter) -> Failure | None:
    """One `vector.from_elements` for each row."""
    elements = op.operands

    def row(type: VectorType, number: int) -> Value:
        count = count_of(type)
        return rewriter.create("vector.from_elements", elements[number * count : (number + 1) * count], [type]).result

    return for_each_row(op, rewriter, row)


def unroll_to_elements(op: ops.ToElementsOp, operands: Sequence[Value], rewriter: Rewriter) -> Failure | None:
    """One `vector.to_elements` for each row."""
    source = op.source
    type = vector_type(source)
    if rank(type) <= 1:
        return ONE_DIMENSION
    if flags(type)[0]:
        return SCALABLE
    refused = too_many_operations(op, 2 * type.ranked_shape[0], 2 * prod(type.ranked_shape[:-1]))
    if (refused := refused or too_many_elements(op, count_of(type))) is not None:
        return refused
    with rewriter.elsewhere():
        rewriter.span, rewriter.location = source_of(source)
        rows = [extract(rewriter, source, number) for number in range(type.ranked_shape[0])]
    elements: list[Value] = []
    for row in rows:
        inner = vector_type(row)
        elements += rewriter.create("vector.to_elements", [row], [inner.element] * count_of(inner)).results
    rewriter.replace(op, elements)
    return None


def unroll_fma(op: ops.FmaOp, operands: Sequence[Value], rewriter: Rewriter) -> Failure | None:
    """One `vector.fma` for each row, put into a vector of zeros."""
    operands = op.operands

    def row(type: VectorType, number: int) -> Value:
        parts = [extract(rewriter, operand, number) for operand in operands]
        return rewriter.create("vector.fma", parts, [type]).result

    return for_each_row(op, rewriter, row, repeated_zero)


def step_of_constants(op: ops.StepOp, operands: Sequence[Value], rewriter: Rewriter) -> Failure | None:
    """`vector.step : vector<3xindex>` becomes `arith.constant dense<[0, 1, 2]> : vector<3xindex>`."""
    type = vector_type(op.result)
    if type.scalable:
        return SCALABLE
    if (refused := too_many_elements(op, prod(type.ranked_shape))) is not None:
        return refused
    rewriter.replace(op, [rewriter.constant(dense(range(count_of(type)), type), type)])
    return None


BITCAST: Final = Pattern("vector.bitcast", unroll_bitcast, name="UnrollBitCastOp")
INTERLEAVE: Final = (
    Pattern("vector.interleave", unroll_interleave, name="UnrollInterleaveOp"),
    Pattern("vector.deinterleave", unroll_deinterleave, name="UnrollDeinterleaveOp"),
)
STEP: Final = Pattern("vector.step", step_of_constants, name="StepToArithConstantOpRewrite")
FMA: Final = Pattern("vector.fma", unroll_fma, name="VectorFMAOpNDRewritePattern")
GATHER: Final = Pattern("vector.gather", unroll_gather, name="UnrollGather")
FROM_ELEMENTS: Final = Pattern("vector.from_elements", unroll_from_elements, name="UnrollFromElements")
TO_ELEMENTS: Final = Pattern("vector.to_elements", unroll_to_elements, name="UnrollToElements")
