from typing import Final

from fathom.ir.attributes import ArrayAttr, Attribute, DenseArrayAttr, IntegerAttr, StringAttr
from fathom.ir.operation import Operation, OpResult, Region, Value

class AbsOp(Operation):
    region: Final[Region]
    result_tensors: Final[list[OpResult]]
    inputs: Final[list[Value]]
    outputs: Final[list[Value]]

class AddOp(Operation):
    region: Final[Region]
    result_tensors: Final[list[OpResult]]
    inputs: Final[list[Value]]
    outputs: Final[list[Value]]

class BatchMatmulOp(Operation):
    indexing_maps: Final[ArrayAttr | None]
    cast: Final[Attribute]
    region: Final[Region]
    result_tensors: Final[list[OpResult]]
    inputs: Final[list[Value]]
    outputs: Final[list[Value]]

class BatchMatvecOp(Operation):
    region: Final[Region]
    result_tensors: Final[list[OpResult]]
    inputs: Final[list[Value]]
    outputs: Final[list[Value]]

class BatchMmt4dOp(Operation):
    region: Final[Region]
    result_tensors: Final[list[OpResult]]
    inputs: Final[list[Value]]
    outputs: Final[list[Value]]

class BatchReduceMatmulOp(Operation):
    indexing_maps: Final[ArrayAttr | None]
    cast: Final[Attribute]
    region: Final[Region]
    result_tensors: Final[list[OpResult]]
    inputs: Final[list[Value]]
    outputs: Final[list[Value]]

class BatchVecmatOp(Operation):
    region: Final[Region]
    result_tensors: Final[list[OpResult]]
    inputs: Final[list[Value]]
    outputs: Final[list[Value]]

class BroadcastOp(Operation):
    dimensions: Final[DenseArrayAttr]
    region: Final[Region]
    input: Final[Value]
    init: Final[Value]

class CeilOp(Operation):
    region: Final[Region]
    result_tensors: Final[list[OpResult]]
    inputs: Final[list[Value]]
    outputs: Final[list[Value]]

class ContractOp(Operation):
    indexing_maps: Final[ArrayAttr]
    cast: Final[Attribute]
    combiner: Final[Region]
    result_tensors: Final[list[OpResult]]
    inputs: Final[list[Value]]
    outputs: Final[list[Value]]

class Conv1dNcwFcwOp(Operation):
    strides: Final[Attribute | None]
    dilations: Final[Attribute | None]
    region: Final[Region]
    result_tensors: Final[list[OpResult]]
    inputs: Final[list[Value]]
    outputs: Final[list[Value]]

class Conv1dNwcWcfOp(Operation):
    strides: Final[Attribute | None]
    dilations: Final[Attribute | None]
    region: Final[Region]
    result_tensors: Final[list[OpResult]]
    inputs: Final[list[Value]]
    outputs: Final[list[Value]]

class Conv1dOp(Operation):
    region: Final[Region]
    result_tensors: Final[list[OpResult]]
    inputs: Final[list[Value]]
    outputs: Final[list[Value]]

class Conv2dNchwFchwOp(Operation):
    strides: Final[Attribute | None]
    dilations: Final[Attribute | None]
    region: Final[Region]
    result_tensors: Final[list[OpResult]]
    inputs: Final[list[Value]]
    outputs: Final[list[Value]]

class Conv2dNchwFchwQOp(Operation):
    strides: Final[Attribute | None]
    dilations: Final[Attribute | None]
    region: Final[Region]
    result_tensors: Final[list[OpResult]]
    inputs: Final[list[Value]]
    outputs: Final[list[Value]]

class Conv2dNgchwFgchwOp(Operation):
    strides: Final[Attribute | None]
    dilations: Final[Attribute | None]
    region: Final[Region]
    result_tensors: Final[list[OpResult]]
    inputs: Final[list[Value]]
    outputs: Final[list[Value]]

class Conv2dNgchwGfchwOp(Operation):
    strides: Final[Attribute | None]
    dilations: Final[Attribute | None]
    region: Final[Region]
    result_tensors: Final[list[OpResult]]
    inputs: Final[list[Value]]
    outputs: Final[list[Value]]

class Conv2dNgchwGfchwQOp(Operation):
    strides: Final[Attribute | None]
    dilations: Final[Attribute | None]
    region: Final[Region]
    result_tensors: Final[list[OpResult]]
    inputs: Final[list[Value]]
    outputs: Final[list[Value]]

class Conv2dNhwcFhwcOp(Operation):
    strides: Final[Attribute | None]
    dilations: Final[Attribute | None]
    region: Final[Region]
    result_tensors: Final[list[OpResult]]
    inputs: Final[list[Value]]
    outputs: Final[list[Value]]

