"""Slots of memory become values: what was loaded is what was stored before.

    %m = memref.alloca() : memref<i32>
    memref.store %a, %m[]                 ->        use(%a)
    %0 = memref.load %m[]
    use(%0)

Where several ways meet on which something else was stored, blocks get an argument for it. A slot becomes values if all
that uses its pointer can do without. Source of the rules: `Mem2Reg.cpp` of MLIR 22.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from fathom.cached import cached_property
from fathom.irdl.interfaces import Branch
from fathom.irdl.traits import GRAPH_REGION
from fathom.records import record
from fathom.rewriting.blocking_uses import Obstacle, blocking_uses
from fathom.rewriting.memory_slots import erase_all, insert_after, replace_slots, slot_use, uses_of
from fathom.rewriting.merge_points import DominatorLevels, live_blocks
from fathom.rewriting.observers import explaining
from fathom.rewriting.order import Order
from fathom.rewriting.rewriter import Rewriter
from fathom.rewriting.slot_reasons import tell_in_memory
from fathom.slices import checkpoint

if TYPE_CHECKING:
    from fathom.ir.operation import Block, Operation, Region, Value
    from fathom.irdl.dialect import Definitions
    from fathom.rewriting.blocking_uses import BlockingUses
    from fathom.rewriting.memory_slots import Access, Allocation, Slot


@record(frozen=False)
class Promoted:
    """How many slots became values, and how many arguments blocks got."""

    slots: int = 0
    arguments: int = 0


def promote_slots(region: Region, context: Definitions) -> Promoted:
    """Has as many slots as can be in a region become values."""
    promoted = Promoted()
    known = _Known(region, context)
    replace_slots(region, context, lambda op: [] if _promote(op, known, promoted) else None)
    return promoted


def _promote(op: Operation, known: _Known, promoted: Promoted) -> bool:
    """Whether what an operation allocates became values."""
    checkpoint()
    allocation = slot_use(op, known.context).allocation
    if allocation is None:
        return False
    slot = allocation.slot(op)
    if isinstance(slot, str) or not slot.pointer.uses:
        if (watch := explaining()) is not None:
            tell_in_memory(op, slot, known.context, watch)
        return False
    promotion = _Promotion(op, allocation, slot, known)
    obstacle = promotion.obstacle()
    if obstacle is not None:
        if (watch := explaining()) is not None:
            tell_in_memory(op, slot, known.context, watch, obstacle)
        return False
    promotion.promote()
    promoted.slots += 1
    promoted.arguments += len(promotion.merging)
    return True


class _Known:
    """What is found out once: of regions, whose blocks stay as they are, and of the order of operations."""

    def __init__(self, region: Region, context: Definitions) -> None:
        self.context = context
        self.rewriter = Rewriter(context)
        self.order = Order(region)
        self._levels: dict[Region, DominatorLevels] = {}

    def levels(self, region: Region) -> DominatorLevels:
        """The dominator tree of a region."""
        known = self._levels.get(region)
        if known is None:
            known = self._levels[region] = DominatorLevels(region)
        return known


class _Promotion:
    """What is found out of one slot, and done about it."""

    def __init__(self, op: Operation, allocation: Allocation, slot: Slot, known: _Known) -> None:
        self.op, self.allocation, self.slot, self.known = op, allocation, slot, known
        self.merging: set[Block] = set()
        """The blocks that need an argument."""
        self._blocking: BlockingUses = {}
        self._accesses: dict[Block, list[tuple[Operation, Access]]] = {}
        """The loads and stores of the slot in each block, in order."""
        self._before: dict[Operation, Value] = {}
        """What the slot holds before an operation."""
        self._stored: dict[Operation, Value] = {}
        self._passed: set[tuple[Operation, Block]] = set()

    @cached_property
    def default(self) -> Value:
        """What the slot holds before anything is stored."""
        rewriter, block = self.known.rewriter, self.slot.pointer.parent_block
        assert block is not None, "a slot is allocated in a block"
        with rewriter.elsewhere():
            rewriter.set_insertion_to_start(block)
            rewriter.stand_in(self.op)
            return self.allocation.default(self.op, self.slot, rewriter)

    def _access(self, op: Operation) -> Access | None:
        return slot_use(op, self.known.context).access

    # ---- whether it can be

    def obstacle(self) -> Obstacle | None:
        """For what the slot stays; None where all uses of it can go."""
        region = self.op.parent_region
        if region is None or region.parent is None or region.parent.has(GRAPH_REGION):
            return Obstacle(self.op, how="stands in a region without an order")
        blocking = blocking_uses(uses_of(self.slot.pointer), self.known.context, self._may_go)
        if isinstance(blocking, Obstacle):
            return blocking
        self._blocking = blocking
        for op in blocking:
            if self._access(op) is not None and op.parent_region is not region:
                return Obstacle(op, how="accesses it from another region")
        self._find_accesses()
        if region.first is not region.last:
            self._find_merging(region)
        for block in self.merging:
            for end in (predecessor.last for predecessor in block.predecessors()):
                if end is None or end.interface(Branch) is None:
                    return Obstacle(end or self.op, how="cannot pass its value to the block that it leads to")
        return None

    def _may_go(self, op: Operation, uses: set[int]) -> bool:
        access = self._access(op)
        return access is not None and access.may_go(op, self.slot, uses)

    def _find_accesses(self) -> None:
        users = [op for op in self.slot.pointer.uses if self._access(op) is not None]
        for op in self.known.order.sorted(users):
            access = self._access(op)
            if access is not None and op.parent is not None:
                self._accesses.setdefault(op.parent, []).append((op, access))

    def _find_merging(self, region: Region) -> None:
        defining, reading = set["Block"](), list["Block"]()
        for block, accesses in self._accesses.items():
            kinds = [(access.loads(op, self.slot), access.stores(op, self.slot)) for op, access in accesses]
            if any(stores for _, stores in kinds):
                defining.add(block)
            if next((loads for loads, stores in kinds if loads or stores), False):
                reading.append(block)
        levels = self.known.levels(region)
        self.merging = levels.merge_points(defining, live_blocks(reading, defining))

    # ---- doing it

    def promote(self) -> None:
        """Has the slot become values."""
        region = self.op.parent_region
        assert region is not None, "it was asked before whether it is possible"
        if region.first is region.last:
            self._follow(region.entry, self.default)
        else:
            self._follow_all(region)
        self._remove_uses()
        for block in self.merging:
            for op in list(block.branches):
                if (op, block) not in self._passed:
                    self._pass(op, block, self.default)
        default = self.default.defining_op
        if default is not None and not self.default.uses:
            default.erase()
        self.op.erase()

    def _follow(self, block: Block, value: Value) -> Value:
        """What the slot holds at the end of a block that begins with a value of it."""
        for op, access in self._accesses.get(block, ()):
            if op in self._blocking:
                self._before[op] = value
            if access.stores(op, self.slot):
                insert_after(self.known.rewriter, op)
                value = self._stored[op] = access.stored(op, self.slot, value, self.known.rewriter)
        return value

    def _follow_all(self, region: Region) -> None:
        """The same for all blocks that are come to, each after the one that dominates it."""
        levels, rewriter = self.known.levels(region), self.known.rewriter
        pending = [(levels.entry, self.default)]
        while pending:
            block, value = pending.pop()
            if block in self.merging:
                argument = block.add_argument(self.slot.type, self.op.span)
                argument.location = self.op.location
                rewriter.set_insertion_to_start(block)
                self.allocation.arrives(self.op, argument, rewriter)
                value = argument
            value = self._follow(block, value)
            if block.last is not None:
                for successor in dict.fromkeys(block.last.successors):
                    if successor in self.merging:
                        self._pass(block.last, successor, value)
            pending += ((child, value) for child in levels.children.get(block, ()))

    def _pass(self, op: Operation, block: Block, value: Value) -> None:
        """Has a branch pass a value to the new argument of a block."""
        branch = op.interface(Branch)
        if branch is not None:
            edges = enumerate(branch.edges(op))
            branch.change(op, {index: [*edge.passed, value] for index, edge in edges if edge.target is block})
            self._passed.add((op, block))

    def _remove_uses(self) -> None:
        context, rewriter = self.known.context, self.known.rewriter
        gone: list[Operation] = []
        told: list[Operation] = []
        replaced: list[tuple[Operation, Value]] = []
        for op in reversed(self.known.order.sorted(self._blocking)):
            use = slot_use(op, context)
            insert_after(rewriter, op)
            if use.handing is not None:
                if use.handing.replace(op, self._blocking[op], rewriter):
                    gone.append(op)
                if use.handing.tell is not None:
                    told.append(op)
            elif use.access is not None:
                use.access.replace(op, self.slot, self._before.get(op) or self.default, rewriter)
                gone.append(op)
                if op in self._stored:
                    replaced.append((op, self._stored[op]))
        for op in told:
            handing = slot_use(op, context).handing
            if handing is not None and handing.tell is not None:
                handing.tell(op, replaced, rewriter)
        erase_all(gone)
