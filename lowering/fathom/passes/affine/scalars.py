"""Affine accesses to memory, replaced by values.

Source of the rules: `affineScalarReplace` of MLIR 22.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

from fathom.ir.dominance import Dominance
from fathom.irdl.interfaces import EffectKind
from fathom.passes.affine.accesses import READS, WRITES, Access, Outcome, analysis_scope, dependence
from fathom.passes.affine.domains import common_loops
from fathom.passes.affine.effort import count_steps
from fathom.passes.affine.interference import Interference
from fathom.rewriting.effects import has_only_effect_on
from fathom.rewriting.observers import explaining
from fathom.rewriting.reasons import called_op
from fathom.rewriting.rewriter import Rewriter

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fathom.context import Context
    from fathom.diagnostics import Diagnostic
    from fathom.ir.operation import Block, Operation, Value
    from fathom.passes.affine.accesses import Read, Write

    _Why: TypeAlias = tuple[str, tuple[Operation, ...]]
    """Why something is not done, with places for operations, and these."""


def replace_by_scalars(root: Operation, context: Context) -> list[Diagnostic]:
    """What is stored is handed to loads; then stores that nobody sees go; then loads of the same become one."""
    replacing = _Replacing(root, context)
    replacing.forward_stores()
    replacing.remove_unseen_stores()
    replacing.remove_unread_buffers()
    replacing.join_loads()
    return []


class _Replacing:
    def __init__(self, root: Operation, context: Context) -> None:
        self.root = root
        self.rewriter = Rewriter(context)
        self.order = Dominance()
        self.interference = Interference(self._access)
        self._accesses: dict[Operation, Access] = {}
        self._forwarded: dict[Value, None] = {}
        self.watch = explaining()

    def _access(self, op: Operation) -> Access:
        access = self._accesses.get(op)
        if access is None:
            assert isinstance(op, (*READS, *WRITES)), "only accesses are asked for"
            access = self._accesses[op] = Access(op)
        return access

    def _same_accesses(self, access: Access, kinds: tuple[type[Operation], ...]) -> Iterator[Access]:
        """The other accesses that are to the same element."""
        for user in [*access.memref.uses]:
            if not isinstance(user, kinds) or user is access.op:
                continue
            count_steps(8)
            other = self._access(user)
            if other.memref is access.memref and other.is_same(access):
                yield other

    def _replace(self, load: Read, value: Value) -> None:
        self.rewriter.replace_all_uses(load.result, value)
        # What is loaded may be a subscript.
        self._accesses.clear()

    def _loads(self) -> list[Read]:
        return [op for op in self.root.walk_postorder() if isinstance(op, READS)]

    def _erase(self, ops: list[Operation]) -> None:
        for op in ops:
            self._accesses.pop(op, None)
            self.rewriter.erase(op)

    def _tell(self, op: Operation, what: str, why: _Why) -> None:
        """That something is not done to an operation, and why; the text of that is made if somebody looks."""
        if self.watch is not None:
            text, others = why
            self.watch.left(op, what, text.format(*map(called_op, others)))

    # ---- loads of what is stored

    def forward_stores(self) -> None:
        gone: list[Operation] = []
        for load in self._loads():
            store = self._last_store(self._access(load))
            if store is None or store.value.type != load.result.type:
                if store is not None:
                    self._tell(load, "forward", ("the {0} to the same element is of another type", (store,)))
                continue
            self._replace(load, store.value)
            self._forwarded[load.memref] = None
            gone.append(load)
        self._erase(gone)

    def _last_store(self, load: Access) -> Write | None:
        """The store whose value a load surely gets."""
        why: _Why = ("no affine store is to the element that it reads", ())
        for store in self._same_accesses(load, WRITES):
            if not self.order.is_before(store.op, load.op):
                why = "the {0} is to the same element, but does not dominate it", (store.op,)
                continue
            if not _surely_reaches(store, load):
                why = "the {0} is not known to be to the same element in the same iteration", (store.op,)
                continue
            between = self.interference.first(EffectKind.WRITE, store.op, load)
            if between is None:
                assert isinstance(store.op, WRITES), "only stores were asked for"
                return store.op
            why = "the {0} behind the {1} to the same element may write it", (between, store.op)
        self._tell(load.op, "forward", why)
        return None

    # ---- stores

    def remove_unseen_stores(self) -> None:
        stores = [op for op in self.root.walk_postorder() if isinstance(op, WRITES)]
        self._erase([store for store in stores if self._is_overwritten(self._access(store))])

    def _is_overwritten(self, store: Access) -> bool:
        why: _Why = ("no other affine store is to the element that it writes", ())
        for later in self._same_accesses(store, WRITES):
            if later.op.parent_region is not store.op.parent_region or not _surely_follows(later.op, store.op):
                why = "another {0} to the same element does not follow on every way from it", (later.op,)
                continue
            between = self.interference.first(EffectKind.READ, store.op, later)
            if between is None:
                return True
            why = "the {0} may read what it writes, before the {1} that overwrites it", (between, later.op)
        self._tell(store.op, "overwrite", why)
        return False

    def remove_unread_buffers(self) -> None:
        """Of the buffers from which a load was replaced, those that are only written and freed."""
        for memref in self._forwarded:
            maker = memref.defining_op
            if maker is None or not has_only_effect_on(maker, EffectKind.ALLOCATE, memref):
                continue
            users = [*memref.uses]
            if all(isinstance(user, WRITES) or has_only_effect_on(user, EffectKind.FREE, memref) for user in users):
                self._erase([*users, maker])

    # ---- loads of what is loaded

    def join_loads(self) -> None:
        gone: list[Operation] = []
        for load in self._loads():
            first = self._first_load(load)
            if first is not None:
                self._replace(load, first.result)
                gone.append(load)
        self._erase(gone)

    def _first_load(self, load: Read) -> Read | None:
        """The load, before all others, that surely gives the same value."""
        access = self._access(load)
        reads: list[Read] = []
        why: _Why = ("no affine load before it is of the same element", ())
        for other in self._same_accesses(access, READS):
            op = other.op
            if not self.order.is_before(op, load):
                continue
            between = self.interference.first(EffectKind.WRITE, op, access)
            if between is not None:
                why = "the {0} behind the {1} of the same element may write it", (between, op)
                continue
            if isinstance(op, READS) and op.result.type == load.result.type:
                reads.append(op)
        if not reads:
            self._tell(load, "merge", why)
        return next(
            (op for op in reads if all(other is op or self.order.is_before(op, other) for other in reads)),
            None,
        )


def _surely_reaches(store: Access, load: Access) -> bool:
    """Whether a store and a load are to the same element in one iteration of all loops around both."""
    if analysis_scope(store.op) is not analysis_scope(load.op):
        return False
    return dependence(store, load, common_loops(store.op, load.op) + 1).outcome is Outcome.SOME


def _surely_follows(later: Operation, op: Operation) -> bool:
    """Whether every way from an operation out of the region around it goes through another one there."""
    start, through = op.parent, later.parent
    if start is None or through is None:
        return False
    if start is through:
        return op.is_before_in_block(later)
    seen: set[Block] = set()
    pending = [start]
    while pending:
        block = pending.pop()
        if block in seen or block is through:
            continue
        if not block.successors:
            return False
        seen.add(block)
        pending += block.successors
    return True
