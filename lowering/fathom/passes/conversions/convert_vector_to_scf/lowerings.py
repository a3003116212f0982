"""The patterns of `convert-vector-to-scf` for its options, in the order in which they are tried."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fathom.dialects.vector.common import rank
from fathom.ir.types import VectorType
from fathom.passes.conversions.convert_vector_to_scf import elements, printing, scalable, through_memory, unrolled
from fathom.records import replace
from fathom.rewriting.allowance import too_many_loops

if TYPE_CHECKING:
    from collections.abc import Sequence

    from fathom.ir.operation import Operation, Value
    from fathom.passes.conversions.convert_vector_to_scf import ConvertVectorToSCFPass
    from fathom.rewriting.pattern import Failure, Pattern
    from fathom.rewriting.rewriter import Rewriter


def lowerings(use: ConvertVectorToSCFPass) -> list[Pattern]:
    dimension_by_dimension = unrolled if use.full_unroll else through_memory
    patterns = [
        *dimension_by_dimension.patterns(use),
        *(scalable.patterns(use) if use.lower_scalable else ()),
        *(elements.PATTERNS if use.target_rank == 1 else ()),
        printing.PRINT,
    ]
    return [_nesting_little(pattern) for pattern in patterns]


def _nesting_little(pattern: Pattern) -> Pattern:
    """The pattern, but for vectors of so many dimensions that too many loops would nest."""

    def rewrite(op: Operation, operands: Sequence[Value], rewriter: Rewriter) -> Failure | None:
        vectors = [value.type for value in (*op.operands, *op.results) if isinstance(value.type, VectorType)]
        refused = too_many_loops(op, max((rank(vector) for vector in vectors), default=0))
        return refused if refused is not None else pattern.rewrite(op, operands, rewriter)

    return replace(pattern, rewrite=rewrite)
