"""What lowers each operation of the amdgpu dialect."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from fathom.passes.conversions.convert_amdgpu_to_rocdl import (
    buffers,
    descriptors,
    lanes,
    products,
    small_floats,
    waits,
)
from fathom.rewriting.pattern import Failure, Pattern, name_of

if TYPE_CHECKING:
    from fathom.ir.operation import Operation, Value
    from fathom.passes.conversions.convert_amdgpu_to_rocdl.target import LowerFor
    from fathom.passes.gpu_to_llvm.chipsets import Chipset
    from fathom.passes.to_llvm.llvm_type_converter import LLVMTypeConverter
    from fathom.rewriting.conversion_rewriter import ConversionRewriter

LOWERINGS: Final[dict[str, LowerFor]] = {
    **buffers.LOWERINGS,
    **lanes.LOWERINGS,
    **waits.LOWERINGS,
    **products.LOWERINGS,
    **small_floats.LOWERINGS,
    **descriptors.LOWERINGS,
}


def lowerings(types: LLVMTypeConverter, chipset: Chipset) -> list[Pattern]:
    """The patterns of all of them, for a chipset."""
    given = [_pattern(name, lower, types, chipset) for name, lower in LOWERINGS.items()]
    return [*given, *descriptors.transfers(types, chipset)]


def _pattern(root: str, lower: LowerFor, types: LLVMTypeConverter, chipset: Chipset) -> Pattern:
    def rewrite(op: Operation, operands: Sequence[Value], rewriter: ConversionRewriter) -> Failure | None:
        return lower(op, operands, rewriter, types, chipset)

    return Pattern(root, rewrite, types, name=name_of(lower))
