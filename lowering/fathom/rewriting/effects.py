"""What operations do to memory, and which of them nobody would miss.

Source of the rules: *Side Effects & Speculation*.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from fathom.irdl.interfaces import Effect, EffectKind, MemoryEffects
from fathom.irdl.traits import NO_MEMORY_EFFECT, PURE, RECURSIVE_MEMORY_EFFECTS

if TYPE_CHECKING:
    from fathom.ir.operation import Operation, Value


def own_effects(op: Operation) -> Sequence[Effect] | None:
    """What the operation does to memory, apart from what is nested in it; None where that is not known."""
    model = op.interface(MemoryEffects)
    if model is not None:
        return model.effects(op)
    return () if op.has(PURE) or op.has(NO_MEMORY_EFFECT) else None


def effects_with_nested(op: Operation) -> list[Effect] | None:
    """What the operation and all that is nested in it do to memory; None where that is not known."""
    collected: list[Effect] = []
    pending = [op]
    while pending:
        current = pending.pop()
        recursive = current.has(RECURSIVE_MEMORY_EFFECTS)
        if recursive:
            pending += (inner for region in current.regions for inner in region.operations())
        effects = own_effects(current)
        if effects is not None:
            collected += effects
        elif not recursive:
            return None
    return collected


def is_memory_effect_free(op: Operation) -> bool:
    """Whether neither the operation nor what is nested in it does anything to memory."""
    pending = [op]
    while pending:
        current = pending.pop()
        recursive = current.has(RECURSIVE_MEMORY_EFFECTS)
        effects = own_effects(current)
        if effects or (effects is None and not recursive):
            return False
        if recursive:
            pending += (inner for region in current.regions for inner in region.operations())
    return True


def has_only_effect(op: Operation, kind: EffectKind) -> bool:
    """Whether the operation itself has effects, all of this kind."""
    effects = own_effects(op)
    return bool(effects) and all(effect.kind is kind for effect in effects or ())


def has_only_effect_on(op: Operation, kind: EffectKind, value: Value) -> bool:
    """Whether the operation itself has effects of this kind on a value, and no other ones on that."""
    return {effect.kind for effect in own_effects(op) or () if effect.value is value} == {kind}


def would_be_dead(op: Operation) -> bool:
    """Whether the operation could go if nothing used its results: it only reads, or makes memory that it returns."""
    definition = op.definition
    if definition is None:
        return False
    if (known := definition.may_go_unused) is not None:
        return known
    # Most often the first of many operations tells.
    pending: list[Iterator[Operation]] = [iter((op,))]
    while pending:
        current = next(pending[-1], None)
        if current is None:
            pending.pop()
            continue
        if (known := current.definition.is_harmless if current.definition is not None else None) is not None:
            if not known:
                return False
            continue
        recursive = current.has(RECURSIVE_MEMORY_EFFECTS)
        if recursive:
            pending += [region.operations() for region in current.regions]
        effects = own_effects(current)
        if effects is None:
            if not recursive:
                return False
            continue
        made = {e.value for e in effects if e.kind is EffectKind.ALLOCATE and e.value in current.results}
        if any(e.kind is not EffectKind.READ and (e.value is None or e.value not in made) for e in effects):
            return False
    return True


def is_dead(op: Operation) -> bool:
    """Whether nothing uses the results of the operation, and nobody would miss it."""
    for result in op.results:
        if result.uses:
            return False
    return would_be_dead(op)
