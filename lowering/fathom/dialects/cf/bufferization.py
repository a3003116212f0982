"""How branches bufferize: what they pass is bufferized with the blocks that they lead to.

Source of the rules: `mlir/lib/Dialect/ControlFlow/Transforms/BufferizableOpInterfaceImpl.cpp` of MLIR 22.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from fathom.bufferization.models import Alias, Bufferizable
from fathom.bufferization.uses import Use
from fathom.irdl.interfaces import Branch as BranchInterface

if TYPE_CHECKING:
    from fathom.bufferization.state import AnalysisState


class Branch(Bufferizable):
    def aliases(self, op: Any, use: Use, state: AnalysisState) -> list[Alias]:
        branch = op.interface(BranchInterface)
        pairs = (pair for edge in branch.edges(op) for pair in edge.pairs)
        return [Alias(argument, is_definite=False) for place, argument in pairs if place == use.place]


BUFFERIZATION: Final = {"cf.br": Branch(), "cf.cond_br": Branch()}
