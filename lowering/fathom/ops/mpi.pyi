from typing import Final

from fathom.ir.attributes import Attribute, IntegerAttr
from fathom.ir.operation import Operation, OpResult, Value

class AllreduceOp(Operation):
    op: Final[IntegerAttr]
    retval: Final[OpResult | None]
    sendbuf: Final[Value]
    recvbuf: Final[Value]
    comm: Final[Value]

class BarrierOp(Operation):
    retval: Final[OpResult | None]
    comm: Final[Value]

class CommRankOp(Operation):
    retval: Final[OpResult | None]
    rank: Final[OpResult]
    comm: Final[Value]

class CommSizeOp(Operation):
    retval: Final[OpResult | None]
    size: Final[OpResult]
    comm: Final[Value]

class CommSplitOp(Operation):
    retval: Final[OpResult | None]
    newcomm: Final[OpResult]
    comm: Final[Value]
    color: Final[Value]
    key: Final[Value]

class CommWorldOp(Operation):
    comm: Final[OpResult]

class ErrorClassOp(Operation):
    errclass: Final[OpResult]
    val: Final[Value]

class FinalizeOp(Operation):
    retval: Final[OpResult | None]

class InitOp(Operation):
    retval: Final[OpResult | None]

class IrecvOp(Operation):
    retval: Final[OpResult | None]
    req: Final[OpResult]
    ref: Final[Value]
    tag: Final[Value]
    source: Final[Value]
    comm: Final[Value]

class IsendOp(Operation):
    retval: Final[OpResult | None]
    req: Final[OpResult]
    ref: Final[Value]
    tag: Final[Value]
    dest: Final[Value]
    comm: Final[Value]

class RecvOp(Operation):
    retval: Final[OpResult | None]
    ref: Final[Value]
    tag: Final[Value]
    source: Final[Value]
    comm: Final[Value]

class RetvalCheckOp(Operation):
    errclass: Final[Attribute]
    res: Final[OpResult]
    val: Final[Value]

class SendOp(Operation):
    retval: Final[OpResult | None]
    ref: Final[Value]
    tag: Final[Value]
    dest: Final[Value]
    comm: Final[Value]

class WaitOp(Operation):
    retval: Final[OpResult | None]
    req: Final[Value]
