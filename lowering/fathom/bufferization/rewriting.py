"""Operations on tensors become operations on memrefs, one after the other; between those that are done and those that
are not, `bufferization.to_buffer` and `to_tensor` stand, which vanish in pairs.

Source of the rules: *Bufferization*, "Bufferization procedure", and `Bufferize.cpp` of MLIR 22.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from fathom.bufferization import copies
from fathom.bufferization.analysis import Statistics, check_blocks
from fathom.bufferization.casts import cast_or_copy
from fathom.bufferization.models import tensor_has
from fathom.bufferization.onlookers import onlooker
from fathom.bufferization.options import NoForm, Options, Refusal, Refusals
from fathom.bufferization.state import AnalysisState, Types
from fathom.bufferization.uses import is_tensor
from fathom.ir.attributes import i64_attr
from fathom.ir.operation import Block
from fathom.ir.types import MemRefType
from fathom.irdl.build import segment_sizes
from fathom.irdl.interfaces import Branch, EffectKind, MemoryEffects
from fathom.ops.bufferization import ToBufferOp, ToTensorOp
from fathom.rewriting.effects import is_memory_effect_free
from fathom.rewriting.rewriter import Rewriter, source_of
from fathom.slices import checkpoint

if TYPE_CHECKING:
    from fathom.bufferization.functions import Functions
    from fathom.bufferization.globals import Globals
    from fathom.ir.attributes import Attribute
    from fathom.ir.operation import Operation, Value
    from fathom.ir.types import Type
    from fathom.irdl.dialect import Definitions


class Bufferizer(Rewriter):
    """What models of operations rewrite with."""

    def __init__(self, options: Options, context: Definitions, functions: Functions | None, counts: Statistics) -> None:
        super().__init__(context)
        self.options = options
        self.types = Types(options, context)
        self.types.functions = functions
        self.counts = counts
        self.globals: dict[Operation, Globals] = {}
        """The constants that are in memory, by modules."""
        self._onlooker = onlooker()
        self._erased: set[Operation] = set()
        self._to_buffers: dict[Operation, None] = {}
        self._pending: list[Operation] = []

    # ---- where new operations stand

    def stand_before(self, op: Operation) -> None:
        """New operations stand before one, and come from it."""
        self.set_insertion_before(op)
        self.stand_in(op)

    def stand_after(self, op: Operation) -> None:
        """New operations stand behind one, and come from it."""
        self.set_insertion_behind(op)
        self.stand_in(op)

    def _stand_after_value(self, value: Value) -> None:
        self.set_insertion_behind(value)
        self.come_from(value)

    def come_from(self, value: Value) -> None:
        """New operations come from where a value does."""
        self.span, self.location = source_of(value)

    # ---- what is noted of changes

    def insert(self, op: Operation) -> Operation:
        super().insert(op)
        self._erased.discard(op)
        effects = op.interface(MemoryEffects)
        if effects is not None and any(effect.kind is EffectKind.ALLOCATE for effect in effects.effects(op)):
            self.counts.allocations += 1
            if self._onlooker is not None:
                self._onlooker.made(op)
        if isinstance(op, ToBufferOp):
            self._to_buffers[op] = None
        elif not isinstance(op, ToTensorOp) and tensor_has(op, self.context) and self.options.allows(op):
            self._pending.append(op)
        return op

    def erase(self, op: Operation) -> None:
        for inner in op.walk():
            self._erased.add(inner)
            self._to_buffers.pop(inner, None)
        super().erase(op)

    # ---- what models ask for

    def copy_operands(self, op: Operation, state: AnalysisState) -> None:
        """Copies of what an operation must not write in place. Raises Refusal."""
        copies.copy_operands(op, self, state)

    def buffer(self, tensor: Value) -> Value:
        """The buffer of a tensor. Raises Refusal."""
        maker = tensor.defining_op
        if isinstance(maker, ToTensorOp):
            return maker.buffer
        with self.elsewhere():
            type = self.types.of(tensor)
            self._stand_after_value(tensor)
            return self.create("bufferization.to_buffer", [tensor], [type]).result

    def buffers(self, values: Iterable[Value]) -> list[Value]:
        """The buffers of those that are tensors, and all others as they are."""
        return [self.buffer(value) if is_tensor(value) else value for value in values]

    def buffer_types(self, values: Iterable[Value]) -> list[Type]:
        """The types of the buffers of those that are tensors, and of all others theirs."""
        return [self.types.of(value) if is_tensor(value) else value.type for value in values]

    def tensor_of(self, buffer: Value, type: Type) -> Value:
        """A buffer as a tensor."""
        with self.elsewhere():
            self.come_from(buffer)
            return self.create("bufferization.to_tensor", [buffer], [type]).result

    def replace_by_buffers(self, op: Operation, values: Sequence[Value]) -> None:
        """Takes the place of an operation; those who use its tensors use the buffers as such."""
        with self.elsewhere():
            tensors: list[Value] = []
            for result, value in zip(op.results, values, strict=True):
                if is_tensor(result):
                    self.stand_after(op)
                    tensors.append(self.tensor_of(value, result.type))
                else:
                    tensors.append(value)
            self.replace(op, tensors)

    def replace_by(
        self,
        op: Operation,
        name: str,
        operands: Iterable[Value] = (),
        types: Iterable[Type] = (),
        properties: Mapping[str, Attribute] | None = None,
    ) -> Operation:
        """Makes an operation whose results are buffers of those of another, and takes its place."""
        new = self.create(name, operands, types, properties)
        self.replace_by_buffers(op, new.results)
        return new

    def allocate_tensor(self, shaped: Value, *, copies_contents: bool) -> Value:
        """A new tensor of the shape of a value. Raises Refusal."""
        return copies.allocate_tensor(self, shaped, copies=copies_contents)

    def allocate(self, type: MemRefType, sizes: Sequence[Value]) -> Value:
        """`memref.alloc`, aligned as the options say."""
        properties: dict[str, Attribute] = {"operandSegmentSizes": segment_sizes(len(sizes), 0)}
        if self.options.buffer_alignment:
            properties["alignment"] = i64_attr(self.options.buffer_alignment)
        return self.create("memref.alloc", sizes, [type], properties).result

    def copy(self, source: Value, target: Value) -> None:
        """`memref.copy`."""
        made = self.create("memref.copy", [source, target])
        if self._onlooker is not None:
            self._onlooker.made(made)

    def cast(self, buffer: Value, type: Type) -> Value:
        """A buffer as one of another type, which is known to fit."""
        return buffer if buffer.type == type else self.create("memref.cast", [buffer], [type]).result

    def cast_there(self, buffer: Value, type: Type) -> Value:
        """The same, which comes from where the buffer does."""
        with self.elsewhere():
            self.come_from(buffer)
            return self.cast(buffer, type)

    def block_of(self, types: Iterable[Type]) -> Block:
        """A new block, whose arguments come from where new operations do."""
        made = Block(types)
        for argument in made.arguments:
            argument.span, argument.location = self.span, self.location
        return made

    def bufferize_arguments(self, op: Operation, block: Block) -> None:
        """The arguments of a block of an operation become buffers, and what is passed to them. Raises Refusal."""
        types = self.buffer_types(block.arguments)
        for argument, type in zip(block.arguments, types, strict=True):
            if argument.type == type:
                continue
            tensor, users = argument.type, list(argument.uses)
            argument.type = type
            if users:
                with self.elsewhere():
                    self.set_insertion_to_start(block)
                    self.come_from(argument)
                    seen = self.create("bufferization.to_tensor", [argument], [tensor])
                for user in users:
                    for index, operand in enumerate(user.operands):
                        if operand is argument and user is not seen:
                            user.set_operand(index, seen.result)
        for branch in list(block.branches):
            self._pass_buffers(branch, block, types)

    def _pass_buffers(self, op: Operation, block: Block, types: list[Type]) -> None:
        branch = op.interface(Branch)
        if branch is None:
            raise Refusal(op, "cannot bufferize ops with block references that do not implement BranchOpInterface")
        edge = next(way for way in branch.edges(op) if way.target is block)
        for place, value, type in zip(edge.where, edge.passed, types, strict=True):
            if value.type == type:
                continue
            buffer_type = self.types.of(value)
            with self.elsewhere():
                self._stand_after_value(value)
                buffer = self.create("bufferization.to_buffer", [value], [buffer_type]).result
                op.set_operand(place, self.cast_there(buffer, type))

    # ---- all operations in one

    def run(self, op: Operation) -> None:
        """Bufferizes an operation with all that is in it. Raises Refusal or Refusals."""
        if self.options.copy_before_write:
            copies.insert_copies(op, self, AnalysisState(self.options, self.context))
        self._to_buffers = {inner: None for inner in op.walk() if isinstance(inner, ToBufferOp)}
        self._pending = [
            inner for inner in op.walk_postorder() if self.options.allows(inner) and tensor_has(inner, self.context)
        ]
        # More are added meanwhile.
        for waiting in self._pending:
            if waiting not in self._erased:
                self._bufferize(waiting)
        if op in self._erased:
            return
        for buffer in list(self._to_buffers):
            self.stand_before(buffer)
            self.fold_pair(buffer)
        for inner in list(op.walk_postorder()):
            if isinstance(inner, ToTensorOp) and not inner.result.uses:
                self.erase(inner)
        if not self.options.allow_unknown_ops:
            self._check_all()

    def _bufferize(self, op: Operation) -> None:
        model = self.options.model(op, self.context)
        if model is None or not model.has_tensors(op):
            return
        check_blocks(op, model)
        checkpoint()
        self.stand_before(op)
        try:
            model.bufferize(op, self)
        except Refusal as refusal:
            refusals = [refusal] if refusal.message else []
            raise Refusals([*refusals, Refusal(op, "failed to bufferize op", is_bare=True)]) from refusal

    def fold_pair(self, op: ToBufferOp | Operation) -> None:
        """The buffer of a tensor that is a buffer is that."""
        maker = op.operands[0].defining_op
        if not isinstance(maker, ToTensorOp):
            return
        source, target = maker.buffer, op.result.type
        if source.type == target:
            self.replace(op, [source])
            return
        if not isinstance(target, MemRefType) or target.shape is None:
            self.replace(op, [self.cast(source, target)])
            return
        with self.elsewhere():
            self.come_from(source)
            folded = cast_or_copy(self, source, target)
        if folded is not None:
            self.replace(op, [folded])

    def _check_all(self) -> None:
        """Nothing on tensors is left. Raises Refusal."""
        for op in self._pending:
            if op in self._erased or isinstance(op, (ToBufferOp, ToTensorOp)) or not tensor_has(op, self.context):
                continue
            is_idle = not any(result.uses for result in op.results) and is_memory_effect_free(op)
            if self.options.allows(op) and not is_idle:
                raise NoForm(op)