class Conv2dNhwcFhwcQOp(Operation):
    strides: Final[Attribute | None]
    dilations: Final[Attribute | None]
    region: Final[Region]
    result_tensors: Final[list[OpResult]]
    inputs: Final[list[Value]]
    outputs: Final[list[Value]]

class Conv2dNhwcHwcfOp(Operation):
    strides: Final[Attribute | None]
    dilations: Final[Attribute | None]
    region: Final[Region]
    result_tensors: Final[list[OpResult]]
    inputs: Final[list[Value]]
    outputs: Final[list[Value]]

class Conv2dNhwcHwcfQOp(Operation):
    strides: Final[Attribute | None]
    dilations: Final[Attribute | None]
    region: Final[Region]
    result_tensors: Final[list[OpResult]]
    inputs: Final[list[Value]]
    outputs: Final[list[Value]]

class Conv2dNhwgcGfhwcOp(Operation):
    strides: Final[Attribute | None]
    dilations: Final[Attribute | None]
    region: Final[Region]
    result_tensors: Final[list[OpResult]]
    inputs: Final[list[Value]]
    outputs: Final[list[Value]]

class Conv2dNhwgcGfhwcQOp(Operation):
    strides: Final[Attribute | None]
    dilations: Final[Attribute | None]
    region: Final[Region]
    result_tensors: Final[list[OpResult]]
    inputs: Final[list[Value]]
    outputs: Final[list[Value]]

class Conv2dOp(Operation):
    region: Final[Region]
    result_tensors: Final[list[OpResult]]
    inputs: Final[list[Value]]
    outputs: Final[list[Value]]

class Conv3dNcdhwFcdhwOp(Operation):
    strides: Final[Attribute | None]
    dilations: Final[Attribute | None]
    region: Final[Region]
    result_tensors: Final[list[OpResult]]
    inputs: Final[list[Value]]
    outputs: Final[list[Value]]

class Conv3dNdhwcDhwcfOp(Operation):
    strides: Final[Attribute | None]
    dilations: Final[Attribute | None]
    region: Final[Region]
    result_tensors: Final[list[OpResult]]
    inputs: Final[list[Value]]
    outputs: Final[list[Value]]

class Conv3dNdhwcDhwcfQOp(Operation):
    strides: Final[Attribute | None]
    dilations: Final[Attribute | None]
    region: Final[Region]
    result_tensors: Final[list[OpResult]]
    inputs: Final[list[Value]]
    outputs: Final[list[Value]]

class Conv3dOp(Operation):
    region: Final[Region]
    result_tensors: Final[list[OpResult]]
    inputs: Final[list[Value]]
    outputs: Final[list[Value]]

class CopyOp(Operation):
    cast: Final[Attribute]
    region: Final[Region]
    result_tensors: Final[list[OpResult]]
    inputs: Final[list[Value]]
    outputs: Final[list[Value]]

class DepthwiseConv1dNcwCwOp(Operation):
    strides: Final[Attribute | None]
    dilations: Final[Attribute | None]
    region: Final[Region]
    result_tensors: Final[list[OpResult]]
    inputs: Final[list[Value]]
    outputs: Final[list[Value]]

class DepthwiseConv1dNwcWcOp(Operation):
    strides: Final[Attribute | None]
    dilations: Final[Attribute | None]
    region: Final[Region]
    result_tensors: Final[list[OpResult]]
    inputs: Final[list[Value]]
    outputs: Final[list[Value]]

class DepthwiseConv1dNwcWcmOp(Operation):
    strides: Final[Attribute | None]
    dilations: Final[Attribute | None]
    region: Final[Region]
    result_tensors: Final[list[OpResult]]
    inputs: Final[list[Value]]
    outputs: Final[list[Value]]

class DepthwiseConv2dNchwChwOp(Operation):
    strides: Final[Attribute | None]
    dilations: Final[Attribute | None]
    region: Final[Region]
    result_tensors: Final[list[OpResult]]
    inputs: Final[list[Value]]
    outputs: Final[list[Value]]

class DepthwiseConv2dNhwcHwcOp(Operation):
    strides: Final[Attribute | None]
    dilations: Final[Attribute | None]
    region: Final[Region]
    result_tensors: Final[list[OpResult]]
    inputs: Final[list[Value]]
    outputs: Final[list[Value]]

class DepthwiseConv2dNhwcHwcQOp(Operation):
    strides: Final[Attribute | None]
    dilations: Final[Attribute | None]
    region: Final[Region]
    result_tensors: Final[list[OpResult]]
    inputs: Final[list[Value]]
    outputs: Final[list[Value]]

