"""The rocdl dialect, described in `mlir-22/rocdl.toml`: what LLVM has for GPUs of AMD.

Source of the rules: *'rocdl' Dialect*, and observed behaviour of mlir-opt 22.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from fathom.dialects import description_of
from fathom.dialects.llvm.for_others import ATTRIBUTES, TYPES
from fathom.ir.types import I32, VectorType
from fathom.irdl.clauses import two_way
from fathom.irdl.code import DialectCode, OpCode

if TYPE_CHECKING:
    from fathom.irdl.protocols import ParsedOp, Resolver


def _resolve_buffer(resolver: Resolver, parsed: ParsedOp, _: None) -> None:
    """The type in the text is that of what is read or written."""
    ((node,),) = parsed.types.values()
    data, rest = resolver.type(node), [VectorType((4,), I32), I32, I32, I32]
    is_load = parsed.name == "rocdl.raw.buffer.load"
    resolver.operands = resolver.operand_list(parsed.operands["operands"], rest if is_load else [data, *rest])
    resolver.result_types = [data] if is_load else []


_WRITES: Final = ("store", "atomic.fadd", "atomic.fmax", "atomic.smax", "atomic.umin")

CODE: Final = DialectCode(
    operations={
        f"raw.buffer.{name}": OpCode(custom=two_way(f"operands `:` type(${data})", _resolve_buffer))
        for name, data in (("load", "res"), *((name, "vdata") for name in _WRITES))
    },
    type_constraints=TYPES,
    attribute_constraints=ATTRIBUTES,
)
DESCRIPTION: Final = description_of("rocdl", CODE)
DIALECT: Final = DESCRIPTION.dialect()
