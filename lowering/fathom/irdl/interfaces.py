"""What operations of different dialects have in common, as code asks for it: interfaces, attached to definitions.

    branch = op.interface(Branch)          None where the operation is no branch

Any class can be an interface: one that is declared elsewhere, too. A dialect may give its own operations and those of
others a model of one, as MLIR's external models do (`MODELS`).

The names are those of MLIR without `OpInterface`. What an interface asks may be answered by functions that a definition
gives, or follow from how the operation is declared (`STANDARD`).

A function that answers takes operations of one class, or of any.

Source of the rules: *Interfaces*; *Side Effects & Speculation*.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from enum import Enum
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from fathom.ir.attributes import Attribute, DenseArrayAttr, StringAttr, SymbolRefAttr, TypeAttr
from fathom.irdl.aspects import Aspect
from fathom.irdl.groups import SEGMENTS, Arity
from fathom.records import record

if TYPE_CHECKING:
    from fathom.ir.affine import AffineMap
    from fathom.ir.operation import Block, BlockArgument, Operation, Region, Value
    from fathom.ir.types import Type
    from fathom.irdl.definition import OpDefinition


class EffectKind(Enum):
    """What an operation does to memory."""

    ALLOCATE = "MemAlloc"
    FREE = "MemFree"
    READ = "MemRead"
    WRITE = "MemWrite"


@record
class Effect:
    """One effect; on the memory behind `value`, or on memory of which nothing is known."""

    kind: EffectKind
    value: Value | None = None


@record(eq=False)
class MemoryEffects:
    """`MemoryEffectOpInterface`: what the operation itself does to memory, apart from what is nested in it. `declared`
    are the same effects, on groups of operands and results, if they are the same for all operations of a definition."""

    effects: Callable[[Any], Sequence[Effect]]
    declared: tuple[tuple[EffectKind, str], ...] | None = None

    def are_harmless(self, definition: OpDefinition) -> bool | None:
        """Whether such operations only read, or make memory that they return; None where that depends on the
        operation."""
        if self.declared is None:
            return None
        others = [name for kind, name in self.declared if kind is not EffectKind.READ]
        given = {operand.name for operand in definition.operands if operand.arity is Arity.ONE}
        return True if not others else False if any(not name or name in given for name in others) else None


@record(eq=False)
class BranchEdge:
    """The way to one successor of a branch: the operands that it gets, which stand at `where`. The first arguments of
    the successor, as many as are `made`, the branch makes itself."""

    target: Block
    made: int
    where: range
    passed: list[Value]

    @property
    def pairs(self) -> Iterator[tuple[int, BlockArgument]]:
        """The places of the operands that are passed, each with the argument that it becomes."""
        return zip(self.where, self.target.arguments[self.made :], strict=False)


@record(eq=False)
class Branch:
    """`BranchOpInterface`: the operands that are passed on to the arguments of each successor.

    `ranges(op)` gives for each successor the indices of these operands; `change(op, operands)` passes others to some of
    them, by their indices.
    `choose(op, constants)` is the index of the only successor that it goes to if its operands are these constants, None
    where they do not tell. `ways(op)` are words for the ways to its successors, in their order, if there are such:
    `true` and `false`, `default` and the values of cases.
    """

    ranges: Callable[[Any], Sequence[range]]
    change: Callable[[Any, Mapping[int, Sequence[Value]]], None]
    choose: Callable[[Any, Sequence[Attribute | None]], int | None] = lambda op, constants: None
    ways: Callable[[Any], Sequence[str]] = lambda op: ()

    def edges(self, op: Operation) -> list[BranchEdge]:
        """What goes to each successor, in their order."""
        return [
            BranchEdge(block, max(0, len(block.arguments) - len(where)), where, op.operands[where.start : where.stop])
            for block, where in zip(op.successors, self.ranges(op), strict=False)
        ]


@record(eq=False)
class RegionEdge:
    """Where control may go: into a region, or, if `target` is None, out of the operation. `passed` are the values that
    the arguments of the region, or the results, are from the one numbered `first` on; they are operands of what
    branches, from the one numbered `start` on."""

    target: Region | None
    passed: Sequence[Value] = ()
    first: int = 0
    start: int = 0


@record(eq=False)
class RegionBranch:
    """`RegionBranchOpInterface`: where control may go from an operation, `enter(op, constants)`, and from the end of
    one of its regions, `leave(op, terminator, constants)`; each with what is known of the operands."""

    enter: Callable[[Any, Sequence[Attribute | None]], Sequence[RegionEdge]]
    leave: Callable[[Any, Any, Sequence[Attribute | None]], Sequence[RegionEdge]]


class Speculation(Enum):
    """When an operation may run though the program would not have come to it: never, always, or if what is nested in it
    may."""

    NEVER = "NotSpeculatable"
    ALWAYS = "Speculatable"
    IF_NESTED = "RecursivelySpeculatable"


@record(eq=False)
class Speculatable:
    """`ConditionallySpeculatable`: whether the operation may run where it would not have, as in front of a loop that
    has no iteration; not if its behaviour may be undefined there, or if it may not end."""

    when: Callable[[Any], Speculation]


ALWAYS_SPECULATABLE: Final = Speculatable(lambda _: Speculation.ALWAYS)
SPECULATABLE_IF_NESTED: Final = Speculatable(lambda _: Speculation.IF_NESTED)


@record(eq=False)
class LoopLike:
    """`LoopLikeOpInterface`: an operation that runs some of its regions again and again, `regions(op)`, as often as
    `trip_count(op)` says, None where that is not known."""

    regions: Callable[[Any], Sequence[Region]] = lambda op: op.regions
    trip_count: Callable[[Any], int | None] = lambda op: None


# ---- symbols


def symbol_name(op: Operation) -> str:
    """The name that an operation gives itself, without `@`; empty for none. Any operation may, also an unknown one."""
    name = op.attribute("sym_name")
    return name.value if isinstance(name, StringAttr) else ""


def _visibility(op: Operation) -> str:
    visibility = op.attribute("sym_visibility")
    return visibility.value if isinstance(visibility, StringAttr) else "public"


@record(eq=False)
class Symbol:
    """`SymbolOpInterface`: an operation that has a name in the symbol table around it."""

    name: Callable[[Any], str] = symbol_name
    visibility: Callable[[Any], str] = _visibility


@record(eq=False)
class SymbolTable:
    """The trait `SymbolTable`: the names of the operations directly in it are its own."""


# ---- functions and calls


def _function_type(op: Operation) -> Type | None:
    attribute = op.properties.get("function_type")
    return attribute.type if isinstance(attribute, TypeAttr) else None


def _function_body(op: Operation) -> Region | None:
    return op.regions[0] if op.regions and not op.regions[0].is_empty else None


def _no_problem(_: Operation) -> None:
    """Nothing is asked of a signature beyond the type of the property."""


@record(eq=False)
class FunctionLike:
    """`FunctionOpInterface`: a symbol with a signature. `body` is None for a declaration. `type_problem` says what is
    wrong with the signature, which is looked at before the attributes of arguments and results are."""

    type: Callable[[Any], Type | None] = _function_type
    body: Callable[[Any], Region | None] = _function_body
    type_problem: Callable[[Any], str | None] = _no_problem


def _named_callee(op: Operation) -> SymbolRefAttr | None:
    """The first property that names a symbol."""
    names = (op.properties.get(prop.name) for prop in op.definition.properties) if op.definition is not None else ()
    return next((name for name in names if isinstance(name, SymbolRefAttr)), None)


def _callee(op: Operation) -> SymbolRefAttr | Value | None:
    return _named_callee(op) or next(iter(op.operands), None)


def _given(op: Operation) -> Sequence[Value]:
    return op.operands if _named_callee(op) is not None else op.operands[1:]


@record(eq=False)
class Call:
    """`CallOpInterface`: the function that is called, by its symbol or as a value, and what it is given; where nothing
    else is said, all operands, or those behind the value that is called."""

    callee: Callable[[Any], SymbolRefAttr | Value | None] = _callee
    arguments: Callable[[Any], Sequence[Value]] = _given


def call_by_groups(arguments: str, callee: str = "callee") -> Call:
    """A call whose callee is a property, or else the first of the operands in the group `arguments`; the rest of this
    group are the arguments. Where the callee has a group of its own, that is it."""

    def group(op: Operation, name: str) -> list[Value]:
        names = {operand.name for operand in op.definition.operands} if op.definition is not None else ()
        return op.all_of(name) if name in names else []

    def called(op: Operation) -> SymbolRefAttr | Value | None:
        symbol = op.properties.get(callee)
        if isinstance(symbol, SymbolRefAttr):
            return symbol
        return next(iter(group(op, callee) or group(op, arguments)), None)

    def given(op: Operation) -> list[Value]:
        values = group(op, arguments)
        return values if isinstance(op.properties.get(callee), SymbolRefAttr) or group(op, callee) else values[1:]

    return Call(called, given)


# ---- constants


def _folded_value(op: Operation) -> Attribute | None:
    """What a constant folds to, or else its property `value`, or the only one that it has."""
    if op.definition is not None and op.definition.fold is not None:
        folded = op.definition.fold(op, ())
        if folded and isinstance(folded[0], Attribute):
            return folded[0]
    attribute = op.properties.get("value")
    return next(iter(op.properties.values())) if attribute is None and len(op.properties) == 1 else attribute


@record(eq=False)
class ConstantLike:
    """The trait `ConstantLike`: the attribute that its result is."""

    value: Callable[[Any], Attribute | None] = _folded_value


@record(eq=False)
class ShapedDim:
    """`ShapedDimOpInterface`: the size of its first operand in the dimension that its second one is."""


# ---- further


@record(eq=False)
class InlineAssembly:
    """A text in it is in the language of a machine, and only LLVM can tell what is wrong with it."""


@record(eq=False)
class Assertion:
    """Ends the program unless a condition holds, with words of the program's own."""

    condition: Callable[[Any], Value]
    words: Callable[[Any], str]


