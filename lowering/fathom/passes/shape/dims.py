"""Sizes of results as what the sizes of operands make of them: `resolve-ranked-shaped-type-result-dims`, and its like.

    %0 = linalg.fill ins(%c : f32) outs(%a : tensor<?xf32>) -> tensor<?xf32>
    %1 = tensor.dim %0, %c0          ->          %1 = tensor.dim %a, %c0

Source of the rules: `ReifyRankedShapedTypeOpInterface` of MLIR 22, and observed behaviour of mlir-opt 22.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from fathom.diagnostics import PIPELINE, Diagnostic
from fathom.ir.operation import BlockArgument, OpResult
from fathom.ops.scf import ForallOp
from fathom.rewriting.folding import integer_constant
from fathom.rewriting.greedy_driver import apply_patterns
from fathom.rewriting.pattern import Failure, replacing
from fathom.rewriting.result_shapes import sizes_of_result, value_of

if TYPE_CHECKING:
    from fathom.context import Context
    from fathom.ir.operation import Operation
    from fathom.ops import memref, tensor
    from fathom.rewriting.pattern import Replacement
    from fathom.rewriting.rewriter import Rewriter


def _size(op: tensor.DimOp | memref.DimOp, rewriter: Rewriter) -> Replacement:
    """What the operation says of the size of its result."""
    source, index = op.source, integer_constant(op.index)
    if not isinstance(source, OpResult) or index is None:
        return None
    sizes = sizes_of_result(source, rewriter)
    if sizes is None or not 0 <= index < len(sizes):
        return Failure("the sizes of the result are not known")
    return value_of(rewriter, sizes[index])


def _size_before(op: tensor.DimOp, rewriter: Rewriter) -> Replacement:
    """What a loop writes to keeps its size."""
    source = op.source
    region = source.block.parent if isinstance(source, BlockArgument) else None
    loop = region.parent if region is not None else None
    if not isinstance(source, BlockArgument) or not isinstance(loop, ForallOp):
        return None
    first = len(source.block.arguments) - len(loop.outputs)
    if source.index < first:
        return None
    rewriter.modify(op, lambda: op.set_operand(0, loop.outputs[source.index - first]))
    return op


_PATTERNS: Final = (
    replacing("memref.dim", _size, name="DimOfReifyRankedShapedTypeOpInterface"),
    replacing("tensor.dim", _size, name="DimOfReifyRankedShapedTypeOpInterface"),
    replacing("tensor.dim", _size_before, name="IterArgsToInitArgs"),
)


def resolve(op: Operation, context: Context, *, must_end: bool) -> list[Diagnostic]:
    """Resolves all sizes in an operation; it may be an error if that does not come to an end."""
    if apply_patterns(op, _PATTERNS, context) or not must_end:
        return []
    message = f"'{op.name}' op dim operation resolution hit pattern iteration limit"
    return [Diagnostic(message, op.span, code=PIPELINE, op=op)]
