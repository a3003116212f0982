"""The rocdl dialect, described in `mlir-22/rocdl.toml`: what LLVM has for GPUs of AMD.

Source of the rules: *'rocdl' Dialect*, and observed behaviour of mlir-opt 22.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from fathom.dialects import load_described
from fathom.dialects.llvm.for_others import ATTRIBUTES, TYPES
from fathom.ir.types import I32, VectorType
from fathom.irdl.code import DialectCode, OpCode
from fathom.irdl.definition import CustomSyntax, Problem
from fathom.irdl.verifying import AttributeChecks
from fathom.ops.llvm import FuncOp

if TYPE_CHECKING:
    from fathom.ir.attributes import Attribute
    from fathom.ir.operation import Operation
    from fathom.irdl.protocols import OpParser, OpPrinter, ParsedOp, Resolver


def _on_operation(op: Operation, name: str, value: Attribute) -> Problem | None:
    del value
    if name == "rocdl.kernel" and not isinstance(op, FuncOp):
        return Problem("'\"rocdl.kernel\"' attribute attached to unexpected op", bare=True)
    return None


def _parse_buffer(parser: OpParser, parsed: ParsedOp) -> None:
    """`%data, %resource, %offset, %further, %auxiliary : f32`; nothing is written by a load."""
    parsed.operands["operands"] = parser.bare_value_list()
    parser.expect(":")
    parsed.types["data"] = [parser.type()]


def _resolve_buffer(resolver: Resolver, parsed: ParsedOp, _: None) -> None:
    data, rest = resolver.type(parsed.types["data"][0]), [VectorType((4,), I32), I32, I32, I32]
    is_load = parsed.name == "rocdl.raw.buffer.load"
    resolver.operands = resolver.operand_list(parsed.operands["operands"], rest if is_load else [data, *rest])
    resolver.result_types = [data] if is_load else []


def _print_buffer(op: Operation, p: OpPrinter) -> None:
    p.write(" ")
    p.values(op.operands)
    p.write(" : ")
    p.type(op.results[0].type if op.results else op.operands[0].type)


_BUFFER: Final = OpCode(custom=CustomSyntax(_parse_buffer, _print_buffer, _resolve_buffer))
_ACCESSES: Final = ("load", "store", "atomic.fadd", "atomic.fmax", "atomic.smax", "atomic.umin")

CODE: Final = DialectCode(
    operations={f"raw.buffer.{name}": _BUFFER for name in _ACCESSES},
    type_constraints=TYPES,
    attribute_constraints=ATTRIBUTES,
)
ATTRIBUTE_CHECKS: Final = AttributeChecks(_on_operation)
DIALECT: Final = load_described("rocdl", CODE)
