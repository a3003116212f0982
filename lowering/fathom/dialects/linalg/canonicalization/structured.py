"""The canonicalisation of structured operations: those that change nothing or have nothing to do go, and what is known
of shapes goes from one operand to the others.

Source of the rules: mlir-opt 22; the order of the patterns is MLIR's.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from fathom.dialects.linalg.structured import is_projected_permutation, values_of
from fathom.dialects.tensor.canonicalization.building import cloned, create_like, sizes_of, with_casts
from fathom.dialects.tensor.casts import CAST, learns, ranked
from fathom.ir.affine import AffineDim, AffineMap
from fathom.ir.attributes import DenseArrayAttr
from fathom.ir.dialect_values import DialectAttr
from fathom.ir.operation import BlockArgument, Operation, OpResult, Value, types_of
from fathom.ir.types import DYNAMIC, I64, MemRefType, TensorType, Type
from fathom.irdl.definition import Trait
from fathom.irdl.destinations import destinations
from fathom.irdl.index_lists import separated
from fathom.irdl.interfaces import Structured
from fathom.irdl.type_traits import have_compatible_shapes
from fathom.ops import linalg as ops
from fathom.ops.tensor import CastOp
from fathom.rewriting.pattern import Failure, Replacement, defined_by
from fathom.rewriting.rewriter import Rewriter

STRUCTURED: Final = Trait("LinalgStructuredInterface")


def _maps(op: Operation) -> Sequence[AffineMap]:
    structured = op.interface(Structured)
    return (structured.maps(op) if structured is not None else None) or ()


# ---- every structured operation


def nothing_to_do(op: Operation, rewriter: Rewriter) -> Replacement:
    """An operation on a buffer without elements goes."""
    types = [operand.type for operand in op.operands]
    if not any(isinstance(type, MemRefType) and 0 in (type.shape or ()) for type in types):
        return Failure("no operand is a memref with a dimension of size 0")
    rewriter.erase(op)
    return op


def cast_into_producer(op: CastOp, rewriter: Rewriter) -> Replacement:
    """
        %0 = linalg.fill ins(%f : f32) outs(%t : tensor<?xf32>) -> tensor<?xf32>
        %r = tensor.cast %0 : tensor<?xf32> to tensor<4xf32>
    becomes
        %0 = tensor.cast %t : tensor<?xf32> to tensor<4xf32>
        %r = linalg.fill ins(%f : f32) outs(%0 : tensor<4xf32>) -> tensor<4xf32>
    """
    source, type = op.source, op.result.type
    maker = source.defining_op
    if maker is None or maker.interface(Structured) is None or not isinstance(source, OpResult):
        return None
    if not learns(op) or op.parent is not maker.parent:
        return None
    places = destinations(maker)
    if source.index >= len(places):
        return None
    place, number = places[source.index], source.index
    rewriter.set_insertion_before(maker)
    rewriter.stand_in(maker)
    given = list(maker.operands)
    given[place] = rewriter.create(CAST, [given[place]], [type]).result
    types: list[Type] = [result.type for result in maker.results]
    types[number] = type
    made = cloned(rewriter, maker, given, types)
    back = rewriter.create(CAST, [made.results[number]], [source.type]).result
    rewriter.replace(maker, [back if result.index == number else result for result in made.results])
    return made.results[number]


def known_shapes(op: Operation, rewriter: Rewriter) -> Replacement:
    """The size of a loop that one operand knows, casts tell of the others."""
    maps, values = _maps(op), values_of(op)
    if any(isinstance(operand.type, MemRefType) for operand in op.operands) or len(maps) != len(values):
        return Failure("it is on memrefs; shapes are inferred for tensors alone")
    if not any(ranked(value.type) is not None for value in values) or not all(map(is_projected_permutation, maps)):
        return Failure("no operand is a ranked tensor, or an indexing map is no projected permutation")
    sizes: dict[int, int] = {}
    for value, indexing in zip(values, maps, strict=True):
        type = ranked(value.type)
        if type is None:
            continue
        shape = type.ranked_shape
        cast = defined_by(value, CastOp)
        before = ranked(cast.source.type) if cast is not None else None
        if before is not None and before.has_static_shape:
            shape = before.ranked_shape
        for dim, result in enumerate(indexing.results):
            if type.ranked_shape[dim] != DYNAMIC and isinstance(result, AffineDim):
                sizes.setdefault(result.position, shape[dim])
    given, types, changed = list(op.operands), [result.type for result in op.results], False
    written, number = destinations(op), 0
    for place, (value, indexing) in enumerate(zip(values, maps, strict=True)):
        type = ranked(value.type)
        if type is None:
            continue
        shape = tuple(
            sizes.get(result.position, size) if size == DYNAMIC and isinstance(result, AffineDim) else size
            for size, result in zip(type.ranked_shape, indexing.results, strict=True)
        )
        known = TensorType(shape, type.element, type.encoding)
        if known != type:
            changed = True
            given[place] = rewriter.create(CAST, [value], [known]).result
        if place in written:
            types[number] = known
            number += 1
    if not changed:
        return Failure("no operand, nor what it was cast from, knows a size that is '?' in another")
    return with_casts(op, cloned(rewriter, op, given, types), rewriter)


# ---- operations that copy


def identity(op: ops.BroadcastOp | ops.GenericOp, rewriter: Rewriter) -> Replacement:
    """What yields its operands as they are, all through one map, is these operands; on one buffer it does nothing."""
    maps, block = _maps(op), op.region.first
    last = block.first if block is not None else None
    if not maps or any(map != maps[0] for map in maps) or block is None or last is None:
        return Failure("its indexing maps are not all the same")
    if last is not block.last or not isinstance(last, ops.YieldOp):
        return Failure("its body does more than to yield: it computes something")
    yielded = [operand for operand in last.operands if isinstance(operand, BlockArgument) and operand.block is block]
    if len(yielded) != len(last.operands):
        return Failure("it yields something else than arguments of its body")
    if all(isinstance(operand.type, MemRefType) for operand in op.operands):
        if len(op.operands) != 2 or op.operands[0] is not op.operands[1]:
            return Failure("the buffers differ")
        return ()
    if any(isinstance(operand.type, MemRefType) for operand in op.operands) or len(yielded) != len(op.results):
        return None
    pairs = [(op.operands[argument.index], result.type) for argument, result in zip(yielded, op.results, strict=True)]
    if not all(isinstance(value.type, TensorType) and isinstance(type, TensorType) for value, type in pairs):
        return None
    results: list[Value] = []
    for value, type in pairs:
        before = value.type
        assert isinstance(before, TensorType) and isinstance(type, TensorType), "all are tensors"
        if before == type:
            results.append(value)
        elif _is_sparse(before) or _is_sparse(type):
            results.append(rewriter.create("sparse_tensor.convert", [value], [type]).result)
        elif before.element == type.element and have_compatible_shapes(before, type):
            results.append(rewriter.create(CAST, [value], [type]).result)
        else:
            return Failure("it is no cast")
    return results


def _is_sparse(type: TensorType) -> bool:
    encoding = type.encoding
    return isinstance(encoding, DialectAttr) and encoding.full_name.startswith("sparse_tensor.")


def self_copy(op: ops.CopyOp, rewriter: Rewriter) -> Replacement:
    """A copy of something to itself."""
    if op.inputs[0] is not op.outputs[0]:
        return Failure("its input is not its output")
    return op.inputs * len(op.results)


# ---- transpose and broadcast


def transposed_twice(op: ops.TransposeOp, rewriter: Rewriter) -> Replacement:
    """Two transpositions are one."""
    first = defined_by(op.input, ops.TransposeOp)
    if first is None:
        return None
    both = DenseArrayAttr(I64, tuple(first.permutation.values[dim] for dim in op.permutation.values))
    return create_like(rewriter, op, [first.input, op.init], types_of(op.results), {"permutation": both})


def transposed_broadcast(op: ops.TransposeOp, rewriter: Rewriter) -> Replacement:
    """What is repeated and then transposed is transposed before it is repeated."""
    broadcast = defined_by(op.input, ops.BroadcastOp)
    source = ranked(broadcast.input.type) if broadcast is not None else None
    if broadcast is None or source is None or sum(op.input.uses.values()) != 1:
        return None
    added, order = broadcast.dimensions.values, op.permutation.values
    kept = [dim for dim in order if dim not in added]
    rank = {dim: place for place, dim in enumerate(sorted(kept))}
    inner = [rank[dim] for dim in kept]
    value = broadcast.input
    sizes = sizes_of(value, rewriter)
    dynamic, shape = separated([sizes[dim] for dim in inner])
    type = TensorType(shape.values, source.element)
    empty = rewriter.create("tensor.empty", dynamic, [type]).result
    small = create_like(rewriter, op, [value, empty], [type], {"permutation": DenseArrayAttr(I64, tuple(inner))})
    dimensions = DenseArrayAttr(I64, tuple(order.index(dim) for dim in added))
    return create_like(rewriter, broadcast, [small.result, op.init], types_of(op.results), {"dimensions": dimensions})


def broadcast_twice(op: ops.BroadcastOp, rewriter: Rewriter) -> Replacement:
    """Two repetitions are one."""
    first = defined_by(op.input, ops.BroadcastOp)
    if first is None:
        return None
    last, type = op.dimensions.values, op.init.type
    rank = len(type.shape or ()) if isinstance(type, (TensorType, MemRefType)) else 0
    kept = [dim for dim in range(rank) if dim not in last]
    both = DenseArrayAttr(I64, tuple(sorted([*last, *(kept[dim] for dim in first.dimensions.values)])))
    return create_like(rewriter, op, [first.input, op.init], types_of(op.results), {"dimensions": both})
