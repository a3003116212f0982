from typing import Final

from fathom.ir.attributes import Attribute
from fathom.ir.operation import Operation, OpResult, Value

class VIvOp(Operation):
    opcode: Final[Attribute]
    imm: Final[Attribute]
    res: Final[OpResult]
    vs2: Final[Value]
    vl: Final[Value | None]

class VSvOp(Operation):
    opcode: Final[Attribute]
    res: Final[OpResult]
    vs2: Final[Value]
    op: Final[Value]
    vl: Final[Value | None]
