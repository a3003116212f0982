"""Conflicts: a read that would find another value than the one that the program says, if an operand were written in its
own buffer.

    %0 = …                                          the definition
    %1 = linalg.fill … outs(%0)                     the write that is asked about
    … = tensor.extract %0[…]                        the read: it is meant to find %0, not %1

Source of the rules: *Bufferization*, "Read-After-Write conflicts", and `OneShotAnalysis.cpp` of MLIR 22.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations, islice
from typing import TYPE_CHECKING, Final

from fathom.bufferization.accesses import Accesses, Places
from fathom.bufferization.onlookers import onlooker
from fathom.bufferization.order import Order
from fathom.bufferization.regions import ancestor_in
from fathom.bufferization.subsets import SUBSETS
from fathom.bufferization.told import Rule
from fathom.bufferization.uses import Use, uses_of
from fathom.ir.operation import OpResult
from fathom.ir.traversal import is_inside
from fathom.records import record
from fathom.slices import checkpoint

if TYPE_CHECKING:
    from fathom.bufferization.analysis import OneShotState
    from fathom.ir.operation import Operation, Region, Value


MOST_TOLD: Final = 64
"""One conflict decides. Who looks on is told of so many."""


@record
class Conflict:
    """Why an operand is not written in place: the rule, the write that is in the way, and the value whose buffer is
    concerned. Of a read after a write that is the value which the read should find."""

    rule: Rule
    write: Use
    definition: Value
    read: Use | None = None


class Conflicts:
    """What is in the way of writing operands in place."""

    def __init__(self, state: OneShotState) -> None:
        self._state = state
        self._order = Order(state)
        self._harmless: dict[Use, set[Use]] = {}
        """Of each read the writes that are not in conflict with it, which does not follow from decisions. Where
        conflicts are told, each pair is met again for each operand."""
        self._places = Places()
        self._accesses: dict[Value, Accesses] = {}
        """Of each set of values that may share a buffer, by its root."""
        self._shared: dict[Use, Value | None] = {}
        self._most = MOST_TOLD if onlooker() is not None else 1

    def forget(self) -> None:
        """Forgets what is found out once, since operations have changed."""
        self._order = Order(self._state)
        self._harmless.clear()
        self._places = Places()
        self._accesses.clear()
        self._shared.clear()

    # ---- whether there is one

    def stand_against(self, use: Use) -> bool:
        """Whether something is in the way of taking an operand in place."""
        is_written = self._state.writes(use)
        around = self._around(use)
        if (is_written or any(each.writes for each in around)) and any(each.is_locked for each in around):
            return True
        if self._meet(around):
            return True
        if not is_written:
            return False
        if self._is_shared(use) and any(each.is_read for each in around):
            return True
        return any(self._is_in_the_way(use, read) for each in around for read in each.reads_near(use))

    def are_decided(self, use: Use) -> bool:
        """Whether something is in conflict already, around an operand."""
        return self._meet(self._around(use))

    def would_write(self, use: Use) -> bool:
        """Whether a buffer is written that must not be, around an operand."""
        around = self._around(use)
        return any(each.is_locked for each in around) and any(each.writes for each in around)

    def unite(self, use: Use, values: Iterable[Value]) -> None:
        """Has values share the buffer of an operand, which is taken in place."""
        sharing = self._state.sharing
        whole: Accesses | None = self._accesses.pop(sharing.root(use.value), None)
        for value in values:
            known = self._accesses.pop(sharing.root(value), None)
            if sharing.are_one(value, use.value):
                continue
            sharing.unite(value, use.value)
            if whole is not None and known is not None:
                small, whole = sorted((whole, known), key=lambda each: len(each.reads) + len(each.writes))
                whole.absorb(small)
            else:
                whole = None
        if whole is not None:
            if self._state.writes(use):
                whole.in_parallel |= self._is_shared(use)
                whole.add_write(use)
            self._accesses[sharing.root(use.value)] = whole

    def _around(self, use: Use) -> list[Accesses]:
        """The buffers of an operand and of the values that may have its buffer."""
        values = (use.value, *(alias.value for alias in self._state.aliases(use)))
        return list(dict.fromkeys(map(self._of, values)))

    def _of(self, value: Value) -> Accesses:
        """What is done with the buffer of a value."""
        root = self._state.sharing.root(value)
        accesses = self._accesses.get(root)
        if accesses is None:
            accesses = self._accesses[root] = self._gathered(value)
        return accesses

    def _gathered(self, value: Value) -> Accesses:
        state = self._state
        accesses = Accesses(self._places)
        accesses.is_locked = not all(map(state.is_writable, state.sharing.members(value)))
        reads: dict[Use, None] = {}
        self._note_reads(value, reads)
        accesses.is_read = bool(reads)
        for read in reads:
            if definitions := state.definitions_once(read):
                accesses.add_read(read, self._places.span(read.op, definitions))
        writes: dict[Use, None] = {}
        self._note_writes(value, writes)
        for write in writes:
            accesses.in_parallel |= self._is_shared(write)
            accesses.in_conflict |= any(self._is_in_the_way(write, read) for read in accesses.reads_near(write))
            accesses.add_write(write)
        return accesses

    def _meet(self, around: Sequence[Accesses]) -> bool:
        """Whether there is a conflict in buffers, if all are one."""
        if any(each.in_conflict for each in around):
            return True
        if any(each.is_read for each in around) and any(each.in_parallel for each in around):
            return True
        for one, other in combinations(around, 2):
            small, big = sorted((one, other), key=lambda each: len(each.reads) + len(each.writes))
            for read, span in small.reads.items():
                if any(self._is_in_the_way(write, read) for write in big.writes_near(read, span)):
                    return True
            for write in small.writes:
                if any(self._is_in_the_way(write, read) for read in big.reads_near(write)):
                    return True
        return False

    def _is_in_the_way(self, write: Use, read: Use) -> bool:
        checkpoint()
        return self._conflicting(read, write, self._state.definitions_once(read)) is not None

    def _is_shared(self, write: Use) -> bool:
        return self._state.options.check_parallel_regions and self._shared_by_all(write) is not None

    # ---- which there are

    def of(self, use: Use) -> list[Conflict]:
        """What is in the way of taking an operand in place."""
        return self.writes_what_must_not_be(use) or self._those_around(use, is_decided=False)

    def decided(self, use: Use) -> list[Conflict]:
        """What has been decided and is in conflict already, around an operand."""
        return self._those_around(use, is_decided=True)

    def writes_what_must_not_be(self, use: Use) -> list[Conflict]:
        """The values whose buffer would be written, and may not be."""
        state = self._state
        values = [use.value, *(alias.value for alias in state.aliases(use))]
        if not state.writes(use):
            writes: dict[Use, None] = {}
            for value in values:
                self._note_writes(value, writes)
            if not writes:
                return []
        locked = (member for value in values for member in state.sharing.members(value))
        return [
            Conflict(Rule.NOT_WRITABLE, use, locked_value)
            for locked_value in locked
            if not state.is_writable(locked_value)
        ]

    def _those_around(self, use: Use, *, is_decided: bool) -> list[Conflict]:
        state = self._state
        reads: dict[Use, None] = {}
        writes: dict[Use, None] = {}
        for value in (use.value, *(alias.value for alias in state.aliases(use))):
            self._note_reads(value, reads)
            self._note_writes(value, writes)
        if not is_decided and state.writes(use):
            writes[use] = None
        return list(islice(self._each(reads, writes), self._most))

    def _note_writes(self, value: Value, uses: dict[Use, None]) -> None:
        """Adds the writes in place to what may share a buffer with a value."""
        state = self._state
        for member in state.sharing.members(value):
            for use in uses_of(member):
                if state.is_in_place(use) and state.writes(use):
                    uses[use] = None

    def _note_reads(self, value: Value, uses: dict[Use, None]) -> None:
        """Adds the reads of what may share a buffer with it: also by way of what is not decided yet."""
        state = self._state
        for member in state.sharing.members(value):
            for use in uses_of(member):
                if use not in uses and (
                    state.reads(use)
                    or (not state.writes(use) and any(state.is_read(alias.value) for alias in state.aliases(use)))
                ):
                    uses[use] = None

    def _each(self, reads: dict[Use, None], writes: dict[Use, None]) -> Iterator[Conflict]:
        """The reads that find what another write left, if all of them have one buffer."""
        state = self._state
        for write in writes if state.options.check_parallel_regions and reads else ():
            shared = self._shared_by_all(write)
            if shared is not None:
                yield Conflict(Rule.IN_PARALLEL, write, shared)
        for read in reads:
            definitions = state.definitions_once(read)
            harmless = self._harmless.setdefault(read, set())
            unknown = writes.keys() - harmless if definitions else ()
            for write in writes if unknown else ():
                if write not in unknown:
                    continue
                checkpoint()
                definition = self._conflicting(read, write, definitions)
                if definition is not None:
                    yield Conflict(Rule.READ_AFTER_WRITE, write, definition, read)
                else:
                    harmless.add(write)

    def _shared_by_all(self, write: Use) -> Value | None:
        """What was defined for all those together who make a write at the same time."""
        if write not in self._shared:
            self._shared[write] = self._find_shared(write)
        return self._shared[write]

    def _find_shared(self, write: Use) -> Value | None:
        mine = self._order.parallel_region(write.op.parent_region)
        behind = self._state.values_behind(write, self._state.value_writes)
        return next((value for value in behind if self._order.parallel_region(_region_of(value)) is not mine), None)

    def _conflicting(self, read: Use, write: Use, definitions: dict[Value, None]) -> Value | None:
        """The definition that a read does not find any more after a write; None for no conflict."""
        state, order = self._state, self._order
        aliases = state.aliases(write)
        own = aliases[0].value if len(aliases) == 1 else None
        lost = next((each for each in definitions if each is not own and self._is_after(write.op, each)), None)
        if lost is None:
            return None
        if order.decides(read, write, definitions):
            if order.is_before(read.op, write.op) or read == write:
                return None
            if order.exclude_each_other(read.op, write.op):
                return None
            if read.op is write.op and self._is_elementwise(read, write):
                return None
        if self._are_apart(read, write):
            return None
        for op in dict.fromkeys((read.op, write.op)):
            model = state.model(op)
            if model is not None and model.does_not_conflict(op, read, write, state):
                return None
        return lost

    def _is_after(self, op: Operation, definition: Value) -> bool:
        """Whether an operation may run after a value was defined, and is no part of defining it."""
        if isinstance(definition, OpResult):
            maker = definition.op
            return not self._order.is_before(op, maker) and not (op is not maker and is_inside(op, maker))
        block = definition.parent_block
        around = ancestor_in(op, block.parent) if block is not None else None
        return around is not None and around.parent is block

    def _is_elementwise(self, read: Use, write: Use) -> bool:
        """Whether an operation reads all that it writes at the same place before."""
        state = self._state
        model = state.model(read.op)
        if model is None or not model.is_elementwise(read.op, (read, write), state):
            return False
        return self._comes_from(read, write.value) or self._comes_from(write, read.value)

    def _comes_from(self, use: Use, value: Value) -> bool:
        """Whether an operand is a value, seen in the same way."""
        origins = self._state.values_behind(
            use, lambda candidate: candidate is value, includes_leaves=False, only_equivalent=True, only_same_type=True
        )
        return bool(origins)

    # ---- parts of tensors

    def _are_apart(self, read: Use, write: Use) -> bool:
        """Whether what is read is no part of what is written, or is the same there before and after."""
        state = self._state
        subset = SUBSETS.get(read.op.name)
        if subset is not None:
            if read.place == subset.destination and self._is_what_is_inserted(write, read.op):
                return True
            is_own = read.place == subset.source and write == Use(read.op, subset.destination)
            if is_own and self._is_what_is_inserted(read, read.op):
                return True
        subset = SUBSETS.get(write.op.name)
        if subset is None or write.place != subset.destination:
            return False
        source = Use(write.op, subset.source)
        return state.are_equivalent(read.value, source.value) and self._is_what_is_inserted(source, write.op)

    def _is_what_is_inserted(self, use: Use, insertion: Operation) -> bool:
        """Whether an operand comes from the very part of a tensor that an operation writes."""
        state, subset = self._state, SUBSETS[insertion.name]

        def is_part(value: Value) -> bool:
            return isinstance(value, OpResult) and subset.is_equivalent(insertion, value, state.are_equivalent)

        return all(map(is_part, state.values_behind(use, is_part)))


def _region_of(value: Value) -> Region | None:
    block = value.parent_block
    return block.parent if block is not None else None
