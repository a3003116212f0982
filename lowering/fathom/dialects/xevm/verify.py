"""What MLIR's verifiers say of xevm's operations: how blocks of memory may be cut into tiles.

Source of the rules: *'xevm' Dialect*; the texts are those of MLIR 22's verifiers.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Final

from fathom.ir.attributes import IntegerAttr
from fathom.ir.types import VectorType, element_width
from fathom.irdl.checking import all_of
from fathom.irdl.verifying import Check, Checks, Complaint, verifies
from fathom.ops import xevm as ops
from fathom.records import record
from fathom.rewriting.folding import integer_constant

if TYPE_CHECKING:
    from fathom.ir.operation import Operation

_LANES: Final = 16
"""How many lanes a subgroup has."""


def _number(op: Operation, prop: str) -> int:
    """A property, without a sign; that of `v_blocks` is 1 where there is none."""
    attribute = op.properties.get(prop)
    return attribute.value % 2**32 if isinstance(attribute, IntegerAttr) else 1


# ---- blocks of one dimension


@verifies("xevm.blockload", "xevm.blockstore")
def _block(op: ops.BlockloadOp | ops.BlockstoreOp) -> Complaint:
    type = op.val.type if isinstance(op, ops.BlockstoreOp) else op.result.type
    if not isinstance(type, VectorType):
        return None
    count = type.ranked_shape[0]
    if element_width(type) == 8:
        fits = count in (2, 4, 8, 16)
        return None if fits else "vector size must be 2, 4, 8 or 16 for 8-bit element type"
    return None if count in (2, 4, 8) else "vector size must be 2, 4 or 8 for element type > 8 bits"


# ---- blocks of two


@record
class _Limits:
    """What a tile of elements of a width may be."""

    height: tuple[int, int]
    width: tuple[int, int]
    blocks: tuple[int, ...]
    row: int = 0
    """How wide all blocks beside each other may be; 0 for any."""


_THREE: Final = (1, 2, 4)
_PLAIN: Final[Mapping[int, _Limits]] = {
    8: _Limits((1, 32), (4, 64), _THREE, 64),
    16: _Limits((1, 32), (2, 32), _THREE, 32),
    32: _Limits((1, 32), (1, 16), (1, 2), 16),
    64: _Limits((1, 32), (1, 8), (1,)),
}
_PACKED: Final[Mapping[int, _Limits]] = {
    8: _Limits((4, 32), (4, 16), _THREE),
    16: _Limits((2, 32), (2, 16), _THREE, 32),
}
_STORED: Final[Mapping[int, _Limits]] = {width: _Limits((1, 8), limits.width, (1,)) for width, limits in _PLAIN.items()}


def _between(op: Operation, name: str, limits: tuple[int, int]) -> Complaint:
    least, most = limits
    fits = least <= _number(op, name) <= most
    return None if fits else f"expecting {name} to be between {least} and {most}"


def _among(op: Operation, name: str, choices: Sequence[int]) -> Complaint:
    if _number(op, name) in choices:
        return None
    *first, last = map(str, choices)
    listed = f"{', '.join(first)}{',' if len(first) > 1 else ''} or {last}" if first else last
    return f"expecting {name} to be {listed}"


def _row(op: Operation, most: int) -> Complaint:
    width = _number(op, "elem_size_in_bits")
    if not most or _number(op, "tile_width") * _number(op, "v_blocks") <= most:
        return None
    return f"tile_width * v_blocks should be less than or equal to {most} for {width} bit elements"


def _plain(op: Operation) -> Complaint:
    if problems := _between(op, "tile_height", (1, 32)):
        return problems
    limits = _PLAIN.get(_number(op, "elem_size_in_bits"))
    if limits is None:
        return "expecting elem_size_in_bits to be 8, 16, 32, or 64"
    first = _between(op, "tile_width", limits.width) or _among(op, "v_blocks", limits.blocks)
    return first or _row(op, limits.row)


def _transposed(op: Operation) -> Complaint:
    if problems := _among(op, "v_blocks", (1,)):
        return problems
    width = _number(op, "elem_size_in_bits")
    if width == 32:
        return _between(op, "tile_height", (1, 32)) or _between(op, "tile_width", (1, 8))
    if width != 64:
        return "transpose is only supported for 32 and 64 bit elements"
    if _number(op, "tile_height") != 8:
        return "expecting tile_height to be 8 for 64 bit elements"
    return _among(op, "tile_width", (1, 2, 4))


def _packed(op: Operation) -> Complaint:
    if problems := _among(op, "v_blocks", _THREE):
        return problems
    limits = _PACKED.get(_number(op, "elem_size_in_bits"))
    if limits is None:
        return "pack_register is only supported for 8 and 16 bit elements"
    first = _between(op, "tile_height", limits.height) or _between(op, "tile_width", limits.width)
    return first or _row(op, limits.row)


def _load(op: ops.Blockload2dOp) -> Complaint:
    type = op.result.type
    width = element_width(type)
    if not width or not isinstance(type, VectorType):
        return "expecting result element type to be int or float"
    size = type.ranked_shape[0] * width
    extents = ("elem_size_in_bits", "tile_height", "tile_width", "v_blocks")
    expected = 1
    for name in extents:
        expected = expected * _number(op, name) % 2**32
    expected //= _LANES
    if size != expected:
        return f"result size of {size} bits does not match the expected size of {expected} bits"
    transposes, packs = bool(op.transpose.value), bool(op.pack_register.value)
    if transposes and packs:
        return "transpose and pack_register are mutually exclusive"
    return (_transposed if transposes else _packed if packs else _plain)(op)


def _loaded(op: ops.Blockload2dOp) -> Complaint:
    packs = bool(op.pack_register.value)
    if (_number(op, "elem_size_in_bits") == 32 or packs) and element_width(op.result.type) != 32:
        return "expecting result element type to be 32 bits"
    if packs and _number(op, "tile_width") != _LANES:
        return "tile_width when pack_register is true should be equal to subgroup size (16 elements)"
    return None


def _matrix(op: ops.Blockload2dOp | ops.Blockprefetch2dOp | ops.Blockstore2dOp) -> Complaint:
    """The memory that a block is cut from."""
    width, pitch = integer_constant(op.base_width), integer_constant(op.base_pitch)
    if width is not None and pitch is not None and pitch < width:
        return "4th operand (base pitch) should be >= 2nd operand (base width)"
    if _number(op, "elem_size_in_bits") not in (8, 16, 32):
        return "expecting 'elem_size_in_bits' to be 8, 16, or 32"
    height, blocks = _number(op, "tile_height"), _number(op, "v_blocks")
    if height > 32 or height.bit_count() != 1:
        return "expecting tile_height to be 1, 2, 4, 8, 16, or 32"
    return "expecting v_blocks to be 1, 2, 4, or 8" if blocks > 8 or blocks.bit_count() != 1 else None


def _store(op: ops.Blockstore2dOp) -> Complaint:
    if problems := _between(op, "tile_height", (1, 8)):
        return problems
    limits = _STORED.get(_number(op, "elem_size_in_bits"))
    if limits is None:
        return "expecting elem_size_in_bits to be 8, 16, 32, or 64"
    return _between(op, "tile_width", limits.width)


def _tile_width(of_words: tuple[int, ...]) -> Check:
    """The width of a tile for elements of each width."""
    choices = {8: (16, 32), 16: (16,), 32: of_words}

    def check(op: ops.Blockprefetch2dOp | ops.Blockstore2dOp) -> Complaint:
        width = _number(op, "elem_size_in_bits")
        fits = choices.get(width, ())
        if not fits or _number(op, "tile_width") in fits:
            return None
        return f"tile_width for {width} bit elements should be equal to {' or '.join(map(str, fits))}"

    return check


@verifies("xevm.mma")
def _multiply(op: ops.MmaOp) -> Complaint:
    differs = op.c is not None and op.c.type != op.result.type
    return "type of C operand must match result type" if differs else None


VERIFY: Final[Checks] = {
    "xevm.blockload2d": all_of(_load, _matrix, _loaded),
    "xevm.blockprefetch2d": all_of(_matrix, _tile_width((8, 16))),
    "xevm.blockstore2d": all_of(_store, _matrix, _tile_width((16,))),
}
