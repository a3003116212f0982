"""How the operations of one name bufferize, as their dialect says it, in the module `bufferization.py` of its folder:

    BUFFERIZATION: Final = {"shop.fill": Fill()}

`BufferizableOpInterface` of MLIR: the names of its methods stand beside ours.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from enum import Enum
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from fathom.bufferization.uses import Use, any_tensor, is_tensor, tensor_uses
from fathom.ir.operation import OpResult
from fathom.ir.traversal import is_inside
from fathom.ir.types import MemRefType, TensorType
from fathom.irdl.aspects import Aspect
from fathom.irdl.destinations import destinations
from fathom.irdl.lazy import Joined

if TYPE_CHECKING:
    from fathom.bufferization.rewriting import Bufferizer
    from fathom.bufferization.state import AnalysisState, Types
    from fathom.ir.operation import Operation, Value
    from fathom.irdl.dialect import Definitions


class Relation(Enum):
    """How the buffer of a value relates to that of another: it is the same one, or nothing more is known than that they
    may share elements."""

    EQUIVALENT = "equivalent"
    UNKNOWN = "unknown"


EQUIVALENT: Final = Relation.EQUIVALENT


class Alias(NamedTuple):
    """A value that may have the buffer of an operand (`AliasingValue`)."""

    value: Value
    relation: Relation = EQUIVALENT
    is_definite: bool = True


class Source(NamedTuple):
    """An operand whose buffer a value may have (`AliasingOpOperand`)."""

    use: Use
    relation: Relation = EQUIVALENT
    is_definite: bool = True


class Bufferizable:
    """What holds of an operation that says nothing more: it reads and writes nothing, and its results are new."""

    def has_tensors(self, op: Any) -> bool:
        """`hasTensorSemantics`."""
        return has_tensors(op)

    def reads(self, op: Any, use: Use, state: AnalysisState) -> bool:
        """Whether the operand's buffer is read (`bufferizesToMemoryRead`)."""
        return False

    def writes(self, op: Any, use: Use, state: AnalysisState) -> bool:
        """Whether it is written (`bufferizesToMemoryWrite`)."""
        return False

    def aliases(self, op: Any, use: Use, state: AnalysisState) -> list[Alias]:
        """The results and arguments that may have its buffer (`getAliasingValues`)."""
        return []

    def sources(self, op: Any, value: Any, state: AnalysisState) -> list[Source]:
        """The operands whose buffer a result or an argument may have (`getAliasingOpOperands`)."""
        return [
            Source(use, alias.relation, alias.is_definite)
            for use in tensor_uses(op)
            for alias in state.aliases(use)
            if alias.value is value
        ]

    def result_writes(self, op: Any, result: OpResult, state: AnalysisState) -> bool:
        """Whether making a result writes its buffer (`resultBufferizesToMemoryWrite`)."""
        sources = state.sources(result)
        if not sources or any(state.writes(source.use) for source in sources):
            return True
        if not op.regions:
            return False

        def writes_inside(value: Value) -> bool:
            owner = state.owner(value)
            return owner is not None and is_inside(owner, op) and state.value_writes(value)

        return any(state.values_behind(source.use, writes_inside, includes_leaves=False) for source in sources)

    def must_be_in_place(self, op: Any, use: Use, state: AnalysisState) -> bool:
        """`mustBufferizeInPlace`."""
        return tensor_type(use.value).shape is None

    def allocates(self, op: Any, value: Value) -> bool:
        """Whether a result has a new buffer (`bufferizesToAllocation`)."""
        return False

    def is_writable(self, op: Any, value: Value, state: AnalysisState) -> bool:
        """Whether the buffer of a result or an argument may be written."""
        return isinstance(value, OpResult)

    def is_elementwise(self, op: Any, uses: Sequence[Use], state: AnalysisState) -> bool:
        """Whether all elements are read before those at the same place are written
        (`bufferizesToElementwiseAccess`)."""
        return False

    def does_not_conflict(self, op: Any, read: Use, write: Use, state: AnalysisState) -> bool:
        """`isNotConflicting`."""
        return False

    def is_repetitive(self, op: Any, region: int) -> bool:
        """Whether a region may run more than once (`isRepetitiveRegion`)."""
        from fathom.bufferization.regions import may_run_again

        return may_run_again(op, region)

    def is_parallel(self, op: Any, region: int) -> bool:
        """Whether it may run at the same time as itself."""
        return False

    def takes_blocks(self) -> bool:
        """Whether its regions may have several blocks (`supportsUnstructuredControlFlow`)."""
        return False

    def verify(self, op: Any, state: AnalysisState) -> None:
        """Looks at what was found; raises Refusal."""

    def buffer_type(self, op: Any, value: Any, types: Types) -> MemRefType:
        """The type of the buffer of a result or an argument; raises Refusal (`getBufferType`)."""
        return types.by_default(value)

    def resolve(self, op: Any, run: Bufferizer, state: AnalysisState) -> None:
        """Puts in copies of what may not be written in place (`resolveConflicts`)."""
        run.copy_operands(op, state)

    def bufferize(self, op: Any, run: Bufferizer) -> None:
        """Takes the operation's place by one on buffers; raises Refusal. New operations stand before it."""