class DepthwiseConv2dNhwcHwcmOp(Operation):
    strides: Final[Attribute | None]
    dilations: Final[Attribute | None]
    region: Final[Region]
    result_tensors: Final[list[OpResult]]
    inputs: Final[list[Value]]
    outputs: Final[list[Value]]

class DepthwiseConv2dNhwcHwcmQOp(Operation):
    strides: Final[Attribute | None]
    dilations: Final[Attribute | None]
    region: Final[Region]
    result_tensors: Final[list[OpResult]]
    inputs: Final[list[Value]]
    outputs: Final[list[Value]]

class DepthwiseConv3dNcdhwCdhwOp(Operation):
    strides: Final[Attribute | None]
    dilations: Final[Attribute | None]
    region: Final[Region]
    result_tensors: Final[list[OpResult]]
    inputs: Final[list[Value]]
    outputs: Final[list[Value]]

class DepthwiseConv3dNdhwcDhwcOp(Operation):
    strides: Final[Attribute | None]
    dilations: Final[Attribute | None]
    region: Final[Region]
    result_tensors: Final[list[OpResult]]
    inputs: Final[list[Value]]
    outputs: Final[list[Value]]

class DepthwiseConv3dNdhwcDhwcmOp(Operation):
    strides: Final[Attribute | None]
    dilations: Final[Attribute | None]
    region: Final[Region]
    result_tensors: Final[list[OpResult]]
    inputs: Final[list[Value]]
    outputs: Final[list[Value]]

class DivOp(Operation):
    region: Final[Region]
    result_tensors: Final[list[OpResult]]
    inputs: Final[list[Value]]
    outputs: Final[list[Value]]

class DivUnsignedOp(Operation):
    region: Final[Region]
    result_tensors: Final[list[OpResult]]
    inputs: Final[list[Value]]
    outputs: Final[list[Value]]

class DotOp(Operation):
    region: Final[Region]
    result_tensors: Final[list[OpResult]]
    inputs: Final[list[Value]]
    outputs: Final[list[Value]]

class ElementwiseOp(Operation):
    kind: Final[Attribute]
    indexing_maps: Final[ArrayAttr]
    region: Final[Region]
    result_tensors: Final[list[OpResult]]
    inputs: Final[list[Value]]
    outputs: Final[list[Value]]

class ErfOp(Operation):
    region: Final[Region]
    result_tensors: Final[list[OpResult]]
    inputs: Final[list[Value]]
    outputs: Final[list[Value]]

class ExpOp(Operation):
    region: Final[Region]
    result_tensors: Final[list[OpResult]]
    inputs: Final[list[Value]]
    outputs: Final[list[Value]]

class FillOp(Operation):
    region: Final[Region]
    result_tensors: Final[list[OpResult]]
    inputs: Final[list[Value]]
    outputs: Final[list[Value]]

class FillRng2dOp(Operation):
    region: Final[Region]
    result_tensors: Final[list[OpResult]]
    inputs: Final[list[Value]]
    outputs: Final[list[Value]]

class FloorOp(Operation):
    region: Final[Region]
    result_tensors: Final[list[OpResult]]
    inputs: Final[list[Value]]
    outputs: Final[list[Value]]

class GenericOp(Operation):
    indexing_maps: Final[ArrayAttr]
    iterator_types: Final[ArrayAttr]
    doc: Final[StringAttr | None]
    library_call: Final[StringAttr | None]
    region: Final[Region]
    result_tensors: Final[list[OpResult]]
    inputs: Final[list[Value]]
    outputs: Final[list[Value]]

class IndexOp(Operation):
    dim: Final[IntegerAttr]

class LogOp(Operation):
    region: Final[Region]
    result_tensors: Final[list[OpResult]]
    inputs: Final[list[Value]]
    outputs: Final[list[Value]]

class MapOp(Operation):
    mapper: Final[Region]
    inputs: Final[list[Value]]
    init: Final[Value]

class MatmulOp(Operation):
    indexing_maps: Final[ArrayAttr | None]
    cast: Final[Attribute]
    region: Final[Region]
    result_tensors: Final[list[OpResult]]
    inputs: Final[list[Value]]
    outputs: Final[list[Value]]

class MatvecOp(Operation):
    region: Final[Region]
    result_tensors: Final[list[OpResult]]
    inputs: Final[list[Value]]
    outputs: Final[list[Value]]

class MaxOp(Operation):
    region: Final[Region]
    result_tensors: Final[list[OpResult]]
    inputs: Final[list[Value]]
    outputs: Final[list[Value]]