@record(eq=False)
class StackAllocation:
    """Takes memory that ends with the scope around it."""


@record(eq=False)
class Masking:
    """`MaskingOpInterface`: a mask for the operation in its region."""


@record(eq=False)
class Structured:
    """linalg's `LinalgOp`: loops around a body, which reads and writes its operands at what a map makes of the loops.

    `maps(op)` are those of the operands, in order, and `loops(op)` has a letter for each loop: `p` where its iterations
    may run in any order, `r` where they reduce. None where the operation does not say it as it should.
    """

    maps: Callable[[Any], Sequence[AffineMap] | None]
    loops: Callable[[Any], str | None]


TRUE_OR_FALSE: Final = ("true", "false")
"""The ways of a branch that goes by a condition."""

Models: TypeAlias = "Mapping[str, Sequence[object]]"

MODELS: Final[Aspect[Models]] = Aspect("models", {}, lambda own, base: {**base, **own})
"""The models of interfaces that a dialect gives to operations, of its own or of others, by their full names."""

STANDARD: Final[Mapping[str, object]] = {
    "Pure": ALWAYS_SPECULATABLE,
    "RecursivelySpeculatable": SPECULATABLE_IF_NESTED,
    "LoopLikeOpInterface": LoopLike(),
    "Symbol": Symbol(),
    "SymbolOpInterface": Symbol(),
    "SymbolTable": SymbolTable(),
    "FunctionOpInterface": FunctionLike(),
    "CallOpInterface": Call(),
    "ConstantLike": ConstantLike(),
    "ShapedDimOpInterface": ShapedDim(),
    "MaskingOpInterface": Masking(),
}
"""What an operation has that names one of these among its traits."""


