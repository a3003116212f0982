"""`vector.scan` as arithmetic on the slices of a vector, one after the other.

Source of the rules: *'vector' Dialect*, `vector.scan`, and what mlir-opt 22 makes of it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from fathom.dialects.vector.common import flags, kind_of, rank, vector_of, vector_type
from fathom.passes.arithmetic import constant
from fathom.passes.vectors.building import SCALABLE, broadcast, extract, extract_slice, insert_slice, shape_cast
from fathom.passes.vectors.combining import combined, is_combined
from fathom.rewriting.allowance import too_many_operations
from fathom.rewriting.pattern import Failure, Pattern

if TYPE_CHECKING:
    from collections.abc import Sequence

    from fathom.ir.operation import Value
    from fathom.ir.types import Type
    from fathom.ops.vector import ScanOp
    from fathom.rewriting.rewriter import Rewriter

OTHER: Final = Failure("elements of this type are not combined in this way")


def _sliced(op: ScanOp, operands: Sequence[Value], rewriter: Rewriter) -> Failure | None:
    """
        %0:2 = vector.scan <add>, %v, %start {inclusive = true, reduction_dim = 0} : vector<2x3xi32>, vector<3xi32>
    ->
        %1 = vector.extract_strided_slice %v {offsets = [0, 0], …} : vector<2x3xi32> to vector<1x3xi32>
        %2 = vector.insert_strided_slice %1, %zero {offsets = [0, 0], …} : vector<1x3xi32> into vector<2x3xi32>
        %3 = vector.extract_strided_slice %v {offsets = [1, 0], …} : vector<2x3xi32> to vector<1x3xi32>
        %4 = arith.addi %1, %3 : vector<1x3xi32>
        %0#0 = vector.insert_strided_slice %4, %2 {offsets = [1, 0], …} : vector<1x3xi32> into vector<2x3xi32>
        %0#1 = vector.shape_cast %4 : vector<1x3xi32> to vector<3xi32>
    """
    type, kind, dim = vector_type(op.source), kind_of(op.kind), op.reduction_dim.value
    if not is_combined(kind, type.element):
        return OTHER
    if flags(type)[dim]:
        return SCALABLE
    count = type.ranked_shape[dim]
    if (refused := too_many_operations(op, count * 3)) is not None:
        return refused
    sizes = [1 if number == dim else size for number, size in enumerate(type.ranked_shape)]
    slice = vector_of(sizes, type.element, flags(type))
    result, last_input, last = constant(rewriter, 0, type), op.source, op.initial_value
    for index in range(count):
        offsets = [index if number == dim else 0 for number in range(rank(type))]
        input = extract_slice(rewriter, op.source, offsets, sizes)
        if index:
            made = combined(rewriter, kind, last, input if op.inclusive.value else last_input)
            assert made is not None, "the type was looked at"
            last = made
        else:
            last = input if op.inclusive.value else _started(rewriter, op.initial_value, slice)
        result, last_input = insert_slice(rewriter, last, result, offsets), input
    final = op.initial_value.type
    end = shape_cast(rewriter, last, final) if rank(final) else broadcast(rewriter, extract(rewriter, last, 0), final)
    rewriter.replace(op, [result, end])
    return None


def _started(rewriter: Rewriter, value: Value, type: Type) -> Value:
    """What a scan starts with, as a slice; a vector without dimensions is not reshaped."""
    return shape_cast(rewriter, value, type) if rank(value.type) else broadcast(rewriter, value, type)


SCANS: Final = (Pattern("vector.scan", _sliced, name="ScanToArithOps"),)
