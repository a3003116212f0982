"""The amx dialect: tiles of Intel's Advanced Matrix Extensions, their type and the checks of their operations.

Source of the rules: *'amx' Dialect*, and observed behaviour of mlir-opt 22.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Final

from fathom.dialects import load_described
from fathom.dialects.vector.common import bits_of, check_indices
from fathom.ir.dialect_values import DialectType, Parameter
from fathom.ir.strides import has_unit_stride
from fathom.ir.types import BF16, DYNAMIC, F16, F32, I8, I32, MemRefType, Speller, Type
from fathom.ir.values import types_of
from fathom.irdl.code import DialectCode
from fathom.irdl.parametric import CustomBody
from fathom.irdl.verifying import Check, Checks, Complaint, verifies
from fathom.ops.amx import TileLoadOp, TileMulfOp, TileMuliOp, TileStoreOp
from fathom.records import record

if TYPE_CHECKING:
    from fathom.irdl.readers import ParameterReader

MOST_ROWS: Final = 16
MOST_BITS: Final = 512
"""How long a row may be; it is a whole number of 32-bit words."""
ELEMENTS: Final = (F32, F16, BF16, I32, I8)

# ---- the type


@record
class Tile:
    """The shape of a tile, and the type of its elements."""

    shape: tuple[int, ...]
    element: Type

    @property
    def row(self) -> int:
        """The bits of a row."""
        return self.shape[1] * (bits_of(self.element) or 0)


def tile(value: object) -> Tile | None:
    """The tile that a type is, if it is one of two dimensions."""
    if not isinstance(value, DialectType) or value.full_name != "amx.tile" or len(value.parameters) != 2:
        return None
    shape, element = value.parameters
    if not isinstance(shape, tuple) or not isinstance(element, Type) or len(shape) != 2:
        return None
    return Tile(tuple(extent for extent in shape if isinstance(extent, int)), element)


def _read(reader: ParameterReader) -> Sequence[Parameter]:
    shape = reader.dimensions()
    if DYNAMIC in shape:
        reader.fail("expected static shape")
    return tuple(shape), reader.type()


def _spell(values: Sequence[Parameter], of: Speller) -> str:
    shape, element = values
    extents = "x".join(map(str, shape)) if isinstance(shape, tuple) else ""
    return f"{extents}x{of(element) if isinstance(element, Type) else ''}"


def _verify_tile(parameters: Mapping[str, Parameter]) -> str | None:
    kinds = "32-bit float or 16-bit float or bfloat16 type or 32-bit signless integer or 8-bit signless integer"
    return None if parameters["elementType"] in ELEMENTS else f"failed to verify 'elementType': {kinds}"


def _is_tile_of(*elements: Type) -> Callable[[object], bool]:
    def accepts(value: object) -> bool:
        of_tile = tile(value)
        return of_tile is not None and of_tile.element in elements

    return accepts


# ---- operations


def _check_size(type: Type) -> Complaint:
    """A tile fits into a register."""
    of_tile = tile(type)
    if of_tile is None:
        return None
    if of_tile.shape[0] > MOST_ROWS:
        return f"bad row height: {of_tile.shape[0]}"
    if of_tile.row > MOST_BITS or of_tile.row % 32:
        return f"bad column width: {of_tile.row >> 3}"
    return None


@verifies("amx.tile_load", "amx.tile_store")
def _verify_transfer(op: TileLoadOp | TileStoreOp) -> Complaint:
    base = op.base.type
    assert isinstance(base, MemRefType), "the definition demands a memref with a rank"
    if problem := check_indices(base, op.indices):
        return problem
    problem = _check_size((op.result if isinstance(op, TileLoadOp) else op.val).type)
    if problem or op.stride is not None:
        return problem
    if len(base.ranked_shape) < 2:
        return "requires at least 2D memref"
    return None if has_unit_stride(base) else "requires memref with unit innermost stride"


def _verify_product(scale: int) -> Check:
    """Multiplication of tiles whose words hold as many elements as `scale` bits number."""

    def verify(op: TileMulfOp | TileMuliOp) -> Complaint:
        types = types_of(op.operands)
        if problem := next(filter(None, map(_check_size, types)), None):
            return problem
        lhs, rhs, acc = map(tile, types)
        if lhs is None or rhs is None or acc is None:
            return None
        (rows, inner), (height, width) = lhs.shape, rhs.shape
        if acc.shape != (rows, width >> scale) or inner >> scale != height:
            return f"bad mult shape: {acc.shape[0]} x {acc.shape[1]} x {inner >> scale}"
        return None if lhs.element == rhs.element else "unsupported type combination"

    return verify


CODE: Final = DialectCode(
    operations={},
    bodies={"TileType": CustomBody(("shape", "elementType"), _read, _spell)},
    parameters={"TileType": _verify_tile},
    predicates={
        "AnyAMXTile": _is_tile_of(*ELEMENTS),
        "AMXTileF32": _is_tile_of(F32),
        "AMXTileF16OrBF16": _is_tile_of(F16, BF16),
        "AMXTileI32": _is_tile_of(I32),
        "AMXTileI8": _is_tile_of(I8),
    },
)
DIALECT: Final = load_described("amx", CODE)


VERIFY: Final[Checks] = {
    "amx.tile_zero": lambda op: _check_size(op.result.type),
    "amx.tile_mulf": _verify_product(1),
    "amx.tile_muli": _verify_product(2),
}
