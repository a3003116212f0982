"""The sizes of the results of linalg's loops: what the sizes of their inputs say.

    O(i + j, j) += A(i, k) * B(k, j)        the sizes of O: dim(A, 0) + dim(B, 1), dim(B, 1)

Source of the rules: `LinalgOp::reifyResultShapes` of MLIR 22.
"""

from __future__ import annotations

from typing import Final

from fathom.bufferization.models import destinations_of
from fathom.dialects.affine.composition import apply_folded
from fathom.dialects.linalg.bufferization import LOOPS
from fathom.dialects.linalg.structured import places_of_loops
from fathom.ir.affine import AffineDim, AffineExpr, substitute
from fathom.ir.operation import Operation, Value
from fathom.ir.types import DYNAMIC, ShapedType
from fathom.irdl.interfaces import Structured
from fathom.ops.linalg import SoftmaxOp
from fathom.rewriting.result_shapes import Size, folded_dim, mixed_sizes, value_of
from fathom.rewriting.rewriter import Rewriter


def sizes_of_loops(op: Operation, rewriter: Rewriter) -> list[list[Size]]:
    """The sizes of each result."""
    structured = op.interface(Structured)
    maps, loops = (structured.maps(op), structured.loops(op)) if structured is not None else (None, None)
    assert maps is not None and loops is not None, "what is valid has maps"
    places = places_of_loops(maps, len(loops))
    assert places is not None, "each loop has a size"
    shapes = [_shape(value) for value in op.operands]
    first = sum(len(shape) for shape in shapes[: destinations_of(op).start])
    dims: list[Size] = [
        folded_dim(rewriter, value, index)
        for value, shape in zip(op.operands, shapes, strict=True)
        for index in range(len(shape))
    ]
    inputs = [AffineDim(place) for place in places]
    listed: list[list[Size]] = []
    for number in destinations_of(op):
        sizes: list[Size] = []
        for index, (size, result) in enumerate(zip(shapes[number], maps[number].results, strict=True)):
            expression = substitute(result, inputs, ())
            value = apply_folded(rewriter, expression, dims)
            if size != DYNAMIC:
                sizes.append(size)
            else:
                own = _reaches(expression, first)
                sizes.append(value_of(rewriter, folded_dim(rewriter, op.operands[number], index) if own else value))
        listed.append(sizes)
    return listed


def _shape(value: Value) -> tuple[int, ...]:
    return value.type.ranked_shape if isinstance(value.type, ShapedType) else ()


def _reaches(expression: AffineExpr, first: int) -> bool:
    """Whether a size depends on those of what is written."""
    from fathom.ir.affine import leaves

    return any(isinstance(leaf, AffineDim) and leaf.position >= first for leaf in leaves(expression))


def sizes_of_softmax(op: SoftmaxOp, rewriter: Rewriter) -> list[list[Size]]:
    """The input's, which the output has too."""
    return [mixed_sizes(rewriter, op.input)]


RESULT_SHAPES: Final = {**dict.fromkeys(LOOPS, sizes_of_loops), "linalg.softmax": sizes_of_softmax}
