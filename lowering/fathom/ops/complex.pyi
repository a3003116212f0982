from typing import Final

from fathom.ir.attributes import ArrayAttr, EnumAttr
from fathom.ir.operation import Operation, OpResult, Value

class AbsOp(Operation):
    fastmath: Final[EnumAttr]
    complex: Final[Value]

class AddOp(Operation):
    fastmath: Final[EnumAttr]
    lhs: Final[Value]
    rhs: Final[Value]

class AngleOp(Operation):
    fastmath: Final[EnumAttr]
    complex: Final[Value]

class Atan2Op(Operation):
    fastmath: Final[EnumAttr]
    lhs: Final[Value]
    rhs: Final[Value]

class BitcastOp(Operation):
    operand: Final[Value]

class ConjOp(Operation):
    fastmath: Final[EnumAttr]
    complex: Final[Value]

class ConstantOp(Operation):
    value: Final[ArrayAttr]
    complex: Final[OpResult]

class CosOp(Operation):
    fastmath: Final[EnumAttr]
    complex: Final[Value]

class CreateOp(Operation):
    complex: Final[OpResult]
    real: Final[Value]
    imaginary: Final[Value]

class DivOp(Operation):
    fastmath: Final[EnumAttr]
    lhs: Final[Value]
    rhs: Final[Value]

class EqOp(Operation):
    lhs: Final[Value]
    rhs: Final[Value]

class ExpOp(Operation):
    fastmath: Final[EnumAttr]
    complex: Final[Value]

class Expm1Op(Operation):
    fastmath: Final[EnumAttr]
    complex: Final[Value]

class ImOp(Operation):
    fastmath: Final[EnumAttr]
    imaginary: Final[OpResult]
    complex: Final[Value]

class Log1pOp(Operation):
    fastmath: Final[EnumAttr]
    complex: Final[Value]

class LogOp(Operation):
    fastmath: Final[EnumAttr]
    complex: Final[Value]

class MulOp(Operation):
    fastmath: Final[EnumAttr]
    lhs: Final[Value]
    rhs: Final[Value]

class NegOp(Operation):
    fastmath: Final[EnumAttr]
    complex: Final[Value]

class NeqOp(Operation):
    lhs: Final[Value]
    rhs: Final[Value]

class PowOp(Operation):
    fastmath: Final[EnumAttr]
    lhs: Final[Value]
    rhs: Final[Value]

class PowiOp(Operation):
    fastmath: Final[EnumAttr | None]
    lhs: Final[Value]
    rhs: Final[Value]

class ReOp(Operation):
    fastmath: Final[EnumAttr]
    real: Final[OpResult]
    complex: Final[Value]

class RsqrtOp(Operation):
    fastmath: Final[EnumAttr]
    complex: Final[Value]

class SignOp(Operation):
    fastmath: Final[EnumAttr]
    complex: Final[Value]

class SinOp(Operation):
    fastmath: Final[EnumAttr]
    complex: Final[Value]

class SqrtOp(Operation):
    fastmath: Final[EnumAttr]
    complex: Final[Value]

class SubOp(Operation):
    fastmath: Final[EnumAttr]
    lhs: Final[Value]
    rhs: Final[Value]

class TanOp(Operation):
    fastmath: Final[EnumAttr]
    complex: Final[Value]

class TanhOp(Operation):
    fastmath: Final[EnumAttr]
    complex: Final[Value]
