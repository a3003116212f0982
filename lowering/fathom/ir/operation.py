"""Operations, blocks, regions and values: the graph that all passes read and rewrite.

Operations of a block and blocks of a region are linked lists (`fathom.ir.chain`). Each value (`fathom.ir.values`) knows
its users. Source of the rules: *MLIR Language Reference*, "High-Level Structure".
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Final, TypeVar

from fathom.ir.chain import Chain, stands_before
from fathom.ir.values import BlockArgument, OpResult, Origin, Span, Value, read_from_slot, types_of

if TYPE_CHECKING:
    from fathom.ir.attributes import Attribute
    from fathom.ir.types import Type
    from fathom.irdl.definition import OpDefinition, Trait

__all__ = [
    "MODULE",
    "Block",
    "BlockArgument",
    "OpResult",
    "Operation",
    "Origin",
    "Region",
    "Span",
    "Value",
    "is_module",
    "types_of",
]

InterfaceT = TypeVar("InterfaceT")


class Operation:
    """One operation.

    `properties` holds the inherent attributes (`<{…}>` in the generic form), `attributes` the discardable ones. `span`
    is the source it came from, inherited by all that it is lowered to; `location` is the MLIR location written in the
    source, if any. `definition` is None for an unknown operation, whose inherent attributes cannot be told apart and
    all stand where the source had them.
    """

    __slots__ = (
        "_operands",
        "_successors",
        "attributes",
        "definition",
        "location",
        "name",
        "next",
        "parent",
        "previous",
        "properties",
        "regions",
        "results",
        "span",
    )

    def __init__(
        self,
        name: str,
        operands: Iterable[Value] = (),
        result_types: Iterable[Type] = (),
        properties: Mapping[str, Attribute] | None = None,
        attributes: Mapping[str, Attribute] | None = None,
        successors: Iterable[Block] = (),
        regions: Iterable[Region] = (),
        span: Span | None = None,
        definition: OpDefinition | None = None,
    ) -> None:
        self.name = name
        self._operands: list[Value] = list(operands)
        self.results: list[OpResult] = [OpResult(type, self, i) for i, type in enumerate(result_types)]
        self.properties: dict[str, Attribute] = dict(properties) if properties else {}
        self.attributes: dict[str, Attribute] = dict(attributes) if attributes else {}
        self._successors: list[Block] = list(successors)
        for block in self._successors:
            block.branches[self] = None
        self.regions: list[Region] = []
        self.parent: Block | None = None
        self.previous: Operation | None = None
        self.next: Operation | None = None
        self.span = span
        self.location: Attribute | None = None
        self.definition = definition
        for operand in self._operands:
            uses = operand.uses
            uses[self] = uses.get(self, 0) + 1
        for region in regions:
            self.add_region(region)

    @staticmethod
    def assembled(
        name: str,
        operands: list[Value],
        result_types: tuple[Type, ...],
        properties: dict[str, Attribute],
        attributes: dict[str, Attribute],
        span: Span | None,
        definition: OpDefinition | None,
    ) -> Operation:
        """An operation without successors and regions, which takes over the list and the dictionaries that it is given:
        for those who make a great many."""
        op = Operation.__new__(Operation)
        op.name = name
        op._operands = operands
        if len(result_types) == 1:
            op.results = [OpResult(result_types[0], op, 0)]
        else:
            op.results = [OpResult(type, op, index) for index, type in enumerate(result_types)] if result_types else []
        op.properties = properties
        op.attributes = attributes
        op._successors = []
        op.regions = []
        op.parent = op.previous = op.next = op.location = None
        op.span = span
        op.definition = definition
        for operand in operands:
            uses = operand.uses
            uses[op] = uses[op] + 1 if op in uses else 1
        return op

    def __repr__(self) -> str:
        return f"<{self.name} at {id(self):#x}>"

    @property
    def dialect(self) -> str:
        return self.name.partition(".")[0]

    def has(self, trait: Trait) -> bool:
        """Whether its definition has the trait; an unknown operation has none."""
        return self.definition is not None and self.definition.has(trait)

    def interface(self, kind: type[InterfaceT]) -> InterfaceT | None:
        """The interface of this kind (`fathom.irdl.interfaces`) that its definition has, or None."""
        return self.definition.interface(kind) if self.definition is not None else None

    @property
    def operands(self) -> list[Value]:
        """The operands, to be read; they change by `set_operand` and `set_operands` only."""
        return self._operands

    def all_of(self, name: str) -> list[Value]:
        """The operands of the group that its definition calls so; none for an unknown operation. KeyError for a name
        that the definition does not have."""
        if self.definition is None:
            return []
        place = self.definition.operand_places.place(self, len(self._operands), name)
        return self._operands[place.start : place.stop]

    def one_of(self, name: str) -> Value:
        """The only operand of a group. ValueError where it has none, or several."""
        (value,) = self.all_of(name)
        return value

    def set_operand(self, index: int, value: Value) -> None:
        """Replaces one operand and keeps the users of both values right."""
        old = self._operands[index]
        if old is value:
            return
        self._drop_use(old)
        self._operands[index] = value
        value.uses[self] = value.uses.get(self, 0) + 1

    def set_operands(self, values: Iterable[Value]) -> None:
        """Replaces all operands; there may be more or fewer than before."""
        values = list(values)
        for old in self._operands:
            self._drop_use(old)
        self._operands = values
        for value in values:
            value.uses[self] = value.uses.get(self, 0) + 1

    @property
    def successors(self) -> list[Block]:
        """The blocks that it goes on to, to be read; they change by `set_successors` only."""
        return self._successors

    def set_successors(self, blocks: Iterable[Block]) -> None:
        """Replaces all successors."""
        for block in self._successors:
            block.branches.pop(self, None)
        self._successors = list(blocks)
        for block in self._successors:
            block.branches[self] = None

    def _drop_use(self, value: Value) -> None:
        count = value.uses[self]
        if count == 1:
            del value.uses[self]
        else:
            value.uses[self] = count - 1

    def add_region(self, region: Region) -> Region:
        """Appends a region, which has no operation yet, and returns it."""
        region.parent = self
        self.regions.append(region)
        return region

    @property
    def result(self) -> OpResult:
        """The only result."""
        (result,) = self.results
        return result

    def retype(self, type: Type) -> OpResult:
        """Has another value for its only result, of another type, which all users get; and returns it."""
        (old,) = self.results
        new = OpResult(type, self, 0)
        new.name_hint = old.name_hint
        self.results = [new]
        old.replace_all_uses_with(new)
        return new

    @property
    def parent_op(self) -> Operation | None:
        """The operation around this one, None at the top or outside of any block."""
        return self.parent.parent.parent if self.parent is not None and self.parent.parent is not None else None

    @property
    def parent_region(self) -> Region | None:
        """The region that this operation stands in."""
        return self.parent.parent if self.parent is not None else None

    @property
    def definers(self) -> list[Operation]:
        """The operations whose results it uses, one for each operand that is a result."""
        return [definer for operand in self.operands if (definer := operand.defining_op) is not None]

    if not TYPE_CHECKING:  # What there is, `fathom.ops` says for each operation.

        def __getattr__(self, name: str) -> object:
            """The part that its definition calls so (`fathom.irdl.named_parts`). AttributeError where there is none."""
            definition = self.definition if name != "definition" else None
            read = definition.readers.get(name) if definition is not None else None
            if read is None:
                raise AttributeError(f"'{self.name}' has no part '{name}'")
            return read(self)

    def attribute(self, name: str) -> Attribute | None:
        """The inherent or, failing that, discardable attribute of this name."""
        return self.properties.get(name, self.attributes.get(name))

    def replace_all_uses_with(self, values: Iterable[Value]) -> None:
        """Gives the users of each result the value in the same place. Raises ValueError where the numbers differ."""
        for result, value in zip(self.results, list(values), strict=True):
            result.replace_all_uses_with(value)

    def unlink(self) -> None:
        """Takes the operation out of its block and leaves its operands alone."""
        if self.parent is not None:
            self.parent.remove(self)

    def drop_all_references(self) -> None:
        """Gives up the operands and successors here and in all regions, so that a cyclic graph can be taken apart."""
        self.set_operands(())
        if self._successors:
            self.set_successors(())
        for region in self.regions:
            for block in region.blocks:
                for op in block:
                    op.drop_all_references()

    def erase(self) -> None:
        """Takes the operation out of its block and gives up its operands. Its results must have no users left."""
        if any(result.uses for result in self.results):
            raise ValueError(f"'{self.name}' is erased while its results are in use")
        self.drop_all_references()
        self.unlink()

    def walk(self) -> Iterator[Operation]:
        """This operation and all nested ones, each before its regions. Safe when the visited operation is erased."""
        yield self
        for region in self.regions:
            yield from region.walk()

    def walk_postorder(self) -> Iterator[Operation]:
        """This operation and all nested ones, each after its regions. Safe when the visited operation is erased."""
        for region in self.regions:
            yield from region.walk_postorder()
        yield self

    def is_before_in_block(self, other: Operation) -> bool:
        """Whether this operation stands before `other`, both in the same block."""
        return stands_before(self, other)


read_from_slot(Operation, "operands", "_operands")
read_from_slot(Operation, "successors", "_successors")


class Block(Chain[Operation]):
    """A list of operations that ends in a terminator, with arguments. The label belongs to the text, not to the
    block."""

    __slots__ = ("arguments", "branches", "first", "label_span", "last", "name_hint", "next", "parent", "previous")

    def __init__(self, argument_types: Iterable[Type] = ()) -> None:
        self.arguments: list[BlockArgument] = [BlockArgument(t, self, i) for i, t in enumerate(argument_types)]
        self.branches: dict[Operation, None] = {}
        """The operations that have it for a successor, wherever they stand."""
        self.first: Operation | None = None
        self.last: Operation | None = None
        self.parent: Region | None = None
        self.previous: Block | None = None
        self.next: Block | None = None
        self.label_span: Span | None = None
        self.name_hint: str | None = None

    def __iter__(self) -> Iterator[Operation]:
        return self.links()

    def __len__(self) -> int:
        count, op = 0, self.first
        while op is not None:
            count += 1
            op = op.next
        return count

    @property
    def is_entry(self) -> bool:
        """Whether it is its region's first block."""
        return self.previous is None

    @property
    def end(self) -> Operation:
        """The last operation, which a block that was verified has. ValueError where there is none."""
        if self.last is None:
            raise ValueError("a block has no operation")
        return self.last

    @property
    def terminator(self) -> Operation | None:
        """The last operation, which in a finished block is its terminator."""
        return self.last

    @property
    def successors(self) -> list[Block]:
        """The successors of the last operation."""
        return self.last.successors if self.last is not None else []

    def add_argument(self, type: Type, span: Span | None = None) -> BlockArgument:
        """Appends an argument."""
        argument = BlockArgument(type, self, len(self.arguments), span)
        self.arguments.append(argument)
        return argument

    def insert_argument(self, index: int, type: Type, span: Span | None = None) -> BlockArgument:
        """Inserts an argument before the one at `index`; those behind move on."""
        argument = BlockArgument(type, self, index, span)
        self.arguments.insert(index, argument)
        self._renumber()
        return argument

    def erase_arguments(self, indices: Collection[int]) -> None:
        """Takes away arguments, which nothing uses."""
        self.arguments = [argument for argument in self.arguments if argument.index not in indices]
        self._renumber()

    def _renumber(self) -> None:
        for index, argument in enumerate(self.arguments):
            argument.index = index

    def split_before(self, op: Operation | None) -> Block:
        """Moves `op` and all after it to a new block that is placed right after this one, and returns it."""
        tail = Block()
        if self.parent is not None:
            self.parent.insert_before(tail, self.next)
        if op is None:
            return tail
        tail.first, tail.last = op, self.last
        self.last = op.previous
        if op.previous is None:
            self.first = None
        else:
            op.previous.next = op.previous = None
        following: Operation | None = op
        while following is not None:
            following.parent = tail
            following = following.next
        return tail

    def predecessors(self) -> list[Block]:
        """The blocks of its region whose terminators name this one, each once for each time that it names it, in no
        order that the text has."""
        found: list[Block] = []
        for op in self.branches:
            block = op.parent
            if block is not None and block.last is op and block.parent is self.parent is not None:
                found += [block] * op.successors.count(self)
        return found


