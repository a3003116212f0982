"""The patterns of `convert-vector-to-scf` for its options, in the order in which they are tried."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fathom.passes.conversions.convert_vector_to_scf import elements, printing, scalable, through_memory, unrolled

if TYPE_CHECKING:
    from fathom.passes.conversions.convert_vector_to_scf import ConvertVectorToSCFPass
    from fathom.rewriting.pattern import Pattern


def lowerings(use: ConvertVectorToSCFPass) -> list[Pattern]:
    dimension_by_dimension = unrolled if use.full_unroll else through_memory
    return [
        *dimension_by_dimension.patterns(use),
        *(scalable.patterns(use) if use.lower_scalable else ()),
        *(elements.PATTERNS if use.target_rank == 1 else ()),
        printing.PRINT,
    ]
