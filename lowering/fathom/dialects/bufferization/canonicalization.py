"""The canonicalisation of tensors that become buffers: casts meet, sizes come from what was allocated, clones and
deallocations go.

Source of the rules: mlir-opt 22; the order of the patterns is MLIR's.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from fathom.dialects.arith.elements import splat_constant
from fathom.dialects.tensor.canonicalization.building import (
    cast_for,
    place_of_size,
    with_known_sizes,
)
from fathom.dialects.tensor.casts import ranked
from fathom.ir.attributes import IntegerAttr, index_attr
from fathom.ir.memref_casts import always_casts, are_cast_compatible
from fathom.ir.operation import Operation, Value
from fathom.ir.types import DYNAMIC, I1, INDEX, MemRefType
from fathom.irdl.build import segment_sizes
from fathom.irdl.interfaces import EffectKind
from fathom.ops import bufferization as ops
from fathom.ops import memref as memref_ops
from fathom.ops import tensor as tensor_ops
from fathom.records import replace
from fathom.rewriting.effects import has_only_effect_on, own_effects
from fathom.rewriting.folding import create_or_fold
from fathom.rewriting.pattern import Failure, Operations, Replacement, defined_by, replacing
from fathom.rewriting.rewriter import Rewriter, source_of

DEALLOC: Final = "bufferization.dealloc"

VIEWS: Final = Operations(
    "memref.cast",
    "memref.collapse_shape",
    "memref.expand_shape",
    "memref.memory_space_cast",
    "memref.reinterpret_cast",
    "memref.reshape",
    "memref.subview",
    "memref.transpose",
    "memref.view",
)
"""Operations whose result is memory of their first operand."""


# ---- alloc_tensor


def size_of_allocation(op: tensor_ops.DimOp, rewriter: Rewriter) -> Replacement:
    """The size that was asked for, or that of what is copied."""
    alloc, place = defined_by(op.source, ops.AllocTensorOp), place_of_size(op)
    if alloc is None or place is None:
        return None
    if alloc.copy is not None:
        rewriter.stand_in(alloc)
        index = rewriter.constant(index_attr(splat_constant(op.index) or 0), INDEX)
        return create_or_fold(rewriter, op.name, [alloc.copy, index], INDEX)
    return alloc.dynamic_sizes[place]


def known_allocation(op: ops.AllocTensorOp, rewriter: Rewriter) -> Replacement:
    """
        %r = bufferization.alloc_tensor(%n, %c5) : tensor<?x?xf32>
    becomes
        %0 = bufferization.alloc_tensor(%n) : tensor<?x5xf32>
        %r = tensor.cast %0 : tensor<?x5xf32> to tensor<?x?xf32>
    """
    known_sizes = with_known_sizes(op.result.type, op.dynamic_sizes) if op.copy is None else None
    if known_sizes is None:
        return None
    known, rest = known_sizes
    made = rewriter.create(op.name, rest, [known], {"operandSegmentSizes": segment_sizes(len(rest), 0, 0)})
    return cast_for(op, made.result, rewriter)


# ---- clone


def needless_clone(op: ops.CloneOp, rewriter: Rewriter) -> Replacement:
    """A clone after which, in the same block, it or its source is freed, is the source; neither is freed then."""
    if not op.result.uses:
        rewriter.erase(op)
        return op
    source, type = op.input, op.result.type
    if source.type != type and not are_cast_compatible(source.type, type):
        return Failure("it is no cast")
    origin = source
    while (maker := VIEWS.defining(origin)) is not None:
        origin = maker.operands[0]
    frees = [_freeing(op.result), _freeing(origin)]
    if any(len(of_value) > 1 for of_value in frees):
        return Failure("it is freed in several places")
    here = [of_value[0] for of_value in frees if of_value and of_value[0].parent is op.parent]
    if len(frees[0]) == len(frees[1]) == 1 and frees[0][0].parent is frees[1][0].parent:
        return Failure("both are freed in one block")
    if not here:
        return Failure("neither is freed here")
    following = op.next
    while following is not here[0]:
        if following is None or any(effect.kind is EffectKind.FREE for effect in own_effects(following) or ()):
            return Failure("something else is freed before")
        following = following.next
    if source.type != type:
        source = rewriter.create("memref.cast", [source], [type]).result
    rewriter.replace(op, [source])
    rewriter.erase(here[0])
    return op


def _freeing(value: Value) -> list[Operation]:
    """What frees memory; a `memref.realloc` counts twice, since nobody knows which memory is freed."""
    frees = [user for user in value.uses if _has_effect(user, EffectKind.FREE, value)]
    return frees + [user for user in frees if isinstance(user, memref_ops.ReallocOp)]


def _has_effect(op: Operation, kind: EffectKind, value: Value) -> bool:
    return any(effect.kind is kind and effect.value is value for effect in own_effects(op) or ())


# ---- dealloc


def update_deallocation(op: ops.DeallocOp, freed: Iterable[tuple[Value, Value]], rewriter: Rewriter) -> Replacement:
    """Gives a deallocation other memory to free, each with its condition, if it is other."""
    pairs, retained = list(freed), op.retained
    if pairs == list(zip(op.memrefs, op.conditions, strict=True)):
        return None

    def change() -> None:
        op.set_operands([*(memref for memref, _ in pairs), *(condition for _, condition in pairs), *retained])
        op.properties["operandSegmentSizes"] = segment_sizes(len(pairs), len(pairs), len(retained))

    rewriter.modify(op, change)
    return op


def same_memory(op: ops.DeallocOp, rewriter: Rewriter) -> Replacement:
    """What is named twice is freed where one or the other condition holds."""
    when: dict[Value, Value] = {}
    for memref, condition in zip(op.memrefs, op.conditions, strict=True):
        other = when.get(memref, condition)
        if other is not condition:
            condition = rewriter.create("arith.ori", [other, condition], [I1]).result
        when[memref] = condition
    return update_deallocation(op, when.items(), rewriter)


def same_retained(op: ops.DeallocOp, rewriter: Rewriter) -> Replacement:
    """What is kept is named once."""
    memrefs, conditions, retained = op.memrefs, op.conditions, op.retained
    kept = list(dict.fromkeys(retained))
    if len(kept) == len(retained):
        return None
    sizes = {"operandSegmentSizes": segment_sizes(len(memrefs), len(conditions), len(kept))}
    made = rewriter.create(op.name, [*memrefs, *conditions, *kept], [I1] * len(kept), sizes)
    return [made.results[kept.index(value)] for value in retained]


def nothing_freed(op: ops.DeallocOp, rewriter: Rewriter) -> Replacement:
    """Then nothing of what is kept has to be freed later."""
    if op.memrefs:
        return None
    false = rewriter.constant(IntegerAttr(0, I1), I1)
    return [false] * len(op.results)


def never_freed(op: ops.DeallocOp, rewriter: Rewriter) -> Replacement:
    """What is freed under no condition is not named."""
    pairs = zip(op.memrefs, op.conditions, strict=True)
    return update_deallocation(op, (pair for pair in pairs if splat_constant(pair[1]) != 0), rewriter)


def base_of_allocation(op: ops.DeallocOp, rewriter: Rewriter) -> Replacement:
    """What is allocated need not be looked up by its base."""
    return update_deallocation(op, zip(map(_allocated, op.memrefs), op.conditions, strict=True), rewriter)


def _allocated(memref: Value) -> Value:
    """The memory behind `memref.extract_strided_metadata`, if it was allocated just so."""
    metadata = defined_by(memref, memref_ops.ExtractStridedMetadataOp)
    source = metadata.source if metadata is not None else memref
    maker = source.defining_op
    return source if maker is not None and _has_effect(maker, EffectKind.ALLOCATE, source) else memref


def only_freed(op: ops.DeallocOp, rewriter: Rewriter) -> Replacement:
    """Memory that is allocated and freed, and nothing else, goes."""
    kept: list[tuple[Value, Value]] = []
    gone: list[Operation] = []
    for memref, condition in zip(op.memrefs, op.conditions, strict=True):
        maker = memref.defining_op
        is_allocation = maker is not None and has_only_effect_on(maker, EffectKind.ALLOCATE, memref)
        if maker is not None and is_allocation and sum(memref.uses.values()) == 1:
            gone.append(maker)
        else:
            kept.append((memref, condition))
    replacement = update_deallocation(op, kept, rewriter)
    for maker in gone:
        rewriter.erase(maker)
    return replacement


# ---- to_buffer and to_tensor


def size_of_buffer(op: memref_ops.DimOp, rewriter: Rewriter) -> Replacement:
    """That of the tensor."""
    buffer = defined_by(op.source, ops.ToBufferOp)
    return rewriter.create("tensor.dim", [buffer.tensor, op.index], [op.result.type]) if buffer is not None else None


def size_of_tensor(op: tensor_ops.DimOp, rewriter: Rewriter) -> Replacement:
    """That of the buffer."""
    tensor = defined_by(op.source, ops.ToTensorOp)
    return rewriter.create("memref.dim", [tensor.buffer, op.index], [op.result.type]) if tensor is not None else None


def element_of_buffer(op: memref_ops.LoadOp, rewriter: Rewriter) -> Replacement:
    """What is loaded from a tensor's buffer is extracted from the tensor."""
    buffer = defined_by(op.memref, ops.ToBufferOp)
    if buffer is None:
        return None
    return rewriter.create("tensor.extract", [buffer.tensor, *op.indices], [op.result.type])


