from typing import Final

from fathom.ir.attributes import Attribute, DenseArrayAttr, StringAttr
from fathom.ir.operation import Block, Operation, Value

class AssertOp(Operation):
    msg: Final[StringAttr]
    arg: Final[Value]

class BrOp(Operation):
    dest: Final[Block]
    destOperands: Final[list[Value]]

class CondBrOp(Operation):
    branch_weights: Final[DenseArrayAttr | None]
    trueDest: Final[Block]
    falseDest: Final[Block]
    condition: Final[Value]
    trueDestOperands: Final[list[Value]]
    falseDestOperands: Final[list[Value]]

class SwitchOp(Operation):
    case_values: Final[Attribute | None]
    case_operand_segments: Final[DenseArrayAttr]
    defaultDestination: Final[Block]
    caseDestinations: Final[list[Block]]
    flag: Final[Value]
    defaultOperands: Final[list[Value]]
    caseOperands: Final[list[Value]]
