"""Depthwise convolutions of which each channel gives one channel, without the dimension of that one.

Source of the rules: `SimplifyDepthwiseConv.cpp` of MLIR 22.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from fathom.dialects.linalg.structured import MEMOIZED
from fathom.ir.attributes import DenseElementsAttr
from fathom.ir.types import I64, TensorType
from fathom.passes.structured import named
from fathom.passes.structured.generics import form_of, works_on_tensors
from fathom.rewriting.pattern import NO_MATCH, Failure, Pattern
from fathom.rewriting.reshapes import collapse, expand_tensor

if TYPE_CHECKING:
    from fathom.ir.operation import Operation, Value
    from fathom.rewriting.rewriter import Rewriter

KERNEL: Final = [[0], [1], [2, 3]]
OUTPUT: Final = [[0], [1], [2], [3, 4]]
ONES: Final = DenseElementsAttr((1,), TensorType((2,), I64))


def simplify(op: Operation, operands: Sequence[Value], rewriter: Rewriter) -> Failure | None:
    """`linalg.depthwise_conv_2d_nhwc_hwcm` as `…_hwc`, if `m` is one."""
    form = form_of(op)
    if form is None or not works_on_tensors(op):
        return NO_MATCH
    kernel, init = form.inputs[1], form.inits[0]
    types = kernel.type, init.type, op.results[0].type
    kernel_type, init_type, type = (type_ if isinstance(type_, TensorType) else None for type_ in types)
    if kernel_type is None or init_type is None or type is None or kernel_type.ranked_shape[3] != 1:
        return NO_MATCH
    flat_kernel = _flat(rewriter, kernel, kernel_type, KERNEL)
    flat_init = _flat(rewriter, init, init_type, OUTPUT)
    properties = {name: op.properties.get(name, ONES) for name in ("strides", "dilations")}
    name = op.name.removeprefix("linalg.").replace("hwcm", "hwc")
    inputs = [form.inputs[0], flat_kernel, *form.inputs[2:]]
    made = named(rewriter, name, inputs, [flat_init], properties)
    made.attributes.update({name: value for name, value in op.attributes.items() if name != MEMOIZED})
    rewriter.replace(op, [expand_tensor(rewriter, made.result, type, OUTPUT)])
    return None


def _flat(rewriter: Rewriter, value: Value, type: TensorType, groups: list[list[int]]) -> Value:
    """A tensor without its last dimension, which is of one."""
    flat = TensorType(type.ranked_shape[: len(groups)], type.element)
    return collapse(rewriter, "tensor", value, flat, groups).result


PATTERNS: Final = (
    Pattern("linalg.depthwise_conv_2d_nhwc_hwcm", simplify, name="SimplifyDepthwiseConvOp"),
    Pattern("linalg.depthwise_conv_2d_nhwc_hwcm_q", simplify, name="SimplifyDepthwiseConvQOp"),
)
