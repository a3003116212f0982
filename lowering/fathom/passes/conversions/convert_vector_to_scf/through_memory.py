"""Transfers of several dimensions as loops over the first of them, from and to a buffer on the stack.

The buffer holds the vector whole. It is seen as one of smaller vectors, `vector.type_cast`, for each dimension that is
taken off; until none is left that is too many, the transfer between the memory and the buffer carries a label.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Final

from fathom.dialects.vector.common import flags, rank, without_first
from fathom.dialects.vector.memory_folds import set_mask
from fathom.dialects.vector.transfer_maps import Transfer, in_bounds, transferred
from fathom.ir.attributes import UNIT
from fathom.ir.clone import clone
from fathom.ir.types import MemRefType, VectorType
from fathom.irdl.traits import AUTOMATIC_ALLOCATION_SCOPE
from fathom.ops.memref import LoadOp, StoreOp
from fathom.ops.vector import TransferReadOp, TransferWriteOp
from fathom.passes.arithmetic import constant
from fathom.passes.buffers import allocate, load, loop, store
from fathom.passes.conversions.convert_vector_to_scf.accesses import (
    first_dimension,
    indices_at,
    is_of_tensor,
    to_take_apart,
    where_it_is,
    without_first_result,
)
from fathom.passes.vectors.building import SCALABLE, broadcast
from fathom.passes.vectors.transfers import read_like, write_like
from fathom.rewriting.pattern import Failure, Pattern, defined_by

if TYPE_CHECKING:
    from collections.abc import Sequence

    from fathom.ir.operation import Value
    from fathom.passes.conversions.convert_vector_to_scf import ConvertVectorToSCFPass
    from fathom.rewriting.rewriter import Rewriter

LABEL: Final = "__vector_to_scf_lowering__"
"""The attribute of a transfer between the memory and a buffer that has too many dimensions still."""

NO_SCOPE: Final = Failure("nothing around it says how long what is on the stack lives")
NOT_BEGUN: Final = Failure("it is not between the memory and a buffer")


def patterns(use: ConvertVectorToSCFPass) -> list[Pattern]:
    return [
        Pattern("vector.transfer_read", partial(read_into_buffer, use=use), name="PrepareTransferReadConversion"),
        Pattern("vector.transfer_write", partial(write_from_buffer, use=use), name="PrepareTransferWriteConversion"),
        Pattern("vector.transfer_read", partial(read_by_rows, use=use), name="TransferOpConversion"),
        Pattern("vector.transfer_write", partial(write_by_rows, use=use), name="TransferOpConversion"),
    ]


# ---- to a buffer


def _buffers(op: Transfer, rewriter: Rewriter, use: ConvertVectorToSCFPass) -> tuple[Value, Value | None] | Failure:
    """A buffer for the vector of a transfer; and the mask, if there is one, as it comes out of a buffer of its own."""
    type = to_take_apart(op, use)
    if LABEL in op.attributes or isinstance(type, Failure):
        return type if isinstance(type, Failure) else NOT_BEGUN
    if flags(type)[0]:
        return SCALABLE
    scope = op.parent_op
    while scope is not None and not scope.has(AUTOMATIC_ALLOCATION_SCOPE):
        scope = scope.parent_op
    entry = scope.regions[0].first if scope is not None else None
    if entry is None:
        return NO_SCOPE
    mask, buffer_of_mask = op.mask, None
    with rewriter.elsewhere():
        rewriter.set_insertion_to_start(entry)
        buffer = allocate(rewriter, MemRefType((), type), on_stack=True)
        if mask is not None:
            buffer_of_mask = allocate(rewriter, MemRefType((), mask.type), on_stack=True)
    if mask is None or buffer_of_mask is None:
        return buffer, None
    _store_whole(rewriter, mask, buffer_of_mask)
    return buffer, _load_whole(rewriter, buffer_of_mask)


def _load_whole(rewriter: Rewriter, buffer: Value) -> Value:
    """What a buffer holds. mlir-opt's builders without indices leave `nontemporal` out."""
    loaded = load(rewriter, buffer)
    assert loaded.defining_op is not None, "what is loaded is a result"
    del loaded.defining_op.properties["nontemporal"]
    return loaded


def _store_whole(rewriter: Rewriter, value: Value, buffer: Value) -> None:
    """All that a buffer holds, likewise."""
    del rewriter.create("memref.store", [value, buffer]).properties["nontemporal"]


