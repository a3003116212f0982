"""What makes operations on vectors simple enough to be lowered, in the order in which it is tried."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from fathom.passes.conversions.convert_vector_to_llvm.extensions.arm_products import (
    NEON_BF16,
    NEON_I8MM,
    SVE_BF16,
    SVE_I8MM,
)
from fathom.passes.vectors.contractions import contractions
from fathom.passes.vectors.masks import ROWS, materializations
from fathom.passes.vectors.products import OUTER_PRODUCT
from fathom.passes.vectors.shapes import BROADCAST, SHAPE_CAST
from fathom.passes.vectors.slices import SLICES
from fathom.passes.vectors.transfers import transfers
from fathom.passes.vectors.transposes import INTRINSIC, transposes
from fathom.passes.vectors.unrolling import BITCAST, FMA, FROM_ELEMENTS, GATHER, INTERLEAVE, STEP, TO_ELEMENTS
from fathom.rewriting.canonicalization import CANONICALIZATION

if TYPE_CHECKING:
    from fathom.context import Context
    from fathom.passes.conversions.convert_vector_to_llvm import ConvertVectorToLLVMPass
    from fathom.rewriting.pattern import Pattern


SIMPLIFICATIONS: Final = frozenset(
    (
        "CreateMaskFolder",
        "MaskedLoadFolder",
        "MaskedStoreFolder",
        "GatherFolder",
        "ScatterFolder",
        "ExpandLoadFolder",
        "CompressStoreFolder",
        "StridedSliceConstantMaskFolder",
        "TransposeFolder",
    )
)
"""The patterns of the dialect's canonicalisation that are among those of the pass."""


def rewrites(use: ConvertVectorToLLVMPass, context: Context) -> list[Pattern]:
    way = use.vector_transpose_lowering
    return [
        *(pattern for pattern in context.aspect(CANONICALIZATION, "vector") if pattern.name in SIMPLIFICATIONS),
        BITCAST,
        BROADCAST,
        OUTER_PRODUCT,
        *contractions(use.vector_contract_lowering),
        *ROWS,
        *SHAPE_CAST,
        *INTERLEAVE,
        *transposes(way),
        *([INTRINSIC] if way == "llvmintr" else []),
        *transfers(1),
        *materializations(use.force_32bit_vector_indices),
        *SLICES,
        STEP,
        FMA,
        GATHER,
        FROM_ELEMENTS,
        TO_ELEMENTS,
        *_products(use),
    ]


def _products(use: ConvertVectorToLLVMPass) -> list[Pattern]:
    """Those that make contractions instructions of Arm processors, which are tried first."""
    asked = {
        NEON_I8MM: use.enable_arm_i8mm and use.enable_arm_neon,
        SVE_I8MM: use.enable_arm_i8mm and use.enable_arm_sve,
        NEON_BF16: use.enable_arm_bf16 and use.enable_arm_neon,
        SVE_BF16: use.enable_arm_bf16 and use.enable_arm_sve,
    }
    return [pattern for pattern, is_asked_for in asked.items() if is_asked_for]
