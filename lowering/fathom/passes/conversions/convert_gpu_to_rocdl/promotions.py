"""Shuffles that AMD's GPUs have instructions for, as operations of amdgpu."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Final

from fathom.ir.attributes import i32_attr
from fathom.ir.types import I1
from fathom.irdl.cases import word_of
from fathom.passes.arithmetic import constant
from fathom.rewriting.folding import integer_constant
from fathom.rewriting.pattern import Failure, Pattern, named

if TYPE_CHECKING:
    from fathom.ir.attributes import Attribute
    from fathom.ir.operation import Value
    from fathom.ops.gpu import ShuffleOp
    from fathom.passes.gpu_to_llvm.chipsets import Chipset
    from fathom.rewriting.rewriter import Rewriter

_LANES: Final = 64
_SWIZZLED: Final = range(32)
_SWAPPED: Final = (16, 32)
_FIRST_TO_SWAP: Final = (9, 5, 0)


def _distance(op: ShuffleOp) -> int | Failure:
    """By how much the numbers of lanes differ that are exchanged in a whole wavefront."""
    if word_of(op.mode) != "xor":
        return Failure("only xor shuffle mode is supported")
    if integer_constant(op.width) != _LANES:
        return Failure("only 64 width shuffle is supported")
    distance = integer_constant(op.offset)
    return distance if distance is not None else Failure("offset must be a constant integer")


def _exchange(op: ShuffleOp, name: str, properties: Mapping[str, Attribute], rewriter: Rewriter) -> None:
    """What takes the place of a shuffle always has a source."""
    value = rewriter.create(name, [op.value], [op.value.type], properties).result
    rewriter.replace(op, [value, constant(rewriter, 1, I1)])


@named("PromoteShuffleToSwizzlePattern")
def swizzle(op: ShuffleOp, operands: Sequence[Value], rewriter: Rewriter) -> Failure | None:
    """`gpu.shuffle xor %v, 4, 64` becomes `amdgpu.swizzle_bitmode %v 31 0 4`."""
    distance = _distance(op)
    if isinstance(distance, Failure):
        return distance
    if distance not in _SWIZZLED:
        return Failure("offset must be in the range [0, 31]")
    masks = {"and_mask": i32_attr(31), "or_mask": i32_attr(0), "xor_mask": i32_attr(distance)}
    _exchange(op, "amdgpu.swizzle_bitmode", masks, rewriter)
    return None


@named("PromoteShuffleToPermlanePattern")
def swap(op: ShuffleOp, operands: Sequence[Value], rewriter: Rewriter) -> Failure | None:
    """`gpu.shuffle xor %v, 32, 64` becomes `amdgpu.permlane_swap %v 32`."""
    distance = _distance(op)
    if isinstance(distance, Failure):
        return distance
    if distance not in _SWAPPED:
        return Failure("offset must be either 15 or 31")
    _exchange(op, "amdgpu.permlane_swap", {"row_length": i32_attr(distance)}, rewriter)
    return None


def promotions(chipset: Chipset | None) -> list[Pattern]:
    """Those that a chipset has instructions for, or all GPUs."""
    made = [Pattern("gpu.shuffle", swizzle)]
    return [*made, Pattern("gpu.shuffle", swap, benefit=2)] if chipset and chipset >= _FIRST_TO_SWAP else made
