"""Operations that can be taken apart into tiles: the aspect `tiling`.

    TILING: Final = {"shop.repeat": Tiling(loops, ranges, tile, position)}

An operation that can has loops, each from 0 by 1 to its *range*. A *tile* is a part of them, at offsets and of sizes,
for all loops. Source of the rules: `TilingInterface` of MLIR 22.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final, Generic, TypeAlias, TypeVar

from fathom.irdl.aspects import Aspect
from fathom.irdl.lazy import Joined
from fathom.records import record

if TYPE_CHECKING:
    from fathom.ir.operation import Operation, Value
    from fathom.irdl.dialect import Definitions
    from fathom.rewriting.result_shapes import Size
    from fathom.rewriting.rewriter import Rewriter

    Tile: TypeAlias = "tuple[Sequence[Size], Sequence[Size]]"

OpT = TypeVar("OpT", bound="Operation")
"""The class of the operations that are spoken of."""


@record(eq=False)
class Tiled:
    """What computes a tile: operations, the values that take the place of the results, and the slices it reads."""

    ops: Sequence[Operation]
    values: Sequence[Value]
    slices: Sequence[Operation] = ()


@record(eq=False)
class Tiling(Generic[OpT]):
    """`loops(op)` has a letter for each loop, `p` where its iterations may run in any order, `r` where they reduce, and
    `ranges(op, rewriter)` how often each runs. `tile(op, rewriter, offsets, sizes)` computes a tile at the insertion
    point, and `position(op, rewriter, number, offsets, sizes)` says which part of a result that is. `behind(op,
    rewriter, number, offsets, sizes)` is the tile that computes a part of a result; None where there is none."""

    loops: Callable[[OpT], str]
    ranges: Callable[[OpT, Rewriter], Sequence[Size]]
    tile: Callable[[OpT, Rewriter, Sequence[Size], Sequence[Size]], Tiled]
    position: Callable[[OpT, Rewriter, int, Sequence[Size], Sequence[Size]], Tile]
    behind: Callable[[OpT, Rewriter, int, Sequence[Size], Sequence[Size]], Tile | None]


Tilings: TypeAlias = "Mapping[str, Tiling[Any]]"

TILING: Final = Aspect["Tilings"]("tiling", {}, Joined)


def tiling_of(op: Operation, context: Definitions) -> Tiling[Operation] | None:
    """How an operation is taken apart; None where it is not."""
    return context.aspect(TILING, op.dialect).get(op.name)
