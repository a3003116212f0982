"""Where a buffer goes under other names: through views, to the arguments of blocks and regions, and out of them.

Source of the rules: `BufferViewFlowAnalysis` of MLIR 22.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from fathom.irdl.aspects import Aspect
from fathom.irdl.interfaces import Branch, Call, RegionBranch
from fathom.irdl.lazy import Joined
from fathom.rewriting.region_branches import inputs_by_source

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping
    from typing import Any, TypeAlias

    from fathom.ir.operation import Operation, Value
    from fathom.irdl.dialect import Definitions

    Flow: TypeAlias = "Callable[[Any], Iterable[tuple[Value, Value]]]"
    Flows: TypeAlias = "Mapping[str, Flow]"

VIEW_FLOW: Final = Aspect["Flows"]("view_flow", {}, Joined)
"""For operations that are no views, and no branches: which operand may be which result, by full names."""


def is_view(op: Operation) -> bool:
    """Whether the result of an operation is its first operand, seen otherwise."""
    return op.definition is not None and "ViewLikeOpInterface" in op.definition.trait_names


class ViewFlow:
    """What becomes of the values in an operation, which nothing looks out of."""

    def __init__(self, root: Operation, context: Definitions) -> None:
        self._context = context
        self._later: dict[Value, dict[Value, None]] = {}
        for op in root.walk():
            for value, name in self._flow(op):
                self._later.setdefault(value, {})[name] = None

    def names_of(self, value: Value) -> dict[Value, None]:
        """A value and all that it may be called later on."""
        found: dict[Value, None] = {}
        pending = [value]
        while pending:
            each = pending.pop()
            if each not in found:
                found[each] = None
                pending += self._later.get(each, ())
        return found

    def _flow(self, op: Operation) -> Iterable[tuple[Value, Value]]:
        told = self._context.aspect(VIEW_FLOW, op.dialect).get(op.name)
        if told is not None:
            return told(op)
        if is_view(op):
            return [(op.operands[0], op.results[0])]
        branch = op.interface(Branch)
        if branch is not None:
            return [
                pair
                for edge in branch.edges(op)
                for pair in zip(edge.passed, edge.target.arguments[edge.made :], strict=False)
            ]
        if op.interface(RegionBranch) is not None:
            return [
                (origin.operands[place], value)
                for (origin, place), inputs in inputs_by_source(op).items()
                for value in inputs
            ]
        if op.interface(Call) is not None:
            # Nothing is known of what is called.
            return [(operand, result) for operand in op.operands for result in op.results]
        return ()