class DestinationStyle(Bufferizable):
    """One that writes some of its operands, each of which is a result afterwards; and reads all."""

    def reads(self, op: Any, use: Use, state: AnalysisState) -> bool:
        return True

    def writes(self, op: Any, use: Use, state: AnalysisState) -> bool:
        return use.place in destinations_of(op)

    def aliases(self, op: Any, use: Use, state: AnalysisState) -> list[Alias]:
        places = destinations_of(op)
        if use.place not in places:
            return []
        written = [index for index in places if is_tensor(op.operands[index])]
        return [Alias(op.results[written.index(use.place)])]


class View(Bufferizable):
    """One whose result is its only tensor, seen otherwise: `relation` says whether it is all of it."""

    relation = EQUIVALENT

    def aliases(self, op: Any, use: Use, state: AnalysisState) -> list[Alias]:
        return [Alias(op.results[0], self.relation)]


class Reading(Bufferizable):
    """One that reads its tensors and has no tensor among its results."""

    def reads(self, op: Any, use: Use, state: AnalysisState) -> bool:
        return True


def destinations_of(op: Operation) -> range:
    """The places of the operands that are written."""
    from fathom.irdl.interfaces import Structured

    if op.definition is not None and op.interface(Structured) is not None:
        last = op.definition.operands[-1].name
        return op.definition.operand_places.place(op, len(op.operands), last)
    return destinations(op)


def has_tensors(op: Operation) -> bool:
    """Whether an operation has tensors: as operands, results, or arguments of the blocks in it."""
    if any(
        any_tensor(argument.type for argument in block.arguments) for region in op.regions for block in region.blocks
    ):
        return True
    return any_tensor(result.type for result in op.results) or any_tensor(operand.type for operand in op.operands)


Bufferization = Mapping[str, Bufferizable]

BUFFERIZATION: Final = Aspect["Bufferization"]("bufferization", {}, Joined)
"""How operations bufferize, by their full names."""


def model_of(op: Operation, context: Definitions) -> Bufferizable | None:
    """How an operation bufferizes; None where its dialect does not say so."""
    return context.aspect(BUFFERIZATION, op.dialect).get(op.name)


def tensor_has(op: Operation, context: Definitions) -> bool:
    """Whether an operation has tensors, as its model sees it."""
    model = model_of(op, context)
    return model.has_tensors(op) if model is not None else has_tensors(op)


def tensor_type(value: Value) -> TensorType:
    """The type of a value that is a tensor."""
    assert isinstance(value.type, TensorType), "only tensors bufferize"
    return value.type
