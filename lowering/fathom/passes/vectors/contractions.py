"""Contractions as sums of products: of elements, of rows and columns, or of outer products.

Source of the rules: *'vector' Dialect*, `vector.contract`, and what mlir-opt 22 makes of it.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import TYPE_CHECKING, Final

from fathom.dialects.vector.common import count_of, flags, kind_of, rank, vector_of, vector_type
from fathom.dialects.vector.contractions import dimension_pairs, iterators_of, maps_of
from fathom.ir.affine import AffineDim, AffineMap
from fathom.ir.attributes import AffineMapAttr, ArrayAttr, i32_attr
from fathom.ir.types import FloatType, IntegerType, VectorType, element_type
from fathom.ops.vector import ContractOp, MaskOp
from fathom.passes.arithmetic import constant
from fathom.passes.vectors.building import SCALABLE, add, broadcast, extract, insert, multiply, shape_cast, transpose
from fathom.passes.vectors.masking import maskable, under_mask
from fathom.passes.vectors.products import combined_product, outer_products
from fathom.rewriting.allowance import too_many_operations
from fathom.rewriting.pattern import Failure, Pattern
from fathom.slices import checkpoint

if TYPE_CHECKING:
    from fathom.ir.operation import Operation, Value
    from fathom.rewriting.rewriter import Rewriter

PARALLEL: Final = "parallel"
REDUCTION: Final = "reduction"

OTHER: Final = Failure("it is no product of matrices or vectors that is lowered in this way")


def contractions(way: str) -> list[Pattern]:
    """The patterns for a way to lower contractions: `dot`, `outerproduct`, `parallelarith` or `llvmintr`."""

    def stepwise(op: ContractOp, masking: MaskOp | None, rewriter: Rewriter) -> Value | Failure:
        element = element_type(op.acc.type)
        if any(element_type(op.one_of(name).type) != element for name in ("lhs", "rhs")):
            return Failure("its operands have elements of different types")
        if kind_of(op.kind) != "add":
            return Failure("only sums of products are contracted")
        parts = 4 * prod(_results_of(op))
        if (refused := too_many_operations(op, 0, parts)) is not None:
            return refused
        if way == "outerproduct":
            made = outer_products(op, masking, rewriter)
            if not isinstance(made, Failure):
                return made
        if way == "dot" and masking is None:
            made = _dot_products(op, rewriter)
            if not isinstance(made, Failure):
                too_many_operations(op, parts)
                return made
        if way == "parallelarith" and masking is None:
            made = _elementwise(op, rewriter)
            if not isinstance(made, Failure):
                return made
        return _one_dimension(op, masking.mask if masking is not None else None, rewriter)

    rules = [maskable("ContractionOpLowering", "vector.contract", stepwise)]
    if way == "outerproduct":
        rules.append(maskable("ContractionOpToOuterProductOpLowering", "vector.contract", outer_products))
    if way == "llvmintr":
        rules.append(maskable("ContractionOpToMatmulOpLowering", "vector.contract", _matrix_multiply, benefit=100))
    return rules


def _results_of(op: ContractOp) -> Sequence[int]:
    """The sizes of the dimensions that are not summed over."""
    type = op.result.type
    return type.ranked_shape if isinstance(type, VectorType) else ()


def places_of(op: ContractOp) -> list[list[int]]:
    """For each of the operands, the loops that go over its dimensions."""
    return [[result.position for result in map.results if isinstance(result, AffineDim)] for map in maps_of(op)]


# ---- rows and columns


def _dot_products(op: ContractOp, rewriter: Rewriter) -> Value | Failure:
    """Each element is the sum of the products of a row and a column, which transpositions make rows."""
    lhs, rhs, accumulator = op.lhs, op.rhs, op.acc
    iterators, (of_lhs, of_rhs, of_result) = iterators_of(op), places_of(op)
    type = op.result.type
    if not isinstance(type, VectorType):
        return OTHER
    if iterators == [PARALLEL, PARALLEL, REDUCTION]:
        if sorted(of_lhs) != [0, 2] or sorted(of_rhs) != [1, 2] or sorted(of_result) != [0, 1]:
            return OTHER
        swapped = of_result == [1, 0]
    elif iterators == [PARALLEL, REDUCTION]:
        if of_result != [0] or sorted([len(of_lhs), len(of_rhs)]) != [1, 2]:
            return OTHER
        swapped = len(of_lhs) == 1
    else:
        return OTHER
    # The rows of the result are those of the first.
    if swapped:
        (lhs, of_lhs), (rhs, of_rhs) = (rhs, of_rhs), (lhs, of_lhs)
    summed = len(iterators) - 1
    if of_lhs[-1] != summed:
        lhs = transpose(rewriter, lhs)
    if len(of_rhs) == 2 and of_rhs[-1] != summed:
        rhs = transpose(rewriter, rhs)
    rows, columns = type.ranked_shape[0], type.ranked_shape[1] if rank(type) == 2 else 1
    made = constant(rewriter, 0, type)
    taken: list[Value] = []
    for i in range(rows):
        row = extract(rewriter, lhs, i)
        for j in range(columns):
            checkpoint()
            if i == 0:
                taken.append(rhs if rank(type) == 1 else extract(rewriter, rhs, j))
            total = _sum(rewriter, op, multiply(rewriter, row, taken[j]), None).result
            made = insert(rewriter, total, made, *([i] if rank(type) == 1 else [i, j]))
    return add(rewriter, made, accumulator)


def _sum(rewriter: Rewriter, op: ContractOp, products: Value, start: Value | None) -> Operation:
    """The `vector.reduction` by the kind of a contraction."""
    operands = [products, *((start,) if start is not None else ())]
    result = vector_type(products).element
    return rewriter.create("vector.reduction", operands, [result], {"kind": op.kind})


def _matrix_multiply(op: ContractOp, masking: MaskOp | None, rewriter: Rewriter) -> Value | Failure:
    """A product of matrices is one of the elements in their order, by `llvm.intr.matrix.multiply`."""
    lhs, rhs, accumulator = op.lhs, op.rhs, op.acc
    type = op.result.type
    if masking is not None or iterators_of(op) != [PARALLEL, PARALLEL, REDUCTION]:
        return OTHER
    if not isinstance(type, VectorType) or type.scalable:
        return OTHER
    if vector_type(lhs).element != type.element or not isinstance(type.element, (IntegerType, FloatType)):
        return OTHER
    of_lhs, of_rhs, of_result = places_of(op)
    if sorted(of_lhs) != [0, 2] or sorted(of_rhs) != [1, 2] or sorted(of_result) != [0, 1]:
        return OTHER
    if of_lhs == [2, 0]:
        lhs = transpose(rewriter, lhs)
    if of_rhs == [1, 2]:
        rhs = transpose(rewriter, rhs)
    (rows, depth), columns = vector_type(lhs).ranked_shape, vector_type(rhs).ranked_shape[1]
    flat = [shape_cast(rewriter, value, _flat(count_of(vector_type(value)), type)) for value in (lhs, rhs)]
    properties = {"lhs_rows": i32_attr(rows), "lhs_columns": i32_attr(depth), "rhs_columns": i32_attr(columns)}
    multiplied = rewriter.create("llvm.intr.matrix.multiply", flat, [_flat(rows * columns, type)], properties).result
    product = shape_cast(rewriter, multiplied, vector_of([rows, columns], type.element))
    if of_result == [1, 0]:
        product = transpose(rewriter, product)
    return add(rewriter, accumulator, product)


def _flat(count: int, type: VectorType) -> VectorType:
    return vector_of([count], type.element)


# ---- all at once


def _elementwise(op: ContractOp, rewriter: Rewriter) -> Value | Failure:
    """Where all dimensions that are summed over are 1, one product of what is repeated and transposed to fit."""
    of_lhs, of_rhs, of_result = places_of(op)
    iterators, type = iterators_of(op), op.result.type
    if not isinstance(type, VectorType):
        return OTHER
    parts: list[Value] = []
    for name, places in (("lhs", of_lhs), ("rhs", of_rhs)):
        shape = vector_type(op.one_of(name)).ranked_shape
        if any(iterators[place] == REDUCTION and shape[dim] != 1 for dim, place in enumerate(places)):
            return OTHER
    plans = [_plan(places, of_result, iterators) for places in (of_lhs, of_rhs)]
    for name, (missing, _, _) in zip(("lhs", "rhs"), plans, strict=True):
        value = op.one_of(name)
        if missing:
            before = vector_type(value)
            shape = [*(type.ranked_shape[dim] for dim in missing), *before.ranked_shape]
            value = broadcast(rewriter, value, vector_of(shape, before.element))
        parts.append(value)
    parts = [transpose(rewriter, value, order) for value, (_, order, _) in zip(parts, plans, strict=True)]
    lhs, rhs = (extract(rewriter, value, *[0] * summed) for value, (_, _, summed) in zip(parts, plans, strict=True))
    return combined_product(rewriter, lhs, rhs, op.acc, kind_of(op.kind)) or OTHER


def _plan(
    places: Sequence[int], of_result: Sequence[int], iterators: Sequence[str]
) -> tuple[list[int], list[int], int]:
    """The dimensions of the result over which an operand is repeated; the order that brings what is summed over to
    the front, and the others into that of the result; how many are summed over."""
    summed = [dim for dim, place in enumerate(places) if iterators[place] == REDUCTION]
    missing = [dim for dim, place in enumerate(of_result) if place not in places]
    lead = len(of_result) - (len(places) - len(summed))
    order = [lead + dim for dim in summed]
    for dim, place in enumerate(of_result):
        order.append(missing.index(dim) if dim in missing else lead + places.index(place))
    return missing, order, len(summed)


# ---- one dimension after the other


def _one_dimension(op: ContractOp, mask: Value | None, rewriter: Rewriter) -> Value | Failure:
    """Takes a contraction apart along a dimension of both operands, of one, or at last along one that is summed
    over."""
    both = dimension_pairs(op, PARALLEL)
    if both:
        return _parallel(op, both[0][0], both[0][1], mask, rewriter)
    summed = dimension_pairs(op, REDUCTION)
    for side, name in enumerate(("lhs", "rhs")):
        contracted = {pair[side] for pair in summed}
        for dim in range(rank(op.one_of(name).type)):
            if dim not in contracted:
                return _parallel(op, -1 if side else dim, dim if side else -1, mask, rewriter)
    return _reduction(op, mask, rewriter) if summed else OTHER


def _parallel(op: ContractOp, of_lhs: int, of_rhs: int, mask: Value | None, rewriter: Rewriter) -> Value | Failure:
    """Contractions without a dimension of the left, of the right, or of both operands; -1 is none."""
    lhs, rhs, accumulator = op.lhs, op.rhs, op.acc
    places, result = places_of(op), op.result.type
    value, dim = (lhs, of_lhs) if of_lhs >= 0 else (rhs, of_rhs)
    loop = places[0][of_lhs] if of_lhs >= 0 else places[1][of_rhs]
    type = vector_type(value)
    if flags(type)[dim]:
        return SCALABLE
    size = type.ranked_shape[dim]
    of_result = places[2].index(loop) if loop in places[2] else -1
    if (of_result < 0 and size != 1) or not isinstance(result, VectorType):
        return OTHER
    slices = sum(_cost(side, dim) for side, dim in ((lhs, of_lhs), (rhs, of_rhs), (accumulator, of_result)))
    if (refused := too_many_operations(op, size * slices)) is not None:
        return refused
    made = constant(rewriter, 0, result)
    for position in range(size):
        checkpoint()
        parts = [
            _slice(rewriter, lhs, of_lhs, position),
            _slice(rewriter, rhs, of_rhs, position),
            _slice(rewriter, accumulator, of_result, position),
        ]
        part_of_mask = _slice(rewriter, mask, loop, position) if mask is not None else None
        part = under_mask(rewriter, _without(op, loop, parts, rewriter), part_of_mask)
        made = _put(rewriter, part, made, of_result, position)
    return made


def _reduction(op: ContractOp, mask: Value | None, rewriter: Rewriter) -> Value | Failure:
    """Contractions without the first loop, each from the result of the one before; at last a reduction."""
    lhs, rhs, made = op.lhs, op.rhs, op.acc
    places = places_of(op)
    if isinstance(op.result.type, VectorType) or 0 not in places[0] or 0 not in places[1]:
        return OTHER
    of_lhs, of_rhs = places[0].index(0), places[1].index(0)
    type = vector_type(lhs)
    if rank(type) == 1:
        if rank(rhs.type) != 1:
            return OTHER
        return under_mask(rewriter, _sum(rewriter, op, multiply(rewriter, lhs, rhs), made), mask)
    size = type.ranked_shape[of_lhs]
    if (refused := too_many_operations(op, 3 * size, 3 * prod(type.ranked_shape[:-1]))) is not None:
        return refused
    for position in range(size):
        parts = [_slice(rewriter, lhs, of_lhs, position), _slice(rewriter, rhs, of_rhs, position), made]
        part_of_mask = _slice(rewriter, mask, 0, position) if mask is not None else None
        made = under_mask(rewriter, _without(op, 0, parts, rewriter), part_of_mask)
    return made


def _without(op: ContractOp, loop: int, operands: Sequence[Value], rewriter: Rewriter) -> Operation:
    """The contraction of parts, without a loop."""
    maps = [
        AffineMapAttr(AffineMap(map.dims - 1, 0, tuple(AffineDim(i - (i > loop)) for i in place if i != loop)))
        for map, place in zip(maps_of(op), places_of(op), strict=True)
    ]
    kept = tuple(element for i, element in enumerate(op.iterator_types.elements) if i != loop)
    properties = {
        "indexing_maps": ArrayAttr(tuple(maps)),
        "iterator_types": ArrayAttr(kept),
        "kind": op.kind,
    }
    return rewriter.create("vector.contract", operands, [operands[2].type], properties)


def _slice(rewriter: Rewriter, value: Value, dim: int, position: int) -> Value:
    """What stands at a position of a dimension, -1 for the whole: the other dimensions stay."""
    if dim < 0:
        return value
    if dim == 0:
        return extract(rewriter, value, position)
    type = vector_type(value)
    kept = [i for i in range(rank(type)) if i != dim]
    scalable = flags(type)
    part_type = vector_of([type.ranked_shape[i] for i in kept], type.element, [scalable[i] for i in kept])
    made = constant(rewriter, 0, part_type)
    for row in range(type.ranked_shape[0]):
        part = _slice(rewriter, extract(rewriter, value, row), dim - 1, position)
        made = insert(rewriter, part, made, row)
    return made


def _cost(value: Value, dim: int) -> int:
    """How many operations it takes to take out what stands at a position of a dimension, and to put it back."""
    return 4 * prod(vector_type(value).ranked_shape[:dim]) if dim >= 0 else 0


def _put(rewriter: Rewriter, value: Value, dest: Value, dim: int, position: int) -> Value:
    """Puts what `_slice` takes out."""
    if dim < 0:
        return value
    if dim == 0:
        return insert(rewriter, value, dest, position)
    for row in range(vector_type(dest).ranked_shape[0]):
        before, part = extract(rewriter, dest, row), extract(rewriter, value, row)
        dest = insert(rewriter, _put(rewriter, part, before, dim - 1, position), dest, row)
    return dest
