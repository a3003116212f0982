"""One-Shot Analysis: which operands of operations on tensors are written in place.

Operations are looked at one after the other, most often from the last to the first. An operand is in place if no read
would find what it was not meant to (`conflicts.py`), and nothing is written that may not be. Each decision says which
values share a buffer from then on, and so what the next ones may do.

Source of the rules: *Bufferization*, "One-Shot Bufferize", and `OneShotAnalysis.cpp` of MLIR 22.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from fathom.bufferization.classes import Classes
from fathom.bufferization.conflicts import Conflict, Conflicts
from fathom.bufferization.models import EQUIVALENT, Bufferizable, Source, tensor_has
from fathom.bufferization.onlookers import onlooker
from fathom.bufferization.options import NotInPlace, Options, Refusal, Refusals
from fathom.bufferization.random import MersenneTwister
from fathom.bufferization.regions import ancestor_in
from fathom.bufferization.state import AnalysisState
from fathom.bufferization.uses import Use, any_tensor, is_tensor, owner_of, tensor_uses, uses_of
from fathom.ir.operation import Operation, OpResult, Value
from fathom.ops.bufferization import ToTensorOp
from fathom.records import record
from fathom.rewriting.region_branches import is_region_terminator
from fathom.slices import checkpoint

if TYPE_CHECKING:
    from fathom.irdl.dialect import Definitions


@record(frozen=False)
class Statistics:
    """What bufferization counts."""

    allocations: int = 0
    in_place: int = 0
    out_of_place: int = 0


class OneShotState(AnalysisState):
    """What the analysis of an operation, with all that is in it, has found so far."""

    def __init__(self, op: Operation, options: Options, context: Definitions) -> None:
        super().__init__(options, context)
        self.statistics = Statistics()
        self.sharing = Classes()
        """Values that may share a buffer."""
        self.same = Classes()
        """Values that have the same buffer."""
        self.conflicts = Conflicts(self)
        self.against: dict[Use, list[Conflict]] = {}
        """Of each operand that is not in place, in the order of the decisions: why it is not, if anybody asks."""
        self._tells = options.test_analysis_only or onlooker() is not None
        self._in_place: set[Use] = set()
        self._undefined: set[Use] = set()
        self._definitions: dict[Value, dict[Value, None]] = {}
        self._reads: dict[Use, bool] = {}
        self._writes: dict[Use, bool] = {}
        self._defining: dict[Value, bool] = {}
        """Whether making a value writes its buffer."""
        self._sources: dict[Value, list[Source]] | None = None
        """The operands whose buffer a value may have, while it is decided: what is equivalent does not change then."""
        for value in _tensors(op):
            self.sharing.add(value)
            self.same.add(value)
        for inner, model in self.bufferizable(op):
            for use in tensor_uses(inner):
                if model.must_be_in_place(use.op, use, self):
                    self.take_in_place(use)

    # ---- answers

    def reads(self, use: Use) -> bool:
        is_read = self._reads.get(use)
        if is_read is None:
            is_read = self._reads[use] = super().reads(use)
        return is_read

    def writes(self, use: Use) -> bool:
        is_written = self._writes.get(use)
        if is_written is None:
            is_written = self._writes[use] = super().writes(use)
        return is_written

    def value_writes(self, value: Value) -> bool:
        is_written = self._defining.get(value)
        if is_written is None:
            is_written = self._defining[value] = super().value_writes(value)
        return is_written

    def sources(self, value: Value) -> list[Source]:
        if self._sources is None:
            return super().sources(value)
        sources = self._sources.get(value)
        if sources is None:
            sources = self._sources[value] = super().sources(value)
        return sources

    def is_in_place(self, use: Use) -> bool:
        return use in self._in_place

    def are_equivalent(self, one: Value, other: Value) -> bool:
        return self.same.are_one(one, other)

    def sharing_with(self, value: Value) -> Iterable[Value]:
        return self.sharing.members(value)

    def may_share(self, one: Value, other: Value) -> bool:
        """Whether two values may share a buffer."""
        return self.sharing.are_one(one, other)

    def has_undefined_contents(self, use: Use) -> bool:
        return use in self._undefined

    def is_written(self, value: Value) -> bool:
        """Whether the buffer of a value is written in place, under any of its names."""
        return any(
            self.is_in_place(use) and self.writes(use)
            for member in self.sharing.members(value)
            for use in uses_of(member)
        )

    def is_writable(self, value: Value) -> bool:
        """Whether the buffer of a value may be written; not where nobody knows."""
        model = self.model(owner_of(value))
        return model.is_writable(owner_of(value), value, self) if model is not None else False

    def definitions_once(self, use: Use) -> dict[Value, None]:
        """The values that define the contents of an operand, found out once for each value."""
        definitions = self._definitions.get(use.value)
        if definitions is None:
            definitions = self._definitions[use.value] = self.definitions(use)
        return definitions

    def forget(self) -> None:
        """Forgets what is found out once, since operations have changed."""
        self._definitions.clear()
        self._reads.clear()
        self._writes.clear()
        self._defining.clear()
        self.conflicts.forget()

    def bufferizable(self, op: Operation) -> list[tuple[Operation, Bufferizable]]:
        """The operations in one that bufferize, those inside of another first."""
        models = ((inner, self.model(inner)) for inner in op.walk_postorder())
        return [(inner, model) for inner, model in models if model is not None]

    # ---- decisions

    def decide(self, use: Use) -> None:
        """Takes an operand in place if nothing is in the way."""
        if self.conflicts.stand_against(use):
            if self._tells:
                self.against[use] = self.conflicts.of(use)
            self.statistics.out_of_place += 1
        else:
            self.take_in_place(use)

    def take_in_place(self, use: Use) -> None:
        """Has the results that an operand becomes in its buffer."""
        if use in self._in_place:
            return
        self._in_place.add(use)
        self.conflicts.unite(use, [alias.value for alias in self.aliases(use)])
        self.statistics.in_place += 1

    def analyze(self, op: Operation) -> None:
        """Looks at an operation with all that is in it. Raises Refusal."""
        self._sources = {}
        try:
            self._decide_all(op)
        finally:
            self._sources = None
        self._find_equivalence(op)
        self._find_undefined(op)
        refusals: list[Refusal] = []
        for inner, model in self.bufferizable(op):
            try:
                model.verify(inner, self)
            except Refusal as refusal:
                refusals.append(refusal)
        if refusals:
            raise Refusals(refusals)

    def _decide_all(self, op: Operation) -> None:
        self._check(op)
        for inner in ordered(op, self):
            for use in tensor_uses(inner):
                checkpoint()
                self.decide(use)

    def _check(self, op: Operation) -> None:
        """What the analysis cannot do, and what cannot be helped."""
        known = self.bufferizable(op)
        for inner, model in known:
            check_blocks(inner, model)
        for inner, _ in known:
            if isinstance(inner, ToTensorOp) and inner.restrict is None and inner.result.uses:
                raise Refusal(inner, "to_tensor ops without `restrict` are not supported by One-Shot Analysis")
            for use in tensor_uses(inner):
                checkpoint()
                conflicts: list[Conflict] = []
                if self.conflicts.are_decided(use):
                    conflicts = self.conflicts.decided(use)
                    reason = "cannot avoid RaW conflict"
                elif self.is_in_place(use) and self.conflicts.would_write(use):
                    reason = "would write to read-only buffer"
                else:
                    continue
                places = [("written here", conflicts[0].write.op)] if conflicts else []
                places += [("read here", conflict.read.op) for conflict in conflicts if conflict.read is not None]
                raise NotInPlace(inner, f"not bufferizable under the given constraints: {reason}", places)

    def _find_equivalence(self, op: Operation) -> None:
        """Which results have the buffer of an operand."""
        self.conflicts.forget()
        for inner in list(op.walk_postorder()):
            model = self.model(inner) if any_tensor(result.type for result in inner.results) else None
            for result in inner.results if model is not None else ():
                sources = self.sources(result) if is_tensor(result) else []
                if not sources or model is None:
                    continue
                first, all_same = sources[0].use.value, True
                for source in sources:
                    value, in_place = source.use.value, self.is_in_place(source.use)
                    is_same = source.relation is EQUIVALENT and in_place
                    if is_same and source.is_definite:
                        self.same.unite(result, value)
                        all_same = False
                        break
                    all_same = all_same and is_same and self.are_equivalent(value, first)
                # Where it may be one of several that are the same, it is the same.
                if all_same and not model.allocates(inner, result):
                    self.same.unite(result, first)

    def _find_undefined(self, op: Operation) -> None:
        """Which operands are tensors to which nothing was written."""
        for inner, _ in self.bufferizable(op):
            for result in inner.results:
                if is_tensor(result) and result.uses:
                    uses = list(uses_of(result))
                    if not self.definitions_once(uses[0]):
                        self._undefined.update(uses)


def check_blocks(op: Operation, model: Bufferizable) -> None:
    """An operation has one block in each region, if it must. Raises Refusal."""
    if not model.takes_blocks() and any(not region.is_empty and not region.has_one_block for region in op.regions):
        raise Refusal(
            op,
            "op or BufferizableOpInterface implementation does not support unstructured control flow, but at least one "
            "region has multiple blocks",
        )


def _tensors(op: Operation) -> Iterator[Value]:
    """All results and arguments in an operation that are tensors."""
    for inner in op.walk():
        yield from (result for result in inner.results if is_tensor(result))
        for region in inner.regions:
            for block in region.blocks:
                yield from (argument for argument in block.arguments if is_tensor(argument))


# ---- the order in which operations are looked at


def ordered(op: Operation, state: AnalysisState) -> Sequence[Operation]:
    """The operations on tensors in the order of the heuristic."""
    heuristic = state.options.analysis_heuristic
    if heuristic == "bottom-up-from-terminators":
        return _from_terminators(op, state)
    ops = [inner for inner in op.walk_postorder() if tensor_has(inner, state.context)]
    if heuristic == "fuzzer":
        return _shuffled(ops, state.options.analysis_fuzzer_seed)
    return ops if heuristic == "top-down" else ops[::-1]


def _from_terminators(op: Operation, state: AnalysisState) -> list[Operation]:
    """First, from the end of each region on, what leads to the values that it hands on; then all others, from the last
    one on."""
    first: dict[Operation, None] = {}
    for end in list(op.walk_postorder()):
        if not is_region_terminator(end) or end in first:
            continue
        first[end] = None
        pending = [operand for operand in end.operands if is_tensor(operand) and isinstance(operand, OpResult)]
        while pending:
            result = pending.pop()
            if result.op in first:
                continue
            first[result.op] = None
            if ancestor_in(result.op, end.parent_region) is None:
                continue
            behind = (source.use.value for source in state.sources(result))
            pending += [source for source in behind if is_tensor(source) and isinstance(source, OpResult)]
    rest = [other for other in _backwards(op) if other not in first and tensor_has(other, state.context)]
    return [*first, *rest]


def _backwards(op: Operation) -> Iterator[Operation]:
    """All operations in one, from the last on, each behind what is in it."""
    for region in reversed(op.regions):
        for block in reversed(list(region.blocks)):
            for inner in reversed(list(block)):
                yield from _backwards(inner)
    yield op


def _shuffled(ops: list[Operation], seed: int) -> list[Operation]:
    """In an order that a seed decides, as `llvm::shuffle` has it."""
    twister, shuffled = MersenneTwister(seed), list(ops)
    for first in range(len(shuffled) - 1):
        other = first + twister.next() % (len(shuffled) - first)
        shuffled[first], shuffled[other] = shuffled[other], shuffled[first]
    return shuffled
