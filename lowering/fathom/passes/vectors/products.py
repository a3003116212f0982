"""Outer products: contractions as sums of them, and what they are made of.

Source of the rules: *'vector' Dialect*, `vector.outerproduct`, and what mlir-opt 22 makes of it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from fathom.dialects.vector.common import flags, kind_of, rank, vector_type
from fathom.dialects.vector.contractions import iterators_of, maps_of
from fathom.ir.affine import AffineDim
from fathom.ir.types import FloatType, Type, VectorType, element_type
from fathom.irdl.type_functions import is_float
from fathom.ops.vector import ContractOp, MaskOp, OuterproductOp
from fathom.passes.arithmetic import constant, select
from fathom.passes.vectors.building import SCALABLE, broadcast, extract, insert, multiply, transpose
from fathom.passes.vectors.combining import combined, is_combined
from fathom.passes.vectors.masking import maskable, under_mask
from fathom.rewriting.allowance import too_many_operations
from fathom.rewriting.pattern import Failure

if TYPE_CHECKING:
    from fathom.ir.operation import Value
    from fathom.rewriting.rewriter import Rewriter

NO_PRODUCT: Final = Failure("it is no product of matrices, or of a matrix and a vector")


def combined_product(
    rewriter: Rewriter, lhs: Value, rhs: Value, start: Value | None, kind: str, mask: Value | None = None
) -> Value | None:
    """The product, combined with a value to start from; where the mask is not set, that value. None for a kind that
    elements of this type have not."""
    if not is_combined(kind, lhs.type):
        return None
    if start is None:
        return multiply(rewriter, lhs, rhs)
    if kind == "add" and is_float(lhs.type) and isinstance(start.type, VectorType):
        made = rewriter.create("vector.fma", [lhs, rhs, start], [start.type]).result
        return made if mask is None else select(rewriter, mask, made, start)
    return combined(rewriter, kind, multiply(rewriter, lhs, rhs), start, mask)


def _rows(op: OuterproductOp, masking: MaskOp | None, rewriter: Rewriter) -> Value | Failure:
    """
        %0 = vector.outerproduct %a, %b, %c : vector<2xf32>, vector<3xf32>
    ->
        %z = arith.constant dense<0.0> : vector<2x3xf32>
        %1 = vector.extract %a[0]
        %2 = vector.broadcast %1 : f32 to vector<3xf32>
        %3 = vector.fma %2, %b, %c[0]
        %4 = vector.insert %3, %z[0]
        …
    """
    type = vector_type(op.result)
    lhs, rhs = op.lhs, op.rhs
    start = op.acc
    kind = kind_of(op.kind)
    mask = masking.mask if masking is not None else None
    wrong = Failure("elements of this type are not combined in this way")
    if rank(type) >= 2 and all(flags(type)):
        return SCALABLE
    if not isinstance(rhs.type, VectorType):
        return combined_product(rewriter, lhs, broadcast(rewriter, rhs, lhs.type), start, kind, mask) or wrong
    count = type.ranked_shape[0]
    if (refused := too_many_operations(op, 4 * count)) is not None:
        return refused
    made = constant(rewriter, 0, type)
    for number in range(count):
        repeated = broadcast(rewriter, extract(rewriter, lhs, number), rhs.type)
        before = extract(rewriter, start, number) if start is not None else None
        part_of_mask = extract(rewriter, mask, number) if mask is not None else None
        row = combined_product(rewriter, repeated, rhs, before, kind, part_of_mask)
        if row is None:
            return wrong
        made = insert(rewriter, row, made, number)
    return made


OUTER_PRODUCT: Final = maskable("OuterProductOpLowering", "vector.outerproduct", _rows)


# ---- contractions


def outer_products(op: ContractOp, masking: MaskOp | None, rewriter: Rewriter) -> Value | Failure:
    """A product of matrices, or of a matrix and a vector, as the sum of the outer products of columns and rows."""
    lhs, rhs, made = op.lhs, op.rhs, op.acc
    of_lhs, of_rhs, of_result = (
        [result.position for result in map.results if isinstance(result, AffineDim)] for map in maps_of(op)
    )
    mask = masking.mask if masking is not None else None
    order: Sequence[int]
    match iterators_of(op):
        case ["parallel", "parallel", "reduction"]:
            summed, order = 2, (2, 0, 1)
            if sorted(of_lhs) != [0, 2] or sorted(of_rhs) != [1, 2] or sorted(of_result) != [0, 1]:
                return NO_PRODUCT
            swapped = of_result == [1, 0]
        case ["parallel", "reduction"] | ["reduction", "parallel"] as iterators:
            summed = iterators.index("reduction")
            order = (1, 0) if summed else ()
            if sorted([len(of_lhs), len(of_rhs)]) != [1, 2] or of_result != [1 - summed]:
                return NO_PRODUCT
            swapped = len(of_lhs) == 1
        case _:
            return NO_PRODUCT
    type = vector_type(lhs)
    dim = of_lhs.index(summed)
    if flags(type)[dim]:
        return SCALABLE
    if not isinstance(made.type, VectorType):
        return NO_PRODUCT
    if (refused := too_many_operations(op, 4 * type.ranked_shape[dim])) is not None:
        return refused
    first, second = ((rhs, of_rhs), (lhs, of_lhs)) if swapped else ((lhs, of_lhs), (rhs, of_rhs))
    # The dimension that is summed over comes first.
    one, other = (
        transpose(rewriter, value) if len(places) == 2 and places[0] != summed else value
        for value, places in (first, second)
    )
    if mask is not None and order:
        mask = transpose(rewriter, mask, order)
    element = made.type.element
    for number in range(type.ranked_shape[dim]):
        parts = [extract(rewriter, side, number) for side in (one, other)]
        parts = [_promoted(rewriter, part, element) for part in parts]
        part_of_mask = extract(rewriter, mask, number) if mask is not None else None
        properties = {"kind": op.kind}
        product = rewriter.create("vector.outerproduct", [*parts, made], [made.type], properties)
        made = under_mask(rewriter, product, part_of_mask)
    return made


def _promoted(rewriter: Rewriter, value: Value, element: Type) -> Value:
    """A value with elements of a wider type."""
    if element_type(value.type) == element:
        return value
    type = value.type
    wide = VectorType(type.shape, element, type.scalable) if isinstance(type, VectorType) else element
    name = "arith.extf" if isinstance(element, FloatType) else "arith.extsi"
    return rewriter.create(name, [value], [wide]).result
