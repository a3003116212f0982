"""The operations of ub (`fathom.ops`). Made by `make dialects`: do not edit."""

from fathom.ops import OpClass

PoisonOp = OpClass("ub.poison")
UnreachableOp = OpClass("ub.unreachable")
