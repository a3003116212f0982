"""What follows for operands and values from what dialects say of operations, where nothing has been analysed: an
operand that is written is copied before.

Source of the rules: `AnalysisState` of MLIR 22.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Final

from fathom.bufferization.models import EQUIVALENT, Alias, Bufferizable, Relation, Source
from fathom.bufferization.options import Options, Refusal, Unknown
from fathom.bufferization.uses import Use, is_tensor, owner_of, tensor_uses, uses_of
from fathom.ir.dialect_values import DialectType
from fathom.ir.operation import OpResult, Value
from fathom.ir.types import (
    ComplexType,
    FloatType,
    IndexType,
    IntegerType,
    MemRefType,
    TensorType,
    UnknownType,
    VectorType,
)
from fathom.ops.bufferization import ToBufferOp
from fathom.slices import checkpoint

if TYPE_CHECKING:
    from fathom.bufferization.functions import Functions
    from fathom.ir.attributes import Attribute
    from fathom.ir.operation import Operation
    from fathom.irdl.dialect import Definitions


class AnalysisState:
    """Answers about operands and values."""

    def __init__(self, options: Options, context: Definitions) -> None:
        self.options = options
        self.context = context
        self.functions: Functions | None = None
        """What was found of functions, where their boundaries bufferize."""
        self._models: dict[str, Bufferizable | None] | None = None if options.skipped_functions else {}
        """How operations bufferize, by their names, if that does not depend on where they stand."""

    def owner(self, value: Value) -> Operation | None:
        """The operation that a value belongs to."""
        return owner_of(value)

    def model(self, op: Operation | None) -> Bufferizable | None:
        """How an operation bufferizes; None where nothing says so."""
        models = self._models
        if models is None or op is None:
            return self.options.model(op, self.context)
        try:
            return models[op.name]
        except KeyError:
            return models.setdefault(op.name, self.options.model(op, self.context))

    # ---- of operands

    def reads(self, use: Use) -> bool:
        model = self.model(use.op)
        return model.reads(use.op, use, self) if model is not None else True

    def writes(self, use: Use) -> bool:
        model = self.model(use.op)
        return model.writes(use.op, use, self) if model is not None else True

    def aliases(self, use: Use) -> list[Alias]:
        """The values that may have the buffer of an operand. Of an operation that nobody knows, all may."""
        model = self.model(use.op)
        return model.aliases(use.op, use, self) if model is not None else unknown_aliases(use)

    def only_aliases(self, use: Use) -> bool:
        """Whether an operand's buffer is neither read nor written, and has other names."""
        model = self.model(use.op)
        if model is None:
            return False
        touches = model.reads(use.op, use, self) or model.writes(use.op, use, self)
        return not touches and bool(model.aliases(use.op, use, self))

    def is_in_place(self, use: Use) -> bool:
        """Whether an operand is written, if it is, in its own buffer."""
        return isinstance(use.op, ToBufferOp) or not self.writes(use)

    def has_undefined_contents(self, use: Use) -> bool:
        """Whether nothing was ever written to what an operand is."""
        return False

    def can_omit_copy(self, use: Use) -> bool:
        """Whether a new buffer for an operand need not have its contents."""
        if self.has_undefined_contents(use):
            return True
        reads = self.reads(use)
        if not reads and self.writes(use):
            return True
        return not reads and not any(self.is_read(alias.value) for alias in self.aliases(use))

    # ---- of values

    def sources(self, value: Value) -> list[Source]:
        """The operands whose buffer a value may have."""
        model = self.model(owner_of(value))
        return model.sources(owner_of(value), value, self) if model is not None else unknown_sources(value)

    def value_writes(self, value: Value) -> bool:
        """Whether making a value writes its buffer. That of an argument was written before."""
        if not isinstance(value, OpResult):
            return True
        model = self.model(value.op)
        return model.result_writes(value.op, value, self) if model is not None else True

    def are_equivalent(self, one: Value, other: Value) -> bool:
        """Whether two values have the same buffer, as far as is known."""
        return False

    def sharing_with(self, value: Value) -> Iterable[Value]:
        """The values that may have the buffer of a value, as far as is known; itself among them."""
        return (value,)

    def is_read(self, value: Value) -> bool:
        """Whether the buffer of a value is read: by an operation that has it, or through what that makes of it."""
        pending, seen = list(uses_of(value)), set[Use]()
        while pending:
            use = pending.pop()
            if use in seen:
                continue
            seen.add(use)
            checkpoint()
            if self.only_aliases(use):
                for alias in self.aliases(use):
                    pending += uses_of(alias.value)
            if self.reads(use):
                return True
        return False

    def values_behind(
        self,
        use: Use,
        holds: Callable[[Value], bool],
        *,
        includes_leaves: bool = True,
        only_in_place: bool = False,
        only_equivalent: bool = False,
        only_same_type: bool = False,
        seen_uses: set[Use] | None = None,
    ) -> dict[Value, None]:
        """The values for which something holds, backwards from an operand by way of those that may have its buffer; a
        way ends at the first such value. Where it ends otherwise, the last one counts too if leaves are included."""
        visited: set[Value] = set()
        values: dict[Value, None] = {}
        pending: dict[Value, None] = {use.value: None}
        if seen_uses is not None:
            seen_uses.add(use)
        while pending:
            value, _ = pending.popitem()
            checkpoint()
            leaf = {value: None} if includes_leaves else {}
            if value in visited:
                values |= leaf
                continue
            visited.add(value)
            if holds(value):
                values[value] = None
                continue
            # What an operation does that nobody knows ends the way too.
            sources = self.sources(value) if self.model(owner_of(value)) is not None else []
            if not sources:
                values |= leaf
            for source in sources:
                behind = source.use.value
                is_end = (
                    (only_equivalent and source.relation is not EQUIVALENT)
                    or (only_in_place and not self.is_in_place(source.use))
                    or (only_same_type and behind.type != value.type and not is_cast(value))
                )
                if is_end:
                    values |= leaf
                    continue
                pending.setdefault(behind)
                if seen_uses is not None:
                    seen_uses.add(source.use)
        return values

    def definitions(self, use: Use) -> dict[Value, None]:
        """The values that define the contents of an operand."""
        return self.values_behind(use, self.value_writes, includes_leaves=False)