class MinOp(Operation):
    region: Final[Region]
    result_tensors: Final[list[OpResult]]
    inputs: Final[list[Value]]
    outputs: Final[list[Value]]

class Mmt4dOp(Operation):
    region: Final[Region]
    result_tensors: Final[list[OpResult]]
    inputs: Final[list[Value]]
    outputs: Final[list[Value]]

class MulOp(Operation):
    region: Final[Region]
    result_tensors: Final[list[OpResult]]
    inputs: Final[list[Value]]
    outputs: Final[list[Value]]

class NegfOp(Operation):
    region: Final[Region]
    result_tensors: Final[list[OpResult]]
    inputs: Final[list[Value]]
    outputs: Final[list[Value]]

class PackOp(Operation):
    outer_dims_perm: Final[DenseArrayAttr]
    inner_dims_pos: Final[DenseArrayAttr]
    static_inner_tiles: Final[DenseArrayAttr]
    source: Final[Value]
    dest: Final[Value]
    padding_value: Final[Value | None]
    inner_tiles: Final[list[Value]]

class PoolingNchwMaxOp(Operation):
    strides: Final[Attribute | None]
    dilations: Final[Attribute | None]
    region: Final[Region]
    result_tensors: Final[list[OpResult]]
    inputs: Final[list[Value]]
    outputs: Final[list[Value]]

class PoolingNchwSumOp(Operation):
    strides: Final[Attribute | None]
    dilations: Final[Attribute | None]
    region: Final[Region]
    result_tensors: Final[list[OpResult]]
    inputs: Final[list[Value]]
    outputs: Final[list[Value]]

class PoolingNcwMaxOp(Operation):
    strides: Final[Attribute | None]
    dilations: Final[Attribute | None]
    region: Final[Region]
    result_tensors: Final[list[OpResult]]
    inputs: Final[list[Value]]
    outputs: Final[list[Value]]

class PoolingNcwSumOp(Operation):
    strides: Final[Attribute | None]
    dilations: Final[Attribute | None]
    region: Final[Region]
    result_tensors: Final[list[OpResult]]
    inputs: Final[list[Value]]
    outputs: Final[list[Value]]

class PoolingNdhwcMaxOp(Operation):
    strides: Final[Attribute | None]
    dilations: Final[Attribute | None]
    region: Final[Region]
    result_tensors: Final[list[OpResult]]
    inputs: Final[list[Value]]
    outputs: Final[list[Value]]

class PoolingNdhwcMinOp(Operation):
    strides: Final[Attribute | None]
    dilations: Final[Attribute | None]
    region: Final[Region]
    result_tensors: Final[list[OpResult]]
    inputs: Final[list[Value]]
    outputs: Final[list[Value]]

class PoolingNdhwcSumOp(Operation):
    strides: Final[Attribute | None]
    dilations: Final[Attribute | None]
    region: Final[Region]
    result_tensors: Final[list[OpResult]]
    inputs: Final[list[Value]]
    outputs: Final[list[Value]]

class PoolingNhwcMaxOp(Operation):
    strides: Final[Attribute | None]
    dilations: Final[Attribute | None]
    region: Final[Region]
    result_tensors: Final[list[OpResult]]
    inputs: Final[list[Value]]
    outputs: Final[list[Value]]

class PoolingNhwcMaxUnsignedOp(Operation):
    strides: Final[Attribute | None]
    dilations: Final[Attribute | None]
    region: Final[Region]
    result_tensors: Final[list[OpResult]]
    inputs: Final[list[Value]]
    outputs: Final[list[Value]]

class PoolingNhwcMinOp(Operation):
    strides: Final[Attribute | None]
    dilations: Final[Attribute | None]
    region: Final[Region]
    result_tensors: Final[list[OpResult]]
    inputs: Final[list[Value]]
    outputs: Final[list[Value]]

class PoolingNhwcMinUnsignedOp(Operation):
    strides: Final[Attribute | None]
    dilations: Final[Attribute | None]
    region: Final[Region]
    result_tensors: Final[list[OpResult]]
    inputs: Final[list[Value]]
    outputs: Final[list[Value]]

class PoolingNhwcSumOp(Operation):
    strides: Final[Attribute | None]
    dilations: Final[Attribute | None]
    region: Final[Region]
    result_tensors: Final[list[OpResult]]
    inputs: Final[list[Value]]
    outputs: Final[list[Value]]

class PoolingNwcMaxOp(Operation):
    strides: Final[Attribute | None]
    dilations: Final[Attribute | None]
    region: Final[Region]
    result_tensors: Final[list[OpResult]]
    inputs: Final[list[Value]]
    outputs: Final[list[Value]]

