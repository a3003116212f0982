"""The sizes of results that are tensors, from what the operation is given: the aspect `result_shapes`.

    RESULT_SHAPES: Final = {"shop.repeat": sizes_of_repeat}

`sizes(op, rewriter)` gives for each result that is ranked its sizes, numbers and values; it may make operations at the
insertion point, which come from where `op` does. Source of the rules: `ReifyRankedShapedTypeOpInterface` of MLIR 22.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from fathom.ir.attributes import IntegerAttr
from fathom.ir.operation import OpResult
from fathom.ir.types import DYNAMIC, INDEX, ShapedType, TensorType
from fathom.irdl.aspects import Aspect
from fathom.irdl.lazy import Joined
from fathom.rewriting.folding import create_or_fold

if TYPE_CHECKING:
    from fathom.ir.operation import Value
    from fathom.rewriting.rewriter import Rewriter

Size: TypeAlias = "int | Value"
Sizes: TypeAlias = "Callable[[Any, Rewriter], Sequence[Sequence[Size]]]"
Shapes: TypeAlias = "Mapping[str, Sizes]"

RESULT_SHAPES: Final = Aspect["Shapes"]("result_shapes", {}, Joined)


def sizes_of_result(result: OpResult, rewriter: Rewriter) -> Sequence[Size] | None:
    """The sizes of a result; None where its dialect does not say them."""
    op = result.op
    sizes = rewriter.context.aspect(RESULT_SHAPES, op.dialect).get(op.name)
    if sizes is None:
        return None
    with rewriter.standing_in(op):
        return sizes(op, rewriter)[result.index]


def constant_index(rewriter: Rewriter, number: int) -> Value:
    """`arith.constant` of an index."""
    return rewriter.create("arith.constant", [], [INDEX], {"value": IntegerAttr(number, INDEX)}).result


def dim(rewriter: Rewriter, shaped: Value, dimension: int) -> Value:
    """`tensor.dim` of a tensor, `memref.dim` of a memref."""
    return rewriter.create(_dim_of(shaped), [shaped, constant_index(rewriter, dimension)], [INDEX]).result


def folded_dim(rewriter: Rewriter, shaped: Value, dimension: int) -> Size:
    """The same, or a number or value that it is known to be."""
    assert isinstance(shaped.type, ShapedType), "what has dimensions has a shape"
    size = shaped.type.ranked_shape[dimension]
    return size if size != DYNAMIC else folded_dim_value(rewriter, shaped, dimension)


def mixed_sizes(rewriter: Rewriter, shaped: Value) -> list[Size]:
    """All sizes of a value, as numbers where they are known."""
    assert isinstance(shaped.type, ShapedType), "what has dimensions has a shape"
    return [folded_dim(rewriter, shaped, index) for index in range(len(shaped.type.ranked_shape))]


def folded_dim_value(rewriter: Rewriter, shaped: Value, dimension: int) -> Value:
    """The same as a value: a constant where it is a number."""
    return create_or_fold(rewriter, _dim_of(shaped), [shaped, constant_index(rewriter, dimension)], INDEX)


def _dim_of(shaped: Value) -> str:
    return "tensor.dim" if isinstance(shaped.type, TensorType) else "memref.dim"


def sizes_of(rewriter: Rewriter, tensor: Value) -> list[Value]:
    """The sizes of a tensor that its type does not know, as values."""
    type = tensor.type
    assert isinstance(type, TensorType), "a tensor has sizes"
    unknown = [index for index, size in enumerate(type.ranked_shape) if size == DYNAMIC]
    known = sizes_of_result(tensor, rewriter) if isinstance(tensor, OpResult) else None
    if known is None:
        return [dim(rewriter, tensor, index) for index in unknown]
    return [value_of(rewriter, known[index]) for index in unknown]


def value_of(rewriter: Rewriter, size: Size) -> Value:
    """A size as a value."""
    return constant_index(rewriter, size) if isinstance(size, int) else size
