from typing import Final

from fathom.ir.attributes import ArrayAttr, Attribute, StringAttr, SymbolRefAttr, TypeAttr, UnitAttr
from fathom.ir.operation import Operation, OpResult, Region, Value

class FuncOp(Operation):
    sym_name: Final[StringAttr]
    function_type: Final[TypeAttr]
    arg_attrs: Final[ArrayAttr | None]
    res_attrs: Final[ArrayAttr | None]
    sym_visibility: Final[StringAttr | None]
    body: Final[Region]

class GlobalLoadConstOp(Operation):
    global_: Final[SymbolRefAttr]

class GlobalLoadGraphOp(Operation):
    global_: Final[SymbolRefAttr]
    produceToken: Final[OpResult]
    consumeTokens: Final[list[Value]]

class GlobalLoadOp(Operation):
    global_: Final[SymbolRefAttr]

class GlobalOp(Operation):
    sym_name: Final[StringAttr]
    type: Final[TypeAttr]
    is_mutable: Final[UnitAttr | None]
    value: Final[Attribute | None]
    sym_visibility: Final[StringAttr | None]

class GlobalStoreGraphOp(Operation):
    global_: Final[SymbolRefAttr]
    produceToken: Final[OpResult]
    value: Final[Value]
    consumeTokens: Final[list[Value]]

class GlobalStoreOp(Operation):
    global_: Final[SymbolRefAttr]
    value: Final[Value]

class OutputOp(Operation): ...
class ReturnOp(Operation): ...

class SubgraphOp(Operation):
    sym_name: Final[StringAttr]
    function_type: Final[TypeAttr]
    arg_attrs: Final[ArrayAttr | None]
    res_attrs: Final[ArrayAttr | None]
    sym_visibility: Final[StringAttr | None]
    body: Final[Region]

class TokenOp(Operation):
    token: Final[OpResult]
