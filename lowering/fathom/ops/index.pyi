from typing import Final

from fathom.ir.attributes import Attribute, IntegerAttr
from fathom.ir.operation import Operation, OpResult, Value

class AddOp(Operation):
    lhs: Final[Value]
    rhs: Final[Value]

class AndOp(Operation):
    lhs: Final[Value]
    rhs: Final[Value]

class BoolConstantOp(Operation):
    value: Final[IntegerAttr]

class CastsOp(Operation):
    output: Final[OpResult]
    input: Final[Value]

class CastuOp(Operation):
    output: Final[OpResult]
    input: Final[Value]

class CeildivsOp(Operation):
    lhs: Final[Value]
    rhs: Final[Value]

class CeildivuOp(Operation):
    lhs: Final[Value]
    rhs: Final[Value]

class CmpOp(Operation):
    pred: Final[Attribute]
    lhs: Final[Value]
    rhs: Final[Value]

class ConstantOp(Operation):
    value: Final[IntegerAttr]

class DivsOp(Operation):
    lhs: Final[Value]
    rhs: Final[Value]

class DivuOp(Operation):
    lhs: Final[Value]
    rhs: Final[Value]

class FloordivsOp(Operation):
    lhs: Final[Value]
    rhs: Final[Value]

class MaxsOp(Operation):
    lhs: Final[Value]
    rhs: Final[Value]

class MaxuOp(Operation):
    lhs: Final[Value]
    rhs: Final[Value]

class MinsOp(Operation):
    lhs: Final[Value]
    rhs: Final[Value]

class MinuOp(Operation):
    lhs: Final[Value]
    rhs: Final[Value]

class MulOp(Operation):
    lhs: Final[Value]
    rhs: Final[Value]

class OrOp(Operation):
    lhs: Final[Value]
    rhs: Final[Value]

class RemsOp(Operation):
    lhs: Final[Value]
    rhs: Final[Value]

class RemuOp(Operation):
    lhs: Final[Value]
    rhs: Final[Value]

class ShlOp(Operation):
    lhs: Final[Value]
    rhs: Final[Value]

class ShrsOp(Operation):
    lhs: Final[Value]
    rhs: Final[Value]

class ShruOp(Operation):
    lhs: Final[Value]
    rhs: Final[Value]

class SizeofOp(Operation): ...

class SubOp(Operation):
    lhs: Final[Value]
    rhs: Final[Value]

class XorOp(Operation):
    lhs: Final[Value]
    rhs: Final[Value]
