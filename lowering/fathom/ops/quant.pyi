from typing import Final

from fathom.ir.operation import Operation, Value

class DcastOp(Operation):
    input: Final[Value]

class QcastOp(Operation):
    input: Final[Value]

class ScastOp(Operation):
    input: Final[Value]
