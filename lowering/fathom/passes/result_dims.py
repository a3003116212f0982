"""Sizes of results from what operations are given, and empty tensors in the shape in which they are used.

Source of the rules: `ResolveShapedTypeResultDims.cpp` and `EmptyOpPatterns.cpp` of MLIR 22.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from fathom.ir.operation import BlockArgument, OpResult
from fathom.ir.types import TensorType
from fathom.irdl.index_lists import separated
from fathom.ops import scf, tensor
from fathom.records import replace
from fathom.rewriting.folding import integer_constant
from fathom.rewriting.pattern import Pattern, Replacement, defined_by, replacing
from fathom.rewriting.result_shapes import sizes_of_result, value_of

if TYPE_CHECKING:
    from fathom.ir.operation import Value
    from fathom.ops import memref
    from fathom.rewriting.rewriter import Rewriter


def size_of_result(op: tensor.DimOp | memref.DimOp, rewriter: Rewriter) -> Replacement:
    """A size of a result, as its operation says it."""
    index = integer_constant(op.index)
    if index is None or not isinstance(op.source, OpResult):
        return None
    sizes = sizes_of_result(op.source, rewriter)
    return value_of(rewriter, sizes[index]) if sizes is not None and 0 <= index < len(sizes) else None


def size_of_shared(op: tensor.DimOp, rewriter: Rewriter) -> Replacement:
    """A size of a tensor that iterations share is that of the tensor from outside."""
    argument = op.source
    region = argument.block.parent if isinstance(argument, BlockArgument) else None
    loop = region.parent if region is not None else None
    if not isinstance(argument, BlockArgument) or not isinstance(loop, scf.ForallOp):
        return None
    outputs = loop.outputs
    outside = outputs[argument.index - len(argument.block.arguments)]
    rewriter.modify(op, lambda: op.set_operand(0, outside))
    return op


DIMS: Final = (
    *(
        replace(replacing(name, size_of_result, name="DimOfReifyRankedShapedTypeOpInterface"), recursive=True)
        for name in ("memref.dim", "tensor.dim")
    ),
    replacing("tensor.dim", size_of_shared, name="IterArgsToInitArgs"),
)


# ---- empty tensors


def _empty(rewriter: Rewriter, result: OpResult, type: TensorType) -> Value | None:
    sizes = sizes_of_result(result, rewriter)
    if sizes is None:
        return None
    values, shape = separated(list(sizes))
    return rewriter.create("tensor.empty", values, [TensorType(shape.values, type.element)]).result


def reshaped_empty(op: tensor.ExpandShapeOp | tensor.CollapseShapeOp, rewriter: Rewriter) -> Replacement:
    """A reshape of an empty tensor is an empty tensor."""
    type = op.result.type
    if defined_by(op.src, tensor.EmptyOp) is None or not isinstance(type, TensorType):
        return None
    made = _empty(rewriter, op.result, type)
    if made is None or made.type == type:
        return made
    return rewriter.create("tensor.cast", [made], [type])


def slice_of_empty(op: tensor.ExtractSliceOp, rewriter: Rewriter) -> Replacement:
    """So is a slice."""
    if defined_by(op.source, tensor.EmptyOp) is None:
        return None
    return rewriter.create("tensor.empty", op.sizes, [op.result.type])


def concat_of_empty(op: tensor.ConcatOp, rewriter: Rewriter) -> Replacement:
    """And what is put together of such."""
    type = op.result.type
    if not all(defined_by(value, tensor.EmptyOp) for value in op.inputs) or not isinstance(type, TensorType):
        return None
    return _empty(rewriter, op.result, type)


EMPTY: Final[tuple[Pattern, ...]] = (
    replacing("tensor.extract_slice", slice_of_empty, name="FoldEmptyTensorWithExtractSliceOp"),
    replacing("tensor.expand_shape", reshaped_empty, name="FoldEmptyTensorWithReshapeOp"),
    replacing("tensor.collapse_shape", reshaped_empty, name="FoldEmptyTensorWithReshapeOp"),
    replacing("tensor.concat", concat_of_empty, name="FoldConcatsOfEmpty"),
)
