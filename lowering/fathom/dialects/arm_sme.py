"""The arm_sme dialect: Arm's Scalable Matrix Extension, of which tiles and slices of them are checked here.

Source of the rules: *'arm_sme' Dialect*, and observed behaviour of mlir-opt 22.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from operator import eq
from typing import TYPE_CHECKING, Final

from fathom.dialects import load_described
from fathom.dialects.vector.common import bits_of, mask_of, vector, vector_of, without_first
from fathom.ir.attributes import IntegerAttr
from fathom.ir.types import BF16, F16, F32, F64, I8, I16, I32, I64, IntegerType, Type, VectorType
from fathom.irdl.code import DialectCode
from fathom.irdl.definition import Trait
from fathom.irdl.type_functions import TypeFunction, of_each

if TYPE_CHECKING:
    from fathom.ir.operation import Operation

TILES: Final = {
    "nxnxv16i8": (16, I8),
    "nxnxv8i16": (8, I16),
    "nxnxv4i32": (4, I32),
    "nxnxv2i64": (2, I64),
    "nxnxv1i128": (1, IntegerType(128)),
    "nxnxv8f16": (8, F16),
    "nxnxv8bf16": (8, BF16),
    "nxnxv4f32": (4, F32),
    "nxnxv2f64": (2, F64),
}
"""The types that fill a tile: the least number of rows and columns, and the elements."""


def _tile(extent: int, element: Type) -> VectorType:
    return vector_of((extent, extent), element, (True, True))


def _of_vector(make: Callable[[VectorType], Type]) -> TypeFunction:
    """A function of a vector with dimensions."""
    return of_each(lambda type: make(type) if isinstance(type, VectorType) and type.shape else None)


def _both(first: str, second: str) -> Callable[[Operation], bool]:
    """Whether there are both operands or neither."""
    return lambda op: bool(op.all_of(first)) == bool(op.all_of(second))


def _is_wider(times: int) -> Callable[[Operation], bool]:
    """Whether elements of the result have so many times the bits of those of the operands."""

    def holds(op: Operation) -> bool:
        source, target = vector(op.one_of("lhs").type), vector(op.result.type)
        if source is None or target is None:
            return True
        first, second = bits_of(source.element), bits_of(target.element)
        return first is None or second is None or second == times * first

    return holds


def _tile_id_problem(op: Operation) -> str | None:
    """The number of a tile is of 32 bits, where one is given."""
    attribute = op.attribute("tile_id")
    if isinstance(attribute, IntegerAttr) and attribute.type != I32:
        return "tile ID should be a 32-bit signless integer"
    return None


_SLICES: Final = _of_vector(lambda tile: without_first(tile, 1))
_PRODUCTS: Final = _of_vector(lambda side: _tile(side.ranked_shape[0], side.element))
_MASKS: Final = _of_vector(mask_of)
_SLICE_MASKS: Final = _of_vector(lambda tile: mask_of(without_first(tile, 1)))

CODE: Final = DialectCode(
    predicates={
        **{name: partial(eq, _tile(*parts)) for name, parts in TILES.items()},
        "LLVM_AnyPointer": lambda value: isinstance(value, Type) and value.full_name == "llvm.ptr",
    },
    traits={"ArmSMETileOpInterface": Trait("ArmSMETileOpInterface", _tile_id_problem)},
    relations={
        "both `lhsMask` and `rhsMask` should be provided or neither": _both("lhsMask", "rhsMask"),
        "both `padding` and `mask` should be provided or neither": _both("padding", "mask"),
        "tile element size equals input element size * 2": _is_wider(2),
        "tile element size equals input element size * 4": _is_wider(4),
    },
    matches={
        **{
            f"{mask} has i1 element type and same shape as {of}": _MASKS
            for mask, of in (("lhsMask", "lhs"), ("rhsMask", "rhs"), ("mask", "result"), ("mask", "valueToStore"))
        },
        **{
            f"`mask` has i1 element type and the shape is a slice of `{tile}`": _SLICE_MASKS
            for tile in ("tile", "result")
        },
        **{f"type of '{name}' matches type of 'tile' slice": _SLICES for name in ("vector", "result")},
        **{
            f"{name}type is derived from `lhs` and `rhs`": _of_vector(
                lambda side: _tile(side.ranked_shape[0], side.element)
            )
            for name in ("acc", "result")
        },
    },
)
DIALECT: Final = load_described("arm_sme", CODE)
