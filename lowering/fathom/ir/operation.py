"""Operations, and with them the graph that all passes read and rewrite: their blocks and regions (`fathom.ir.regions`)
and their values (`fathom.ir.values`), each of which knows its users.

Source of the rules: *MLIR Language Reference*, "High-Level Structure".
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import chain
from typing import TYPE_CHECKING, Any, Final, TypeVar

from fathom.ir.chain import stands_before
from fathom.ir.regions import Block, Region, walk_in, walk_postorder_in
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
_new_result: Final[Callable[[type[OpResult]], OpResult]] = object.__new__
_NONE: Final[list[Any]] = []
"""The regions, and the successors, of operations that have none; never written to."""


_new_operation: Final[Callable[[type[Operation]], Operation]] = object.__new__


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
        # Most have one result or none, and no successors: a comprehension would be a call.
        types = tuple(result_types)
        self.results: list[OpResult] = []
        if len(types) == 1:
            self.results.append(OpResult(types[0], self, 0))
        elif types:
            self.results += [OpResult(type, self, index) for index, type in enumerate(types)]
        self.properties: dict[str, Attribute] = dict(properties) if properties else {}
        self.attributes: dict[str, Attribute] = dict(attributes) if attributes else {}
        self._successors: list[Block] = _NONE
        if successors:
            self._successors = [*successors]
            for block in self._successors:
                block.branches[self] = None
        self.regions: list[Region] = _NONE
        self.parent: Block | None = None
        self.previous: Operation | None = None
        self.next: Operation | None = None
        self.span = span
        self.location: Attribute | None = None
        self.definition = definition
        for operand in self._operands:
            uses = operand.uses
            uses[self] = uses[self] + 1 if self in uses else 1
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
        successors: list[Block] | None = None,
        block: Block | None = None,
    ) -> Operation:
        """An operation without regions, which takes over the lists and the dictionaries that it is given, and stands at
        the end of a block, if there is one: for those who make a great many."""
        op = _new_operation(Operation)
        op.name = name
        op._operands = operands
        if len(result_types) == 1:
            # What the constructor does, without a call of it.
            result = _new_result(OpResult)
            result.type = result_types[0]
            result.uses = {}
            result.name_hint = None
            result.op = op
            result.index = 0
            op.results = [result]
        else:
            op.results = [OpResult(type, op, index) for index, type in enumerate(result_types)] if result_types else []
        op.properties = properties
        op.attributes = attributes
        op._successors = op.regions = _NONE
        if successors:
            op._successors = successors
            for successor in successors:
                successor.branches[op] = None
        op.location = op.next = None
        op.parent = block
        if block is None:
            op.previous = None
        else:
            # As `Block.append` does.
            op.previous = last = block.last
            if last is None:
                block.first = op
            else:
                last.next = op
            block.last = op
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
        if self.regions:
            self.regions.append(region)
        else:
            self.regions = [region]
        return region

    @property
    def result(self) -> OpResult:
        """The only result."""
        (result,) = self.results
        return result

    def add_result(self, type: Type) -> OpResult:
        """Appends a result."""
        result = OpResult(type, self, len(self.results))
        self.results.append(result)
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
        return chain((self,), walk_in(self.regions))

    def walk_postorder(self) -> Iterator[Operation]:
        """This operation and all nested ones, each after its regions. Safe when the visited operation is erased."""
        return chain(walk_postorder_in(self.regions), (self,))

    def is_before_in_block(self, other: Operation) -> bool:
        """Whether this operation stands before `other`, both in the same block."""
        return stands_before(self, other)


read_from_slot(Operation, "operands", "_operands")
read_from_slot(Operation, "successors", "_successors")


MODULE: Final = "builtin.module"


def is_module(op: Operation) -> bool:
    """Whether an operation is a module, which the IR itself knows: what is around all that a text says."""
    return op.name == MODULE


OWN_NAMES: Final = frozenset(dir(Operation))
"""What every operation has, whatever its definition."""


def name_parts(names: Iterable[str]) -> None:
    """Gives operations an attribute for each name that a definition calls a part (`fathom.irdl.named_parts`): of an
    operation whose definition has no such part, it raises AttributeError. What operations have already stays what it
    is, as do names that mean something to Python."""
    # With one `__getattr__` instead, Python 3.11 would take five times as long for all others, on each use.
    for name in names:
        if not hasattr(Operation, name) and not name.startswith("__"):
            setattr(Operation, name, _part(name))


def _part(name: str) -> property:
    def read(op: Operation) -> object:
        definition = op.definition
        reader = definition.readers.get(name) if definition is not None else None
        if reader is None:
            raise AttributeError(f"'{op.name}' has no part '{name}'")
        return reader(op)

    return property(read)