def read_into_buffer(
    op: TransferReadOp, operands: Sequence[Value], rewriter: Rewriter, *, use: ConvertVectorToSCFPass
) -> Failure | None:
    """
        %0 = vector.transfer_read %m[%i, %j], %p : memref<?x?xf32>, vector<5x4xf32>
    ->
        %1 = memref.alloca() : memref<vector<5x4xf32>>
        %2 = vector.transfer_read %m[%i, %j], %p {__vector_to_scf_lowering__} : memref<?x?xf32>, vector<5x4xf32>
        memref.store %2, %1[] : memref<vector<5x4xf32>>
        %0 = memref.load %1[] : memref<vector<5x4xf32>>
    """
    buffers = _buffers(op, rewriter, use)
    if isinstance(buffers, Failure):
        return buffers
    buffer, mask = buffers
    read = rewriter.insert(clone(op))
    assert isinstance(read, TransferReadOp), "it is the same operation"
    read.attributes[LABEL] = UNIT
    if mask is not None:
        set_mask(read, mask)
    _store_whole(rewriter, read.result, buffer)
    rewriter.replace(op, [_load_whole(rewriter, buffer)])
    return None


def write_from_buffer(
    op: TransferWriteOp, operands: Sequence[Value], rewriter: Rewriter, *, use: ConvertVectorToSCFPass
) -> Failure | None:
    """
        vector.transfer_write %v, %m[%i, %j] : vector<5x4xf32>, memref<?x?xf32>
    ->
        %0 = memref.alloca() : memref<vector<5x4xf32>>
        memref.store %v, %0[] : memref<vector<5x4xf32>>
        %1 = memref.load %0[] : memref<vector<5x4xf32>>
        vector.transfer_write %1, %m[%i, %j] {__vector_to_scf_lowering__} : vector<5x4xf32>, memref<?x?xf32>
    """
    buffers = _buffers(op, rewriter, use)
    if isinstance(buffers, Failure):
        return buffers
    buffer, mask = buffers
    _store_whole(rewriter, op.valueToStore, buffer)
    loaded = _load_whole(rewriter, buffer)

    def change() -> None:
        op.set_operand(0, loaded)
        op.attributes[LABEL] = UNIT
        if mask is not None:
            set_mask(op, mask)

    rewriter.modify(op, change)
    return None


# ---- row by row


def _unpacked(rewriter: Rewriter, buffer: Value) -> Value | Failure:
    """A buffer with the first dimension of its vectors as its last one."""
    type = buffer.type
    vector = type.element if isinstance(type, MemRefType) else None
    if not isinstance(type, MemRefType) or not isinstance(vector, VectorType) or type.shape is None or not vector.shape:
        return NOT_BEGUN
    if flags(vector)[0]:
        return SCALABLE
    seen = MemRefType((*type.ranked_shape, vector.ranked_shape[0]), without_first(vector, 1))
    return rewriter.create("vector.type_cast", [buffer], [seen]).result


def _loaded_from(value: Value | None) -> LoadOp | None:
    """The load that a value comes from."""
    return defined_by(value, LoadOp) if value is not None else None


class _Rows:
    """A transfer that is labelled, with its buffers seen as those of rows."""

    def __init__(self, op: Transfer, rewriter: Rewriter, buffer: Value, indices: Sequence[Value]) -> None:
        self.op = op
        self.rewriter = rewriter
        self.buffer = buffer
        self.indices = indices
        """Where in the buffer the transfer stands."""
        self.mask: Value | None = None
        """The buffer of the parts of the mask that the rows have."""

    def begin(self) -> Failure | None:
        """Sees the mask as rows, but for a dimension that is read again and again, and one that is the last: there it
        says whether a row is transferred."""
        mask = self.op.mask
        if mask is None:
            return None
        loaded = _loaded_from(mask)
        if loaded is None:
            return NOT_BEGUN
        self.mask = loaded.memref
        if first_dimension(self.op) is None or rank(mask.type) == 1:
            return None
        rows = _unpacked(self.rewriter, self.mask)
        if isinstance(rows, Failure):
            return rows
        self.mask = rows
        return None

    def set_mask(self, part: Transfer, place: Value) -> None:
        """Gives the transfer of a row its part of the mask."""
        mask = self.op.mask
        loaded = _loaded_from(mask)
        repeated = first_dimension(self.op) is None
        if mask is None or loaded is None or self.mask is None or not (repeated or rank(mask.type) > 1):
            return
        with self.rewriter.elsewhere():
            self.rewriter.set_insertion_before(part)
            indices = [*loaded.indices, *(() if repeated else (place,))]
            row = load(self.rewriter, self.mask, *indices)
        self.rewriter.modify(part, lambda: set_mask(part, row))


