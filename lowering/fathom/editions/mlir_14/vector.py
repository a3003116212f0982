"""The vector dialect of MLIR 14: a reduction says its kind as a string, and the type of an extracted part follows from
that of the vector.

Source of the rules: *'vector' Dialect* of MLIR 14, "Operations"; observed behaviour of mlir-opt 14.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from fathom.ir.attributes import ArrayAttr
from fathom.ir.types import VectorType
from fathom.irdl.clauses import two_way
from fathom.irdl.code import DialectCode, OpCode

if TYPE_CHECKING:
    from fathom.ir.types import Type
    from fathom.irdl.protocols import ParsedOp, Resolver


def _count(resolver: Resolver, name: str) -> int:
    """How many numbers an attribute lists."""
    value = resolver.properties.get(name)
    return len(value.elements) if isinstance(value, ArrayAttr) else 0


def _vector(resolver: Resolver, parsed: ParsedOp, name: str) -> VectorType:
    """The vector type that is written for an operand."""
    node = parsed.types[name][0]
    type = resolver.type(node)
    if not isinstance(type, VectorType):
        resolver.fail(f"custom op '{parsed.name}' expected vector type", node.start)
    return type


def _resolve_extract(resolver: Resolver, parsed: ParsedOp, _: None) -> None:
    type = _vector(resolver, parsed, "vector")
    depth, shape = _count(resolver, "position"), type.ranked_shape
    if depth > len(shape):
        resolver.fail(f"custom op '{parsed.name}' expected position attribute of rank smaller than vector rank")
    part: Type = VectorType(shape[depth:], type.element) if depth < len(shape) else type.element
    resolver.operands = [resolver.operand(parsed.operands["vector"][0], type)]
    resolver.result_types = [part]


def _resolve_shuffle(resolver: Resolver, parsed: ParsedOp, _: None) -> None:
    first, second = (_vector(resolver, parsed, name) for name in ("v1", "v2"))
    count = _count(resolver, "mask")
    operands = zip(("v1", "v2"), (first, second), strict=True)
    resolver.operands = [resolver.operand(parsed.operands[name][0], type) for name, type in operands]
    resolver.result_types = [VectorType((max(count, 1), *first.ranked_shape[1:]), first.element)]


CODE: Final = DialectCode(
    {
        "extract": OpCode(custom=two_way("$vector `` $position attr-dict `:` type($vector)", _resolve_extract)),
        "shuffle": OpCode(custom=two_way("$v1 `,` $v2 $mask attr-dict `:` type($v1) `,` type($v2)", _resolve_shuffle)),
    }
)
