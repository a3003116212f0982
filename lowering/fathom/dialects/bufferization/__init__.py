"""The bufferization dialect: how tensors become buffers.

Source of the rules: *'bufferization' Dialect*, and observed behaviour of mlir-opt 22.
"""

from __future__ import annotations

from typing import Final

from fathom.dialects import load_described
from fathom.dialects.bufferization import operations
from fathom.irdl.code import DialectCode
from fathom.irdl.constraint import TypeConstraint
from fathom.irdl.definition import Trait
from fathom.irdl.kinds import Implements


def _like(interface: str) -> TypeConstraint:
    return TypeConstraint(f"{interface} instance", Implements(interface))


# What these say of the casts follows from a check that MLIR makes before it.
_IMPLIED: Final = ("SameOperandsAndResultShape", "SameOperandsAndResultElementType")

CODE: Final = DialectCode(
    operations=operations.CODE,
    type_constraints={
        "Bufferization_BufferLikeTypeInterface": _like("BufferLikeType"),
        "Bufferization_TensorLikeTypeInterface": _like("TensorLikeType"),
    },
    traits={name: Trait(name) for name in _IMPLIED},
    relations={"specified tensor and buffer types match": lambda _: True},
)
DIALECT: Final = load_described("bufferization", CODE)
