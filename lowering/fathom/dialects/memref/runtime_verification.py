"""What the operations on memrefs are to pass when they run: indices within bounds, sizes that agree, alignment.

Source of the rules: *Passes*, `-generate-runtime-verification`, and what mlir-opt 22 makes there.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from math import prod
from typing import TYPE_CHECKING, Final

from fathom.dialects.memref.common import ranked, type_of
from fathom.dialects.memref.queries import metadata_types
from fathom.ir.attributes import TRUE, StridedLayoutAttr
from fathom.ir.strides import strides_and_offset
from fathom.ir.types import DYNAMIC, I1, MemRefType
from fathom.irdl.reassociations import groups_of
from fathom.irdl.slices import mixed_lists
from fathom.records import record
from fathom.rewriting.runtime_checks import EQ, SGE, SGT, SLE

if TYPE_CHECKING:
    from fathom.ir.operation import Operation, Value
    from fathom.ops import memref as ops
    from fathom.rewriting.runtime_checks import RuntimeCheck, RuntimeChecks


def check_access(
    op: ops.AtomicRmwOp | ops.GenericAtomicRmwOp | ops.LoadOp | ops.StoreOp, checks: RuntimeChecks
) -> None:
    """What is read or written lies within the memref."""
    check_indices(op.memref, op.indices, checks)


def check_indices(shaped: Value, indices: Sequence[Value], checks: RuntimeChecks) -> None:
    """`0 <= index < size` in each dimension of a memref or a tensor."""
    if not indices:
        return
    zero = checks.index(0)
    conditions = (
        checks.in_bounds(index, zero, checks.size(shaped, position)) for position, index in enumerate(indices)
    )
    checks.check_all(conditions, "out-of-bounds access")


def check_dim(op: ops.DimOp, checks: RuntimeChecks) -> None:
    """The dimension that is asked for is there."""
    rank = checks.indexed("memref.rank", op.source)
    checks.check(checks.in_bounds(op.index, checks.index(0), rank), "index is out of bounds")


def check_alignment(op: ops.AssumeAlignmentOp, checks: RuntimeChecks) -> None:
    """The pointer is a multiple of the alignment."""
    alignment = op.alignment.value
    pointer = checks.indexed("memref.extract_aligned_pointer_as_index", op.memref)
    rest = checks.indexed("arith.remui", pointer, checks.index(alignment))
    checks.check(checks.compare(EQ, rest, checks.index(0)), f"memref is not aligned to {alignment}")


def check_cast(op: ops.CastOp, checks: RuntimeChecks) -> None:
    """The memref has what the type of the result says of it and its own type did not: rank, sizes, offset, strides.

    The offset and the strides are those of a cast to a type that says nothing of them.
    """
    source, type = op.source, ranked(op.dest.type)
    if type is None:
        return
    before, shape = ranked(source.type), type.ranked_shape
    if before is None:
        rank = checks.indexed("memref.rank", source)
        checks.check(checks.compare(EQ, rank, checks.index(len(shape))), "rank mismatch")
    metadata = _metadata(source, checks, _saying_nothing(type))
    for position, size in enumerate(shape):
        if size == DYNAMIC or (before is not None and before.ranked_shape[position] != DYNAMIC):
            continue
        actual = checks.indexed("memref.dim", source, checks.index(position))
        checks.check(checks.compare(EQ, actual, checks.index(size)), f"size mismatch of dim {position}")
    layout = strides_and_offset(type)
    if layout is None:
        return
    strides, offset = layout
    if offset != DYNAMIC:
        checks.check(checks.compare(EQ, metadata.offset, checks.index(offset)), "offset mismatch")
    for position, stride in enumerate(strides):
        if stride != DYNAMIC:
            same = checks.compare(EQ, metadata.strides[position], checks.index(stride))
            checks.check(same, f"stride mismatch of dim {position}")


@record
class _Metadata:
    """What `memref.extract_strided_metadata` gives."""

    offset: Value
    sizes: Sequence[Value]
    strides: Sequence[Value]


def _metadata(source: Value, checks: RuntimeChecks, seen_as: MemRefType | None = None) -> _Metadata:
    """The offset, sizes and strides of a memref, which is cast to the type `seen_as` before, if one is given."""
    type = ranked(source.type)
    known = strides_and_offset(type) if type is not None and checks.known_sizes else None
    if type is None or (seen_as is not None and known is None):
        assert seen_as is not None, "an unranked memref is cast to a ranked one"
        source, type = checks.rewriter.create("memref.cast", [source], [seen_as]).result, seen_as
    made: list[Value] = []
    if known is None or DYNAMIC in (known[1], *type.ranked_shape, *known[0]):
        made += checks.rewriter.create("memref.extract_strided_metadata", [source], metadata_types(type)).results[1:]
    if known is not None:
        numbers = (known[1], *type.ranked_shape, *known[0])
        made = [made[at] if number == DYNAMIC else checks.index(number) for at, number in enumerate(numbers)]
    rank = len(type.ranked_shape)
    return _Metadata(made[0], made[1 : 1 + rank], made[1 + rank :])


def _saying_nothing(type: MemRefType) -> MemRefType:
    """A type of the same rank that leaves sizes, strides and offset open."""
    unknown = (DYNAMIC,) * len(type.ranked_shape)
    return MemRefType(unknown, type.element, StridedLayoutAttr(unknown, DYNAMIC), type.space)


def check_copy(op: ops.CopyOp, checks: RuntimeChecks) -> None:
    """Both memrefs have the same sizes; of unranked ones nothing is checked."""
    types = [ranked(operand.type) for operand in op.operands]
    shapes = [type.ranked_shape for type in types if type is not None]
    if len(shapes) != 2:
        return
    for position, sizes in enumerate(zip(*shapes, strict=True)):
        if DYNAMIC not in sizes:
            continue
        both = [
            checks.indexed("memref.dim", value, checks.index(position)) if size == DYNAMIC else checks.index(size)
            for value, size in zip(op.operands, sizes, strict=True)
        ]
        reason = f"size of {position}-th source/target dim does not match"
        checks.check(checks.compare(EQ, *both), reason)


def check_subview(op: ops.SubviewOp, checks: RuntimeChecks) -> None:
    """The part that is taken lies within the memref."""
    constants = checks.index(0), checks.index(1)
    check_part(op, constants, _metadata(op.source, checks).sizes.__getitem__, checks)


def check_part(
    op: Operation, constants: tuple[Value, Value], size_of: Callable[[int], Value], checks: RuntimeChecks
) -> None:
    """The first element of a part lies within the whole, whose sizes these are, in each dimension, and the last one; of
    a part without elements the offset may be that behind the last. The constants are zero and one."""
    given = mixed_lists(op)
    for position, numbers in enumerate(zip(*given, strict=True)):
        offset, size, stride = (checks.index(number) if isinstance(number, int) else number for number in numbers)
        _check_slice(position, (offset, size, stride), (*constants, size_of(position)), checks)


def _check_slice(
    position: int, part: tuple[Value, Value, Value], bounds: tuple[Value, Value, Value], checks: RuntimeChecks
) -> None:
    offset, size, stride = part
    zero, one, high = bounds

    def offset_of_nothing() -> Value:
        return checks.rewriter.create(
            "arith.andi", [checks.compare(SGE, offset, zero), checks.compare(SLE, offset, high)], [I1]
        ).result

    def last() -> Value:
        steps = checks.indexed("arith.muli", checks.indexed("arith.subi", size, one), stride)
        return checks.in_bounds(checks.indexed("arith.addi", offset, steps), zero, high)

    is_empty = checks.compare(EQ, size, zero)
    first = checks.choose(is_empty, offset_of_nothing, lambda: checks.in_bounds(offset, zero, high))
    checks.check(first, f"offset {position} is out-of-bounds")
    is_not_empty = checks.compare(SGT, size, zero)
    reason = f"{checks.op.name.partition('.')[2]} runs out-of-bounds along dimension {position}"
    checks.check(checks.choose(is_not_empty, last, lambda: checks.rewriter.constant(TRUE, I1)), reason)


def check_expand_shape(op: ops.ExpandShapeOp, checks: RuntimeChecks) -> None:
    """The known sizes of a group divide the size that the group is made of."""
    type = type_of(op.result)
    for position, group in enumerate(groups_of(op.reassociation)):
        actual = checks.indexed("memref.dim", op.src, checks.index(position))
        known = prod(type.ranked_shape[dim] for dim in group if type.ranked_shape[dim] != DYNAMIC)
        rest = checks.indexed("arith.remsi", actual, checks.index(known))
        reason = "static result dims in reassoc group do not divide src dim evenly"
        checks.check(checks.compare(EQ, rest, checks.index(0)), reason)


RUNTIME_VERIFICATION: Final[Mapping[str, RuntimeCheck]] = {
    "memref.assume_alignment": check_alignment,
    "memref.atomic_rmw": check_access,
    "memref.cast": check_cast,
    "memref.copy": check_copy,
    "memref.dim": check_dim,
    "memref.expand_shape": check_expand_shape,
    "memref.generic_atomic_rmw": check_access,
    "memref.load": check_access,
    "memref.store": check_access,
    "memref.subview": check_subview,
}
