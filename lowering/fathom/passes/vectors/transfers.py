"""Transfers as loads and stores, where the elements stand side by side and inside of the bounds.

Source of the rules: *'vector' Dialect*, `vector.transfer_read` and `vector.transfer_write`, and what mlir-opt 22 makes
of them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from fathom.dialects.vector.common import flags, masking_op, rank, vector_of, vector_type
from fathom.dialects.vector.transfer_maps import Transfer, in_bounds, is_minor_identity, map_of
from fathom.ir.affine import AffineConstant, AffineDim
from fathom.ir.attributes import FALSE, TRUE, AffineMapAttr, ArrayAttr
from fathom.ir.strides import has_unit_stride
from fathom.ir.types import MemRefType, TensorType, Type, VectorType
from fathom.irdl.build import segment_sizes
from fathom.ops.vector import TransferReadOp, TransferWriteOp
from fathom.passes.vectors.building import broadcast
from fathom.rewriting.pattern import Failure, Pattern, RewriteFunction

if TYPE_CHECKING:
    from collections.abc import Sequence

    from fathom.ir.affine import AffineMap
    from fathom.ir.attributes import Attribute
    from fathom.ir.operation import Value
    from fathom.rewriting.rewriter import Rewriter

NO_ACCESS: Final = Failure("its elements do not stand side by side inside of the bounds; --convert-vector-to-scf")


def is_in_bounds(op: Transfer) -> bool:
    """Whether a transfer leaves the bounds in no dimension; one that repeats what it reads there does not."""
    return all(in_bounds(op))


def repeated(map: AffineMap) -> list[int] | None:
    """The results that repeat what is read, of a map that is of the last dimensions otherwise, in order; None for
    another map."""
    count = len(map.results)
    if count > map.dims:
        return None
    places: list[int] = []
    for place, result in enumerate(map.results):
        if result == AffineConstant(0):
            places.append(place)
        elif result != AffineDim(map.dims - count + place):
            return None
    return places


def read_like(
    rewriter: Rewriter,
    op: TransferReadOp,
    type: VectorType,
    *,
    map: AffineMap,
    bounds: Sequence[bool],
    indices: Sequence[Value] | None = None,
    mask: Value | None = None,
) -> TransferReadOp:
    """A `vector.transfer_read` from where another one reads, of another vector."""
    return read(rewriter, op.base, op.indices if indices is None else indices, op.padding, type, map, bounds, mask)


def read(
    rewriter: Rewriter,
    base: Value,
    indices: Sequence[Value],
    padding: Value,
    type: VectorType,
    map: AffineMap,
    bounds: Sequence[bool],
    mask: Value | None = None,
) -> TransferReadOp:
    """`vector.transfer_read`."""
    operands = [base, *indices, padding]
    made = rewriter.create("vector.transfer_read", *_parts(operands, [type], map, bounds, (1, 1), mask))
    assert isinstance(made, TransferReadOp), "it was made so"
    return made


def write_like(
    rewriter: Rewriter,
    op: Transfer,
    value: Value,
    *,
    map: AffineMap,
    bounds: Sequence[bool],
    base: Value | None = None,
    indices: Sequence[Value] | None = None,
    mask: Value | None = None,
) -> TransferWriteOp:
    """A `vector.transfer_write` to where another one writes, of another vector."""
    base = op.base if base is None else base
    return write(rewriter, value, base, op.indices if indices is None else indices, map, bounds, mask)


def write(
    rewriter: Rewriter,
    value: Value,
    base: Value,
    indices: Sequence[Value],
    map: AffineMap,
    bounds: Sequence[bool],
    mask: Value | None = None,
) -> TransferWriteOp:
    """`vector.transfer_write`."""
    operands = [value, base, *indices]
    results = [base.type] if isinstance(base.type, TensorType) else []
    made = rewriter.create("vector.transfer_write", *_parts(operands, results, map, bounds, (2, 0), mask))
    assert isinstance(made, TransferWriteOp), "it was made so"
    return made


def _parts(
    operands: list[Value],
    results: Sequence[Type],
    map: AffineMap,
    bounds: Sequence[bool],
    around: tuple[int, int],
    mask: Value | None,
) -> tuple[list[Value], Sequence[Type], dict[str, Attribute]]:
    """What a transfer is made of; `around` is how many operands stand before the indices, and behind them."""
    before, behind = around
    sizes = [*[1] * before, len(operands) - before - behind, *[1] * behind, int(mask is not None)]
    properties: dict[str, Attribute] = {
        "in_bounds": ArrayAttr(tuple(TRUE if bound else FALSE for bound in bounds)),
        "operandSegmentSizes": segment_sizes(*sizes),
        "permutation_map": AffineMapAttr(map),
    }
    return [*operands, *((mask,) if mask is not None else ())], results, properties


def transfers(most: int | None) -> list[Pattern]:
    """The patterns, for vectors of at most so many dimensions."""
    return [
        Pattern("vector.transfer_read", _load(most), name="TransferReadToVectorLoadLowering"),
        Pattern("vector.transfer_write", _store(most), name="TransferWriteToVectorStoreLowering"),
    ]


def _fits(op: Transfer, type: VectorType, most: int | None) -> bool:
    """What reading and writing have in common, but for the map."""
    base = op.base.type
    if (most is not None and rank(type) > most) or masking_op(op) is not None:
        return False
    if not isinstance(base, MemRefType) or base.shape is None or not has_unit_stride(base):
        return False
    return is_in_bounds(op) and (rank(type) == 1 or op.mask is None)


def _has_elements(base: Type, type: VectorType) -> bool:
    """Whether a memref holds such vectors, or elements of them."""
    element = base.element if isinstance(base, MemRefType) else base
    return element == (type if isinstance(element, VectorType) else type.element)


def _load(most: int | None) -> RewriteFunction:
    def rewrite(op: TransferReadOp, operands: Sequence[Value], rewriter: Rewriter) -> Failure | None:
        """
            %0 = vector.transfer_read %m[%i], %p {in_bounds = [true]} : memref<?xf32>, vector<4xf32>
        ->
            %0 = vector.load %m[%i] : memref<?xf32>, vector<4xf32>

        With a mask, `vector.maskedload`; what the map repeats is read once.
        """
        type, map = vector_type(op.result), map_of(op)
        places = repeated(map)
        if places is None or not _fits(op, type, most):
            return NO_ACCESS
        shape = [1 if place in places else size for place, size in enumerate(type.ranked_shape)]
        once = vector_of(shape, type.element, flags(type))
        base = op.base
        if not _has_elements(base.type, once):
            return NO_ACCESS
        access = [base, *op.indices]
        if op.mask is not None:
            padding = broadcast(rewriter, op.padding, once)
            read = rewriter.create("vector.maskedload", [*access, op.mask, padding], [once]).result
        else:
            read = rewriter.create("vector.load", access, [once]).result
        rewriter.replace(op, [broadcast(rewriter, read, type) if places else read])
        return None

    return rewrite


def _store(most: int | None) -> RewriteFunction:
    def rewrite(op: TransferWriteOp, operands: Sequence[Value], rewriter: Rewriter) -> Failure | None:
        """
            vector.transfer_write %v, %m[%i] {in_bounds = [true]} : vector<4xf32>, memref<?xf32>
        ->
            vector.store %v, %m[%i] : memref<?xf32>, vector<4xf32>
        """
        value, map = op.valueToStore, map_of(op)
        type, base = vector_type(value), op.base
        if not is_minor_identity(map) or not _fits(op, type, most) or not _has_elements(base.type, type):
            return NO_ACCESS
        access = [base, *op.indices]
        if op.mask is not None:
            rewriter.create("vector.maskedstore", [*access, op.mask, value])
        else:
            rewriter.create("vector.store", [value, *access])
        rewriter.erase(op)
        return None

    return rewrite
