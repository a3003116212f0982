from typing import Final

from fathom.ir.attributes import Attribute, EnumAttr, IntegerAttr, UnitAttr
from fathom.ir.operation import Operation, OpResult, Value

class AddfOp(Operation):
    fastmath: Final[EnumAttr]
    lhs: Final[Value]
    rhs: Final[Value]

class AddiOp(Operation):
    overflowFlags: Final[EnumAttr]
    lhs: Final[Value]
    rhs: Final[Value]

class AdduiExtendedOp(Operation):
    sum: Final[OpResult]
    overflow: Final[OpResult]
    lhs: Final[Value]
    rhs: Final[Value]

class AndiOp(Operation):
    lhs: Final[Value]
    rhs: Final[Value]

class BitcastOp(Operation):
    out: Final[OpResult]
    in_: Final[Value]

class CeildivsiOp(Operation):
    lhs: Final[Value]
    rhs: Final[Value]

class CeildivuiOp(Operation):
    lhs: Final[Value]
    rhs: Final[Value]

class CmpfOp(Operation):
    predicate: Final[IntegerAttr]
    fastmath: Final[EnumAttr]
    lhs: Final[Value]
    rhs: Final[Value]

class CmpiOp(Operation):
    predicate: Final[IntegerAttr]
    lhs: Final[Value]
    rhs: Final[Value]

class ConstantOp(Operation):
    value: Final[Attribute]

class DivfOp(Operation):
    fastmath: Final[EnumAttr]
    lhs: Final[Value]
    rhs: Final[Value]

class DivsiOp(Operation):
    isExact: Final[UnitAttr | None]
    lhs: Final[Value]
    rhs: Final[Value]

class DivuiOp(Operation):
    isExact: Final[UnitAttr | None]
    lhs: Final[Value]
    rhs: Final[Value]

class ExtfOp(Operation):
    fastmath: Final[EnumAttr | None]
    out: Final[OpResult]
    in_: Final[Value]

class ExtsiOp(Operation):
    out: Final[OpResult]
    in_: Final[Value]

class ExtuiOp(Operation):
    out: Final[OpResult]
    in_: Final[Value]

class FloordivsiOp(Operation):
    lhs: Final[Value]
    rhs: Final[Value]

class FptosiOp(Operation):
    out: Final[OpResult]
    in_: Final[Value]

class FptouiOp(Operation):
    out: Final[OpResult]
    in_: Final[Value]

class IndexCastOp(Operation):
    out: Final[OpResult]
    in_: Final[Value]

class IndexCastuiOp(Operation):
    out: Final[OpResult]
    in_: Final[Value]

class MaximumfOp(Operation):
    fastmath: Final[EnumAttr]
    lhs: Final[Value]
    rhs: Final[Value]

class MaxnumfOp(Operation):
    fastmath: Final[EnumAttr]
    lhs: Final[Value]
    rhs: Final[Value]

class MaxsiOp(Operation):
    lhs: Final[Value]
    rhs: Final[Value]

class MaxuiOp(Operation):
    lhs: Final[Value]
    rhs: Final[Value]

class MinimumfOp(Operation):
    fastmath: Final[EnumAttr]
    lhs: Final[Value]
    rhs: Final[Value]

class MinnumfOp(Operation):
    fastmath: Final[EnumAttr]
    lhs: Final[Value]
    rhs: Final[Value]

class MinsiOp(Operation):
    lhs: Final[Value]
    rhs: Final[Value]

class MinuiOp(Operation):
    lhs: Final[Value]
    rhs: Final[Value]

class MulfOp(Operation):
    fastmath: Final[EnumAttr]
    lhs: Final[Value]
    rhs: Final[Value]

class MuliOp(Operation):
    overflowFlags: Final[EnumAttr]
    lhs: Final[Value]
    rhs: Final[Value]

class MulsiExtendedOp(Operation):
    low: Final[OpResult]
    high: Final[OpResult]
    lhs: Final[Value]
    rhs: Final[Value]

class MuluiExtendedOp(Operation):
    low: Final[OpResult]
    high: Final[OpResult]
    lhs: Final[Value]
    rhs: Final[Value]

class NegfOp(Operation):
    fastmath: Final[EnumAttr]
    operand: Final[Value]

class OriOp(Operation):
    lhs: Final[Value]
    rhs: Final[Value]

class RemfOp(Operation):
    fastmath: Final[EnumAttr]
    lhs: Final[Value]
    rhs: Final[Value]

class RemsiOp(Operation):
    lhs: Final[Value]
    rhs: Final[Value]

class RemuiOp(Operation):
    lhs: Final[Value]
    rhs: Final[Value]

class ScalingExtfOp(Operation):
    fastmath: Final[EnumAttr | None]
    out: Final[OpResult]
    in_: Final[Value]
    scale: Final[Value]

class ScalingTruncfOp(Operation):
    roundingmode: Final[IntegerAttr | None]
    fastmath: Final[EnumAttr | None]
    out: Final[OpResult]
    in_: Final[Value]
    scale: Final[Value]

class SelectOp(Operation):
    condition: Final[Value]
    true_value: Final[Value]
    false_value: Final[Value]

class ShliOp(Operation):
    overflowFlags: Final[EnumAttr]
    lhs: Final[Value]
    rhs: Final[Value]

class ShrsiOp(Operation):
    isExact: Final[UnitAttr | None]
    lhs: Final[Value]
    rhs: Final[Value]

class ShruiOp(Operation):
    isExact: Final[UnitAttr | None]
    lhs: Final[Value]
    rhs: Final[Value]

class SitofpOp(Operation):
    out: Final[OpResult]
    in_: Final[Value]

class SubfOp(Operation):
    fastmath: Final[EnumAttr]
    lhs: Final[Value]
    rhs: Final[Value]

class SubiOp(Operation):
    overflowFlags: Final[EnumAttr]
    lhs: Final[Value]
    rhs: Final[Value]

class TruncfOp(Operation):
    roundingmode: Final[IntegerAttr | None]
    fastmath: Final[EnumAttr | None]
    out: Final[OpResult]
    in_: Final[Value]

class TrunciOp(Operation):
    overflowFlags: Final[EnumAttr]
    out: Final[OpResult]
    in_: Final[Value]

class UitofpOp(Operation):
    out: Final[OpResult]
    in_: Final[Value]

class XoriOp(Operation):
    lhs: Final[Value]
    rhs: Final[Value]
