from typing import Final

from fathom.ir.attributes import Attribute, DenseArrayAttr, IntegerAttr, StringAttr, TypeAttr
from fathom.ir.operation import Operation, OpResult, Region, Value

class AbsOp(Operation):
    output: Final[OpResult]
    input1: Final[Value]

class AddOp(Operation):
    output: Final[OpResult]
    input1: Final[Value]
    input2: Final[Value]

class AddShapeOp(Operation):
    output: Final[OpResult]
    input1: Final[Value]
    input2: Final[Value]

class ApplyScaleOp(Operation):
    rounding_mode: Final[Attribute]
    output: Final[OpResult]
    value: Final[Value]
    multiplier: Final[Value]
    shift: Final[Value]

class ArgmaxOp(Operation):
    axis: Final[IntegerAttr]
    nan_mode: Final[Attribute]
    output: Final[OpResult]
    input: Final[Value]

class ArithmeticRightShiftOp(Operation):
    round: Final[IntegerAttr]
    output: Final[OpResult]
    input1: Final[Value]
    input2: Final[Value]

class AvgPool2dOp(Operation):
    kernel: Final[DenseArrayAttr]
    stride: Final[DenseArrayAttr]
    pad: Final[DenseArrayAttr]
    acc_type: Final[TypeAttr]
    output: Final[OpResult]
    input: Final[Value]
    input_zp: Final[Value]
    output_zp: Final[Value]

class BitwiseAndOp(Operation):
    output: Final[OpResult]
    input1: Final[Value]
    input2: Final[Value]

class BitwiseNotOp(Operation):
    output: Final[OpResult]
    input1: Final[Value]

class BitwiseOrOp(Operation):
    output: Final[OpResult]
    input1: Final[Value]
    input2: Final[Value]

class BitwiseXorOp(Operation):
    output: Final[OpResult]
    input1: Final[Value]
    input2: Final[Value]

class CastFromBlockScaledOp(Operation):
    block_size: Final[Attribute]
    output_data: Final[OpResult]
    input_data: Final[Value]
    input_scale: Final[Value]

class CastOp(Operation):
    output: Final[OpResult]
    input: Final[Value]

class CastToBlockScaledOp(Operation):
    block_size: Final[Attribute]
    output_data: Final[OpResult]
    output_scale: Final[OpResult]
    input_data: Final[Value]

class CeilOp(Operation):
    output: Final[OpResult]
    input1: Final[Value]

class ClampOp(Operation):
    min_val: Final[Attribute]
    max_val: Final[Attribute]
    nan_mode: Final[Attribute]
    output: Final[OpResult]
    input: Final[Value]

class ClzOp(Operation):
    output: Final[OpResult]
    input1: Final[Value]

class ConcatOp(Operation):
    axis: Final[IntegerAttr]
    output: Final[OpResult]
    input1: Final[list[Value]]

class ConcatShapeOp(Operation):
    output: Final[OpResult]
    input: Final[list[Value]]

class CondIfOp(Operation):
    then_graph: Final[Region]
    else_graph: Final[Region]
    output_list: Final[list[OpResult]]
    condition: Final[Value]
    input_list: Final[list[Value]]

class ConstOp(Operation):
    values: Final[Attribute]
    output: Final[OpResult]

class ConstShapeOp(Operation):
    values: Final[Attribute]
    output: Final[OpResult]

class Conv2dOp(Operation):
    pad: Final[DenseArrayAttr]
    stride: Final[DenseArrayAttr]
    dilation: Final[DenseArrayAttr]
    acc_type: Final[TypeAttr]
    local_bound: Final[IntegerAttr]
    output: Final[OpResult]
    input: Final[Value]
    weight: Final[Value]
    bias: Final[Value]
    input_zp: Final[Value]
    weight_zp: Final[Value]

class Conv3dOp(Operation):
    pad: Final[DenseArrayAttr]
    stride: Final[DenseArrayAttr]
    dilation: Final[DenseArrayAttr]
    acc_type: Final[TypeAttr]
    local_bound: Final[IntegerAttr]
    output: Final[OpResult]
    input: Final[Value]
    weight: Final[Value]
    bias: Final[Value]
    input_zp: Final[Value]
    weight_zp: Final[Value]

class CosOp(Operation):
    output: Final[OpResult]
    input1: Final[Value]

class CustomOp(Operation):
    operator_name: Final[StringAttr]
    domain_name: Final[StringAttr]
    implementation_attrs: Final[StringAttr]
    output_list: Final[list[OpResult]]
    input_list: Final[list[Value]]

