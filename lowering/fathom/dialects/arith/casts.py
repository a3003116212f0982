"""What can be cast to what.

Source of the rules: *'arith' Dialect*, "Operations", and the messages of mlir-opt 22.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Final, TypeAlias

from fathom.ir.attributes import Attribute
from fathom.ir.operation import Operation
from fathom.ir.types import FloatType, IndexType, IntegerType, TensorType, Type, element_type
from fathom.irdl.checking import cast_incompatible
from fathom.irdl.type_traits import have_compatible_shapes
from fathom.irdl.verifying import Check, Checks, Complaint

if TYPE_CHECKING:
    from fathom.ops import arith as ops

    Cast: TypeAlias = (
        ops.BitcastOp
        | ops.ExtfOp
        | ops.ExtsiOp
        | ops.ExtuiOp
        | ops.FptosiOp
        | ops.FptouiOp
        | ops.IndexCastOp
        | ops.IndexCastuiOp
        | ops.SitofpOp
        | ops.TruncfOp
        | ops.TrunciOp
        | ops.UitofpOp
    )


def same_tensor_dims(op: Operation) -> bool:
    """Whether the operand and the result are no tensors of two shapes, dynamic extents compared as such; what is no
    tensor has no extents."""
    types = [value.type for value in (*op.operands[:1], *op.results)]
    return len({type.shape or () if isinstance(type, TensorType) else () for type in types}) < 2


Compatible = Callable[[Type, Type], bool]


def wider(kind: type[IntegerType | FloatType]) -> Compatible:
    """The result has more bits, both being of this kind."""
    return lambda source, target: isinstance(source, kind) and isinstance(target, kind) and target.width > source.width


def narrower(kind: type[IntegerType | FloatType]) -> Compatible:
    """The result has fewer bits."""
    is_wider = wider(kind)
    return lambda source, target: is_wider(target, source)


def index_and_integer(source: Type, target: Type) -> bool:
    """One is `index`, the other an integer."""
    return {type(source), type(target)} == {IndexType, IntegerType}


def same_width(source: Type, target: Type) -> bool:
    """Both are integers or floats, of one width in bits."""
    return (
        isinstance(source, (IntegerType, FloatType))
        and isinstance(target, (IntegerType, FloatType))
        and source.width == target.width
    )


def verify_cast(compatible: Compatible) -> Check:
    """The check that a cast's element types are `compatible`, and its shapes too."""

    def verify(op: Cast | ops.ScalingExtfOp | ops.ScalingTruncfOp) -> Complaint:
        source, target = op.in_.type, op.out.type
        fits = _encoding_of(source) == _encoding_of(target) and have_compatible_shapes(source, target)
        fits = fits and compatible(element_type(source), element_type(target))
        return None if fits else cast_incompatible(op)

    return verify


def _encoding_of(type: Type) -> Attribute | None:
    return type.encoding if isinstance(type, TensorType) else None


_CASTS: Final[Mapping[str, Compatible]] = {
    **dict.fromkeys(("extui", "extsi"), wider(IntegerType)),
    **dict.fromkeys(("extf", "scaling_extf"), wider(FloatType)),
    "trunci": narrower(IntegerType),
    **dict.fromkeys(("truncf", "scaling_truncf"), narrower(FloatType)),
    # The constraints say all there is to say of the elements.
    **dict.fromkeys(("uitofp", "sitofp", "fptoui", "fptosi"), lambda source, target: True),
    **dict.fromkeys(("index_cast", "index_castui"), index_and_integer),
    "bitcast": same_width,
}
VERIFY: Final[Checks] = {f"arith.{name}": verify_cast(compatible) for name, compatible in _CASTS.items()}
