"""Sums of products as contractions, which take what is repeated and transposed as it was before.

    %0 = arith.mulf %a, %b : vector<4x8xf32>
    %1 = vector.multi_reduction <add>, %0, %acc [1] : vector<4x8xf32> to vector<4xf32>
->
    %1 = vector.contract {… [(d0, d1), (d0, d1), (d0)], [parallel, reduction]} %a, %b, %acc

Source of the rules: `populateVectorReductionToContractPatterns` of MLIR 22.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from fathom.dialects import own_description
from fathom.dialects.vector.common import flags, kind_of, vector_of, vector_type
from fathom.dialects.vector.contractions import iterators_of, maps_of
from fathom.ir.affine import AffineDim, AffineMap
from fathom.ir.attributes import AffineMapAttr, ArrayAttr
from fathom.ir.types import I1, VectorType
from fathom.irdl.cases import case_of
from fathom.ops import arith
from fathom.ops.vector import BroadcastOp, ContractOp, MaskOp, MultiReductionOp, TransposeOp
from fathom.passes.vectors.building import shape_cast
from fathom.passes.vectors.combining import combining_kind
from fathom.passes.vectors.contractions import PARALLEL, REDUCTION
from fathom.passes.vectors.masking import maskable, under_mask
from fathom.rewriting.pattern import NO_MATCH, Failure, Pattern, Replacement, defined_by, replacing

if TYPE_CHECKING:
    from fathom.ir.attributes import Attribute
    from fathom.ir.operation import Operation, Value
    from fathom.rewriting.rewriter import Rewriter


def create_contraction(
    rewriter: Rewriter, operands: Sequence[Value], maps: Sequence[AffineMap], iterators: Sequence[Attribute]
) -> Operation:
    """`vector.contract` that adds up."""
    properties: dict[str, Attribute] = {
        "indexing_maps": ArrayAttr(tuple(map(AffineMapAttr, maps))),
        "iterator_types": ArrayAttr(tuple(iterators)),
        "kind": combining_kind("add"),
    }
    return rewriter.create("vector.contract", operands, [operands[2].type], properties)


def _iterator(word: str) -> Attribute:
    made = case_of(own_description("vector").attributes["IteratorTypeAttr"], word)
    assert made is not None, "both words are cases of it"
    return made


def as_contraction(op: MultiReductionOp, rewriter: Rewriter) -> Replacement:
    maker = op.source.defining_op
    if kind_of(op.kind) != "add" or not isinstance(maker, (arith.MuliOp, arith.MulfOp)):
        return None
    count, reduced = len(vector_type(op.source).ranked_shape), op.reduction_dims.values
    whole = AffineMap(count, 0, tuple(map(AffineDim, range(count))))
    kept = AffineMap(count, 0, tuple(AffineDim(each) for each in range(count) if each not in reduced))
    iterators = [_iterator(REDUCTION if each in reduced else PARALLEL) for each in range(count)]
    return create_contraction(rewriter, [maker.lhs, maker.rhs, op.acc], [whole, whole, kept], iterators)


def _replaced(map: AffineMap, places: Sequence[int]) -> AffineMap:
    return AffineMap(map.dims, map.symbols, tuple(map.results[place] for place in places))


def of_transposed(op: ContractOp, rewriter: Rewriter) -> Replacement:
    """Operands as they were before they were transposed."""
    operands, maps = list(op.operands), maps_of(op)
    for place in (0, 1):
        transposed = defined_by(operands[place], TransposeOp)
        if transposed is not None:
            order = transposed.permutation.values
            maps[place] = _replaced(maps[place], sorted(range(len(order)), key=order.__getitem__))
            operands[place] = transposed.vector
    if operands == list(op.operands):
        return None
    return create_contraction(rewriter, operands, maps, op.iterator_types.elements)


def transposed_result(op: TransposeOp, rewriter: Rewriter) -> Replacement:
    """The transposition of a result whose start was transposed the other way."""
    contraction = defined_by(op.vector, ContractOp)
    start = defined_by(contraction.acc, TransposeOp) if contraction is not None else None
    if contraction is None or start is None or sum(contraction.result.uses.values()) != 1:
        return None
    order, before = op.permutation.values, start.permutation.values
    if [before[place] for place in order] != [*range(len(order))]:
        return None
    maps = maps_of(contraction)
    maps[2] = _replaced(maps[2], order)
    operands = [contraction.lhs, contraction.rhs, start.vector]
    return create_contraction(rewriter, operands, maps, contraction.iterator_types.elements)


def of_repeated(op: ContractOp, masking: MaskOp | None, rewriter: Rewriter) -> Value | Failure:
    """Operands as they were before they were repeated in further dimensions; loops that are over none go."""
    operands, maps, iterators = list(op.operands), maps_of(op), iterators_of(op)
    for place in (0, 1):
        source = _before_repeated(operands[place], maps[place], iterators)
        if source is not None:
            count = len(vector_type(source).ranked_shape)
            maps[place] = AffineMap(maps[place].dims, 0, maps[place].results[-count:] if count else ())
            operands[place] = source
    if operands == list(op.operands):
        return NO_MATCH
    used = {result.position for map in maps for result in map.results if isinstance(result, AffineDim)}
    unused = [loop for loop in range(len(iterators)) if loop not in used]
    numbers = {loop: number for number, loop in enumerate(sorted(used))}
    maps = [
        AffineMap(
            len(used),
            0,
            tuple(AffineDim(numbers[each.position]) for each in map.results if isinstance(each, AffineDim)),
        )
        for map in maps
    ]
    kept = [element for loop, element in enumerate(op.iterator_types.elements) if loop in used]
    reduced = {numbers[loop] for loop in used if iterators[loop] == REDUCTION}
    of_both = [{each.position for each in map.results if isinstance(each, AffineDim)} for map in maps[:2]]
    if not reduced & of_both[0] & of_both[1] or len(of_both[0] | of_both[1]) != len(used):
        return NO_MATCH
    mask = masking.mask if masking is not None else None
    if mask is not None and any(vector_type(mask).ranked_shape[loop] != 1 for loop in unused):
        return NO_MATCH
    made = create_contraction(rewriter, operands, maps, kept)
    if mask is not None and unused:
        type = vector_type(mask)
        mask = shape_cast(rewriter, mask, vector_of(type.ranked_shape[len(unused) :], I1, flags(type)[len(unused) :]))
    return under_mask(rewriter, made, mask)


def _before_repeated(value: Value, map: AffineMap, iterators: Sequence[str]) -> Value | None:
    """The vector that was repeated in leading dimensions alone; not in one of several elements that is summed over."""
    repeated = defined_by(value, BroadcastOp)
    source = repeated.source if repeated is not None else None
    if source is None or not isinstance(source.type, VectorType):
        return None
    before, shape = source.type.ranked_shape, vector_type(value).ranked_shape
    more = len(shape) - len(before)
    if more == 0 or shape[more:] != before:
        return None
    for size, result in zip(shape[:more], map.results, strict=False):
        if size != 1 and isinstance(result, AffineDim) and iterators[result.position] == REDUCTION:
            return None
    return source


PATTERNS: Final[tuple[Pattern, ...]] = (
    replacing("vector.multi_reduction", as_contraction, name="MultiReduceToContract"),
    maskable("CombineContractBroadcastMask", "vector.contract", of_repeated),
    replacing("vector.contract", of_transposed, name="CombineContractABTranspose"),
    replacing("vector.transpose", transposed_result, name="CombineContractResultTranspose"),
)
