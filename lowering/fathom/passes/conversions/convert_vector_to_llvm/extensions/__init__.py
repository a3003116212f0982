"""The operations of single processors, which `convert-vector-to-llvm` lowers where its options ask for them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fathom.passes.conversions.convert_vector_to_llvm.extensions import amx, arm_sve, x86vector
from fathom.passes.to_llvm.patterns import patterns

if TYPE_CHECKING:
    from fathom.passes.conversions.convert_vector_to_llvm import ConvertVectorToLLVMPass
    from fathom.passes.to_llvm.llvm_type_converter import LLVMTypeConverter
    from fathom.rewriting.pattern import Pattern
    from fathom.rewriting.target import ConversionTarget


def extend(use: ConvertVectorToLLVMPass, types: LLVMTypeConverter, target: ConversionTarget) -> list[Pattern]:
    """The patterns that a use of the pass asks for; the target and the types learn what belongs to them."""
    lowerings: list[Pattern] = []
    if use.enable_arm_neon:
        # What it has goes into LLVM IR as it is.
        target.legal("arm_neon")
    if use.enable_arm_sve:
        target.legal(*arm_sve.INTRINSICS).illegal(*arm_sve.LOWERINGS)
        lowerings += [*patterns(arm_sve.LOWERINGS, types), arm_sve.mask(types)]
    if use.enable_amx:
        target.illegal("amx")
        types.conversions.append(amx.convert)
        lowerings += patterns(amx.LOWERINGS, types)
    if use.enable_x86vector:
        target.illegal("x86vector")
        lowerings += patterns(x86vector.LOWERINGS, types)
    return lowerings