class DepthwiseConv2dOp(Operation):
    pad: Final[DenseArrayAttr]
    stride: Final[DenseArrayAttr]
    dilation: Final[DenseArrayAttr]
    acc_type: Final[TypeAttr]
    local_bound: Final[IntegerAttr]
    output: Final[OpResult]
    input: Final[Value]
    weight: Final[Value]
    bias: Final[Value]
    input_zp: Final[Value]
    weight_zp: Final[Value]

class DimOp(Operation):
    axis: Final[IntegerAttr]
    output: Final[OpResult]
    input1: Final[Value]

class DivCeilShapeOp(Operation):
    output: Final[OpResult]
    input1: Final[Value]
    input2: Final[Value]

class DivFloorShapeOp(Operation):
    output: Final[OpResult]
    input1: Final[Value]
    input2: Final[Value]

class EqualOp(Operation):
    output: Final[OpResult]
    input1: Final[Value]
    input2: Final[Value]

class ErfOp(Operation):
    output: Final[OpResult]
    input: Final[Value]

class Exp2ShapeOp(Operation):
    output: Final[OpResult]
    input: Final[Value]

class ExpOp(Operation):
    output: Final[OpResult]
    input1: Final[Value]

class Fft2dOp(Operation):
    inverse: Final[IntegerAttr]
    local_bound: Final[IntegerAttr]
    output_real: Final[OpResult]
    output_imag: Final[OpResult]
    input_real: Final[Value]
    input_imag: Final[Value]

class FloorOp(Operation):
    output: Final[OpResult]
    input1: Final[Value]

class GatherOp(Operation):
    output: Final[OpResult]
    values: Final[Value]
    indices: Final[Value]

class GreaterEqualOp(Operation):
    output: Final[OpResult]
    input1: Final[Value]
    input2: Final[Value]

class GreaterOp(Operation):
    output: Final[OpResult]
    input1: Final[Value]
    input2: Final[Value]

class IdentityOp(Operation):
    output: Final[OpResult]
    input1: Final[Value]

class IntdivOp(Operation):
    output: Final[OpResult]
    input1: Final[Value]
    input2: Final[Value]

class Log2CeilShapeOp(Operation):
    output: Final[OpResult]
    input: Final[Value]

class Log2FloorShapeOp(Operation):
    output: Final[OpResult]
    input: Final[Value]

class LogOp(Operation):
    output: Final[OpResult]
    input1: Final[Value]

class LogicalAndOp(Operation):
    output: Final[OpResult]
    input1: Final[Value]
    input2: Final[Value]

class LogicalLeftShiftOp(Operation):
    output: Final[OpResult]
    input1: Final[Value]
    input2: Final[Value]

class LogicalNotOp(Operation):
    output: Final[OpResult]
    input1: Final[Value]

class LogicalOrOp(Operation):
    output: Final[OpResult]
    input1: Final[Value]
    input2: Final[Value]

class LogicalRightShiftOp(Operation):
    output: Final[OpResult]
    input1: Final[Value]
    input2: Final[Value]

class LogicalXorOp(Operation):
    output: Final[OpResult]
    input1: Final[Value]
    input2: Final[Value]

class MatmulOp(Operation):
    output: Final[OpResult]
    a: Final[Value]
    b: Final[Value]
    a_zp: Final[Value]
    b_zp: Final[Value]

class MatmulTBlockScaledOp(Operation):
    block_size: Final[Attribute]
    output_data: Final[OpResult]
    a_data: Final[Value]
    a_scale: Final[Value]
    b_data: Final[Value]
    b_scale: Final[Value]

class MaxPool2dOp(Operation):
    kernel: Final[DenseArrayAttr]
    stride: Final[DenseArrayAttr]
    pad: Final[DenseArrayAttr]
    nan_mode: Final[Attribute]
    output: Final[OpResult]
    input: Final[Value]

class MaxShapeOp(Operation):
    output: Final[OpResult]
    input1: Final[Value]
    input2: Final[Value]

class MaximumOp(Operation):
    nan_mode: Final[Attribute]
    output: Final[OpResult]
    input1: Final[Value]
    input2: Final[Value]

class MinShapeOp(Operation):
    output: Final[OpResult]
    input1: Final[Value]
    input2: Final[Value]

class MinimumOp(Operation):
    nan_mode: Final[Attribute]
    output: Final[OpResult]
    input1: Final[Value]
    input2: Final[Value]

class ModShapeOp(Operation):
    output: Final[OpResult]
    input1: Final[Value]
    input2: Final[Value]

class MulOp(Operation):
    output: Final[OpResult]
    input1: Final[Value]
    input2: Final[Value]
    shift: Final[Value]

class MulShapeOp(Operation):
    output: Final[OpResult]
    input1: Final[Value]
    input2: Final[Value]

class NegateOp(Operation):
    output: Final[OpResult]
    input1: Final[Value]
    input1_zp: Final[Value]
    output_zp: Final[Value]

