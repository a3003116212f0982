"""What memref's operations do."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import prod
from typing import TYPE_CHECKING, Any, Final

from fathom.dialects.memref.access import KINDS
from fathom.dialects.memref.combining import combined
from fathom.interpreting.elementwise import same
from fathom.interpreting.machine import Frame, Interpret
from fathom.interpreting.memory import size_of
from fathom.interpreting.memrefs import (
    allocated,
    element_of,
    extent,
    indices_of,
    kept_dimensions,
    mixed,
    of_array,
    row_major,
    shape_with,
)
from fathom.interpreting.values import Array, Datum, MemRef, NotUnderstood, of_attribute, signed_index
from fathom.ir.affine import AffineDim
from fathom.ir.attributes import ArrayAttr, IntegerAttr, SymbolRefAttr, UnitAttr
from fathom.ir.types import MemRefType

if TYPE_CHECKING:
    from fathom.ir.operation import Operation, Value
    from fathom.ops import memref as ops


def _allocate(op: ops.AllocOp, operands: list[Any], frame: Frame) -> Datum:
    type = op.memref.type
    if not isinstance(type, MemRefType):
        raise NotUnderstood(f"memory for {type}")
    alignment = op.alignment.value if op.alignment is not None else 64
    return allocated(frame.memory, type, operands[: len(op.dynamicSizes)], alignment)


def _update(op: ops.AtomicRmwOp, operands: list[Any], frame: Frame) -> Datum:
    value, memref, *indices = operands
    type = element_of(op.memref)
    address = address_of(memref, indices, op.memref)
    before = frame.memory.load(address, type)
    assert isinstance(before, (int, float)), "it is a number"
    if op.kind.value != KINDS["assign"]:
        value = combined(op.kind.value, type, before, value)
    frame.memory.store(address, value, type)
    return before


def _resize(op: ops.ReallocOp, operands: list[Any], frame: Frame) -> Datum:
    """More room is other memory, with what was there before; less room is the same memory."""
    source, *dynamic = operands
    if not isinstance(op.result.type, MemRefType):
        raise NotUnderstood(f"memory for {op.result.type}")
    shape = shape_with(op.result.type, dynamic)
    if shape[0] <= source.sizes[0]:
        return MemRef(source.allocated, source.aligned, source.offset, shape, source.strides)
    made = allocated(frame.memory, op.result.type, dynamic, op.alignment.value if op.alignment is not None else 64)
    size = size_of(element_of(op.source))
    for at in range(source.sizes[0]):
        data = frame.memory.read(source.aligned + source.place((at,)) * size, size)
        frame.memory.write(made.aligned + made.place((at,)) * size, data)
    frame.memory.free(source.allocated)
    return made


def _free(_: ops.DeallocOp, operands: list[Any], frame: Frame) -> None:
    frame.memory.free(operands[0].allocated)


def address_of(memref: MemRef, indices: Sequence[int], of: Value) -> int:
    """Where an element lies."""
    return memref.aligned + memref.place(tuple(map(signed_index, indices))) * size_of(element_of(of))


def _load(op: ops.LoadOp, operands: list[Any], frame: Frame) -> Datum:
    memref, *indices = operands
    return frame.memory.load(address_of(memref, indices, op.memref), element_of(op.memref))


def _store(op: ops.StoreOp, operands: list[Any], frame: Frame) -> None:
    value, memref, *indices = operands
    frame.memory.store(address_of(memref, indices, op.memref), value, element_of(op.memref))


def _copy(op: ops.CopyOp, operands: list[Any], frame: Frame) -> None:
    source, target = operands
    size, memory = size_of(element_of(op.source)), frame.memory
    places = list(indices_of(source.sizes))
    data = [memory.read(source.aligned + source.place(at) * size, size) for at in places]
    for at, element in zip(places, data, strict=True):
        memory.write(target.aligned + target.place(at) * size, element)


def _dim(_: ops.DimOp, operands: list[Any], __: Frame) -> Datum:
    value, index = operands
    return extent(value.sizes if isinstance(value, MemRef) else value.shape, index)


def _rank(_: ops.RankOp, operands: list[Any], __: Frame) -> Datum:
    return len(operands[0].sizes)


def _subview(op: ops.SubviewOp, operands: list[Any], _: Frame) -> Datum:
    source, *numbers = operands
    counts = len(op.offsets), len(op.offsets) + len(op.sizes)
    offsets = mixed(op.static_offsets.values, numbers[: counts[0]])
    sizes = mixed(op.static_sizes.values, numbers[counts[0] : counts[1]])
    strides = mixed(op.static_strides.values, numbers[counts[1] :])
    offset = source.offset + sum(o * s for o, s in zip(offsets, source.strides, strict=True))
    stride = [a * b for a, b in zip(strides, source.strides, strict=True)]
    kept = kept_dimensions(sizes, _shape(op.result))
    return MemRef(
        source.allocated, source.aligned, offset, tuple(sizes[d] for d in kept), tuple(stride[d] for d in kept)
    )


def _shape(value: Value) -> tuple[int, ...]:
    if not isinstance(value.type, MemRefType) or value.type.shape is None:
        raise NotUnderstood(f"the shape of {value.type}")
    return value.type.shape


def _reinterpret(op: ops.ReinterpretCastOp, operands: list[Any], _: Frame) -> Datum:
    source, *numbers = operands
    counts = len(op.offsets), len(op.offsets) + len(op.sizes)
    (offset,) = mixed(op.static_offsets.values, numbers[: counts[0]])
    sizes = mixed(op.static_sizes.values, numbers[counts[0] : counts[1]])
    strides = mixed(op.static_strides.values, numbers[counts[1] :])
    return MemRef(source.allocated, source.aligned, offset, sizes, strides)


def _metadata(op: ops.ExtractStridedMetadataOp, operands: list[Any], _: Frame) -> list[Datum]:
    del op
    (source,) = operands
    base = MemRef(source.allocated, source.aligned, 0, (), ())
    return [base, source.offset % (1 << 64), *source.sizes, *(stride % (1 << 64) for stride in source.strides)]


def _pointer(_: Operation, operands: list[Any], __: Frame) -> Datum:
    return operands[0].aligned


def _transpose(op: ops.TransposeOp, operands: list[Any], _: Frame) -> Datum:
    (source,) = operands
    order = [expr.position for expr in op.permutation.map.results if isinstance(expr, AffineDim)]
    sizes, strides = (tuple(numbers[at] for at in order) for numbers in (source.sizes, source.strides))
    return MemRef(source.allocated, source.aligned, source.offset, sizes, strides)


def _groups(attribute: ArrayAttr) -> list[list[int]]:
    return [
        [number.value for number in group.elements if isinstance(number, IntegerAttr)]
        for group in attribute.elements
        if isinstance(group, ArrayAttr)
    ]


def _expand(op: ops.ExpandShapeOp, operands: list[Any], _: Frame) -> Datum:
    source, *dynamic = operands
    sizes = mixed(op.static_output_shape.values, dynamic)
    strides: list[int] = []
    for group, stride in zip(_groups(op.reassociation), source.strides, strict=True):
        strides += [stride * prod(sizes[d] for d in group if d > dimension) for dimension in group]
    return MemRef(source.allocated, source.aligned, source.offset, sizes, tuple(strides or (1,) * len(sizes)))


def _collapse(op: ops.CollapseShapeOp, operands: list[Any], _: Frame) -> Datum:
    (source,) = operands
    groups = _groups(op.reassociation)
    sizes = tuple(prod(source.sizes[d] for d in group) for group in groups)
    strides = tuple(
        next((source.strides[d] for d in reversed(group) if source.sizes[d] != 1), source.strides[group[-1]])
        for group in groups
    )
    return MemRef(source.allocated, source.aligned, source.offset, sizes, strides)


def _view(op: ops.ViewOp, operands: list[Any], _: Frame) -> Datum:
    source, shift, *dynamic = operands
    shape = shape_with(op.result.type, dynamic)
    return MemRef(source.allocated, source.aligned + signed_index(shift), 0, shape, row_major(shape))


def _global(op: Operation, _: list[Any], frame: Frame) -> Datum:
    name = op.properties.get("name")
    variable = frame.machine.symbol(name.root) if isinstance(name, SymbolRefAttr) else None
    type = op.result.type
    if variable is None or not isinstance(name, SymbolRefAttr) or not isinstance(type, MemRefType):
        raise NotUnderstood(f"'{op.name}'")
    shape = type.ranked_shape
    if name.root not in frame.machine.globals:
        value = variable.properties.get("initial_value")
        if value is None or isinstance(value, UnitAttr):
            made = allocated(frame.memory, type, ())
        else:
            array = of_attribute(value)
            assert isinstance(array, Array)
            made = of_array(frame.memory, array, type.element)
        frame.machine.globals[name.root] = made.aligned
    address = frame.machine.globals[name.root]
    return MemRef(address, address, 0, shape, row_major(shape))


def _scope(op: ops.AllocaScopeOp, _: list[Any], frame: Frame) -> Sequence[Datum]:
    return frame.run(op.bodyRegion, [])[1]


def _nothing(_: Operation, __: list[Any], ___: Frame) -> None:
    return None


INTERPRETATION: Final[Mapping[str, Interpret]] = {
    "memref.alloc": _allocate,
    "memref.alloca": _allocate,
    "memref.alloca_scope": _scope,
    "memref.assume_alignment": same,
    "memref.atomic_rmw": _update,
    "memref.cast": same,
    "memref.collapse_shape": _collapse,
    "memref.copy": _copy,
    "memref.dealloc": _free,
    "memref.dim": _dim,
    "memref.expand_shape": _expand,
    "memref.extract_aligned_pointer_as_index": _pointer,
    "memref.extract_strided_metadata": _metadata,
    "memref.get_global": _global,
    "memref.load": _load,
    "memref.memory_space_cast": same,
    "memref.prefetch": _nothing,
    "memref.rank": _rank,
    "memref.realloc": _resize,
    "memref.reinterpret_cast": _reinterpret,
    "memref.store": _store,
    "memref.subview": _subview,
    "memref.transpose": _transpose,
    "memref.view": _view,
}
