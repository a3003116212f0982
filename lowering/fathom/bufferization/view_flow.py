"""Where a buffer goes under other names: through views, to the arguments of blocks and regions, and out of them.

Source of the rules: `BufferViewFlowAnalysis` of MLIR 22.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Final, NamedTuple

from fathom.irdl.aspects import Aspect
from fathom.irdl.interfaces import Branch, Call, EffectKind, RegionBranch
from fathom.irdl.lazy import Joined
from fathom.rewriting.effects import own_effects
from fathom.rewriting.region_branches import inputs_by_source, is_region_terminator

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
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


class Step(NamedTuple):
    """What an operation does to names: the pairs of a value and another name that it gets. The results of one that
    `may_make` buffers, and the arguments in it, may be buffers that there were not before."""

    pairs: Iterable[tuple[Value, Value]] = ()
    may_make: bool = False


def step_of(op: Operation, context: Definitions) -> Step:
    """What happens to names at an operation; of what nested ones do they tell themselves."""
    told = context.aspect(VIEW_FLOW, op.dialect).get(op.name)
    if told is not None:
        return Step(told(op), any(effect.kind is EffectKind.ALLOCATE for effect in own_effects(op) or ()))
    if is_view(op):
        return Step([(op.operands[0], op.results[0])])
    branch = op.interface(Branch)
    if branch is not None:
        edges = branch.edges(op)
        return Step(
            [pair for edge in edges for pair in zip(edge.passed, edge.target.arguments[edge.made :], strict=False)]
        )
    if op.interface(RegionBranch) is not None:
        by_source = inputs_by_source(op).items()
        return Step([(origin.operands[place], value) for (origin, place), inputs in by_source for value in inputs])
    if is_region_terminator(op):
        return Step()
    # Nothing is known of what is called.
    is_call = op.interface(Call) is not None
    return Step([(operand, result) for operand in op.operands for result in op.results] if is_call else (), True)


class ViewFlow:
    """What becomes of the values in an operation, which nothing looks out of."""

    def __init__(self, root: Operation, context: Definitions) -> None:
        self._later: dict[Value, dict[Value, None]] = {}
        for op in root.walk():
            for value, name in step_of(op, context).pairs:
                self._later.setdefault(value, {})[name] = None

    def names_of(self, value: Value) -> dict[Value, None]:
        """A value and all that it may be called later on."""
        names: dict[Value, None] = {}
        pending = [value]
        while pending:
            current = pending.pop()
            if current not in names:
                names[current] = None
                pending += self._later.get(current, ())
        return names
