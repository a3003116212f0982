"""The operations of builtin (`fathom.ops`). Made by `make dialects`: do not edit."""

from fathom.ops import OpClass

ModuleOp = OpClass("builtin.module")
UnrealizedConversionCastOp = OpClass("builtin.unrealized_conversion_cast")