class Region(Chain[Block]):
    """A list of blocks; the first is the entry block."""

    __slots__ = ("first", "last", "parent")

    def __init__(self, blocks: Iterable[Block] = ()) -> None:
        self.parent: Operation | None = None
        self.first: Block | None = None
        self.last: Block | None = None
        for block in blocks:
            self.append(block)

    @property
    def blocks(self) -> Iterator[Block]:
        """The blocks in order. Safe when the one that was given last is removed."""
        return self.links()

    @property
    def entry(self) -> Block:
        """The first block, which the body of a verified loop has. ValueError where there is none."""
        if self.first is None:
            raise ValueError("a region has no block")
        return self.first

    @property
    def has_one_block(self) -> bool:
        return self.first is not None and self.first is self.last

    def take_blocks(self, other: Region, before: Block | None = None) -> None:
        """Moves all blocks of `other` here, before `before` or to the end."""
        for block in list(other.blocks):
            other.remove(block)
            self.insert_before(block, before)

    def walk(self) -> Iterator[Operation]:
        """All operations in the region, each before those nested in it."""
        # It is gone through so often that it is written out: where to go on is a block and an operation before it.
        pending: list[Region | tuple[Block | None, Operation | None]] = [self]
        while pending:
            place = pending.pop()
            block, op = (place.first, None) if isinstance(place, Region) else place
            while op is not None or block is not None:
                if op is None:
                    assert block is not None
                    op, block = block.first, block.next
                    continue
                following = op.next
                yield op
                if op.regions:
                    pending.append((block, following))
                    pending += reversed(op.regions)
                    break
                op = following

    def walk_postorder(self) -> Iterator[Operation]:
        """All operations in the region, each after those nested in it. Safe when the visited operation is erased."""
        for block in list(self.blocks):
            for op in list(block):
                if op.regions:
                    yield from op.walk_postorder()
                else:
                    yield op

    def inner_regions(self) -> list[Region]:
        """The regions of the operations directly in the region."""
        found: list[Region] = []
        block = self.first
        while block is not None:
            op = block.first
            while op is not None:
                if op.regions:
                    found += op.regions
                op = op.next
            block = block.next
        return found

    def operations(self) -> Iterator[Operation]:
        """The operations directly in the region."""
        for block in self.blocks:
            yield from block


MODULE: Final = "builtin.module"


def is_module(op: Operation) -> bool:
    """Whether an operation is a module, which the IR itself knows: what is around all that a text says."""
    return op.name == MODULE