def is_cast(value: Value) -> bool:
    """Whether a value is another of another type (`CastOpInterface`)."""
    op = value.defining_op
    return op is not None and op.definition is not None and "CastOpInterface" in op.definition.trait_names


def unknown_aliases(use: Use) -> list[Alias]:
    """Of an operation that nobody knows: all results, and all arguments of the blocks in which it begins."""
    values: list[Value] = [result for result in use.op.results if is_tensor(result)]
    for region in use.op.regions:
        if region.first is not None:
            values += (argument for argument in region.first.arguments if is_tensor(argument))
    return [Alias(value, Relation.UNKNOWN, False) for value in values]


def unknown_sources(value: Value) -> list[Source]:
    """The same the other way round."""
    op = value.defining_op
    if op is None:
        return []
    return [Source(use, Relation.UNKNOWN, False) for use in tensor_uses(op)]


class Types:
    """The types of buffers. The `stack` holds the values whose types are being found out."""

    def __init__(self, options: Options, context: Definitions) -> None:
        self.options = options
        self.context = context
        self.state = AnalysisState(options, context)
        self.stack: list[Value] = []
        self.functions: Functions | None = None

    def of(self, value: Value) -> MemRefType:
        """The type of the buffer of a tensor. Raises Refusal."""
        if isinstance(value.type, MemRefType):
            return value.type
        self.stack.append(value)
        try:
            owner = owner_of(value)
            model = self.state.model(owner)
            if model is not None:
                return model.buffer_type(owner, value, self)
            assert isinstance(value.type, TensorType) and owner is not None, "only tensors have buffers"
            return self.options.unknown_type(value.type, self.space(value.type, owner))
        finally:
            self.stack.pop()

    def called(self, call: Operation) -> Operation | None:
        """The function that a call calls, if functions bufferize."""
        return self.functions.called(call) if self.functions is not None else None

    def by_default(self, value: Value) -> MemRefType:
        """That of a value of which its operation says nothing more: as the operand that it is the same as has it, or
        as all that is not known."""
        type = value.type
        assert isinstance(type, TensorType), "only tensors have buffers"
        owner = owner_of(value)
        if owner is not None and not is_element(type):
            element = f"element type '{type.element}' is not a valid memref element type"
            raise Refusal(owner, f"cannot bufferize value of type '{type}': {element}", is_bare=True)
        if not isinstance(value, OpResult):
            return self.options.unknown_type(type)
        sources = self.state.sources(value)
        if sources and sources[0].relation is EQUIVALENT:
            return self.of(sources[0].use.value)
        return self.options.unknown_type(type, self.space(type, value.op))

    def space(self, type: TensorType, op: Operation) -> Attribute | None:
        """The memory space of a new buffer for a tensor of an operation. Raises Refusal where it cannot be told."""
        space = self.options.memory_space(type)
        if isinstance(space, Unknown):
            raise Refusal(op, "could not infer memory space", is_bare=True)
        return space


_ELEMENTS: Final = (IntegerType, IndexType, FloatType, ComplexType, VectorType, MemRefType, DialectType, UnknownType)


def is_element(type: TensorType) -> bool:
    """Whether a memref may hold what a tensor holds. Types of dialects say so themselves, if they may."""
    return isinstance(type.element, _ELEMENTS)


def repeated(stack: Sequence[Value], value: Value) -> bool:
    """Whether a value stands twice among those whose types are being found out."""
    return sum(visited is value for visited in stack) >= 2
