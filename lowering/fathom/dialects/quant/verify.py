"""What the verifiers of the quant dialect ask for. Source of the rules: *'quant' Dialect*; messages are MLIR 22's."""

from __future__ import annotations

from fathom.dialects.quant.types import QuantizedType, UniformPerAxisType, UniformSubChannelType
from fathom.ir.operation import Operation
from fathom.ir.types import DYNAMIC, IntegerType, ShapedType, TensorType, Type, element_type
from fathom.irdl.checking import bare
from fathom.irdl.verifying import Complaint, verifies
from fathom.ops import quant as ops


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
    one, other = op.operands[0].type, op.result.type
    if isinstance(one, TensorType) != isinstance(other, TensorType):
        return False
    return not isinstance(one, ShapedType) or not isinstance(other, ShapedType) or one.shape == other.shape


def one_is_quantized(op: Operation) -> bool:
    """Whether of the two types one is quantized and the other is not."""
    return is_quantized(op.operands[0].type) != is_quantized(op.result.type)


@verifies("quant.dcast", "quant.qcast", "quant.scast")
def verify_cast(op: ops.DcastOp | ops.QcastOp | ops.ScastOp) -> Complaint:
    """What is quantized, before or after, stands for values of the other type, or is stored as it."""
    quantized, other = _element(op.input.type), _element(op.result.type)
    if isinstance(other, QuantizedType):
        quantized, other = other, quantized
    if not isinstance(quantized, QuantizedType):
        return None
    if isinstance(op, ops.ScastOp):
        if quantized.storage.type != other:
            return bare("storage type in quantized type expected to match integer type")
    elif quantized.expressed != other:
        return bare("expressed type in quantized type expected to match float type")
    return _container_problem(quantized, op.input.type)


def _container_problem(type: QuantizedType, container: Type) -> Complaint:
    """What keeps a tensor from having elements of the type."""
    if isinstance(type, UniformPerAxisType):
        return _axis_problem(type, container)
    return _block_problem(type, container) if isinstance(type, UniformSubChannelType) else None


def _axis_problem(type: UniformPerAxisType, container: Type) -> Complaint:
    if not isinstance(container, TensorType):
        return bare("scalar types may not use per-axis quantization")
    if container.shape is None:
        return None
    if type.axis >= len(container.shape):
        return bare("quantized dimension must be less than tensor rank")
    if container.shape[type.axis] not in (DYNAMIC, len(type.scales)):
        return bare("quantized dimension size does not match number of scales")
    return None


def _block_problem(type: UniformSubChannelType, container: Type) -> Complaint:
    if not isinstance(container, TensorType):
        return bare("scalar types may not use sub-channel quantization")
    shape = container.shape
    if shape is None:
        return bare("tensor containing the sub-channel quantized type must be ranked")
    expected = [1] * len(shape)
    for axis, size in type.blocks:
        if axis >= len(shape):
            return bare(f"quantized dimension {axis} must be less than tensor rank {len(shape)}")
        extent = shape[axis]
        if extent != DYNAMIC and extent % size:
            fits = f"must be divisible by the corresponding block size {size}"
            return bare(f"tensor dimension size {extent} at axis {axis} {fits}")
        expected[axis] = DYNAMIC if extent == DYNAMIC else extent // size
    if 0 in shape:
        return bare("tensor dimension size of zero is not allowed with sub-channel quantization")
    if len(type.shape) != len(shape):
        return bare(f"Rank of scales {len(type.shape)} must match the rank of the tensor {len(shape)}")
    for axis, (extent, size) in enumerate(zip(expected, type.shape, strict=True)):
        if extent not in (DYNAMIC, size):
            should = "should match (tensor dimension at axis / block sizes at axis)"
            return bare(f"dimension size {extent} of scales tensor at axis {axis} {should} = {extent}")
    return None
