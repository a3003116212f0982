"""The rewriter of a dialect conversion: replacements wait until the end, and every change can be undone.

While the conversion runs, a replaced operation stays where it is and its users keep their operands; patterns get the
replacements as remapped operands. When all is legal, `commit` replaces the uses, with casts between types where a user
was not converted. This is how mlir-opt orders its changes, and so the printed IR is the same.
Source of the rules: *Dialect Conversion*, and the behaviour of mlir-opt 22.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Any, TypeAlias

from fathom.diagnostics import Diagnostic
from fathom.ir.attributes import Attribute
from fathom.ir.dismantle import dismantle_alone
from fathom.ir.operation import Block, BlockArgument, Operation, Region, Value
from fathom.records import record
from fathom.rewriting.mapping import ValueMapping, Values
from fathom.rewriting.observers import Effect
from fathom.rewriting.pattern import Failure
from fathom.rewriting.places import Place, place_after
from fathom.rewriting.rewriter import Rewriter, source_of
from fathom.rewriting.symbol_names import SymbolNames
from fathom.rewriting.type_converter import CAST, SignatureConversion, TypeConverter
from fathom.rewriting.undoing import discard, move, move_block, restore_operation, set_arguments, unsplit
from fathom.slices import checkpoint, paced

if TYPE_CHECKING:
    from fathom.ir.types import Type
    from fathom.irdl.dialect import Definitions

Replaced: TypeAlias = "Callable[[Operation, Sequence[Value]], None]"


@record(frozen=False)
class Changes:
    """What one pattern did: the driver makes it legal before it goes on."""

    created: list[Operation]
    modified: list[Operation]
    blocks: list[Block]


@record
class Materialization:
    """A cast that the conversion inserted; `original` is the type before it, for a cast to a converted type."""

    types: TypeConverter | None
    to_source: bool
    original: Type | None


class ConversionRewriter(Rewriter):
    """See the module. `types` is the type converter of the pattern that is running."""

    def __init__(self, context: Definitions) -> None:
        super().__init__(context)
        self.types: TypeConverter | None = None
        self.mapping = ValueMapping()
        self.replaced: set[Operation] = set()
        self.declared: dict[tuple[Operation, str], Operation] = {}
        """The functions that were looked up or declared, by module and name, so that the module is searched once."""
        self._symbols: dict[Operation, SymbolNames] = {}
        self.materializations: dict[Operation, Materialization] = {}
        self.said: list[Diagnostic] = []
        """What patterns say as errors and warnings of their own, which stop nothing."""
        self.changes = Changes([], [], [])
        self.region_types: dict[Region, TypeConverter] = {}
        self._undo: list[tuple[Callable[..., object], tuple[Any, ...]]] = []
        self._delayed: list[tuple[Callable[..., None], tuple[Any, ...]]] = []
        self._looks: list[Callable[[], None]] = []
        self.told_of_replacement: Replaced | None = None
        """Who is told of each operation that is replaced at the end, and by which values."""

    def warn(self, op: Operation, message: str) -> None:
        """Says something of an operation that keeps nothing from going on."""
        self.said.append(Diagnostic(message, op.span, severity="warning"))

    # Transactions.

    def checkpoint(self) -> tuple[int, int]:
        return len(self._undo), len(self._delayed)

    def roll_back(self, checkpoint: tuple[int, int]) -> None:
        """Undoes all changes since the checkpoint."""
        undone, delayed = checkpoint
        while len(self._undo) > undone:
            function, arguments = self._undo.pop()
            function(*arguments)
        del self._delayed[delayed:]

    def effect_since(self, checkpoint: tuple[int, int]) -> Effect:
        """What was done since the checkpoint, for who looks on."""
        made: list[Operation] = []
        changed: list[Operation] = []
        gone: list[Operation] = []
        for function, (first, *_) in self._undo[checkpoint[0] :]:
            if function in (discard, self._forget_cast):
                made.append(first)
            elif function is restore_operation:
                changed.append(first)
            elif function == self.replaced.difference_update:
                gone += first
        return Effect(tuple(made), tuple(changed), tuple(gone))

    def take_changes(self) -> Changes:
        """What was done since the last call."""
        changes, self.changes = self.changes, Changes([], [], [])
        return changes

    # Values.

    def remapped(self, value: Value) -> Value | None:
        """The converted value that stands for `value` in the pattern that is running, or None if its type has none."""
        values = self.remap([value])
        return values[0][0] if not isinstance(values, Failure) and len(values[0]) == 1 else None

    def remap(self, values: Iterable[Value]) -> list[list[Value]] | Failure:
        """The converted values that stand for each of `values`, with casts where there are none of the right types."""
        types = self.types
        lookup = self.mapping.lookup
        result: list[list[Value]] = []
        for index, value in enumerate(values):
            if types is None:
                result.append(list(lookup(value, skip_pure_casts=True)))
                continue
            wanted = types.convert_many(value.type)
            if wanted is None:
                return Failure(f"unable to convert type for operand #{index}, type was '{value.type}'")
            replaced = lookup(value, wanted) if wanted else ()
            if [each.type for each in replaced] != [*wanted]:
                last = lookup(value, skip_pure_casts=True)
                place = place_after(last)
                replaced = self._cast(place, last, last, wanted, Materialization(types, False, value.type))
            result.append(list(replaced))
        return result

    def _cast(
        self,
        place: Place,
        mapped: Values,
        inputs: Values,
        types: Sequence[Type],
        kind: Materialization,
        pure: bool = True,
        origin: Value | None = None,
    ) -> Values:
        """Inserts a cast that the end of the conversion settles, and maps `mapped` to it. It comes from where `origin`
        does, by default from the operation that is being rewritten."""
        block, anchor = place
        op = Operation(CAST, inputs, types, definition=self.context.lookup(CAST))
        op.span, op.location = source_of(origin) if origin is not None else (self.span, self.location)
        block.insert_before(op, anchor)
        self.materializations[op] = kind
        self._undo.append((self._forget_cast, (op,)))
        if pure:
            self.mapping.pure_casts.add(op)
        results = tuple(op.results)
        if mapped:
            self._map(mapped, results)
        return results

    def _forget_cast(self, op: Operation) -> None:
        del self.materializations[op]
        self.mapping.pure_casts.discard(op)
        discard(op)

    def _map(self, old: Values, new: Values) -> None:
        before = self.mapping.set(old, new)
        self._undo.append((self.mapping.restore, (old, before)))

    # Operations.

    def symbols_in(self, table: Operation) -> SymbolNames:
        """The symbols of a table as they are now."""
        if table not in self._symbols:
            self._symbols[table] = SymbolNames(table, self.replaced)
        return self._symbols[table]

    def insert(self, op: Operation) -> Operation:
        if self.block is None:
            raise ValueError("the rewriter has no insertion point")
        self.block.insert_before(op, self.anchor)
        if self._symbols and (table := op.parent_op) in self._symbols:
            self._symbols[table].note(op)
        self.changes.created.append(op)
        self._undo.append((discard, (op,)))
        return op

    def clone(self, op: Operation, values: dict[Value, Value]) -> Operation:
        copy = super().clone(op, values)
        self.changes.created += (op for op in copy.walk() if op is not copy)
        return copy

    def replace(self, op: Operation, values: Sequence[Value | Sequence[Value]]) -> None:
        for result, value in zip(op.results, values, strict=True):
            new: Values = (value,) if isinstance(value, Value) else tuple(value)
            if new:
                self._map((result,), new)
                if len(new) == 1 and new[0].name_hint is None:
                    new[0].name_hint = result.name_hint
            elif result.uses:
                kind = Materialization(self.types, True, None)
                self._cast(place_after((result,)), (result,), (), [result.type], kind, pure=False, origin=result)
        self._delayed.append((self._commit_replacement, (op, self.types)))
        marked = [inner for inner in op.walk() if inner not in self.replaced] if op.regions else [op]
        self.replaced.update(marked)
        self._undo.append((self.replaced.difference_update, (marked,)))

    def erase(self, op: Operation) -> None:
        self.replace(op, [()] * len(op.results))

    def modify(self, op: Operation, change: Callable[[], None]) -> None:
        saved = (op, list(op.operands), list(op.successors), dict(op.properties), dict(op.attributes))
        self._undo.append((restore_operation, saved))
        change()
        self.changes.modified.append(op)

    def record_modification(
        self, op: Operation, operands: list[Value], properties: dict[str, Attribute], attributes: dict[str, Attribute]
    ) -> None:
        """Notes how `op` was before it was changed in place."""
        self._undo.append((restore_operation, (op, operands, list(op.successors), properties, attributes)))

    def move_before(self, op: Operation, block: Block, anchor: Operation | None) -> None:
        if op.parent is not None:
            self._undo.append((move, (op, op.parent, op.next)))
        super().move_before(op, block, anchor)

    def look_at_the_end(self, look: Callable[[], None]) -> None:
        """Has something looked at when all is decided, and nothing was replaced yet."""
        self._looks.append(look)
        self._undo.append((self._looks.remove, (look,)))

    def live_user(self, value: Value) -> Operation | None:
        """An operation that stays and uses a value, or what stands for it so far, be it through casts."""
        pending, seen = [value, *self.mapping.lookup(value)], set[Value]()
        while pending:
            if (derived := pending.pop()) in seen:
                continue
            seen.add(derived)
            for user in derived.uses:
                if user in self.materializations:
                    pending += user.results
                elif user not in self.replaced:
                    return user
        return None

    # Blocks and regions.

    def create_block(self, region: Region, before: Block | None = None, argument_types: Iterable[Type] = ()) -> Block:
        block = super().create_block(region, before, argument_types)
        self._undo.append((region.remove, (block,)))
        self.changes.blocks.append(block)
        return block

    def add_arguments(self, block: Block, types: Iterable[Type]) -> list[BlockArgument]:
        self._undo.append((set_arguments, (block, list(block.arguments))))
        return super().add_arguments(block, types)

    def split_block(self, block: Block, before: Operation | None) -> Block:
        tail = block.split_before(before)
        self._undo.append((unsplit, (block, tail)))
        self.changes.blocks.append(tail)
        return tail

    def inline_region_before(self, region: Region, target: Region, before: Block | None) -> None:
        for block in list(region.blocks):
            self._undo.append((move_block, (block, region, block.next)))
            region.remove(block)
            target.insert_before(block, before)
            self.changes.blocks.append(block)

    def replace_argument(self, block: Block, index: int, values: Sequence[Value]) -> None:
        self._replace_argument(block.arguments[index], tuple(values))

    def _replace_argument(self, argument: BlockArgument, values: Values) -> None:
        self._map((argument,), values)
        self._delayed.append((self._commit_argument, (argument, self.types)))

    def erase_block(self, block: Block) -> None:
        for op in block:
            if op not in self.replaced:
                self.erase(op)
        region = block.parent
        if region is not None:
            self._undo.append((region.insert_before, (block, block.next)))
            region.remove(block)

    def convert_block_signature(self, block: Block, conversion: SignatureConversion) -> Block:
        """Gives the block new arguments; its old ones are replaced by them, with casts for users not converted."""
        old = block.arguments
        if [argument.type for argument in old] == conversion.types:
            return block
        new = [BlockArgument(type, block, index, self.span) for index, type in enumerate(conversion.types)]
        for argument in new:
            argument.location = self.location
        block.arguments = new
        self._undo.append((set_arguments, (block, old)))
        self.changes.blocks.append(block)
        for index, (argument, (start, count)) in enumerate(zip(old, conversion.ranges, strict=True)):
            if index in conversion.values:
                self._replace_argument(argument, (conversion.values[index],))
                continue
            if count == 0:
                kind = Materialization(self.types, True, None)
                values = self._cast((block, block.first), (), (), [argument.type], kind, pure=False, origin=argument)
                self._replace_argument(argument, values)
                continue
            for value in new[start : start + count]:
                value.span, value.location = argument.span, argument.location
            if count == 1:
                new[start].name_hint = argument.name_hint
            self._replace_argument(argument, tuple(new[start : start + count]))
        return block

    def convert_region_types(self, region: Region, entry: SignatureConversion | None = None) -> Failure | None:
        """Converts the signatures of all blocks of a region by the type converter of the running pattern."""
        types = self.types
        if types is None:
            raise ValueError("the running pattern has no type converter")
        self.region_types[region] = types
        blocks = list(region.blocks)
        for block in [*blocks[1:], *blocks[:1]]:
            conversion = entry if block is region.first and entry is not None else types.convert_block_signature(block)
            if conversion is None:
                return Failure("could not convert the types of a block's arguments")
            self.convert_block_signature(block, conversion)
        return None

    # The end.

    def commit(self) -> None:
        """Makes the delayed replacements, in the order in which they were asked for."""
        for look in self._looks:
            look()
        self._undo.clear()  # What is replaced from now on nobody takes back.
        for function, arguments in self._delayed:
            checkpoint()
            function(*arguments)
        for op in paced(self.replaced):
            op.drop_all_references()
        for op in paced(self.replaced):
            dismantle_alone(op)
        self._undo.clear()
        self._delayed.clear()

    def _commit_replacement(self, op: Operation, types: TypeConverter | None) -> None:
        self.stand_in(op)
        # Even a result without users may stand for one that has some, and whose turn comes later.
        values = [self._replacement(result, types) for result in op.results]
        for result, value in zip(op.results, values, strict=True):
            if value is not None:
                self._replace_uses(result, value, None)
        if self.told_of_replacement is not None:
            self.told_of_replacement(op, [value for value in values if value is not None])
        op.unlink()

    def _commit_argument(self, argument: BlockArgument, types: TypeConverter | None) -> None:
        value = self._replacement(argument, types)
        if value is not None:
            self._replace_uses(argument, value, value.defining_op)

    def _replacement(self, value: Value, types: TypeConverter | None) -> Value | None:
        """A value of the same type that stands for `value`, by a cast if need be; None if nothing needs it."""
        values = self.mapping.lookup_replacement(value, value.type)
        if values is not None:
            return values[0]
        if value not in self.mapping.mapped_to and all(user in self.replaced for user in value.uses):
            return None
        last = self.mapping.lookup_replacement(value) or ()
        kind = Materialization(types, True, None)
        return self._cast(place_after(last or (value,)), last, last, [value.type], kind, origin=value)[0]

    def _replace_uses(self, old: Value, new: Value, after: Operation | None) -> None:
        """Replaces all uses but those before `after` in its block. Users that are to be erased are left alone."""
        replaced, before = self.replaced, _up_to(after) if after is not None else set[Operation]()
        for user in list(old.uses):
            if user in replaced or user in before:
                continue
            for index in old.places_in(user):
                user.set_operand(index, new)


def _up_to(op: Operation) -> set[Operation]:
    """`op` and what stands before it in its block: little, since casts of arguments stand at the start."""
    ops, earlier = {op}, op.previous
    while earlier is not None:
        ops.add(earlier)
        earlier = earlier.previous
    return ops
