"""What operations do with a slot of memory: allocate it, load and store it, or hand its pointer on.

A *slot* is a pointer with the type of what is behind it. What a dialect's operations say of slots is an aspect
(`memory_slots.py`). Source of the rules: `MemorySlotInterfaces.td` of MLIR 22.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from fathom.irdl.aspects import Aspect
from fathom.irdl.lazy import Joined
from fathom.records import record

if TYPE_CHECKING:
    from fathom.ir.attributes import Attribute
    from fathom.ir.operation import BlockArgument, Operation, Region, Value
    from fathom.ir.types import Type
    from fathom.irdl.dialect import Definitions
    from fathom.rewriting.rewriter import Rewriter

    Use: TypeAlias = tuple[Operation, int]
    """An operand: whose it is, and its number."""
    Index: TypeAlias = Attribute
    """The name of a part of a slot."""


@record(eq=False)
class Slot:
    """A pointer, and the type of what is behind it. A slot that can be divided has `parts`, by their indices."""

    pointer: Value
    type: Type
    parts: Mapping[Index, Type] | None = None


@record(eq=False)
class Allocation:
    """`PromotableAllocationOpInterface` and `DestructurableAllocationOpInterface`: an operation whose result is a slot.

    `slot(op)` is the one that may become values, `default(op, slot, rewriter)` the value before anything is stored,
    and `arrives(op, argument, rewriter)` is told of an argument of a block that the slot becomes. `divisible(op)` is
    the slot that may become several, one for each part, which `part(op, type, rewriter)` makes. Where there is no such
    slot, a text says why.
    """

    slot: Callable[[Any], Slot | str]
    default: Callable[[Any, Slot, Rewriter], Value]
    divisible: Callable[[Any], Slot | str]
    part: Callable[[Any, Type, Rewriter], Operation]
    arrives: Callable[[Any, BlockArgument, Rewriter], None] = lambda op, argument, rewriter: None


@record(eq=False)
class Access:
    """`PromotableMemOpInterface`: an operation that loads or stores a slot. Where it `may_go` with its uses of the
    slot, by the numbers of its operands, it goes with them: after `replace(op, slot, value, rewriter)`, where `value`
    is what the slot holds before it. What it holds then is `stored(op, slot, value, rewriter)`."""

    loads: Callable[[Any, Slot], bool]
    stores: Callable[[Any, Slot], bool]
    may_go: Callable[[Any, Slot, Collection[int]], bool]
    stored: Callable[[Any, Slot, Value, Rewriter], Value]
    replace: Callable[[Any, Slot, Value, Rewriter], None]


def loading(
    pointer: Callable[[Any], Value],
    fits: Callable[[Any, Slot], bool],
    replace: Callable[[Any, Slot, Value, Rewriter], None],
) -> Access:
    """What an operation does that loads all of what its `pointer` shows, and goes where a value of its type `fits`."""
    return Access(
        lambda op, slot: pointer(op) is slot.pointer,
        lambda op, slot: False,
        lambda op, slot, uses: len(uses) == 1 and pointer(op) is slot.pointer and fits(op, slot),
        lambda op, slot, value, rewriter: value,
        replace,
    )


def storing(
    pointer: Callable[[Any], Value],
    fits: Callable[[Any, Slot], bool],
    stored: Callable[[Any, Slot, Value, Rewriter], Value],
) -> Access:
    """The same of one that stores its `value`, if that is not the pointer itself."""
    return Access(
        lambda op, slot: False,
        lambda op, slot: pointer(op) is slot.pointer,
        lambda op, slot, uses: len(uses) == 1 and pointer(op) is slot.pointer is not op.value and fits(op, slot),
        stored,
        lambda op, slot, value, rewriter: None,
    )


@record(eq=False)
class Handing:
    """`PromotableOpInterface`: an operation that can do without some of its operands, whatever they are. `needs(op,
    uses)` are the uses of its results that have to go before, None where it cannot. `replace(op, uses, rewriter)` says
    whether it goes itself. `tell(op, values, rewriter)` is told of each value that is stored, with what stored it."""

    needs: Callable[[Any, Collection[int]], Sequence[Use] | None]
    replace: Callable[[Any, Collection[int], Rewriter], bool] = lambda op, uses, rewriter: True
    tell: Callable[[Any, Sequence[tuple[Operation, Value]], Rewriter], None] | None = None


@record(eq=False)
class PartAccess:
    """`DestructurableAccessorOpInterface`: an operation that uses a slot by its parts. `parts(op, slot)` are the
    indices of those, and the slots that must be used safely then; None where they are not known. `rewire(op, slot,
    parts, rewriter)` has it use the slots of the parts instead, and says whether it goes."""

    parts: Callable[[Any, Slot], tuple[Sequence[Index], Sequence[Slot]] | None]
    rewire: Callable[[Any, Slot, Mapping[Index, Slot], Rewriter], bool]


@record(eq=False)
class SlotUse:
    """All that an operation says of slots. `safely(op, slot)` (`SafeMemorySlotAccessOpInterface`) are slots that must
    be used safely for this one to be; None where it is not used so."""

    allocation: Allocation | None = None
    access: Access | None = None
    handing: Handing | None = None
    part_access: PartAccess | None = None
    safely: Callable[[Any, Slot], Sequence[Slot] | None] | None = None


MEMORY_SLOTS: Final = Aspect[Mapping[str, SlotUse]]("memory_slots", {}, Joined)

_NOTHING: Final = SlotUse()


def slot_use(op: Operation, context: Definitions) -> SlotUse:
    """What an operation says of slots."""
    return context.aspect(MEMORY_SLOTS, op.dialect).get(op.name, _NOTHING)


def uses_of(value: Value) -> list[Use]:
    """The uses of a value, in the order in which MLIR keeps them: the newest first."""
    return [(user, place) for user in reversed(value.uses) for place in reversed(value.places_in(user))]


def uses_of_results(op: Operation, _: Collection[int] = ()) -> list[Use]:
    """The uses of what an operation hands on."""
    return [use for result in op.results for use in uses_of(result)]


def replace_slots(
    region: Region, context: Definitions, replace: Callable[[Operation], Sequence[Operation] | None]
) -> None:
    """Replaces what allocates slots in a region, and what allocates them in its place, as long as one can be replaced.
    `replace` returns the latter, and None where it leaves an operation as it is."""
    left = [op for op in region.walk_postorder() if slot_use(op, context).allocation is not None]
    is_changed = True
    while left and is_changed:
        is_changed, remaining = False, list["Operation"]()
        for op in left:
            made = replace(op)
            is_changed |= made is not None
            remaining += [op] if made is None else made
        left = remaining


def insert_after(rewriter: Rewriter, op: Operation) -> None:
    """New operations come behind one, and from where it does."""
    rewriter.set_insertion_behind(op)
    rewriter.stand_in(op)


def erase_all(ops: Sequence[Operation]) -> None:
    """Takes away operations that may use each other."""
    for op in ops:
        op.drop_all_references()
    for op in ops:
        op.unlink()
