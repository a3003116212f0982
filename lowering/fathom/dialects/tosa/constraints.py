"""The tensors that operations of tosa take: of no empty dimension, and of numbers.

Source of the rules: *Tensor Operator Set Architecture (TOSA) Dialect*, whose definitions give the rest as code.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final, TypeAlias

from fathom.dialects.quant.types import QuantizedType
from fathom.dialects.tosa.values import is_float, shape_rank
from fathom.ir.dialect_values import DialectType
from fathom.ir.types import FloatType, IntegerType, TensorType, Type, UnknownType, VectorType

Test: TypeAlias = "Callable[[object], bool]"
ElementTest: TypeAlias = "Callable[[Type], bool]"

_SMALL_FLOATS: Final = ("f8E4M3FN", "f8E5M2", "f4E2M1FN", "f6E2M3FN", "f6E3M2FN")


def _is_int(type: Type) -> bool:
    return isinstance(type, IntegerType) and type.signedness != "s"


def _is_int_or_float(type: Type) -> bool:
    return _is_int(type) or isinstance(type, FloatType)


def _is_mxint8(type: Type) -> bool:
    return isinstance(type, DialectType) and type.full_name == "tosa.mxint8"


def _is_quantized(type: Type) -> bool:
    if isinstance(type, QuantizedType):
        return type.storage.type.width in (4, 8, 16, 32)
    return isinstance(type, UnknownType)


def _is_number(type: Type) -> bool:
    return _is_int_or_float(type) or _is_mxint8(type) or _is_quantized(type)


def _is_small(type: Type) -> bool:
    return is_float(type, *_SMALL_FLOATS) or _is_mxint8(type)


def _is_scale(type: Type) -> bool:
    return is_float(type, "f8E8M0FNU")


def _of(*widths: int) -> ElementTest:
    return lambda type: isinstance(type, IntegerType) and not type.signedness and type.width in widths


def _tensor(
    element: ElementTest, shape: Callable[[Sequence[int]], bool] = lambda _: True, unranked: ElementTest | None = None
) -> Test:
    """Ranked, without an empty dimension, of a shape that will do; or unranked."""

    def test(type: object) -> bool:
        if not isinstance(type, TensorType):
            return False
        if type.shape is None:
            return (unranked or element)(type.element)
        return 0 not in type.shape and shape(type.shape) and element(type.element)

    return test


def _like(element: ElementTest) -> Test:
    """A number, a vector or a tensor of such."""
    tensor = _tensor(element)
    return lambda type: (
        (isinstance(type, Type) and element(type))
        or (isinstance(type, VectorType) and bool(type.shape) and element(type.element))
        or tensor(type)
    )


def _of_rank(rank: int) -> Callable[[Sequence[int]], bool]:
    return lambda shape: len(shape) == rank


def _scalar(element: ElementTest, unranked: ElementTest) -> Test:
    """One dimension of one element, or unranked."""
    return _tensor(element, lambda shape: tuple(shape) == (1,), unranked)


def _shape(rank: int) -> Test:
    return lambda type: isinstance(type, Type) and shape_rank(type) == rank


PREDICATES: Final[dict[str, Test]] = {
    "Tosa_Tensor": _tensor(_is_number),
    "Tosa_I1Tensor": _tensor(_of(1)),
    "Tosa_FloatTensor": _tensor(is_float),
    "Tosa_Int32Or64Tensor": _tensor(_of(32, 64)),
    "Tosa_UnrankedTensor": _tensor(_is_number, lambda _: False),
    **{f"Tosa_Tensor{rank}D": _tensor(_is_number, _of_rank(rank)) for rank in (1, 2, 3, 4, 5)},
    "Tosa_TensorAtLeast1D": _tensor(_is_number, bool),
    "Tosa_IndexTensor2D": _tensor(_of(32, 64), _of_rank(2), _is_number),
    "Tosa_MXFPDataTensor3D": _tensor(_is_small, _of_rank(3)),
    "Tosa_MXFPScaleTensor3D": _tensor(_is_scale, _of_rank(3)),
    "Tosa_MXFPDataTensorAtLeast1D": _tensor(_is_small, bool),
    "Tosa_MXFPScaleTensorAtLeast1D": _tensor(_is_scale, bool),
    "Tosa_ScalarTensor": _scalar(_is_number, _is_int_or_float),
    "Tosa_ScalarInt8Tensor": _scalar(_of(8), _of(8)),
    "Tosa_ScalarInt32Tensor": _scalar(_of(32), _of(32)),
    "Tosa_ScalarIntOrFloatTensor": _scalar(_is_int_or_float, _is_int_or_float),
    "Tosa_IntLike": _like(_is_int),
    "Tosa_Int8Like": _like(_of(8)),
    "Rank2TosaShape": _shape(2),
    "Rank4TosaShape": _shape(4),
}
"""The constraints of the description that it leaves to code, by name."""