def effects_on(*kinds: tuple[EffectKind, str]) -> MemoryEffects:
    """Effects on the operands or results of the groups of these names; on unknown memory for an empty name."""

    def effects(op: Operation) -> Iterator[Effect]:
        definition = op.definition
        for kind, name in kinds:
            if not name:
                yield Effect(kind)
            elif definition is not None:
                is_operand = any(operand.name == name for operand in definition.operands)
                values = op.all_of(name) if is_operand else definition.result_groups(op).get(name, ())
                yield from (Effect(kind, value) for value in values)

    return MemoryEffects(lambda op: tuple(effects(op)), kinds)


def branch_by_groups(*names: str, ways: Sequence[str] = ()) -> Branch:
    """A branch that passes each successor the operands of one group; `names` are those groups, in the successors'
    order, and `ways` are words for the ways to them."""

    def ranges(op: Operation) -> list[range]:
        return [_range_of(op, name) for name in names]

    def change(op: Operation, passed: Mapping[int, Sequence[Value]]) -> None:
        replace_ranges(op, [(ranges(op)[index], operands) for index, operands in sorted(passed.items())])
        sizes = op.properties.get(SEGMENTS["operands"])
        if isinstance(sizes, DenseArrayAttr):
            changed = {_group_names(op).index(names[index]): len(operands) for index, operands in passed.items()}
            values = tuple(changed.get(group, size) for group, size in enumerate(sizes.values))
            op.properties[SEGMENTS["operands"]] = DenseArrayAttr(sizes.element, values)

    return Branch(ranges, change, ways=lambda _: ways)


def replace_ranges(op: Operation, ranges: Iterable[tuple[range, Sequence[Value]]]) -> None:
    """Puts other operands, which may be more or fewer, in the place of some. Ranges do not overlap; of several that are
    empty at one place, the operands come in the order in which they are given."""
    operands: list[Value] = []
    last = 0
    for where, values in sorted(ranges, key=lambda entry: (entry[0].start, entry[0].stop)):
        operands += op.operands[last : where.start]
        operands += values
        last = where.stop
    op.set_operands([*operands, *op.operands[last:]])


def _group_names(op: Operation) -> list[str]:
    return [operand.name for operand in op.definition.operands] if op.definition is not None else []


def _range_of(op: Operation, name: str) -> range:
    """The indices of the operands of a group."""
    definition = op.definition
    return definition.operand_places.place(op, len(op.operands), name) if definition is not None else range(0)