class PadOp(Operation):
    output: Final[OpResult]
    input1: Final[Value]
    padding: Final[Value]
    pad_const: Final[Value]

class PowOp(Operation):
    output: Final[OpResult]
    input1: Final[Value]
    input2: Final[Value]

class ReciprocalOp(Operation):
    output: Final[OpResult]
    input1: Final[Value]

class ReduceAllOp(Operation):
    axis: Final[IntegerAttr]
    output: Final[OpResult]
    input: Final[Value]

class ReduceAnyOp(Operation):
    axis: Final[IntegerAttr]
    output: Final[OpResult]
    input: Final[Value]

class ReduceMaxOp(Operation):
    axis: Final[IntegerAttr]
    nan_mode: Final[Attribute]
    output: Final[OpResult]
    input: Final[Value]

class ReduceMinOp(Operation):
    axis: Final[IntegerAttr]
    nan_mode: Final[Attribute]
    output: Final[OpResult]
    input: Final[Value]

class ReduceProductOp(Operation):
    axis: Final[IntegerAttr]
    output: Final[OpResult]
    input: Final[Value]

class ReduceSumOp(Operation):
    axis: Final[IntegerAttr]
    output: Final[OpResult]
    input: Final[Value]

class RescaleOp(Operation):
    scale32: Final[IntegerAttr]
    rounding_mode: Final[Attribute]
    per_channel: Final[IntegerAttr]
    input_unsigned: Final[IntegerAttr]
    output_unsigned: Final[IntegerAttr]
    output: Final[OpResult]
    input: Final[Value]
    multiplier: Final[Value]
    shift: Final[Value]
    input_zp: Final[Value]
    output_zp: Final[Value]

class ReshapeOp(Operation):
    output: Final[OpResult]
    input1: Final[Value]
    shape: Final[Value]

class ResizeOp(Operation):
    mode: Final[Attribute]
    output: Final[OpResult]
    input: Final[Value]
    scale: Final[Value]
    offset: Final[Value]
    border: Final[Value]

class ReverseOp(Operation):
    axis: Final[IntegerAttr]
    output: Final[OpResult]
    input1: Final[Value]

class Rfft2dOp(Operation):
    local_bound: Final[IntegerAttr]
    output_real: Final[OpResult]
    output_imag: Final[OpResult]
    input_real: Final[Value]

class RsqrtOp(Operation):
    output: Final[OpResult]
    input1: Final[Value]

class ScatterOp(Operation):
    values_out: Final[OpResult]
    values_in: Final[Value]
    indices: Final[Value]
    input: Final[Value]

class SelectOp(Operation):
    output: Final[OpResult]
    input1: Final[Value]
    input2: Final[Value]
    input3: Final[Value]

class SigmoidOp(Operation):
    output: Final[OpResult]
    input: Final[Value]

class SinOp(Operation):
    output: Final[OpResult]
    input1: Final[Value]

class SliceOp(Operation):
    output: Final[OpResult]
    input1: Final[Value]
    start: Final[Value]
    size: Final[Value]

class SliceShapeOp(Operation):
    output: Final[OpResult]
    input: Final[Value]
    start: Final[Value]
    size: Final[Value]

class SubOp(Operation):
    output: Final[OpResult]
    input1: Final[Value]
    input2: Final[Value]

class SubShapeOp(Operation):
    output: Final[OpResult]
    input1: Final[Value]
    input2: Final[Value]

class TableOp(Operation):
    output: Final[OpResult]
    input1: Final[Value]
    table: Final[Value]

class TanhOp(Operation):
    output: Final[OpResult]
    input: Final[Value]

class TileOp(Operation):
    output: Final[OpResult]
    input1: Final[Value]
    multiples: Final[Value]

class TransposeConv2dOp(Operation):
    out_pad: Final[DenseArrayAttr]
    stride: Final[DenseArrayAttr]
    acc_type: Final[TypeAttr]
    local_bound: Final[IntegerAttr]
    output: Final[OpResult]
    input: Final[Value]
    weight: Final[Value]
    bias: Final[Value]
    input_zp: Final[Value]
    weight_zp: Final[Value]

class TransposeOp(Operation):
    perms: Final[DenseArrayAttr]
    output: Final[OpResult]
    input1: Final[Value]

class VariableOp(Operation):
    sym_name: Final[StringAttr]
    var_shape: Final[Attribute]
    type: Final[TypeAttr]
    initial_value: Final[Attribute | None]

class VariableReadOp(Operation):
    output1: Final[OpResult]

class VariableWriteOp(Operation):
    input1: Final[Value]

class WhileLoopOp(Operation):
    cond_graph: Final[Region]
    body_graph: Final[Region]
    output_list: Final[list[OpResult]]
    input_list: Final[list[Value]]

class YieldOp(Operation):
    inputs: Final[list[Value]]
