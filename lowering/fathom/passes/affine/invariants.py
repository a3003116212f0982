"""What affine loops do the same in each iteration, moved in front of them.

Source of the rules: `AffineLoopInvariantCodeMotion.cpp` of MLIR 22.
"""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING, Final

from fathom.irdl.interfaces import Call, EffectKind
from fathom.ops.affine import ForOp, IfOp, ParallelOp, YieldOp
from fathom.passes.affine.accesses import ACCESSES, WRITES
from fathom.passes.affine.effort import count_steps
from fathom.passes.affine.other_names import memory_of
from fathom.passes.affine.reasons import why_it_stays
from fathom.passes.affine.trip_counts import always_runs
from fathom.rewriting.effects import is_memory_effect_free, own_effects
from fathom.rewriting.observers import explaining
from fathom.rewriting.rewriter import Rewriter

if TYPE_CHECKING:
    from fathom.context import Context
    from fathom.diagnostics import Diagnostic
    from fathom.ir.attributes import SymbolRefAttr
    from fathom.ir.operation import Operation, Value


def move_invariants(function: Operation, context: Context) -> list[Diagnostic]:
    """In all loops of a function, the inner ones first."""
    rewriter, watch = Rewriter(context), explaining()
    for loop in [op for op in function.walk_postorder() if isinstance(op, ForOp)]:
        invariants = _Invariants(loop)
        moved = [op for op in loop.region.entry if not isinstance(op, YieldOp) and invariants.may_move(op)]
        if watch is not None:
            left = dict.fromkeys(op for op in loop.region.entry if not isinstance(op, YieldOp))
            for op in moved:
                del left[op]
            for op in left:
                watch.left(op, "hoist", why_it_stays(op, loop, invariants.in_the_way.get(op), left))
        for op in moved:
            assert loop.parent is not None, "a loop stands in a block"
            rewriter.move_before(op, loop.parent, loop)
    return []


class _Invariants:
    """What is found out of the operations in a loop, in their order: those that are the same in each iteration, and
    those of which that has to be known, since others use them or since they access memory."""

    def __init__(self, loop: ForOp) -> None:
        self.loop = loop
        self.invariant: set[Operation] = set()
        self.needed: set[Operation] = set()
        self.in_the_way: dict[Operation, Operation] = {}
        """Of accesses that stay, another one to the same memory, or what may be one."""
        self.runs: Final = always_runs(loop)
        """Whether the body is known to run at all. MLIR 22 does not ask that, and writes what no iteration would."""
        self._calls: list[Operation] = []
        self._touching: dict[Value | SymbolRefAttr, list[Operation]] = {}
        self._writing: dict[Value | SymbolRefAttr, list[Operation]] = {}
        for op in loop.walk():
            count_steps(8)
            self._note(op)

    def _note(self, op: Operation) -> None:
        """Notes what memory an operation in the loop acts on."""
        if op.interface(Call) is not None:
            self._calls.append(op)
        for effect in own_effects(op) or ():
            if effect.value is None or effect.kind not in (EffectKind.READ, EffectKind.WRITE):
                continue
            memory = memory_of(effect.value)
            self._touching.setdefault(memory, []).append(op)
            if effect.kind is EffectKind.WRITE:
                self._writing.setdefault(memory, []).append(op)

    def may_move(self, op: Operation) -> bool:
        """Whether an operation directly in the loop may be done in front of it."""
        if any(result.uses for result in op.results):
            self.needed.add(op)
        return self._is_invariant(op)

    def _is_invariant(self, op: Operation) -> bool:
        count_steps(8)
        if isinstance(op, (IfOp, ForOp, ParallelOp)):
            if not all(
                self._is_invariant(inner) for region in op.regions for block in region.blocks for inner in block
            ):
                return False
        elif isinstance(op, ACCESSES):
            self.needed.add(op)
            if not self.runs or self._interferes(op, op.memref):
                return False
        elif not is_memory_effect_free(op):
            return False
        if any(operand in self.loop.region.entry.arguments for operand in op.operands):
            return False
        if any(maker in self.needed and maker not in self.invariant for maker in op.definers):
            return False
        self.invariant.add(op)
        return True

    def _interferes(self, op: Operation, memref: Value) -> bool:
        """Whether something else in the loop writes what an access is to, or reads what it writes. A call may."""
        acting = self._touching if isinstance(op, WRITES) else self._writing
        others = chain(acting.get(memory_of(memref), ()), self._calls)
        other = next((each for each in others if each is not op), None)
        if other is not None:
            self.in_the_way[op] = other
        return other is not None
