"""The operations of func (`fathom.ops`). Made by `make dialects`: do not edit."""

from fathom.ops import OpClass

CallIndirectOp = OpClass("func.call_indirect")
CallOp = OpClass("func.call")
ConstantOp = OpClass("func.constant")
FuncOp = OpClass("func.func")
ReturnOp = OpClass("func.return")
