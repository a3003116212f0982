"""The operations of quant (`fathom.ops`). Made by `make dialects`: do not edit."""

from fathom.ops import OpClass

DcastOp = OpClass("quant.dcast")
QcastOp = OpClass("quant.qcast")
ScastOp = OpClass("quant.scast")
