"""The step of `lower-to-llvm` that keeps what operations on vectors are defined to do where MLIR 22's passes, which
Fathom's follow, make something else of it.

- A reduction over no dimension combines its operand with what it starts from; they forget the latter.
- A transfer that begins in front of the memory reads padding there and writes nothing; they look at the end only.
- A memref of i1 has a byte for each element; they read and write its vectors with a bit for each.

Source of the rules: *'vector' Dialect*: `vector.multi_reduction`, `vector.transfer_read`, `vector.load`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import product
from math import prod
from typing import TYPE_CHECKING, Final

from fathom.budget import MOST_ELEMENTS
from fathom.dialects.arith.elements import dense
from fathom.dialects.vector.common import flags, kind_of, masking_op, rank, vector_of
from fathom.dialects.vector.memory_folds import set_mask
from fathom.dialects.vector.transfer_maps import Transfer, in_bounds, map_of, transfer_mask, transferred
from fathom.ir.affine import AffineDim
from fathom.ir.property_values import numbers_of
from fathom.ir.types import I1, I8, MemRefType, Type, VectorType
from fathom.ops import vector as ops
from fathom.passes.definition import Pass
from fathom.passes.vectors.combining import combined
from fathom.records import record
from fathom.rewriting.folding import integer_constant

if TYPE_CHECKING:
    from fathom.context import Context
    from fathom.diagnostics import Diagnostic
    from fathom.ir.operation import Operation, Value
    from fathom.passes.definition import Held
    from fathom.rewriting.rewriter import Rewriter

_REDUCTION: Final = "vector.multi_reduction"
_TRANSFERS: Final = ("vector.transfer_read", "vector.transfer_write")
_ACCESSES: Final[Mapping[str, Sequence[str]]] = {
    "vector.load": (),
    "vector.maskedload": ("pass_thru",),
    "vector.expandload": ("pass_thru",),
    "vector.gather": ("pass_thru",),
    "vector.transfer_read": ("padding",),
    "vector.store": ("valueToStore",),
    "vector.maskedstore": ("valueToStore",),
    "vector.compressstore": ("valueToStore",),
    "vector.scatter": ("valueToStore",),
    "vector.transfer_write": ("valueToStore",),
}
"""The operations that go to memory with vectors, and their operands that are like elements of it."""


@record
class VectorsAsDefined(Pass):
    """Rewrites reductions over no dimension, transfers that begin in front of the memory, and accesses of vectors to
    memrefs of i1, of which MLIR's passes make something else than they are defined to do. What is as defined anyway
    stays as it is."""

    name = "vectors-as-defined"
    summary = "keeps what operations on vectors mean where other passes do not"
    by_function = True

    @classmethod
    def is_for(cls, held: Held) -> bool:
        return (
            any(_reduces_nothing(op) for op in held.get(_REDUCTION, ()))
            or any(_begins_before(op) for name in _TRANSFERS for op in held.get(name, ()))
            or any(_goes_to_bits(op) for name in _ACCESSES for op in held.get(name, ()))
        )

    def run(self, op: Operation, context: Context) -> list[Diagnostic]:
        from fathom.rewriting.rewriter import Rewriter

        rewriter = Rewriter(context)
        for inner in list(op.walk()):
            if isinstance(inner, ops.MultiReductionOp) and _reduces_nothing(inner):
                _combine(inner, rewriter)
            elif isinstance(inner, (ops.TransferReadOp, ops.TransferWriteOp)) and _begins_before(inner):
                _leave_out_what_is_before(inner, rewriter)
            if inner.parent is not None and _goes_to_bits(inner):
                _go_to_bytes(inner, rewriter)
        return []


# ---- reductions over nothing


def _reduces_nothing(op: Operation) -> bool:
    return isinstance(op, ops.MultiReductionOp) and not numbers_of(op.reduction_dims)


def _combine(op: ops.MultiReductionOp, rewriter: Rewriter) -> None:
    """
        %0 = vector.multi_reduction <add>, %v, %start [] : vector<2x4xf32> to vector<2x4xf32>
    ->
        %0 = arith.addf %v, %start : vector<2x4xf32>
    """
    masking = masking_op(op)
    replaced = masking or op
    with rewriter.standing_in(op):
        rewriter.set_insertion_before(replaced)
        mask = masking.mask if masking is not None else None
        made = combined(rewriter, kind_of(op.kind), op.source, op.acc, mask)
    if made is not None:
        rewriter.replace(replaced, [made])


# ---- transfers from in front of the memory


def _before(op: Transfer) -> dict[int, int]:
    """How many lanes of each dimension of the vector lie in front of the memory, where that is known."""
    before: dict[int, int] = {}
    for place, (result, within) in enumerate(zip(map_of(op).results, in_bounds(op), strict=True)):
        if not within and isinstance(result, AffineDim):
            start = integer_constant(op.indices[result.position])
            if start is not None and start < 0:
                before[place] = -start
    return before


def _begins_before(op: Operation) -> bool:
    return (
        isinstance(op, (ops.TransferReadOp, ops.TransferWriteOp))
        and masking_op(op) is None
        and bool(_before(op))
        and not any(flags(transferred(op)))
    )


def _leave_out_what_is_before(op: Transfer, rewriter: Rewriter) -> None:
    """
        %0 = vector.transfer_read %m[%minus_one], %p : memref<?xf32>, vector<3xf32>
    ->
        %mask = arith.constant dense<[false, true, true]> : vector<3xi1>
        %0 = vector.transfer_read %m[%minus_one], %p, %mask : memref<?xf32>, vector<3xf32>
    """
    type, map, before = transferred(op), map_of(op), _before(op)
    mask_type = transfer_mask(type, map)
    if mask_type is None or prod(mask_type.ranked_shape) > MOST_ELEMENTS:
        return
    places = sorted(
        (result.position, place) for place, result in enumerate(map.results) if isinstance(result, AffineDim)
    )
    lowest = [before.get(place, 0) for _, place in places]
    lanes = product(*(range(size) for size in mask_type.ranked_shape))
    within = [int(all(at >= low for at, low in zip(lane, lowest, strict=True))) for lane in lanes]
    with rewriter.standing_in(op):
        rewriter.set_insertion_before(op)
        mask = rewriter.constant(dense(within, mask_type), mask_type)
        if op.mask is not None:
            mask = rewriter.create("arith.andi", [op.mask, mask], [mask_type]).result
    set_mask(op, mask)


# ---- memory of i1


def _goes_to_bits(op: Operation) -> bool:
    if _ACCESSES.get(op.name) is None:
        return False
    type = op.one_of("base").type
    return isinstance(type, MemRefType) and type.element == I1 and masking_op(op) is None


def _go_to_bytes(op: Operation, rewriter: Rewriter) -> None:
    """
        %0 = vector.load %m[%i] : memref<?xi1>, vector<8xi1>
    ->
        %bytes = builtin.unrealized_conversion_cast %m : memref<?xi1> to memref<?xi8>
        %1 = vector.load %bytes[%i] : memref<?xi8>, vector<8xi8>
        %0 = arith.trunci %1 : vector<8xi8> to vector<8xi1>
    """
    definition = op.definition
    assert definition is not None, "the operations of vector are known"
    with rewriter.standing_in(op):
        rewriter.set_insertion_before(op)
        operands: list[Value] = []
        elements = _ACCESSES[op.name]
        for group in definition.operands:
            values = op.all_of(group.name)
            if group.name == "base":
                values = [_bytes_of(values[0], rewriter)]
            elif group.name in elements:
                values = [rewriter.create("arith.extui", [value], [_of_bytes(value.type)]).result for value in values]
            operands += values
        types = [_of_bytes(result.type) for result in op.results]
        made = rewriter.create(op.name, operands, types, op.properties, op.attributes)
        results = [
            rewriter.create("arith.trunci", [new], [old.type]).result
            for new, old in zip(made.results, op.results, strict=True)
        ]
    rewriter.replace(op, results)


def _bytes_of(memref: Value, rewriter: Rewriter) -> Value:
    """The same memory; both are the same in the LLVM dialect, where the cast goes."""
    type = memref.type
    assert isinstance(type, MemRefType), "the memory of an access"
    seen_as = MemRefType(type.shape, I8, type.layout, type.space)
    return rewriter.create("builtin.unrealized_conversion_cast", [memref], [seen_as]).result


def _of_bytes(type: Type) -> Type:
    if isinstance(type, VectorType) and type.element == I1:
        return vector_of(type.ranked_shape, I8, flags(type)) if rank(type) else VectorType((), I8)
    return I8 if type == I1 else type
