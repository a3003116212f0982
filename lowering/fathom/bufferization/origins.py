"""Where the buffers behind memrefs come from, and so which of two memrefs are of one allocation.

Source of the rules: `BufferOriginAnalysis` of MLIR 22. What it finds of all memrefs together is found by walking each
way once.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from fathom.bufferization.view_flow import is_view, step_of
from fathom.ir.operation import BlockArgument, Value
from fathom.ir.types import MemRefType
from fathom.irdl.interfaces import EffectKind, FunctionLike
from fathom.records import record
from fathom.rewriting.effects import own_effects

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from fathom.ir.operation import Operation
    from fathom.irdl.dialect import Definitions


def is_buffer(value: Value) -> bool:
    return isinstance(value.type, MemRefType)


@record
class Origin:
    """The buffers that a memref may be one of, as far back as they are known: whether all of them are allocated here,
    and whether all are, or are given to the function."""

    sources: frozenset[Value]
    all_new: bool
    all_known: bool


class Origins:
    """What is found of the memrefs in an operation, as it stands at the beginning."""

    def __init__(self, root: Operation, context: Definitions) -> None:
        self._earlier: dict[Value, dict[Value, None]] = {}
        self._sources: set[Value] = set()
        self._closed: dict[Value, frozenset[Value]] = {}
        self._found: dict[Value, Origin] = {}
        for op in root.walk():
            step = step_of(op, context)
            for value, name in step.pairs:
                self._earlier.setdefault(name, {})[value] = None
            if step.may_make:
                self._sources.update(filter(is_buffer, op.results))
                entries = (region.first for region in op.regions)
                self._sources.update(
                    argument for block in entries if block for argument in block.arguments if is_buffer(argument)
                )

    def of(self, memref: Value) -> Origin:
        """Where a memref comes from."""
        base = base_of(memref)
        origin = self._found.get(base)
        if origin is None:
            sources = self._sources_of(base)
            all_known = all(_is_given(source) or allocates(source) for source in sources)
            origin = self._found[base] = Origin(sources, all(map(allocates, sources)), all_known)
        return origin

    def _sources_of(self, memref: Value) -> frozenset[Value]:
        """The sources that lead to a memref. What lead to each other have the same ones: these are found as strongly
        connected components, by Tarjan's algorithm."""
        closed = self._closed
        numbers, lowest, open_ones = dict[Value, int](), dict[Value, int](), list[Value]()
        ways: list[tuple[Value, Iterator[Value]]] = []

        def enter(value: Value) -> None:
            numbers[value] = lowest[value] = len(numbers)
            open_ones.append(value)
            ways.append((value, iter(self._earlier.get(value, ()))))

        if memref not in closed:
            enter(memref)
        while ways:
            value, rest = ways[-1]
            following = next((base for base in rest if base not in closed), None)
            if following is not None and following not in numbers:
                enter(following)
                continue
            if following is not None:
                lowest[value] = min(lowest[value], numbers[following])
                continue
            ways.pop()
            if ways:
                lowest[ways[-1][0]] = min(lowest[ways[-1][0]], lowest[value])
            if lowest[value] == numbers[value]:
                place = open_ones.index(value) if open_ones[-1] is not value else len(open_ones) - 1
                members = open_ones[place:]
                del open_ones[place:]
                before = (
                    closed[earlier] for one in members for earlier in self._earlier.get(one, ()) if earlier in closed
                )
                own = frozenset(member for member in members if member in self._sources)
                closed.update(dict.fromkeys(members, own.union(*before)))
        return closed[memref]

    def are_same(self, one: Value, other: Value) -> bool | None:
        """Whether two memrefs are of one allocation; None where nobody can tell."""
        if base_of(one) is base_of(other):
            return True
        first, second = self.of(one), self.of(other)
        if len(first.sources) == 1 and first.sources == second.sources:
            return True
        if not first.sources.isdisjoint(second.sources):
            return None
        is_apart = (first.all_new and second.all_known) or (first.all_known and second.all_new)
        return False if is_apart else None

    def may_share(self, one: Value, other: Value) -> bool:
        """Whether two memrefs may be of one allocation. What is allocated after an argument came in is another one."""
        return not _came_before(one, other) and self.are_same(one, other) is not False

    def group(self, memrefs: Iterable[Value]) -> Group:
        """Several memrefs, to be asked about together."""
        return Group(self, memrefs)


class Group:
    """Several memrefs, each named once. Of those that are allocated here, which are most, only such are compared as
    have a source in common."""

    def __init__(self, origins: Origins, memrefs: Iterable[Value]) -> None:
        self._origins = origins
        self._by_source: dict[Value, dict[Value, None]] = {}
        self._not_new: dict[Value, None] = {}
        self._unknown: dict[Value, None] = {}
        self._all = dict.fromkeys(memrefs)
        for memref in self._all:
            origin = origins.of(memref)
            for source in {*origin.sources, base_of(memref)}:
                self._by_source.setdefault(source, {})[memref] = None
            if not origin.all_new:
                self._not_new[memref] = None
            if not origin.all_known:
                self._unknown[memref] = None

    def may_share(self, memref: Value, *, with_itself: bool) -> bool:
        """Whether one of them may be of one allocation with a memref, which may be among them."""
        for candidate in self._candidates(memref):
            if (with_itself or candidate is not memref) and self._origins.may_share(candidate, memref):
                return True
        return False

    def _candidates(self, memref: Value) -> dict[Value, None]:
        origin = self._origins.of(memref)
        if not origin.all_known:
            return self._all
        candidates = self._unknown if origin.all_new else self._not_new
        for source in {*origin.sources, base_of(memref)}:
            candidates = {**self._by_source.get(source, {}), **candidates}
        return candidates


def base_of(memref: Value) -> Value:
    """The memref that another one shows a part of, through views."""
    while (op := memref.defining_op) is not None and is_view(op) and op.results[0] is memref:
        memref = op.operands[0]
    return memref


def allocates(memref: Value) -> bool:
    """Whether the operation that defines a memref allocates its buffer."""
    op = memref.defining_op
    effects = own_effects(op) if op is not None else ()
    return any(effect.kind is EffectKind.ALLOCATE and effect.value is memref for effect in effects or ())


def _is_given(value: Value) -> bool:
    """Whether a value is an argument of a function."""
    if not isinstance(value, BlockArgument) or not value.block.is_entry or value.block.parent is None:
        return False
    op = value.block.parent.parent
    return op is not None and op.interface(FunctionLike) is not None


def _came_before(one: Value, other: Value) -> bool:
    """Whether one of two memrefs is allocated in a block, or inside of it, of which the other is an argument."""
    first, second = base_of(one), base_of(other)
    return _is_older(first, second) or _is_older(second, first)


def _is_older(argument: Value, made: Value) -> bool:
    if not isinstance(argument, BlockArgument) or not allocates(made):
        return False
    block = made.parent_block
    while block is not None and block is not argument.block:
        op = block.parent.parent if block.parent is not None else None
        block = op.parent if op is not None else None
    return block is not None
