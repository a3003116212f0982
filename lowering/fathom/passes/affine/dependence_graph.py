"""Which operations of a block depend on which, by the memrefs that they access and the values that they use.

Source of the rules: `MemRefDependenceGraph` of MLIR 22.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from fathom.ir.dominance import ancestor_in_block, block_in
from fathom.ir.types import MemRefType
from fathom.irdl.interfaces import EffectKind, RegionBranch
from fathom.irdl.traits import RECURSIVE_MEMORY_EFFECTS
from fathom.ops.affine import ForOp
from fathom.passes.affine.accesses import READS, WRITES, Access, dependence
from fathom.passes.affine.domains import loops_around, nesting_depth
from fathom.passes.affine.effort import count_steps
from fathom.passes.affine.other_names import views_of_the_same
from fathom.records import field, record
from fathom.rewriting.effects import is_memory_effect_free, own_effects

if TYPE_CHECKING:
    from collections.abc import Iterable

    from fathom.ir.operation import Block, Operation, Value
    from fathom.passes.affine.accesses import Read, Write


@record(frozen=False, eq=False)
class Contents:
    """What an operation, and what is nested in it, does to memory: affine loads and stores, and what else reads,
    writes and frees."""

    loads: list[Read] = field(default_factory=list["Read"])
    stores: list[Write] = field(default_factory=list["Write"])
    reads: list[Operation] = field(default_factory=list["Operation"])
    writes: list[Operation] = field(default_factory=list["Operation"])
    frees: list[Operation] = field(default_factory=list["Operation"])


def contents(op: Operation) -> Contents:
    """What an operation does to memory. Of one of which nothing is known that has memrefs as operands, all."""
    collected = Contents()
    for inner in op.walk_postorder():
        count_steps(4)
        if isinstance(inner, ForOp):
            continue
        if isinstance(inner, READS):
            collected.loads.append(inner)
        elif isinstance(inner, WRITES):
            collected.stores.append(inner)
        elif (effects := own_effects(inner)) is not None:
            kinds = {effect.kind for effect in effects}
            collected.reads += [inner] if EffectKind.READ in kinds else []
            collected.writes += [inner] if EffectKind.WRITE in kinds else []
            collected.frees += [inner] if EffectKind.FREE in kinds else []
        elif not inner.has(RECURSIVE_MEMORY_EFFECTS):
            many = [inner for operand in inner.operands if isinstance(operand.type, MemRefType)]
            collected.reads += many
            collected.writes += many
    return collected


def _affects(op: Operation, kind: EffectKind, memref: Value) -> bool:
    return any(effect.kind is kind and effect.value is memref for effect in own_effects(op) or ())


def affected(op: Operation, kind: EffectKind) -> list[Value]:
    """The memrefs on which an operation has an effect; of one of which nothing is known, its operands."""
    effects = own_effects(op)
    if effects is None:
        return [operand for operand in op.operands if isinstance(operand.type, MemRefType)]
    return [
        effect.value
        for effect in effects
        if effect.kind is kind and effect.value is not None and isinstance(effect.value.type, MemRefType)
    ]


class Edge(NamedTuple):
    """Why an operation depends on another one, or another on it: which, and by which value."""

    node: int
    value: Value


@record(frozen=False, eq=False)
class Node:
    """An operation of the block, and what it does to memory."""

    number: int
    op: Operation
    contents: Contents

    def loads_of(self, memref: Value) -> list[Read]:
        return [op for op in self.contents.loads if op.memref is memref]

    def stores_to(self, memref: Value) -> int:
        """How many of its operations write a memref."""
        affine = sum(op.memref is memref for op in self.contents.stores)
        return affine + sum(_affects(op, EffectKind.WRITE, memref) for op in self.contents.writes)

    def changes(self, memref: Value) -> bool:
        """Whether it writes or frees a memref."""
        return bool(self.stores_to(memref)) or any(_affects(op, EffectKind.FREE, memref) for op in self.contents.frees)


_HASHED_BY: Final = 37


class Graph:
    """The operations of a block by numbers, and their edges; it changes as they are fused."""

    def __init__(self, block: Block) -> None:
        self.block = block
        self.nodes: dict[int, Node] = {}
        self.incoming: dict[int, list[Edge]] = {}
        self.outgoing: dict[int, list[Edge]] = {}
        self.memrefs: dict[Value, int] = {}
        self._next = 0
        self._most = 0
        self._paths: dict[tuple[int, int], bool] = {}

    @staticmethod
    def of(block: Block) -> Graph | None:
        """The graph of a block; None where an operation with regions does what is not known."""
        graph = Graph(block)
        for op in block:
            if not graph._add_operation(op):
                return None
        graph._add_edges_of_values()
        users = graph._users()
        graph._add_edges_of_memrefs(users)
        graph._add_edges_of_views(users)
        return graph

    def _add_operation(self, op: Operation) -> bool:
        is_used = any(result.uses for result in op.results)
        is_followed = not op.regions or op.interface(RegionBranch) is not None
        acts = is_followed and not is_memory_effect_free(op)
        if isinstance(op, (ForOp, *READS, *WRITES)) or is_used or acts:
            self.add(op, contents(op))
            return True
        return is_followed

    def add(self, op: Operation, held: Contents) -> Node:
        node = self.nodes[self._next] = Node(self._next, op, held)
        self._next += 1
        self._most = max(self._most, len(self.nodes))
        return node

    def in_order(self) -> list[Node]:
        """The nodes in the order in which a table of MLIR has them, which is by their numbers' hash values; what is
        done first decides what is fused."""
        size = 64
        while self._most * 4 >= size * 3:
            size *= 2
        return [self.nodes[number] for number in sorted(self.nodes, key=lambda number: number * _HASHED_BY % size)]

    def _add_edges_of_values(self) -> None:
        by_loop = {node.op: node.number for node in self.nodes.values() if isinstance(node.op, ForOp)}
        for node in self.in_order():
            if node.contents.stores:
                continue
            for value in node.op.results:
                for user in value.uses:
                    count_steps(4)
                    if block_in(user.parent, self.block.parent) is not self.block:
                        continue
                    loop = next((loop for loop in loops_around(user) if loop.parent is self.block), None)
                    if loop is not None and loop in by_loop:
                        self.add_edge(node.number, by_loop[loop], value)

    def _users(self) -> dict[Value, dict[int, None]]:
        """The memrefs that are accessed, and the nodes that do."""
        users: dict[Value, dict[int, None]] = {}
        for node in self.nodes.values():
            for memref in accessed(node.contents):
                users.setdefault(memref, {})[node.number] = None
        return users

    def _add_edges_of_memrefs(self, users: dict[Value, dict[int, None]]) -> None:
        known: dict[Operation, Access] = {}
        for memref, numbers in users.items():
            changing = {number: self.nodes[number].changes(memref) for number in numbers}
            ordered = [*numbers]
            for place, first in enumerate(ordered):
                count_steps(len(ordered) - place)
                for second in ordered[place + 1 :]:
                    if not (changing[first] or changing[second]):
                        continue
                    if _may_depend(self.nodes[first], self.nodes[second], memref, known):
                        self.add_edge(first, second, memref)

    def _add_edges_of_views(self, users: dict[Value, dict[int, None]]) -> None:
        """Between those that access the same memory by different names. MLIR has none, and moves loops across them."""
        for memref, other in views_of_the_same(users):
            for first in users[memref]:
                count_steps(len(users[other]))
                for second in users[other]:
                    if first < second and (self._touches(first, memref) or self._touches(second, other)):
                        self.add_edge(first, second, memref)

    def _touches(self, number: int, memref: Value) -> bool:
        """Whether a node changes a memref; of an operation of which nothing is known that is so."""
        node = self.nodes[number]
        return node.changes(memref) or any(
            value is memref for op in node.contents.writes for value in affected(op, EffectKind.WRITE)
        )

    # ---- edges

    def has_edge(self, first: int, second: int, value: Value) -> bool:
        return any(edge.node == second and edge.value is value for edge in self.outgoing.get(first, ()))

    def add_edge(self, first: int, second: int, value: Value) -> None:
        if self.has_edge(first, second, value):
            return
        self._paths.clear()
        count_steps(len(self.outgoing.setdefault(first, [])))
        self.outgoing[first].append(Edge(second, value))
        self.incoming.setdefault(second, []).append(Edge(first, value))
        if isinstance(value.type, MemRefType):
            self.memrefs[value] = self.memrefs.get(value, 0) + 1

    def remove_edge(self, first: int, second: int, value: Value) -> None:
        self._paths.clear()
        if isinstance(value.type, MemRefType):
            self.memrefs[value] -= 1
        _remove(self.incoming.get(second, []), first, value)
        _remove(self.outgoing.get(first, []), second, value)

    def remove(self, number: int) -> None:
        for edge in [*self.incoming.get(number, ())]:
            self.remove_edge(edge.node, number, edge.value)
        for edge in [*self.outgoing.get(number, ())]:
            self.remove_edge(number, edge.node, edge.value)
        self.incoming.pop(number, None)
        self.outgoing.pop(number, None)
        del self.nodes[number]

    def has_path(self, first: int, second: int) -> bool:
        """Whether a node depends on another one, by others before it in the block."""
        known = self._paths.get((first, second))
        if known is None:
            known = self._paths[first, second] = self._finds_path(first, second)
        return known

    def _finds_path(self, first: int, second: int) -> bool:
        target = self.nodes[second].op
        seen = {first}
        pending = [first]
        while pending:
            current = pending.pop()
            if current == second:
                return True
            for edge in self.outgoing.get(current, ()):
                count_steps(1)
                is_behind = target is not self.nodes[edge.node].op and target.is_before_in_block(
                    self.nodes[edge.node].op
                )
                if edge.node not in seen and not is_behind:
                    seen.add(edge.node)
                    pending.append(edge.node)
        return False

    def writers_before(self, number: int, memref: Value) -> int:
        """How many edges to a node come from such as write a memref."""
        return sum(
            edge.value is memref and self.nodes[edge.node].stores_to(memref) > 0
            for edge in self.incoming.get(number, ())
        )

    def users_behind(self, number: int, memref: Value) -> int:
        """How many edges from a node are of a memref."""
        return sum(edge.value is memref for edge in self.outgoing.get(number, ()))

    def insertion_point(self, source: int, target: int) -> Operation | None:
        """In front of which operation two loops, of which the first stands before the second, may stand as one; None
        where that is nowhere."""
        first, second = self.nodes[source].op, self.nodes[target].op
        if source not in self.outgoing:
            return second
        definers = {e.node for e in self.incoming.get(target, ()) if not isinstance(e.value.type, MemRefType)}
        if any(self.has_path(source, number) for number in definers):
            return None
        behind = {self.nodes[edge.node].op for edge in self.outgoing[source] if edge.node != target}
        before = {self.nodes[edge.node].op for edge in self.incoming.get(target, ()) if edge.node != source}
        last: Operation | None = None
        op = first.next
        while op is not None and op is not second:
            count_steps(1)
            if last is None and op in behind:
                last = op
            if last is not None and op in before:
                return None
            op = op.next
        return last or second

    # ---- after a fusion

    def take_over(self, source: int, target: int, private: Iterable[Value], *, removes: bool) -> None:
        """Has the edges be those after a loop was put into another, which has memrefs of its own in the place of some;
        `removes` says that the first loop goes."""
        own = {*private}
        for edge in [*self.incoming.get(source, ())]:
            if edge.value not in own:
                self.add_edge(edge.node, target, edge.value)
        for edge in [*self.outgoing.get(source, ())]:
            if edge.node == target:
                self.remove_edge(source, target, edge.value)
            elif removes:
                self.add_edge(target, edge.node, edge.value)
                self.remove_edge(source, edge.node, edge.value)
        for edge in [*self.incoming.get(target, ())]:
            if edge.value in own:
                self.remove_edge(edge.node, target, edge.value)

    def take_over_sibling(self, sibling: int, target: int) -> None:
        """Has a node have all edges of another one."""
        for edge in [*self.incoming.get(sibling, ())]:
            self.add_edge(edge.node, target, edge.value)
            self.remove_edge(edge.node, sibling, edge.value)
        for edge in [*self.outgoing.get(sibling, ())]:
            self.add_edge(target, edge.node, edge.value)
            self.remove_edge(sibling, edge.node, edge.value)

    def node_around(self, op: Operation) -> Node | None:
        """The node of the loop of the block in which an operation stands."""
        top = ancestor_in_block(op, self.block)
        return next((node for node in self.nodes.values() if node.op is top), None)


def _remove(edges: list[Edge], node: int, value: Value) -> None:
    for place, edge in enumerate(edges):
        if edge.node == node and edge.value is value:
            del edges[place]
            return


def accessed(held: Contents) -> dict[Value, None]:
    """The memrefs that are accessed, in the order of the operations of each kind."""
    affine = [op.memref for op in (*held.loads, *held.stores)]
    kinds = ((EffectKind.READ, held.reads), (EffectKind.WRITE, held.writes), (EffectKind.FREE, held.frees))
    return dict.fromkeys([*affine, *(value for kind, ops in kinds for op in ops for value in affected(op, kind))])


def _may_depend(first: Node, second: Node, memref: Value, known: dict[Operation, Access]) -> bool:
    """Whether what a node does to a memref may matter to a later one. Of two loops the affine accesses tell; what is
    found out of these is kept."""
    if not isinstance(first.op, ForOp) or not isinstance(second.op, ForOp):
        return True
    one, other = first.contents, second.contents
    if others_depend(one, other, memref):
        return True

    def accesses(held: Contents) -> list[Access]:
        ops = [op for op in (*held.stores, *held.loads) if op.memref is memref]
        return [known.setdefault(op, known.get(op) or Access(op)) for op in ops]

    mine, theirs = accesses(one), accesses(other)
    depth = nesting_depth(first.op) + 1
    return any(dependence(access, later, depth).may_be for access in mine for later in theirs)


def others_depend(one: Contents, other: Contents, memref: Value) -> bool:
    """Whether there are accesses that are not affine, to a memref that either contents change."""

    def has(affine: Iterable[Read | Write], ops: Iterable[Operation], kind: EffectKind) -> bool:
        if any(op.memref is memref for op in affine):
            return True
        return any(value is memref for op in ops for value in affected(op, kind))

    read, write = EffectKind.READ, EffectKind.WRITE
    written, read_too = has((), one.writes, write), has((), one.reads, read)
    later_written, later_read = has((), other.writes, write), has((), other.reads, read)
    return (
        (written and (later_written or later_read or has((*other.loads, *other.stores), (), write)))
        or (read_too and (later_written or has(other.stores, (), write)))
        or (has(one.stores, (), write) and (later_written or later_read))
        or (has(one.loads, (), read) and later_written)
    )
