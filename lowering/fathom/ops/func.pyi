from typing import Final

from fathom.ir.attributes import ArrayAttr, StringAttr, SymbolRefAttr, TypeAttr, UnitAttr
from fathom.ir.operation import Operation, Region, Value

class CallIndirectOp(Operation):
    arg_attrs: Final[ArrayAttr | None]
    res_attrs: Final[ArrayAttr | None]
    callee: Final[Value]
    callee_operands: Final[list[Value]]

class CallOp(Operation):
    callee: Final[SymbolRefAttr]
    arg_attrs: Final[ArrayAttr | None]
    res_attrs: Final[ArrayAttr | None]
    no_inline: Final[UnitAttr | None]

class ConstantOp(Operation):
    value: Final[SymbolRefAttr]

class FuncOp(Operation):
    sym_name: Final[StringAttr]
    function_type: Final[TypeAttr]
    sym_visibility: Final[StringAttr | None]
    arg_attrs: Final[ArrayAttr | None]
    res_attrs: Final[ArrayAttr | None]
    no_inline: Final[UnitAttr | None]
    body: Final[Region]

class ReturnOp(Operation): ...
