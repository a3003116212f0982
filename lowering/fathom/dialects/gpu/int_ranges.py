"""Between which numbers the indices and sizes of kernels lie.

What is said of them comes from the launch around an operation, from what the kernel says of itself, or from the
operation; and else from what all GPUs have in common. Source of the rules: `InferIntRangeInterface` of MLIR 22.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Final

from fathom.ir.attributes import DenseArrayAttr, IntegerAttr
from fathom.ir.traversal import closest, closest_with
from fathom.irdl.cases import word_of
from fathom.irdl.interfaces import FunctionLike
from fathom.ops.gpu import FuncOp, LaunchOp
from fathom.rewriting.folding import integer_constant
from fathom.rewriting.int_ranges import INDEX_WIDTH, Inference, IntRange, of_result, of_unsigned

if TYPE_CHECKING:
    from fathom.ir.operation import Operation, Value

_MOST: Final = (1 << 32) - 1
"""A grid or a block of no GPU has so many in any dimension."""
_CLUSTER: Final = 8
_SUBGROUP: Final = 128
_AXES: Final = "xyz"


def _between(low: int, high: int) -> IntRange:
    return of_unsigned(INDEX_WIDTH, low, high % (1 << INDEX_WIDTH))


def _known(op: Operation, of: str) -> int | None:
    """The size of the `block`, `grid` or `cluster` in the dimension that an operation asks for."""
    axis = word_of(op.properties.get("dimension"))
    launch = closest(op, LaunchOp)
    size = next(iter(launch.all_of(f"{of}Size{axis.upper()}")), None) if launch is not None else None
    if size is not None and (number := integer_constant(size)) is not None:
        return number % (1 << INDEX_WIDTH)
    kernel, function = closest(op, FuncOp), closest_with(op, FunctionLike)
    hints = (
        kernel.properties.get(f"known_{of}_size") if kernel is not None else None,
        function.attributes.get(f"gpu.known_{of}_size") if function is not None else None,
    )
    for hint in hints:
        if isinstance(hint, DenseArrayAttr) and len(hint.values) > _AXES.index(axis):
            return int(hint.values[_AXES.index(axis)]) % (1 << 32)
    return None


def _stated(op: Operation, otherwise: int) -> int:
    bound = op.properties.get("upper_bound")
    return bound.value % (1 << INDEX_WIDTH) if isinstance(bound, IntegerAttr) else otherwise


def _size(most: int, of: str = "") -> Inference:
    """A size, which may be known."""

    def infer(op: Operation, _: Sequence[IntRange]) -> IntRange:
        known = _known(op, of) if of else None
        return _between(known, known) if known is not None else _between(1, _stated(op, most))

    return of_result(infer)


def _index(most: int, of: str = "") -> Inference:
    """An index, which is less than a size."""

    def infer(op: Operation, _: Sequence[IntRange]) -> IntRange:
        known = _known(op, of) if of else None
        return _between(0, _stated(op, most if known is None else known) - 1)

    return of_result(infer)


def _global(op: Operation, _: Sequence[IntRange]) -> IntRange:
    block, grid = (_known(op, of) for of in ("block", "grid"))
    return _between(0, _stated(op, (_MOST if block is None else block) * (_MOST if grid is None else grid)) - 1)


def _launch(op: LaunchOp, operands: Sequence[IntRange]) -> Iterator[tuple[Value, IntRange]]:
    sizes = operands[len(op.asyncDependencies) :][:6]
    for place, size in enumerate(sizes):
        within = size.intersection(_between(1, _MOST))
        yield op.body.arguments[6 + place], within
        yield op.body.arguments[place], _between(0, within.umax - 1)


INT_RANGES: Final[Mapping[str, Inference]] = {
    "gpu.block_dim": _size(_MOST, "block"),
    "gpu.block_id": _index(_MOST, "grid"),
    "gpu.cluster_block_id": _index(_CLUSTER, "cluster"),
    "gpu.cluster_dim": _size(_MOST),
    "gpu.cluster_dim_blocks": _size(_CLUSTER, "cluster"),
    "gpu.cluster_id": _index(_MOST),
    "gpu.global_id": of_result(_global),
    "gpu.grid_dim": _size(_MOST, "grid"),
    "gpu.lane_id": _index(_SUBGROUP),
    "gpu.launch": Inference(_launch),
    "gpu.num_subgroups": _size(_MOST),
    "gpu.subgroup_broadcast": of_result(lambda _, operands: operands[0]),
    "gpu.subgroup_id": _index(_MOST),
    "gpu.subgroup_size": _size(_SUBGROUP),
    "gpu.thread_id": _index(_MOST, "block"),
}
