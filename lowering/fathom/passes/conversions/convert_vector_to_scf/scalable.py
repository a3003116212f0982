"""Writes of scalable vectors that are transposed: row by row, each of elements of the columns."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Final

from fathom.dialects.vector.common import flags, vector_type, without_first
from fathom.dialects.vector.memory_folds import set_mask
from fathom.dialects.vector.transfer_maps import in_bounds, map_of, transferred
from fathom.ir.affine import AffineDim, AffineMap
from fathom.ir.types import I1, INDEX, VectorType
from fathom.ops.vector import ConstantMaskOp, CreateMaskOp, TransferWriteOp, TransposeOp
from fathom.passes.arithmetic import binary, constant
from fathom.passes.buffers import loop
from fathom.passes.conversions.convert_vector_to_scf.accesses import NOT_ASKED_FOR, indices_at, is_of_tensor
from fathom.passes.index_arithmetic import value_of
from fathom.passes.vectors.building import extract
from fathom.passes.vectors.transfers import write_like
from fathom.rewriting.allowance import too_many_operations
from fathom.rewriting.pattern import Failure, Pattern, defined_by

if TYPE_CHECKING:
    from collections.abc import Sequence

    from fathom.ir.operation import Value
    from fathom.passes.conversions.convert_vector_to_scf import ConvertVectorToSCFPass
    from fathom.rewriting.rewriter import Rewriter

OTHER: Final = Failure("it does not write rows of a transposed vector<NxMx…> of which M is scalable, in their order")


def patterns(use: ConvertVectorToSCFPass) -> list[Pattern]:
    return [
        Pattern(
            "vector.transfer_write", partial(write_transposed, use=use), name="ScalableTransposeTransferWriteConversion"
        )
    ]


class _Scale:
    """Multiples of the factor by which vectors scale, which is asked for once."""

    def __init__(self, rewriter: Rewriter) -> None:
        self.rewriter = rewriter
        self.factor: Value | None = None

    def multiple(self, number: int) -> Value:
        if self.factor is None:
            self.factor = self.rewriter.create("vector.vscale", (), [INDEX]).result
        return binary(self.rewriter, "muli", self.factor, constant(self.rewriter, number))


def write_transposed(
    op: TransferWriteOp, operands: Sequence[Value], rewriter: Rewriter, *, use: ConvertVectorToSCFPass
) -> Failure | None:
    """
        %t = vector.transpose %v, [1, 0] : vector<2x[4]xf32> to vector<[4]x2xf32>
        vector.transfer_write %t, %m[%i, %j] {in_bounds = [true, true]} : vector<[4]x2xf32>, memref<?x?xf32>
    ->
        %0 = vector.extract %v[0] : vector<[4]xf32> from vector<2x[4]xf32>
        %1 = vector.extract %v[1] : vector<[4]xf32> from vector<2x[4]xf32>
        %n = arith.muli %vscale, %c4 : index
        scf.for %k = %c0 to %n step %c1 {
          %2 = vector.extract %0[%k] : f32 from vector<[4]xf32>
          %3 = vector.extract %1[%k] : f32 from vector<[4]xf32>
          %4 = vector.from_elements %2, %3 : vector<2xf32>
          vector.transfer_write %4, %m[%i + %k, %j] {in_bounds = [true]} : vector<2xf32>, memref<?x?xf32>
        }
    """
    if is_of_tensor(op) and not use.lower_tensors:
        return NOT_ASKED_FOR
    type, map, bounds = transferred(op), map_of(op), in_bounds(op)
    if flags(type) != (True, False) or not map.is_identity or not bounds[0]:
        return OTHER
    transposed = defined_by(op.valueToStore, TransposeOp)
    if transposed is None or transposed.permutation.values != (1, 0):
        return OTHER
    if (refused := too_many_operations(op, 3 * type.ranked_shape[1])) is not None:
        return refused
    scale = _Scale(rewriter)
    extents = _extents(op.mask, scale)
    if extents is None:
        return Failure("it is not known what the mask lets through")
    columns = [extract(rewriter, transposed.vector, number) for number in range(type.ranked_shape[1])]
    lower = constant(rewriter, 0)
    upper = value_of(rewriter, extents[0]) if extents else scale.multiple(type.ranked_shape[0])
    bounds_of_loop = lower, upper, constant(rewriter, 1)
    row, row_mask = without_first(type, 1), None
    if extents:
        left = [value_of(rewriter, extent) for extent in extents[1:]]
        row_mask = rewriter.create("vector.create_mask", left, [VectorType(row.shape, I1, row.scalable)]).result

    def body(place: Value, carried: Sequence[Value]) -> Sequence[Value]:
        indices = indices_at(rewriter, op, place)
        elements = [extract(rewriter, column, place) for column in columns]
        value = rewriter.create("vector.from_elements", elements, [row]).result
        last = AffineMap(map.dims, 0, (AffineDim(map.dims - 1),))
        base = next(iter(carried), op.base)
        part = write_like(rewriter, op, value, base=base, indices=indices, map=last, bounds=bounds[1:])
        if row_mask is not None:
            set_mask(part, row_mask)
        return part.results

    start = [op.base] if is_of_tensor(op) else []
    rewriter.replace(op, loop(rewriter, bounds_of_loop, start, body).results)
    return None


def _extents(mask: Value | None, scale: _Scale) -> list[Value | int] | None:
    """How far a mask reaches in each dimension; nothing where there is none, None where that is not known."""
    if mask is None:
        return []
    made = mask.defining_op
    if isinstance(made, CreateMaskOp):
        return [*made.operands]
    if not isinstance(made, ConstantMaskOp):
        return None
    sizes = zip(made.mask_dim_sizes.values, flags(vector_type(mask)), strict=True)
    return [scale.multiple(size) if is_scalable else size for size, is_scalable in sizes]
