"""Loops that must not become one, for what they do to memory other than by affine accesses to the same memref.

MLIR 22 looks at those accesses alone: it fuses a loop that calls a function with a buffer into one that reads this, and
two loops that print. Such fused loops compute something else.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from fathom.irdl.interfaces import Call, EffectKind
from fathom.passes.affine.dependence_graph import accessed, affected, others_depend
from fathom.passes.affine.effort import count_steps
from fathom.passes.affine.other_names import views_of_the_same
from fathom.rewriting.effects import own_effects
from fathom.rewriting.reasons import called

if TYPE_CHECKING:
    from fathom.ir.operation import Operation, Value
    from fathom.passes.affine.dependence_graph import Contents, Node


def why_apart(first: Node, second: Node) -> str | None:
    """Why two loops, the first before the second, stay two; None if nothing keeps them apart."""
    one, other = accessed(first.contents), accessed(second.contents)
    for memref in one:
        if memref in other and others_depend(first.contents, second.contents, memref):
            return f"one of the loops uses {called(memref)} in another way than by affine accesses"
    for memref, view in views_of_the_same([*dict.fromkeys([*one, *other])]):
        if memref not in one or view not in other:
            continue
        if _changes(first.contents, memref) or _changes(second.contents, view):
            return f"{called(memref)} and {called(view)} are the same memory, and one of the loops changes it"
    if (met := _seen_outside(first.op)) is None or _seen_outside(second.op) is None:
        return None
    return f"both loops do what is seen from outside, as '{met.name}' is, and that keeps its order"


def _changes(held: Contents, memref: Value) -> bool:
    return any(op.memref is memref for op in held.stores) or any(
        value is memref
        for kind, ops in ((EffectKind.WRITE, held.writes), (EffectKind.FREE, held.frees))
        for op in ops
        for value in affected(op, kind)
    )


def _seen_outside(loop: Operation) -> Operation | None:
    """A call in a loop, or what else acts on more than a buffer, such as what prints. Of operations that nobody has
    described MLIR's own tests hold that they are fused."""
    for op in loop.walk():
        count_steps(1)
        effects = own_effects(op) or ()
        if op.interface(Call) is not None or any(e.kind is EffectKind.WRITE and e.value is None for e in effects):
            return op
    return None