def buffer_of_cast(op: ops.ToBufferOp, rewriter: Rewriter) -> Replacement:
    """The buffer of what was cast, cast."""
    cast, type = defined_by(op.tensor, tensor_ops.CastOp), op.result.type
    source = ranked(cast.source.type) if cast is not None else None
    if cast is None or source is None or not isinstance(type, MemRefType):
        return None
    known = replace(type, shape=source.ranked_shape, element=source.element)
    buffer = rewriter.create(op.name, cast.operands, [known], op.properties).result
    return rewriter.create("memref.cast", [buffer], [type])


def buffer_of_tensor(op: ops.ToBufferOp, rewriter: Rewriter) -> Replacement:
    """The buffer that a tensor is made of: cast to the type, or copied to memory of that type."""
    tensor, type = defined_by(op.tensor, ops.ToTensorOp), op.result.type
    if tensor is None or not isinstance(type, MemRefType):
        return None
    buffer = tensor.buffer
    source = buffer.type
    if source == type:
        return buffer
    if not isinstance(source, MemRefType) or (source.shape is None and type.shape is not None):
        return None
    if type.shape is None:
        return rewriter.create("memref.cast", [buffer], [type])
    if source.element != type.element or len(source.ranked_shape) != len(type.shape):
        return None
    rewriter.span, rewriter.location = source_of(buffer)
    if are_cast_compatible(source, type) and always_casts(source, type):
        return rewriter.create("memref.cast", [buffer], [type])
    sizes: list[Value] = []
    for dim, size in enumerate(type.shape):
        if size == DYNAMIC:
            place = rewriter.constant(index_attr(dim), INDEX)
            sizes.append(rewriter.create("memref.dim", [buffer, place], [INDEX]).result)
    memory = rewriter.create("memref.alloc", sizes, [type], {"operandSegmentSizes": segment_sizes(len(sizes), 0)})
    rewriter.create("memref.copy", [buffer, memory.result])
    return memory.result


