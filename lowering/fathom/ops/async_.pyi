from typing import Final

from fathom.ir.attributes import ArrayAttr, IntegerAttr, StringAttr, SymbolRefAttr, TypeAttr
from fathom.ir.operation import Block, Operation, OpResult, Region, Value

class AddToGroupOp(Operation):
    rank: Final[OpResult]
    operand: Final[Value]
    group: Final[Value]

class AwaitAllOp(Operation):
    operand: Final[Value]

class AwaitOp(Operation):
    operand: Final[Value]

class CallOp(Operation):
    callee: Final[SymbolRefAttr]
    arg_attrs: Final[ArrayAttr | None]
    res_attrs: Final[ArrayAttr | None]
    _result0: Final[list[OpResult]]

class CoroBeginOp(Operation):
    handle: Final[OpResult]
    id: Final[Value]

class CoroEndOp(Operation):
    handle: Final[Value]

class CoroFreeOp(Operation):
    id: Final[Value]
    handle: Final[Value]

class CoroIdOp(Operation):
    id: Final[OpResult]

class CoroSaveOp(Operation):
    state: Final[OpResult]
    handle: Final[Value]

class CoroSuspendOp(Operation):
    suspendDest: Final[Block]
    resumeDest: Final[Block]
    cleanupDest: Final[Block]
    state: Final[Value]

class CreateGroupOp(Operation):
    size: Final[Value]

class ExecuteOp(Operation):
    bodyRegion: Final[Region]
    token: Final[OpResult]
    bodyResults: Final[list[OpResult]]
    dependencies: Final[list[Value]]
    bodyOperands: Final[list[Value]]

class FuncOp(Operation):
    sym_name: Final[StringAttr]
    function_type: Final[TypeAttr]
    sym_visibility: Final[StringAttr | None]
    arg_attrs: Final[ArrayAttr | None]
    res_attrs: Final[ArrayAttr | None]
    body: Final[Region]

class ReturnOp(Operation): ...

class RuntimeAddRefOp(Operation):
    count: Final[IntegerAttr]
    operand: Final[Value]

class RuntimeAddToGroupOp(Operation):
    rank: Final[OpResult]
    operand: Final[Value]
    group: Final[Value]

class RuntimeAwaitAndResumeOp(Operation):
    operand: Final[Value]
    handle: Final[Value]

class RuntimeAwaitOp(Operation):
    operand: Final[Value]

class RuntimeCreateGroupOp(Operation):
    size: Final[Value]

class RuntimeCreateOp(Operation): ...

class RuntimeDropRefOp(Operation):
    count: Final[IntegerAttr]
    operand: Final[Value]

class RuntimeIsErrorOp(Operation):
    is_error: Final[OpResult]
    operand: Final[Value]

class RuntimeLoadOp(Operation):
    storage: Final[Value]

class RuntimeNumWorkerThreadsOp(Operation): ...

class RuntimeResumeOp(Operation):
    handle: Final[Value]

class RuntimeSetAvailableOp(Operation):
    operand: Final[Value]

class RuntimeSetErrorOp(Operation):
    operand: Final[Value]

class RuntimeStoreOp(Operation):
    value: Final[Value]
    storage: Final[Value]

class YieldOp(Operation): ...
