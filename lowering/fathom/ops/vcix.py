"""The operations of vcix (`fathom.ops`). Made by `make dialects`: do not edit."""

from fathom.ops import OpClass

VIvOp = OpClass("vcix.v.iv")
VSvOp = OpClass("vcix.v.sv")
