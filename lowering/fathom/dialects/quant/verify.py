"""What the verifiers of the quant dialect ask for. Source of the rules: *'quant' Dialect*; messages are MLIR 22's."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fathom.dialects.quant.types import QuantizedType, UniformPerAxisType, UniformSubChannelType
from fathom.ir.types import DYNAMIC, IntegerType, ShapedType, TensorType, Type, element_type
from fathom.irdl.definition import Problem
from fathom.irdl.verifying import Complaint, verifies
from fathom.ops import quant as ops

if TYPE_CHECKING:
    from fathom.ir.operation import Operation


def _bare(message: str) -> Complaint:
    return Problem(message, bare=True)


def is_quantized(type: object) -> bool:
    """Whether a type is a tensor of quantized numbers, or one."""
    return isinstance(type, Type) and isinstance(_element(type), QuantizedType)


def is_quantized_or_integer(type: object) -> bool:
    element = _element(type) if isinstance(type, Type) else None
    return isinstance(element, QuantizedType) or (isinstance(element, IntegerType) and not element.signedness)


def _element(type: Type) -> Type:
    return element_type(type) if isinstance(type, TensorType) else type


def same_shape(op: Operation) -> bool:
    """Whether both are scalars, or tensors of one shape."""
    one, other = op.operands[0].type, op.results[0].type
    if isinstance(one, TensorType) != isinstance(other, TensorType):
        return False
    if not isinstance(one, ShapedType) or not isinstance(other, ShapedType):
        return True
    return one.shape == other.shape


def one_is_quantized(op: Operation) -> bool:
    """Whether of the two types one is quantized and the other is not."""
    return is_quantized(op.operands[0].type) != is_quantized(op.results[0].type)


@verifies("quant.dcast", "quant.qcast")
def verify_cast(op: ops.DcastOp | ops.QcastOp) -> Complaint:
    """`quant.qcast` and `quant.dcast`."""
    types = [_element(op.input.type), _element(op.result.type)]
    if isinstance(op, ops.QcastOp):
        types.reverse()
    quantized, expressed = types
    if not isinstance(quantized, QuantizedType):
        return None
    if quantized.expressed != expressed:
        return _bare("expressed type in quantized type expected to match float type")
    return _container_problem(quantized, op.input.type)


@verifies("quant.scast")
def verify_storage_cast(op: ops.ScastOp) -> Complaint:
    """`quant.scast`."""
    types = [_element(op.input.type), _element(op.result.type)]
    if isinstance(types[1], QuantizedType):
        types.reverse()
    quantized, integer = types
    if not isinstance(quantized, QuantizedType):
        return None
    if quantized.storage.type != integer:
        return _bare("storage type in quantized type expected to match integer type")
    return _container_problem(quantized, op.input.type)


def _container_problem(type: QuantizedType, container: Type) -> Complaint:
    """What keeps a tensor from having elements of the type."""
    if isinstance(type, UniformPerAxisType):
        return _axis_problem(type, container)
    return _block_problem(type, container) if isinstance(type, UniformSubChannelType) else None


def _axis_problem(type: UniformPerAxisType, container: Type) -> Complaint:
    if not isinstance(container, TensorType):
        return _bare("scalar types may not use per-axis quantization")
    if container.shape is None:
        return None
    if type.axis >= len(container.shape):
        return _bare("quantized dimension must be less than tensor rank")
    if container.shape[type.axis] not in (DYNAMIC, len(type.scales)):
        return _bare("quantized dimension size does not match number of scales")
    return None


def _block_problem(type: UniformSubChannelType, container: Type) -> Complaint:
    if not isinstance(container, TensorType):
        return _bare("scalar types may not use sub-channel quantization")
    shape = container.shape
    if shape is None:
        return _bare("tensor containing the sub-channel quantized type must be ranked")
    expected = [1] * len(shape)
    for axis, size in type.blocks:
        if axis >= len(shape):
            return _bare(f"quantized dimension {axis} must be less than tensor rank {len(shape)}")
        extent = shape[axis]
        if extent != DYNAMIC and extent % size:
            fits = f"must be divisible by the corresponding block size {size}"
            return _bare(f"tensor dimension size {extent} at axis {axis} {fits}")
        expected[axis] = DYNAMIC if extent == DYNAMIC else extent // size
    if 0 in shape:
        return _bare("tensor dimension size of zero is not allowed with sub-channel quantization")
    if len(type.shape) != len(shape):
        return _bare(f"Rank of scales {len(type.shape)} must match the rank of the tensor {len(shape)}")
    for axis, (extent, found) in enumerate(zip(expected, type.shape, strict=True)):
        if extent not in (DYNAMIC, found):
            should = "should match (tensor dimension at axis / block sizes at axis)"
            return _bare(f"dimension size {extent} of scales tensor at axis {axis} {should} = {extent}")
    return None
