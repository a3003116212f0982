"""The traits of MLIR that definitions name. Those with a check word it as MLIR does.

Source of the rules: *Traits*.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from fathom.irdl.definition import Trait

if TYPE_CHECKING:
    from fathom.ir.operation import Operation


def _no_region_arguments(op: Operation) -> str | None:
    for index, region in enumerate(op.regions):
        if region.first is not None and region.first.arguments:
            return f"region #{index} should have no arguments"
    return None


PURE: Final = Trait("Pure")
COMMUTATIVE: Final = Trait("Commutative")
CONSTANT_LIKE: Final = Trait("ConstantLike")
TERMINATOR: Final = Trait("Terminator")
RETURN_LIKE: Final = Trait("ReturnLike")
ISOLATED_FROM_ABOVE: Final = Trait("IsolatedFromAbove")
SYMBOL: Final = Trait("Symbol")
SYMBOL_TABLE: Final = Trait("SymbolTable")
NO_REGION_ARGUMENTS: Final = Trait("NoRegionArguments", _no_region_arguments)
SINGLE_BLOCK: Final = Trait("SingleBlock")
NO_TERMINATOR: Final = Trait("NoTerminator")
GRAPH_REGION: Final = Trait("GraphRegion")
AFFINE_SCOPE: Final = Trait("AffineScope")
AUTOMATIC_ALLOCATION_SCOPE: Final = Trait("AutomaticAllocationScope")
ATTR_SIZED_OPERAND_SEGMENTS: Final = Trait("AttrSizedOperandSegments")
SAME_TYPE_OPERANDS: Final = Trait("SameTypeOperands")
SAME_OPERANDS_AND_RESULT_TYPE: Final = Trait("SameOperandsAndResultType")
SAME_OPERANDS_AND_RESULT_SHAPE: Final = Trait("SameOperandsAndResultShape")
ELEMENTWISE: Final = Trait("Elementwise")
RECURSIVE_MEMORY_EFFECTS: Final = Trait("RecursiveMemoryEffects")
