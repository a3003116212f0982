from typing import Final

from fathom.ir.attributes import EnumAttr
from fathom.ir.operation import Operation, OpResult, Value

class AbsfOp(Operation):
    fastmath: Final[EnumAttr]
    operand: Final[Value]

class AbsiOp(Operation):
    operand: Final[Value]

class AcosOp(Operation):
    fastmath: Final[EnumAttr]
    operand: Final[Value]

class AcoshOp(Operation):
    fastmath: Final[EnumAttr]
    operand: Final[Value]

class AsinOp(Operation):
    fastmath: Final[EnumAttr]
    operand: Final[Value]

class AsinhOp(Operation):
    fastmath: Final[EnumAttr]
    operand: Final[Value]

class Atan2Op(Operation):
    fastmath: Final[EnumAttr]
    lhs: Final[Value]
    rhs: Final[Value]

class AtanOp(Operation):
    fastmath: Final[EnumAttr]
    operand: Final[Value]

class AtanhOp(Operation):
    fastmath: Final[EnumAttr]
    operand: Final[Value]

class CbrtOp(Operation):
    fastmath: Final[EnumAttr]
    operand: Final[Value]

class CeilOp(Operation):
    fastmath: Final[EnumAttr]
    operand: Final[Value]

class ClampfOp(Operation):
    fastmath: Final[EnumAttr]
    value: Final[Value]
    min: Final[Value]
    max: Final[Value]

class CopysignOp(Operation):
    fastmath: Final[EnumAttr]
    lhs: Final[Value]
    rhs: Final[Value]

class CosOp(Operation):
    fastmath: Final[EnumAttr]
    operand: Final[Value]

class CoshOp(Operation):
    fastmath: Final[EnumAttr]
    operand: Final[Value]

class CtlzOp(Operation):
    operand: Final[Value]

class CtpopOp(Operation):
    operand: Final[Value]

class CttzOp(Operation):
    operand: Final[Value]

class ErfOp(Operation):
    fastmath: Final[EnumAttr]
    operand: Final[Value]

class ErfcOp(Operation):
    fastmath: Final[EnumAttr]
    operand: Final[Value]

class Exp2Op(Operation):
    fastmath: Final[EnumAttr]
    operand: Final[Value]

class ExpOp(Operation):
    fastmath: Final[EnumAttr]
    operand: Final[Value]

class Expm1Op(Operation):
    fastmath: Final[EnumAttr]
    operand: Final[Value]

class FloorOp(Operation):
    fastmath: Final[EnumAttr]
    operand: Final[Value]

class FmaOp(Operation):
    fastmath: Final[EnumAttr]
    a: Final[Value]
    b: Final[Value]
    c: Final[Value]

class FpowiOp(Operation):
    fastmath: Final[EnumAttr]
    lhs: Final[Value]
    rhs: Final[Value]

class IpowiOp(Operation):
    lhs: Final[Value]
    rhs: Final[Value]

class IsfiniteOp(Operation):
    fastmath: Final[EnumAttr]
    operand: Final[Value]

class IsinfOp(Operation):
    fastmath: Final[EnumAttr]
    operand: Final[Value]

class IsnanOp(Operation):
    fastmath: Final[EnumAttr]
    operand: Final[Value]

class IsnormalOp(Operation):
    fastmath: Final[EnumAttr]
    operand: Final[Value]

class Log10Op(Operation):
    fastmath: Final[EnumAttr]
    operand: Final[Value]

class Log1pOp(Operation):
    fastmath: Final[EnumAttr]
    operand: Final[Value]

class Log2Op(Operation):
    fastmath: Final[EnumAttr]
    operand: Final[Value]

class LogOp(Operation):
    fastmath: Final[EnumAttr]
    operand: Final[Value]

class PowfOp(Operation):
    fastmath: Final[EnumAttr]
    lhs: Final[Value]
    rhs: Final[Value]

class RoundOp(Operation):
    fastmath: Final[EnumAttr]
    operand: Final[Value]

class RoundevenOp(Operation):
    fastmath: Final[EnumAttr]
    operand: Final[Value]

class RsqrtOp(Operation):
    fastmath: Final[EnumAttr]
    operand: Final[Value]

class SinOp(Operation):
    fastmath: Final[EnumAttr]
    operand: Final[Value]

class SincosOp(Operation):
    fastmath: Final[EnumAttr]
    sin: Final[OpResult]
    cos: Final[OpResult]
    operand: Final[Value]

class SinhOp(Operation):
    fastmath: Final[EnumAttr]
    operand: Final[Value]

class SqrtOp(Operation):
    fastmath: Final[EnumAttr]
    operand: Final[Value]

class TanOp(Operation):
    fastmath: Final[EnumAttr]
    operand: Final[Value]

class TanhOp(Operation):
    fastmath: Final[EnumAttr]
    operand: Final[Value]

class TruncOp(Operation):
    fastmath: Final[EnumAttr]
    operand: Final[Value]
