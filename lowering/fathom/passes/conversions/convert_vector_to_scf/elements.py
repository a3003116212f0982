"""Transfers of one dimension, element by element: what does not stand side by side in memory."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from fathom.dialects.vector.common import rank
from fathom.dialects.vector.transfer_maps import Transfer, is_minor_identity, map_of, transferred
from fathom.ir.strides import has_unit_stride
from fathom.ir.types import INDEX, MemRefType, VectorType
from fathom.ops.vector import TransferReadOp, TransferWriteOp
from fathom.passes.arithmetic import binary, constant
from fathom.passes.buffers import load, loop, store
from fathom.passes.conversions.convert_vector_to_scf.accesses import OTHER_ELEMENTS, indices_at, where_it_is
from fathom.passes.vectors.building import broadcast, extract, insert
from fathom.rewriting.pattern import Failure, Pattern

if TYPE_CHECKING:
    from collections.abc import Sequence

    from fathom.ir.operation import Value
    from fathom.rewriting.rewriter import Rewriter

OTHER: Final = Failure("it is read and written at once, or has another number of dimensions")


def _by_elements(op: Transfer) -> VectorType | Failure:
    """The vector of a transfer that is done element by element."""
    type, map, base = transferred(op), map_of(op), op.base.type
    if not isinstance(base, MemRefType) or rank(type) != 1 or not map.results:
        return OTHER
    if is_minor_identity(map) and has_unit_stride(base):
        return OTHER
    return type if base.element == type.element else OTHER_ELEMENTS


def _bounds(rewriter: Rewriter, type: VectorType) -> tuple[Value, Value, Value]:
    lower, upper = constant(rewriter, 0), constant(rewriter, type.ranked_shape[0])
    if type.scalable:
        scale = rewriter.create("vector.vscale", (), [INDEX]).result
        upper = binary(rewriter, "muli", upper, scale)
    return lower, upper, constant(rewriter, 1)


def read_elements(op: TransferReadOp, operands: Sequence[Value], rewriter: Rewriter) -> Failure | None:
    """
        %0 = vector.transfer_read %m[%i, %j], %p {permutation_map = affine_map<(d0, d1) -> (d0)>} : …, vector<9xf32>
    ->
        %1 = vector.broadcast %p : f32 to vector<9xf32>
        %0 = scf.for %k = %c0 to %c9 step %c1 iter_args(%v = %1) -> (vector<9xf32>) {
          %2 = memref.load %m[%i + %k, %j] : memref<?x?xf32>
          %3 = vector.insert %2, %v[%k] : f32 into vector<9xf32>
          scf.yield %3 : vector<9xf32>
        }
    """
    type = _by_elements(op)
    if isinstance(type, Failure):
        return type
    bounds = _bounds(rewriter, type)
    start = broadcast(rewriter, op.padding, type)

    def body(place: Value, carried: Sequence[Value]) -> Sequence[Value]:
        indices = indices_at(rewriter, op, place)

        def inside() -> Sequence[Value]:
            element = load(rewriter, op.base, *indices)
            return [insert(rewriter, element, carried[0], place)]

        return where_it_is(rewriter, op, place, inside, lambda: carried)

    rewriter.replace(op, loop(rewriter, bounds, [start], body).results)
    return None


def write_elements(op: TransferWriteOp, operands: Sequence[Value], rewriter: Rewriter) -> Failure | None:
    """
        vector.transfer_write %v, %m[%i, %j] {permutation_map = affine_map<(d0, d1) -> (d0)>} : vector<9xf32>, …
    ->
        scf.for %k = %c0 to %c9 step %c1 {
          %0 = vector.extract %v[%k] : f32 from vector<9xf32>
          memref.store %0, %m[%i + %k, %j] : memref<?x?xf32>
        }
    """
    type = _by_elements(op)
    if isinstance(type, Failure):
        return type

    def body(place: Value, _: Sequence[Value]) -> Sequence[Value]:
        indices = indices_at(rewriter, op, place)

        def inside() -> Sequence[Value]:
            element = extract(rewriter, op.valueToStore, place)
            store(rewriter, element, op.base, *indices)
            return ()

        return where_it_is(rewriter, op, place, inside)

    loop(rewriter, _bounds(rewriter, type), (), body)
    rewriter.erase(op)
    return None


PATTERNS: Final = (
    Pattern("vector.transfer_read", read_elements, name="TransferOp1dConversion"),
    Pattern("vector.transfer_write", write_elements, name="TransferOp1dConversion"),
)
