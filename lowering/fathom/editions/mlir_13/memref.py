"""The memref dialect of MLIR 13: a tensor is read from a memref of its shape.

Source of the rules: *'memref' Dialect* of MLIR 13, "Operations"; observed behaviour of mlir-opt 13.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from fathom.editions.former import tensor_of
from fathom.irdl.code import DialectCode, OpCode

if TYPE_CHECKING:
    from fathom.irdl.protocols import ParsedOp, Resolver


def _resolve_load(resolver: Resolver, parsed: ParsedOp) -> None:
    type = resolver.type(parsed.types["memref"][0])
    resolver.operands = [resolver.operand(parsed.operands["memref"][0], type)]
    resolver.result_types = [tensor_of(type)]


def _resolve_cast(resolver: Resolver, parsed: ParsedOp) -> None:
    type = resolver.type(parsed.types["memref"][0])
    resolver.operands = [resolver.operand(parsed.operands["tensor"][0], tensor_of(type))]
    resolver.result_types = [type]


def _resolve_store(resolver: Resolver, parsed: ParsedOp) -> None:
    type = resolver.type(parsed.types["memref"][0])
    tokens = (parsed.operands["tensor"][0], parsed.operands["memref"][0])
    resolver.operands = [resolver.operand(token, of) for token, of in zip(tokens, (tensor_of(type), type), strict=True)]


CODE: Final = DialectCode(
    {
        "buffer_cast": OpCode(resolve=_resolve_cast),
        "tensor_load": OpCode(resolve=_resolve_load),
        "tensor_store": OpCode(resolve=_resolve_store),
    }
)
