"""The patterns of `tosa-to-linalg-named`, and those for products of matrices and transpositions.

Source of the rules: *TOSA specification*, "matmul" and "transpose", and the order of the operations that mlir-opt 22
makes.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING

from fathom.ir.types import DYNAMIC, I32
from fathom.passes.arithmetic import constant
from fathom.passes.conversions.tosa_to_linalg_named.convolutions import convolution, depthwise
from fathom.passes.conversions.tosa_to_linalg_named.pools import average, greatest
from fathom.passes.structured import fill, named, transpose
from fathom.passes.tensors import empty, empty_of, tensor_type
from fathom.passes.tosa.ranks import of_ranks
from fathom.passes.tosa.types import SignlessTypes
from fathom.passes.tosa.zero_points import known_zero_points
from fathom.rewriting.pattern import Failure, Pattern
from fathom.rewriting.result_shapes import dim, mixed_sizes

if TYPE_CHECKING:
    from fathom.ir.operation import Value
    from fathom.ops import tosa as ops
    from fathom.rewriting.conversion_rewriter import ConversionRewriter


def patterns(*, channels_last: bool) -> list[Pattern]:
    """All of them; `channels_last` is said of kernels of two dimensions."""
    plane = partial(convolution, channels_last=channels_last)
    space = partial(convolution, channels_last=False)
    return [
        of_ranks("ConvConverter", "tosa.conv2d", plane),
        of_ranks("ConvConverter", "tosa.conv3d", space),
        of_ranks("DepthwiseConvConverter", "tosa.depthwise_conv2d", depthwise),
        of_ranks("MatMulConverter", "tosa.matmul", _matmul),
        of_ranks("AvgPool2dConverter", "tosa.avg_pool2d", average),
        of_ranks("TransposeConverter", "tosa.transpose", _transpose),
        of_ranks("MaxPool2dConverter", "tosa.max_pool2d", greatest, SignlessTypes()),
    ]


def _matmul(op: ops.MatmulOp, operands: Sequence[Value], rewriter: ConversionRewriter) -> Failure | None:
    """The sums begin with zero."""
    type = tensor_type(op.output)
    sources = ((op.a, 0), (op.a, 1), (op.b, 2))
    sizes = [
        dim(rewriter, source, place)
        for (source, place), size in zip(sources, type.ranked_shape, strict=True)
        if size == DYNAMIC
    ]
    zero = constant(rewriter, 0, type.element)
    start = fill(rewriter, zero, empty(rewriter, type.ranked_shape, type.element, sizes))
    points = known_zero_points(op, ("a", "b"), "input {} zero point cannot")
    if isinstance(points, Failure):
        return points
    if any(points):
        numbers = [constant(rewriter, point, I32) for point in points]
        made = named(rewriter, "quantized_batch_matmul", [op.a, op.b, *numbers], [start])
    else:
        made = named(rewriter, "batch_matmul", [op.a, op.b], [start])
    rewriter.replace(op, made.results)
    return None


def _transpose(op: ops.TransposeOp, operands: Sequence[Value], rewriter: ConversionRewriter) -> None:
    order = op.perms.values
    sizes = mixed_sizes(rewriter, op.input1)
    output = empty_of(rewriter, [sizes[place] for place in order], tensor_type(op.input1).element)
    rewriter.replace(op, transpose(rewriter, op.input1, output, order).results)
