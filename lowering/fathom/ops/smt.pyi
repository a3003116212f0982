from typing import Final

from fathom.ir.attributes import ArrayAttr, Attribute, IntegerAttr, StringAttr, UnitAttr
from fathom.ir.operation import Operation, Region, Value

class AndOp(Operation):
    inputs: Final[list[Value]]

class ApplyFuncOp(Operation):
    func: Final[Value]
    args: Final[list[Value]]

class ArrayBroadcastOp(Operation):
    value: Final[Value]

class ArraySelectOp(Operation):
    array: Final[Value]
    index: Final[Value]

class ArrayStoreOp(Operation):
    array: Final[Value]
    index: Final[Value]
    value: Final[Value]

class AssertOp(Operation):
    input: Final[Value]

class Bv2intOp(Operation):
    is_signed: Final[UnitAttr | None]
    input: Final[Value]

class BvAddOp(Operation):
    lhs: Final[Value]
    rhs: Final[Value]

class BvAndOp(Operation):
    lhs: Final[Value]
    rhs: Final[Value]

class BvAshrOp(Operation):
    lhs: Final[Value]
    rhs: Final[Value]

class BvCmpOp(Operation):
    pred: Final[IntegerAttr]
    lhs: Final[Value]
    rhs: Final[Value]

class BvConcatOp(Operation):
    lhs: Final[Value]
    rhs: Final[Value]

class BvConstantOp(Operation):
    value: Final[Attribute]

class BvExtractOp(Operation):
    lowBit: Final[IntegerAttr]
    input: Final[Value]

class BvLshrOp(Operation):
    lhs: Final[Value]
    rhs: Final[Value]

class BvMulOp(Operation):
    lhs: Final[Value]
    rhs: Final[Value]

class BvNegOp(Operation):
    input: Final[Value]

class BvNotOp(Operation):
    input: Final[Value]

class BvOrOp(Operation):
    lhs: Final[Value]
    rhs: Final[Value]

class BvRepeatOp(Operation):
    input: Final[Value]

class BvSdivOp(Operation):
    lhs: Final[Value]
    rhs: Final[Value]

class BvShlOp(Operation):
    lhs: Final[Value]
    rhs: Final[Value]

class BvSmodOp(Operation):
    lhs: Final[Value]
    rhs: Final[Value]

class BvSremOp(Operation):
    lhs: Final[Value]
    rhs: Final[Value]

class BvUdivOp(Operation):
    lhs: Final[Value]
    rhs: Final[Value]

class BvUremOp(Operation):
    lhs: Final[Value]
    rhs: Final[Value]

class BvXorOp(Operation):
    lhs: Final[Value]
    rhs: Final[Value]

class CheckOp(Operation):
    satRegion: Final[Region]
    unknownRegion: Final[Region]
    unsatRegion: Final[Region]

class ConstantOp(Operation):
    value: Final[IntegerAttr]

class DeclareFunOp(Operation):
    namePrefix: Final[StringAttr | None]

class DistinctOp(Operation):
    inputs: Final[list[Value]]

class EqOp(Operation):
    inputs: Final[list[Value]]

class ExistsOp(Operation):
    weight: Final[IntegerAttr]
    noPattern: Final[UnitAttr | None]
    boundVarNames: Final[ArrayAttr | None]
    body: Final[Region]
    patterns: Final[list[Region]]

class ForallOp(Operation):
    weight: Final[IntegerAttr]
    noPattern: Final[UnitAttr | None]
    boundVarNames: Final[ArrayAttr | None]
    body: Final[Region]
    patterns: Final[list[Region]]

class ImpliesOp(Operation):
    lhs: Final[Value]
    rhs: Final[Value]

class Int2bvOp(Operation):
    input: Final[Value]

class IntAbsOp(Operation):
    input: Final[Value]

class IntAddOp(Operation):
    inputs: Final[list[Value]]

class IntCmpOp(Operation):
    pred: Final[IntegerAttr]
    lhs: Final[Value]
    rhs: Final[Value]

class IntConstantOp(Operation):
    value: Final[IntegerAttr]

class IntDivOp(Operation):
    lhs: Final[Value]
    rhs: Final[Value]

class IntModOp(Operation):
    lhs: Final[Value]
    rhs: Final[Value]

class IntMulOp(Operation):
    inputs: Final[list[Value]]

class IntSubOp(Operation):
    lhs: Final[Value]
    rhs: Final[Value]

class IteOp(Operation):
    cond: Final[Value]
    thenValue: Final[Value]
    elseValue: Final[Value]

class NotOp(Operation):
    input: Final[Value]

class OrOp(Operation):
    inputs: Final[list[Value]]

class PopOp(Operation):
    count: Final[IntegerAttr]

class PushOp(Operation):
    count: Final[IntegerAttr]

class ResetOp(Operation): ...

class SetLogicOp(Operation):
    logic: Final[StringAttr]

class SolverOp(Operation):
    bodyRegion: Final[Region]
    inputs: Final[list[Value]]

class XorOp(Operation):
    inputs: Final[list[Value]]

class YieldOp(Operation):
    values: Final[list[Value]]