class PoolingNwcMaxUnsignedOp(Operation):
    strides: Final[Attribute | None]
    dilations: Final[Attribute | None]
    region: Final[Region]
    result_tensors: Final[list[OpResult]]
    inputs: Final[list[Value]]
    outputs: Final[list[Value]]

class PoolingNwcMinOp(Operation):
    strides: Final[Attribute | None]
    dilations: Final[Attribute | None]
    region: Final[Region]
    result_tensors: Final[list[OpResult]]
    inputs: Final[list[Value]]
    outputs: Final[list[Value]]

class PoolingNwcMinUnsignedOp(Operation):
    strides: Final[Attribute | None]
    dilations: Final[Attribute | None]
    region: Final[Region]
    result_tensors: Final[list[OpResult]]
    inputs: Final[list[Value]]
    outputs: Final[list[Value]]

class PoolingNwcSumOp(Operation):
    strides: Final[Attribute | None]
    dilations: Final[Attribute | None]
    region: Final[Region]
    result_tensors: Final[list[OpResult]]
    inputs: Final[list[Value]]
    outputs: Final[list[Value]]

class PowfOp(Operation):
    region: Final[Region]
    result_tensors: Final[list[OpResult]]
    inputs: Final[list[Value]]
    outputs: Final[list[Value]]

class QuantizedBatchMatmulOp(Operation):
    region: Final[Region]
    result_tensors: Final[list[OpResult]]
    inputs: Final[list[Value]]
    outputs: Final[list[Value]]

class QuantizedMatmulOp(Operation):
    region: Final[Region]
    result_tensors: Final[list[OpResult]]
    inputs: Final[list[Value]]
    outputs: Final[list[Value]]

class ReciprocalOp(Operation):
    region: Final[Region]
    result_tensors: Final[list[OpResult]]
    inputs: Final[list[Value]]
    outputs: Final[list[Value]]

class ReduceOp(Operation):
    dimensions: Final[DenseArrayAttr]
    combiner: Final[Region]
    _result0: Final[list[OpResult]]
    inputs: Final[list[Value]]
    inits: Final[list[Value]]

class RoundOp(Operation):
    region: Final[Region]
    result_tensors: Final[list[OpResult]]
    inputs: Final[list[Value]]
    outputs: Final[list[Value]]

class RsqrtOp(Operation):
    region: Final[Region]
    result_tensors: Final[list[OpResult]]
    inputs: Final[list[Value]]
    outputs: Final[list[Value]]

class SelectOp(Operation):
    region: Final[Region]
    result_tensors: Final[list[OpResult]]
    inputs: Final[list[Value]]
    outputs: Final[list[Value]]

class SoftmaxOp(Operation):
    dimension: Final[IntegerAttr]
    input: Final[Value]
    output: Final[Value]

class SqrtOp(Operation):
    region: Final[Region]
    result_tensors: Final[list[OpResult]]
    inputs: Final[list[Value]]
    outputs: Final[list[Value]]

class SquareOp(Operation):
    region: Final[Region]
    result_tensors: Final[list[OpResult]]
    inputs: Final[list[Value]]
    outputs: Final[list[Value]]

class SubOp(Operation):
    region: Final[Region]
    result_tensors: Final[list[OpResult]]
    inputs: Final[list[Value]]
    outputs: Final[list[Value]]

class TanhOp(Operation):
    region: Final[Region]
    result_tensors: Final[list[OpResult]]
    inputs: Final[list[Value]]
    outputs: Final[list[Value]]

class TransposeOp(Operation):
    permutation: Final[DenseArrayAttr]
    region: Final[Region]
    input: Final[Value]
    init: Final[Value]

class UnpackOp(Operation):
    outer_dims_perm: Final[DenseArrayAttr]
    inner_dims_pos: Final[DenseArrayAttr]
    static_inner_tiles: Final[DenseArrayAttr]
    source: Final[Value]
    dest: Final[Value]
    inner_tiles: Final[list[Value]]

class VecmatOp(Operation):
    region: Final[Region]
    result_tensors: Final[list[OpResult]]
    inputs: Final[list[Value]]
    outputs: Final[list[Value]]

class WinogradFilterTransformOp(Operation):
    fmr: Final[IntegerAttr]
    filter: Final[Value]
    output: Final[Value]

class WinogradInputTransformOp(Operation):
    fmr: Final[IntegerAttr]
    input: Final[Value]
    output: Final[Value]

class WinogradOutputTransformOp(Operation):
    fmr: Final[IntegerAttr]
    value: Final[Value]
    output: Final[Value]

class YieldOp(Operation):
    values: Final[list[Value]]