CANONICALIZATION: Final = (
    replacing("tensor.dim", size_of_allocation, name="FoldDimOfAllocTensorOp"),
    replacing("bufferization.alloc_tensor", known_allocation, name="ReplaceStaticShapeDims"),
    replacing("bufferization.clone", needless_clone, name="SimplifyClones"),
    replacing(DEALLOC, same_memory, name="DeallocRemoveDuplicateDeallocMemrefs"),
    replacing(DEALLOC, same_retained, name="DeallocRemoveDuplicateRetainedMemrefs"),
    replacing(DEALLOC, nothing_freed, name="EraseEmptyDealloc"),
    replacing(DEALLOC, never_freed, name="EraseAlwaysFalseDealloc"),
    replacing(DEALLOC, base_of_allocation, name="SkipExtractMetadataOfAlloc"),
    replacing(DEALLOC, only_freed, name="RemoveAllocDeallocPairWhenNoOtherUsers"),
    replacing("memref.dim", size_of_buffer, name="DimOfCastOp"),
    replacing("memref.load", element_of_buffer, name="LoadOfToBuffer"),
    replacing("bufferization.to_buffer", buffer_of_cast, name="ToBufferOfCast"),
    replacing("bufferization.to_buffer", buffer_of_tensor, name="ToBufferToTensorFolding"),
    replacing("tensor.dim", size_of_tensor, name="DimOfToTensorFolder"),
)
