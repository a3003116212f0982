from typing import Final

from fathom.ir.attributes import ArrayAttr, Attribute, DictAttr, IntegerAttr, StringAttr, TypeAttr
from fathom.ir.operation import Operation, OpResult, Region, Value

class AddOp(Operation):
    lhs: Final[Value]
    rhs: Final[Value]

class AnyOp(Operation):
    inputs: Final[list[Value]]

class AssumingAllOp(Operation):
    inputs: Final[list[Value]]

class AssumingOp(Operation):
    doRegion: Final[Region]
    witness: Final[Value]

class AssumingYieldOp(Operation): ...

class BroadcastOp(Operation):
    error: Final[StringAttr | None]
    shapes: Final[list[Value]]

class ConcatOp(Operation):
    lhs: Final[Value]
    rhs: Final[Value]

class ConstShapeOp(Operation):
    shape: Final[Attribute]

class ConstSizeOp(Operation):
    value: Final[IntegerAttr]

class ConstWitnessOp(Operation):
    passing: Final[IntegerAttr]

class CstrBroadcastableOp(Operation):
    shapes: Final[list[Value]]

class CstrEqOp(Operation):
    shapes: Final[list[Value]]

class CstrRequireOp(Operation):
    msg: Final[StringAttr]
    pred: Final[Value]

class DebugPrintOp(Operation):
    output: Final[OpResult]
    input: Final[Value]

class DimOp(Operation):
    extent: Final[OpResult]
    value: Final[Value]
    index: Final[Value]

class DivOp(Operation):
    lhs: Final[Value]
    rhs: Final[Value]

class FromExtentTensorOp(Operation):
    input: Final[Value]

class FromExtentsOp(Operation):
    shape: Final[OpResult]
    extents: Final[list[Value]]

class FuncOp(Operation):
    sym_name: Final[StringAttr]
    function_type: Final[TypeAttr]
    arg_attrs: Final[ArrayAttr | None]
    res_attrs: Final[ArrayAttr | None]
    sym_visibility: Final[StringAttr | None]
    body: Final[Region]

class FunctionLibraryOp(Operation):
    sym_name: Final[StringAttr]
    sym_visibility: Final[StringAttr | None]
    mapping: Final[DictAttr]
    body: Final[Region]

class GetExtentOp(Operation):
    extent: Final[OpResult]
    shape: Final[Value]
    dim: Final[Value]

class IndexToSizeOp(Operation):
    arg: Final[Value]

class IsBroadcastableOp(Operation):
    shapes: Final[list[Value]]

class MaxOp(Operation):
    lhs: Final[Value]
    rhs: Final[Value]

class MeetOp(Operation):
    error: Final[StringAttr | None]
    arg0: Final[Value]
    arg1: Final[Value]

class MinOp(Operation):
    lhs: Final[Value]
    rhs: Final[Value]

class MulOp(Operation):
    lhs: Final[Value]
    rhs: Final[Value]

class NumElementsOp(Operation):
    shape: Final[Value]

class RankOp(Operation):
    rank: Final[OpResult]
    shape: Final[Value]

class ReduceOp(Operation):
    region: Final[Region]
    shape: Final[Value]
    initVals: Final[list[Value]]

class ReturnOp(Operation): ...

class ShapeEqOp(Operation):
    shapes: Final[list[Value]]

class ShapeOfOp(Operation):
    arg: Final[Value]

class SizeToIndexOp(Operation):
    arg: Final[Value]

class SplitAtOp(Operation):
    head: Final[OpResult]
    tail: Final[OpResult]
    operand: Final[Value]
    index: Final[Value]

class ToExtentTensorOp(Operation):
    input: Final[Value]

class ValueAsShapeOp(Operation):
    arg: Final[Value]

class ValueOfOp(Operation):
    arg: Final[Value]

class WithShapeOp(Operation):
    operand: Final[Value]
    shape: Final[Value]

class YieldOp(Operation): ...
