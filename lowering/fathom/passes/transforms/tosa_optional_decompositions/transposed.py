"""`tosa.transpose_conv2d` as a plain convolution.

With steps of one, that is one of the kernel reversed, with more around the image. With longer steps the kernel is
taken apart: what falls on the places of one step becomes channels of a smaller kernel, of which the result is put
together again. Source of the rules: *TOSA specification*, "transpose_conv2d", and the order of the operations that
mlir-opt 22 makes.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from fathom.dialects.tosa.canonicalization import constant_shape
from fathom.dialects.tosa.values import stored_of
from fathom.ir.attributes import DenseArrayAttr, IntegerAttr
from fathom.ir.types import DYNAMIC, I32, I64
from fathom.passes.tensors import ranked, shape_of, tensor_type
from fathom.passes.tosa.building import inferring, splat
from fathom.passes.tosa.equal_ranks import with_equal_ranks
from fathom.passes.tosa.zero_points import known_zero_points
from fathom.records import record
from fathom.rewriting.pattern import NO_MATCH, Failure

if TYPE_CHECKING:
    from collections.abc import Sequence

    from fathom.ir.attributes import Attribute
    from fathom.ir.operation import Value
    from fathom.ops import tosa as ops
    from fathom.rewriting.pattern import Replacement
    from fathom.rewriting.rewriter import Rewriter


def plain(op: ops.TransposeConv2dOp, rewriter: Rewriter) -> Replacement:
    """With steps of one."""
    if any(stride != 1 for stride in op.stride.values) or not _is_known(op):
        return NO_MATCH
    _, height, width, _ = shape_of(op.weight)
    reach = (height - 1, height - 1, width - 1, width - 1)
    pads = [more + pad for more, pad in zip(reach, op.out_pad.values, strict=True)]
    kernel, type = op.weight, tensor_type(op.weight)
    for axis in (1, 2):
        kernel = rewriter.create("tosa.reverse", [kernel], [type], _along(axis)).result
    values = [op.input, kernel, op.bias, op.input_zp, op.weight_zp]
    properties = _convolving(op, pads, op.stride.values)
    return rewriter.create("tosa.conv2d", values, [op.output.type], properties)


def stepping(op: ops.TransposeConv2dOp, rewriter: Rewriter) -> Replacement:
    """With longer steps."""
    if all(stride == 1 for stride in op.stride.values) or not _is_known(op):
        return NO_MATCH
    points = known_zero_points(op, ("input", "weight"))
    if isinstance(points, Failure):
        return points
    made = _Stepping(op, points, rewriter).result()
    pair = with_equal_ranks(rewriter, made, op.bias)
    return rewriter.create("tosa.add", pair, [op.output.type]) if pair is not None else None


def _is_known(op: ops.TransposeConv2dOp) -> bool:
    """Whether all sizes are, but for the number of images."""
    source, result, weight, bias = (ranked(value.type) for value in (op.input, op.output, op.weight, op.bias))
    if source is None or result is None or weight is None or bias is None:
        return False
    sizes = (*source.ranked_shape[1:], *result.ranked_shape[1:], *weight.ranked_shape, *bias.ranked_shape)
    return DYNAMIC not in sizes


def _along(axis: int) -> dict[str, Attribute]:
    return {"axis": IntegerAttr(axis, I32)}


def _convolving(op: ops.TransposeConv2dOp, pads: Sequence[int], strides: Sequence[int]) -> dict[str, Attribute]:
    lists = {"pad": pads, "stride": strides, "dilation": (1, 1)}
    return {"acc_type": op.acc_type, **{name: DenseArrayAttr(I64, tuple(list_)) for name, list_ in lists.items()}}


@record
class _Stepping:
    """One that is taken apart and put together."""

    op: ops.TransposeConv2dOp
    points: Sequence[int]
    rewriter: Rewriter

    def result(self) -> Value:
        op, (down, across) = self.op, self.op.stride.values
        channels, height, width, _ = shape_of(op.weight)
        more = (0, 0, 0, -height % down, 0, -width % across, 0, 0)
        padding = constant_shape(more, self.rewriter)
        image_zero, weight_zero = (
            splat(self.rewriter, point, (1,), tensor_type(op.input).element) for point in self.points
        )
        kernel = self._of("pad", [op.weight, padding, weight_zero])
        kernel = self._kernel_by_steps(kernel)
        _, tall, wide, _ = shape_of(kernel)
        around = (0, 0, tall - 1, tall - 1, wide - 1, wide - 1, 0, 0)
        image = self._of("pad", [op.input, constant_shape(around, self.rewriter), image_zero])
        bias = splat(self.rewriter, 0, (channels * down * across,), tensor_type(op.bias).element)
        zeros = [
            splat(self.rewriter, point, (1,), stored_of(value.type))
            for point, value in zip(self.points, (image, kernel), strict=True)
        ]
        properties = _convolving(op, (0, 0, 0, 0), (1, 1))
        element = tensor_type(op.output).element
        convolved = inferring(self.rewriter, "conv2d", [image, kernel, bias, *zeros], element, properties)
        return self._fitted(self._together(convolved))

    def _of(self, name: str, operands: Sequence[Value], properties: dict[str, Attribute] | None = None) -> Value:
        """An operation with the elements of its first operand."""
        return inferring(self.rewriter, name, operands, tensor_type(operands[0]).element, properties)

    def _reshaped(self, value: Value, *sizes: int) -> Value:
        return self._of("reshape", [value, constant_shape(sizes, self.rewriter)])

    def _transposed(self, value: Value, *order: int) -> Value:
        return self._of("transpose", [value], {"perms": DenseArrayAttr(I32, order)})

    def _kernel_by_steps(self, kernel: Value) -> Value:
        """What falls on the places of one step is along the first dimension; the rest is reversed."""
        down, across = self.op.stride.values
        channels, height, width, inner = shape_of(kernel)
        kernel = self._reshaped(kernel, channels, height // down, down, width // across, across, inner)
        kernel = self._transposed(kernel, 2, 4, 0, 1, 3, 5)
        kernel = self._reshaped(kernel, channels * down * across, height // down, width // across, inner)
        for axis in (1, 2):
            kernel = self._of("reverse", [kernel], _along(axis))
        return kernel

    def _together(self, image: Value) -> Value:
        """What is along the channels goes to its places in the steps."""
        down, across = self.op.stride.values
        (batch, *_), channels = shape_of(self.op.input), shape_of(self.op.weight)[0]
        _, height, width, _ = shape_of(image)
        image = self._reshaped(image, batch, height, width, down, across, channels)
        image = self._transposed(image, 0, 1, 3, 2, 4, 5)
        return self._reshaped(image, batch, height * down, width * across, channels)

    def _fitted(self, image: Value) -> Value:
        """What the padding of the result leaves is cut out, and what it adds is put around."""
        batch, *extents, channels = shape_of(image)
        outer = shape_of(self.op.output)[1:3]
        firsts = self.op.out_pad.values[::2]
        starts = [max(0, -pad) for pad in firsts]
        before = [max(0, pad) for pad in firsts]
        places = zip(extents, starts, outer, before, strict=True)
        sizes = [min(extent - start, size - pad) for extent, start, size, pad in places]
        places = zip(outer, before, sizes, strict=True)
        behind = [size - pad - inner for size, pad, inner in places]
        start = constant_shape((0, *starts, 0), self.rewriter)
        size = constant_shape((batch, *sizes, channels), self.rewriter)
        image = self._of("slice", [image, start, size])
        around = (0, 0, before[0], behind[0], before[1], behind[1], 0, 0)
        padding = constant_shape(around, self.rewriter)
        zero = splat(self.rewriter, 0, (1,), tensor_type(image).element)
        return self._of("pad", [image, padding, zero])