def _rows(op: Transfer, rewriter: Rewriter, buffer: LoadOp | StoreOp | None) -> _Rows | Failure:
    """`buffer` is the load or store between the buffer and the transfer."""
    if LABEL not in op.attributes or buffer is None or not transferred(op).shape:
        return NOT_BEGUN
    seen = _unpacked(rewriter, buffer.memref)
    if isinstance(seen, Failure):
        return seen
    rows = _Rows(op, rewriter, seen, buffer.indices)
    return rows.begin() or rows


def _bounds(rewriter: Rewriter, rows: _Rows) -> tuple[Value, Value, Value]:
    type = rows.buffer.type
    assert isinstance(type, MemRefType), "it was made so"
    return constant(rewriter, 0), constant(rewriter, type.ranked_shape[-1]), constant(rewriter, 1)


def _label(part: Transfer, use: ConvertVectorToSCFPass) -> None:
    if rank(transferred(part)) > use.target_rank:
        part.attributes[LABEL] = UNIT


def read_by_rows(
    op: TransferReadOp, operands: Sequence[Value], rewriter: Rewriter, *, use: ConvertVectorToSCFPass
) -> Failure | None:
    """
        %0 = vector.transfer_read %m[%i, %j], %p {__vector_to_scf_lowering__} : memref<?x?xf32>, vector<5x4xf32>
        memref.store %0, %b[] : memref<vector<5x4xf32>>
    ->
        %rows = vector.type_cast %b : memref<vector<5x4xf32>> to memref<5xvector<4xf32>>
        scf.for %k = %c0 to %c5 step %c1 {
          %0 = vector.transfer_read %m[%i + %k, %j], %p : memref<?x?xf32>, vector<4xf32>
          memref.store %0, %rows[%k] : memref<5xvector<4xf32>>
        }
    """
    stored = next(iter(op.result.uses), None) if sum(op.result.uses.values()) == 1 else None
    if not isinstance(stored, StoreOp):
        return NOT_BEGUN
    rows = _rows(op, rewriter, stored)
    if isinstance(rows, Failure):
        return rows
    row = without_first(transferred(op), 1)

    def body(place: Value, _: Sequence[Value]) -> Sequence[Value]:
        def inside() -> Sequence[Value]:
            indices, bounds = indices_at(rewriter, op, place), in_bounds(op)[1:]
            part = read_like(rewriter, op, row, indices=indices, map=without_first_result(op), bounds=bounds)
            _label(part, use)
            store(rewriter, part.result, rows.buffer, *rows.indices, place)
            rows.set_mask(part, place)
            return ()

        def outside() -> Sequence[Value]:
            padding = broadcast(rewriter, op.padding, row)
            store(rewriter, padding, rows.buffer, *rows.indices, place)
            return ()

        return where_it_is(rewriter, op, place, inside, outside)

    loop(rewriter, _bounds(rewriter, rows), (), body)
    rewriter.erase(stored)
    rewriter.erase(op)
    return None


def write_by_rows(
    op: TransferWriteOp, operands: Sequence[Value], rewriter: Rewriter, *, use: ConvertVectorToSCFPass
) -> Failure | None:
    """
        %0 = memref.load %b[] : memref<vector<5x4xf32>>
        vector.transfer_write %0, %m[%i, %j] {__vector_to_scf_lowering__} : vector<5x4xf32>, memref<?x?xf32>
    ->
        %rows = vector.type_cast %b : memref<vector<5x4xf32>> to memref<5xvector<4xf32>>
        scf.for %k = %c0 to %c5 step %c1 {
          %0 = memref.load %rows[%k] : memref<5xvector<4xf32>>
          vector.transfer_write %0, %m[%i + %k, %j] : vector<4xf32>, memref<?x?xf32>
        }

    A tensor is carried through the loop.
    """
    rows = _rows(op, rewriter, _loaded_from(op.valueToStore))
    if isinstance(rows, Failure):
        return rows

    def body(place: Value, carried: Sequence[Value]) -> Sequence[Value]:
        def inside() -> Sequence[Value]:
            indices, bounds = indices_at(rewriter, op, place), in_bounds(op)[1:]
            value = load(rewriter, rows.buffer, *rows.indices, place)
            base, map = next(iter(carried), op.base), without_first_result(op)
            part = write_like(rewriter, op, value, base=base, indices=indices, map=map, bounds=bounds)
            _label(part, use)
            rows.set_mask(part, place)
            return part.results

        return where_it_is(rewriter, op, place, inside, lambda: carried)

    start = [op.base] if is_of_tensor(op) else []
    rewriter.replace(op, loop(rewriter, _bounds(rewriter, rows), start, body).results)
    return None
