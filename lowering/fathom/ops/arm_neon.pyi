from typing import Final

from fathom.ir.operation import Operation, OpResult, Value

class IntrBfmmlaOp(Operation):
    res: Final[OpResult]
    acc: Final[Value]
    src1: Final[Value]
    src2: Final[Value]

class IntrSdotOp(Operation):
    res: Final[OpResult]
    a: Final[Value]
    b: Final[Value]
    c: Final[Value]

class IntrSmmlaOp(Operation):
    res: Final[OpResult]
    acc: Final[Value]
    src1: Final[Value]
    src2: Final[Value]

class IntrSmullOp(Operation):
    res: Final[OpResult]
    a: Final[Value]
    b: Final[Value]

class IntrUmmlaOp(Operation):
    res: Final[OpResult]
    acc: Final[Value]
    src1: Final[Value]
    src2: Final[Value]

class IntrUsmmlaOp(Operation):
    res: Final[OpResult]
    acc: Final[Value]
    src1: Final[Value]
    src2: Final[Value]

class _2dSdotOp(Operation):
    res: Final[OpResult]
    a: Final[Value]
    b: Final[Value]
    c: Final[Value]
