"""What memref's operations do with slots of memory: buffers on the stack, and their elements.

Source of the rules: `MemRefMemorySlot.cpp` of MLIR 22.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import product
from math import prod
from typing import TYPE_CHECKING, Final

from fathom.ir.attributes import ArrayAttr, IntegerAttr, index_attr
from fathom.ir.types import MemRefType
from fathom.ops.memref import AllocaOp, LoadOp, StoreOp
from fathom.rewriting.folding import constant_value
from fathom.rewriting.memory_slots import Allocation, PartAccess, Slot, SlotUse, loading, storing

if TYPE_CHECKING:
    from fathom.ir.operation import Operation, Value
    from fathom.ir.types import Type
    from fathom.rewriting.memory_slots import Index
    from fathom.rewriting.rewriter import Rewriter

_MOST_PARTS: Final = 16
_NOT_STATIC: Final = "its shape is not static"


def _only_element(op: AllocaOp) -> Slot | str:
    type = op.result.type
    if not isinstance(type, MemRefType) or not type.has_static_shape:
        return _NOT_STATIC
    if prod(type.ranked_shape) != 1:
        return "it does not have one element"
    return Slot(op.result, type.element)


def _elements(op: AllocaOp) -> Slot | str:
    type = op.result.type
    if not isinstance(type, MemRefType) or not type.has_static_shape:
        return _NOT_STATIC
    count = prod(type.ranked_shape)
    if count <= 1:
        return "it does not have several elements"
    if count > _MOST_PARTS:
        return f"it has more than {_MOST_PARTS} elements"
    places = product(*(range(size) for size in reversed(type.ranked_shape)))
    return Slot(op.result, type, {_index(place[::-1]): type.element for place in places})


def _index(numbers: Sequence[int]) -> Index:
    return ArrayAttr(tuple(map(index_attr, numbers)))


def _poison(op: AllocaOp, slot: Slot, rewriter: Rewriter) -> Value:
    return rewriter.create("ub.poison", (), [slot.type]).result


def _element_alone(op: AllocaOp, type: Type, rewriter: Rewriter) -> Operation:
    from fathom.irdl.build import segment_sizes

    sizes = {"operandSegmentSizes": segment_sizes(0, 0)}
    return rewriter.create("memref.alloca", (), [MemRefType((), type)], sizes)


def _part_of(op: LoadOp | StoreOp, slot: Slot) -> Index | None:
    """The index of the element that is accessed, if it is known, and within the buffer."""
    if op.memref is not slot.pointer or (isinstance(op, StoreOp) and op.value is slot.pointer):
        return None
    numbers = [number.value for at in op.indices if isinstance(number := constant_value(at), IntegerAttr)]
    index = _index(numbers)
    return index if len(numbers) == len(op.indices) and slot.parts is not None and index in slot.parts else None


def _parts(op: LoadOp | StoreOp, slot: Slot) -> tuple[Sequence[Index], Sequence[Slot]] | None:
    index = _part_of(op, slot)
    return ((index,), ()) if index is not None else None


def _rewire(op: LoadOp | StoreOp, slot: Slot, parts: Mapping[Index, Slot], rewriter: Rewriter) -> bool:
    index = _part_of(op, slot)
    if index is not None:
        pointer = parts[index].pointer
        op.set_operands([pointer] if isinstance(op, LoadOp) else [op.value, pointer])
    return False


def _of_load(op: LoadOp, slot: Slot, value: Value, rewriter: Rewriter) -> None:
    op.result.replace_all_uses_with(value)


_ALLOCATION: Final = Allocation(_only_element, _poison, _elements, _element_alone)
_LOAD: Final = loading(lambda op: op.memref, lambda op, slot: op.result.type == slot.type, _of_load)
_STORE: Final = storing(
    lambda op: op.memref, lambda op, slot: op.value.type == slot.type, lambda op, slot, value, rewriter: op.value
)
_BY_PARTS: Final = PartAccess(_parts, _rewire)
MEMORY_SLOTS: Final = {
    "memref.alloca": SlotUse(allocation=_ALLOCATION),
    "memref.load": SlotUse(access=_LOAD, part_access=_BY_PARTS),
    "memref.store": SlotUse(access=_STORE, part_access=_BY_PARTS),
}
