"""The operations of cf (`fathom.ops`). Made by `make dialects`: do not edit."""

from fathom.ops import OpClass

AssertOp = OpClass("cf.assert")
BrOp = OpClass("cf.br")
CondBrOp = OpClass("cf.cond_br")
SwitchOp = OpClass("cf.switch")
