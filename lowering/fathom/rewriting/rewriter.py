"""The rewriter: an insertion point, and every change a pattern may make to the IR.

New operations get the source span and location of the operation that is being rewritten, so that every stage of a
lowering can be traced to the source. Source of the rules: *Pattern Rewriting*, "Pattern Rewriter".
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING

from fathom.ir.clone import clone
from fathom.ir.operation import Block, BlockArgument, Operation, OpResult, Region, Span, Value
from fathom.irdl.build import built_with, definition_of
from fathom.slices import checkpoint

if TYPE_CHECKING:
    from collections.abc import Generator

    from fathom.ir.attributes import Attribute
    from fathom.ir.types import Type
    from fathom.irdl.definition import OpDefinition
    from fathom.irdl.dialect import Definitions


class Rewriter:
    """Changes take effect at once. `ConversionRewriter` delays replacements and can undo."""

    def __init__(self, context: Definitions) -> None:
        self.context = context
        self.block: Block | None = None
        self.anchor: Operation | None = None
        """The operation before which new ones are inserted; None is the end of `block`."""
        self.span: Span | None = None
        self.location: Attribute | None = None
        self._defaults: dict[str, dict[str, Attribute]] = {}

    # Insertion point.

    def set_insertion_before(self, op: Operation) -> None:
        """New operations come before `op`."""
        self.block, self.anchor = op.parent, op

    def set_insertion_behind(self, source: Operation | Value) -> None:
        """New operations come right behind an operation, or what defines a value: for an argument, the start of its
        block."""
        place = source.op if isinstance(source, OpResult) else source
        if isinstance(place, BlockArgument):
            self.set_insertion_to_start(place.block)
        elif isinstance(place, Operation):
            self.block, self.anchor = place.parent, place.next

    def set_insertion_to_start(self, block: Block) -> None:
        """New operations come before all others in the block."""
        self.block, self.anchor = block, block.first

    def set_insertion_to_end(self, block: Block) -> None:
        """New operations come after all others in the block."""
        self.block, self.anchor = block, None

    @contextmanager
    def elsewhere(self) -> Generator[None, None, None]:
        """Restores the insertion point at the end, and where new operations come from."""
        before = self.block, self.anchor, self.span, self.location
        try:
            yield
        finally:
            self.block, self.anchor, self.span, self.location = before

    def stand_in(self, source: Operation | Value) -> None:
        """New operations get the span and location of an operation, or of what defines a value, from now on."""
        place = source.op if isinstance(source, OpResult) else source
        if isinstance(place, (Operation, BlockArgument)):
            self.span, self.location = place.span, place.location

    @contextmanager
    def standing_in(self, source: Operation | Value) -> Generator[None, None, None]:
        """New operations inside come from an operation, or from where a value does."""
        before = self.span, self.location
        self.stand_in(source)
        try:
            yield
        finally:
            self.span, self.location = before

    # Changes.

    def create(
        self,
        definition: OpDefinition | str,
        operands: Iterable[Value] = (),
        result_types: Iterable[Type] = (),
        properties: Mapping[str, Attribute] | None = None,
        attributes: Mapping[str, Attribute] | None = None,
        successors: Iterable[Block] = (),
        regions: Iterable[Region] = (),
    ) -> Operation:
        """Makes an operation and inserts it at the insertion point. The result types are given, never inferred.

        Properties that have a default may be left out. Raises NotRegistered for a name that nothing defines.
        """
        checkpoint()
        if isinstance(definition, str):
            definition = definition_of(self.context, definition)
        name = definition.name
        defaults = self._defaults.get(name)
        if defaults is None:
            defaults = self._defaults[name] = built_with(definition)
        if defaults:
            properties = {**defaults, **properties} if properties else defaults
        op = Operation(name, operands, result_types, properties, attributes, successors, regions, self.span, definition)
        op.location = self.location
        return self.insert(op)

    def constant(self, value: Attribute, type: Type) -> Value:
        """An `arith.constant`."""
        return self.create("arith.constant", (), [type], {"value": value}).result

    def insert(self, op: Operation) -> Operation:
        """Inserts an operation, which stands in no block, at the insertion point. Raises ValueError without one."""
        if self.block is None:
            raise ValueError("the rewriter has no insertion point")
        return self.block.insert_before(op, self.anchor)

    def replace(self, op: Operation, values: Sequence[Value | Sequence[Value]]) -> None:
        """Replaces `op` by one value for each result (or, in a dialect conversion, a list of values)."""
        for result, value in zip(op.results, values, strict=True):
            self.replace_all_uses(result, value if isinstance(value, Value) else value[0])
        self.erase(op)

    def replace_all_uses(self, old: Value, new: Value) -> None:
        """Gives all users `new` in place of `old`."""
        old.replace_all_uses_with(new)

    def replace_with(
        self,
        op: Operation,
        definition: OpDefinition | str,
        operands: Iterable[Value] = (),
        result_types: Iterable[Type] = (),
        properties: Mapping[str, Attribute] | None = None,
        attributes: Mapping[str, Attribute] | None = None,
        successors: Iterable[Block] = (),
        regions: Iterable[Region] = (),
    ) -> Operation:
        """Makes an operation as `create` does and replaces `op` by its results, one for one."""
        new = self.create(definition, operands, result_types, properties, attributes, successors, regions)
        self.replace(op, list(new.results))
        return new

    def clone(self, op: Operation, values: dict[Value, Value]) -> Operation:
        """Inserts a deep copy, in which operands found in `values` are replaced; what it defines is added there."""
        return self.insert(clone(op, values))

    def erase(self, op: Operation) -> None:
        op.erase()

    def erase_results(self, op: Operation, indices: Collection[int]) -> Operation:
        """Makes `op` anew without some of its results, which nothing uses; its regions go over."""
        kept = [result for result in op.results if result.index not in indices]
        self.set_insertion_before(op)
        new = self.create(op.definition or op.name, op.operands, [result.type for result in kept])
        new.properties, new.attributes = dict(op.properties), dict(op.attributes)
        for region in op.regions:
            new.add_region(Region()).take_blocks(region)
        for old, result in zip(kept, new.results, strict=True):
            result.name_hint = old.name_hint
            self.replace_all_uses(old, result)
        self.erase(op)
        return new

    def modify(self, op: Operation, change: Callable[[], None]) -> None:
        """Runs `change`, which alters operands, successors or attributes of `op` in place."""
        change()

    def use_instead(self, user: Operation, old: Value, new: Value) -> None:
        """Has one operation use `new` wherever it uses `old`."""

        def change() -> None:
            for index in old.places_in(user):
                user.set_operand(index, new)

        self.modify(user, change)

    def move_before(self, op: Operation, block: Block, anchor: Operation | None) -> None:
        op.unlink()
        block.insert_before(op, anchor)

    def create_block(self, region: Region, before: Block | None = None, argument_types: Iterable[Type] = ()) -> Block:
        """A new block before `before` (at the end if None); the insertion point moves into it."""
        block = region.insert_before(Block(argument_types), before)
        for argument in block.arguments:
            argument.span, argument.location = self.span, self.location
        self.set_insertion_to_end(block)
        return block

    def add_arguments(self, block: Block, types: Iterable[Type]) -> list[BlockArgument]:
        """Appends arguments to a block that nothing branches to yet, and returns them."""
        added = [block.add_argument(type, self.span) for type in types]
        for argument in added:
            argument.location = self.location
        return added

    def split_block(self, block: Block, before: Operation | None) -> Block:
        """Moves `before` and what follows it to a new block right after `block`. The insertion point stays."""
        return block.split_before(before)

    def inline_region_before(self, region: Region, target: Region, before: Block | None) -> None:
        """Moves all blocks of `region` to `target`, before `before` or to the end."""
        target.take_blocks(region, before)

    def inline_block_before(
        self, source: Block, block: Block, anchor: Operation | None, arguments: Sequence[Value] = ()
    ) -> None:
        """Moves the operations of `source` before `anchor` in `block`, gives its arguments these values and erases
        it."""
        for argument, value in zip(source.arguments, arguments, strict=True):
            self.replace_argument(source, argument.index, [value])
        for op in list(source):
            self.move_before(op, block, anchor)
        self.erase_block(source)

    def replace_argument(self, block: Block, index: int, values: Sequence[Value]) -> None:
        self.replace_all_uses(block.arguments[index], values[0])

    def erase_block(self, block: Block) -> None:
        """Takes a block whose operations are gone or dead out of its region."""
        for op in list(block):
            self.erase(op)
        if block.parent is not None:
            block.parent.remove(block)


def source_of(value: Value) -> tuple[Span | None, Attribute | None]:
    """The span and location that a value comes from: those of its operation, or of its name among arguments."""
    source = value if isinstance(value, BlockArgument) else value.defining_op
    return (source.span, source.location) if source is not None else (None, None)
