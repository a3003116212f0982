"""The traits of MLIR that definitions name. Those with a check word it as MLIR does.

Source of the rules: *Traits*.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from fathom.irdl import type_traits
from fathom.irdl.declared import Trait

if TYPE_CHECKING:
    from collections.abc import Sequence

    from fathom.ir.operation import Operation


def _no_region_arguments(op: Operation) -> str | None:
    for index, region in enumerate(op.regions):
        if region.first is not None and region.first.arguments:
            which = f" #{index}" if len(op.regions) > 1 else ""
            return f"region{which} should have no arguments"
    return None


PURE: Final = Trait("Pure")
COMMUTATIVE: Final = Trait("Commutative")
IDEMPOTENT: Final = Trait("Idempotent")
INVOLUTION: Final = Trait("Involution")
CAST: Final = Trait("CastOpInterface")
FOLDING: Final = frozenset(trait.name for trait in (COMMUTATIVE, INVOLUTION, IDEMPOTENT, CAST))
"""The names of the traits by which an operation folds that has no fold of its own, or one that finds nothing."""
CONSTANT_LIKE: Final = Trait("ConstantLike")
TERMINATOR: Final = Trait("Terminator")
RETURN_LIKE: Final = Trait("ReturnLike")
ISOLATED_FROM_ABOVE: Final = Trait("IsolatedFromAbove")
SYMBOL: Final = Trait("Symbol")
SYMBOL_USER: Final = Trait("SymbolUserOpInterface")
FUNCTION_LIKE: Final = Trait("FunctionOpInterface")
SYMBOL_TABLE: Final = Trait("SymbolTable")
NO_REGION_ARGUMENTS: Final = Trait("NoRegionArguments", _no_region_arguments)
SINGLE_BLOCK: Final = Trait("SingleBlock")
NO_TERMINATOR: Final = Trait("NoTerminator")
GRAPH_REGION: Final = Trait("GraphRegion")
AFFINE_SCOPE: Final = Trait("AffineScope")
LOOP_LIKE: Final = Trait("LoopLikeOpInterface")
AUTOMATIC_ALLOCATION_SCOPE: Final = Trait("AutomaticAllocationScope")
ATTR_SIZED_OPERAND_SEGMENTS: Final = Trait("AttrSizedOperandSegments")
NO_MEMORY_EFFECT: Final = Trait("NoMemoryEffect")
RECURSIVE_MEMORY_EFFECTS: Final = Trait("RecursiveMemoryEffects")
RECURSIVELY_SPECULATABLE: Final = Trait("RecursivelySpeculatable")
SAME_TYPE_OPERANDS: Final = Trait("SameTypeOperands", type_traits.same_type_operands)
SAME_OPERANDS_AND_RESULT_TYPE: Final = Trait("SameOperandsAndResultType", type_traits.same_operands_and_result_type)
SAME_OPERANDS_AND_RESULT_SHAPE: Final = Trait("SameOperandsAndResultShape", type_traits.same_operands_and_result_shape)
ELEMENTWISE: Final = Trait("Elementwise", type_traits.elementwise)
SAME_OPERANDS_SHAPE: Final = Trait("SameOperandsShape", type_traits.same_operands_shape)
SAME_OPERANDS_ELEMENT_TYPE: Final = Trait("SameOperandsElementType", type_traits.same_operands_element_type)
SAME_OPERANDS_AND_RESULT_ELEMENT_TYPE: Final = Trait(
    "SameOperandsAndResultElementType", type_traits.same_operands_and_result_element_type
)
SAME_OPERANDS_AND_RESULT_RANK: Final = Trait("SameOperandsAndResultRank", type_traits.same_operands_and_result_rank)
RESULTS_BROADCASTABLE_SHAPE: Final = Trait("ResultsBroadcastableShape", type_traits.results_broadcastable_shape)
RESULTS_ARE_FLOAT_LIKE: Final = Trait("ResultsAreFloatLike", type_traits.results_are_float_like)


def has_parent(*names: str) -> Trait:
    """The trait of an operation that only stands directly in one of these."""

    def verify(op: Operation) -> str | None:
        parent = op.parent_op
        return misplaced(names, parent.name) if parent is not None else None

    return Trait("HasParent", verify, parents=names)


def misplaced(parents: Sequence[str], around: str) -> str | None:
    """What is wrong with an operation that only stands directly in one of the `parents`, if it stands in another."""
    if around in parents:
        return None
    one = f"'{parents[0]}'" if len(parents) == 1 else f"to be one of '{', '.join(parents)}'"
    return f"expects parent op {one}"
