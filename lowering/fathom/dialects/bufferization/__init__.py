"""The bufferization dialect: how tensors become buffers.

Source of the rules: *'bufferization' Dialect*, and observed behaviour of mlir-opt 22.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from fathom.dialects import load_described
from fathom.ir.attributes import DenseArrayAttr
from fathom.ir.types import I1, I32, INDEX, MemRefType, TensorType, Type
from fathom.irdl.clauses import two_way
from fathom.irdl.code import DialectCode, OpCode
from fathom.irdl.constraint import TypeConstraint
from fathom.irdl.definition import Trait, TypeRule
from fathom.irdl.interfaces import Effect, EffectKind, MemoryEffects
from fathom.irdl.kinds import Implements

if TYPE_CHECKING:
    from collections.abc import Sequence

    from fathom.irdl.protocols import ParsedOp, Resolver
    from fathom.ops.bufferization import MaterializeInDestinationOp


def _like(interface: str) -> TypeConstraint:
    return TypeConstraint(f"{interface} instance", Implements(interface))


# What these say of the casts follows from a check that MLIR makes before it.
_IMPLIED: Final = ("SameOperandsAndResultShape", "SameOperandsAndResultElementType")


def _resolve_alloc(resolver: Resolver, parsed: ParsedOp, _: None) -> None:
    (type,) = parsed.types["result"]
    result = resolver.type(type)
    if not isinstance(result, TensorType):
        resolver.fail(f"custom op '{parsed.name}' invalid kind of type specified", type.start)
    groups = {"dynamic_sizes": INDEX, "copy": result, "size_hint": INDEX}
    resolver.operands = [
        resolver.operand(token, group) for name, group in groups.items() for token in parsed.operands.get(name, ())
    ]
    sizes = tuple(len(parsed.operands.get(name, ())) for name in groups)
    resolver.properties["operandSegmentSizes"] = DenseArrayAttr(I32, sizes)
    resolver.result_types = [result]


def _conditions(retained: list[Type]) -> list[Type]:
    """A condition for each memref that is retained."""
    return [I1] * len(retained)


def _effects_on_destination(op: MaterializeInDestinationOp) -> Sequence[Effect]:
    """A buffer is written to; of a tensor another one is made."""
    return (Effect(EffectKind.WRITE, op.dest),) if isinstance(op.dest.type, MemRefType) else ()


CODE: Final = DialectCode(
    operations={
        "alloc_tensor": OpCode(
            custom=two_way(
                "`(` $dynamic_sizes `)` (`copy` `(` $copy^ `)`)? (`size_hint` `` `=` `` $size_hint^)? "
                "attr-dict `:` qualified(type($result))",
                _resolve_alloc,
            )
        ),
        "dealloc": OpCode(rules=(TypeRule("updatedConditions", ("retained",), _conditions, ""),)),
        "materialize_in_destination": OpCode(interfaces=(MemoryEffects(_effects_on_destination),)),
    },
    type_constraints={
        "Bufferization_BufferLikeTypeInterface": _like("BufferLikeType"),
        "Bufferization_TensorLikeTypeInterface": _like("TensorLikeType"),
    },
    traits={name: Trait(name) for name in _IMPLIED},
    relations={"specified tensor and buffer types match": lambda _: True},
)
DIALECT: Final = load_described("bufferization", CODE)
