"""Affine loop nests in a block, fused: what makes a buffer with what reads it, and nests that read the same.

Source of the rules: `LoopFusion.cpp` of MLIR 22.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from fathom.bufferization.view_flow import is_view
from fathom.ir.dominance import block_in
from fathom.irdl.interfaces import EffectKind
from fathom.ops.affine import ForOp
from fathom.ops.memref import AllocOp
from fathom.passes.affine.accesses import READS, Access, accesses_in, dependence
from fathom.passes.affine.apart import why_apart
from fathom.passes.affine.dependence_graph import Edge, Graph, Node, contents
from fathom.passes.affine.domains import common_loops, loops_around, nesting_depth
from fathom.passes.affine.fusion_costs import additional_compute, best_depth
from fathom.passes.affine.interchange import sink_sequential
from fathom.passes.affine.memref_uses import SUBSCRIPTED
from fathom.passes.affine.nest_fusion import fuse, slice_to_fuse
from fathom.passes.affine.private_buffers import Buffers, is_sized
from fathom.passes.affine.slices import Slice, common_nest
from fathom.records import record
from fathom.rewriting.effects import has_only_effect_on
from fathom.rewriting.observers import explaining
from fathom.rewriting.reasons import called
from fathom.rewriting.rewriter import Rewriter

if TYPE_CHECKING:
    from fathom.context import Context
    from fathom.diagnostics import Diagnostic
    from fathom.ir.operation import Block, Operation, Value

ANY: Final = 1 << 32
"""A producer may have any number of users."""


@record
class Options:
    """How loops are fused: `mode` is `greedy`, `producer` or `sibling`; as deep as may be, or where so much more as
    `tolerance` is done at most. Buffers of at most `threshold` bytes come to a memory space, if there is one."""

    mode: str
    is_maximal: bool
    tolerance: float
    threshold: int
    space: int | None


def fuse_loops(root: Operation, context: Context, options: Options) -> list[Diagnostic]:
    """In each block with several loops."""
    for op in [*root.walk_postorder()]:
        for region in op.regions:
            for block in [*region.blocks]:
                if sum(isinstance(inner, ForOp) for inner in block) > 1:
                    graph = Graph.of(block)
                    if graph is not None:
                        _Fusion(graph, options, Rewriter(context)).run()
                    elif (watch := explaining()) is not None:
                        for loop in (inner for inner in block if isinstance(inner, ForOp)):
                            watch.left(loop, "fuse", "what an operation of its block does to memory is not known")
    return []


def _deeper_than(loop: ForOp) -> int:
    return len(loops_around(loop))


class _Fusion:
    def __init__(self, graph: Graph, options: Options, rewriter: Rewriter) -> None:
        self.graph = graph
        self.options = options
        self.rewriter = rewriter
        self._watch = explaining()

    def run(self) -> None:
        for node in self.graph.in_order() if self._watch is not None else ():
            if isinstance(node.op, ForOp):
                self._left(node.op, "no loop behind it in its block reads what it writes")
        if self.options.mode == "producer":
            self._fuse_producers(ANY)
        elif self.options.mode == "sibling":
            self._fuse_siblings()
        else:
            self._fuse_producers(1)
            self._fuse_siblings()
            self._fuse_producers(ANY)
        for memref, edges in self.graph.memrefs.items():
            maker = memref.defining_op
            if edges <= 0 and not memref.uses and isinstance(maker, AllocOp) and maker.parent is not None:
                self.rewriter.erase(maker)

    def _left(self, loop: ForOp, reason: str) -> bool:
        """Says why a loop is not put into another; False, since it is not."""
        if self._watch is not None:
            self._watch.left(loop, "fuse", reason)
        return False

    def _targets(self) -> list[int]:
        return [node.number for node in reversed(self.graph.in_order())]

    def _slices(
        self, source: ForOp, target: ForOp, depths: int, sibling: Value | None = None
    ) -> tuple[int, list[Slice]]:
        """The deepest of so many depths at which a nest may be put into another, and the slices at all."""
        deepest, slices, outer = 0, list[Slice](), _deeper_than(target)
        for depth in range(1, depths + 1):
            may, slice = slice_to_fuse(source, target, depth + outer, sibling)
            slices.append(slice)
            deepest = depth if may else deepest
        return deepest, slices

    def _tolerance(self, source: ForOp, target: ForOp, slice: Slice) -> float | None:
        """How much more may be done: nothing where each iteration needs the one before. None where it is too much."""
        if not has_cycle(source):
            return self.options.tolerance
        if self.options.is_maximal:
            cost = additional_compute(source, target, slice)
            return None if cost is None or cost.more > 0 else self.options.tolerance
        return 0.0

    # ---- producers

    def _fuse_producers(self, most_users: int) -> None:
        for number in self._targets():
            target = self.graph.nodes.get(number)
            if target is None or not isinstance(target.op, ForOp) or target.op.results:
                continue
            target.op = sink_sequential(target.op, self.rewriter)
            while self._fuse_into(target, most_users):
                pass

    def _producers(self, target: Node) -> list[int]:
        """The loops that write what a loop reads, the last first."""
        read = {op.memref for op in target.contents.loads}
        producers: set[int] = set()
        for edge in self.graph.incoming.get(target.number, ()):
            node = self.graph.nodes[edge.node]
            if isinstance(node.op, ForOp) and any(op.memref in read for op in node.contents.stores):
                producers.add(edge.node)
        return sorted(producers, reverse=True)

    def _fuse_into(self, target: Node, most_users: int) -> bool:
        changed = False
        for number in self._producers(target):
            source = self.graph.nodes.get(number)
            if source is None or source.op.results:
                continue
            fused = self._fuse_producer(source, target, most_users)
            if fused is None:
                return False
            changed = changed or fused
        return changed

    def _fuse_producer(self, source: Node, target: Node, most_users: int) -> bool | None:
        """Whether a loop was put into another one; None if no other one may be tried."""
        graph, loop, into = self.graph, source.op, target.op
        if not isinstance(loop, ForOp) or not isinstance(into, ForOp):
            return False
        if (why := why_apart(source, target)) is not None:
            return self._left(loop, why)
        read = {op.memref for op in target.contents.loads}
        shared = dict.fromkeys(op.memref for op in source.contents.stores if op.memref in read)
        many = next((memref for memref in shared if graph.users_behind(source.number, memref) > most_users), None)
        if many is not None:
            return self._left(loop, f"others than one loop use {called(many)}, which it writes")
        escaping = {op.memref for op in source.contents.stores if escapes(op.memref, graph.block)}
        place = graph.insertion_point(source.number, target.number)
        concerned = [op for op in (*target.contents.loads, *target.contents.stores) if op.memref in shared]
        if place is None:
            return self._left(loop, f"what stands between it and the loop that reads {_named(shared)} depends on both")
        if not concerned:
            return self._left(loop, "no other loop behind it reads what it writes")
        depths = len(common_nest(concerned)) - _deeper_than(into)
        deepest, slices = self._slices(loop, into, depths)
        if not deepest:
            why = f"no slice of it gives the loop that reads {_named(shared)} what an iteration needs, and no more"
            return self._left(loop, f"{why}: accesses differ in more than their loops, or depend on other iterations")
        tolerance = self._tolerance(loop, into, slices[deepest - 1])
        if tolerance is None:
            self._left(loop, "each of its iterations needs the one before, and some would be computed again")
            return None
        depth: int | None = deepest
        if not self.options.is_maximal:
            stores = [Access(op) for op in source.contents.stores if op.memref in shared]
            depth = best_depth(loop, into, stores, slices, deepest, tolerance)
        if depth is None or slices[depth - 1].is_empty:
            why = "at no depth does it save memory and compute no more than the compute-tolerance allows"
            return self._left(loop, f"it is not worth it: {why}, which is {self.options.tolerance * 100:g} %")
        self._put(source, target, slices[depth - 1], depth, shared, escaping, place)
        return True

    def _put(
        self,
        source: Node,
        target: Node,
        slice: Slice,
        depth: int,
        shared: dict[Value, None],
        escaping: set[Value],
        place: Operation,
    ) -> None:
        graph, loop, into = self.graph, source.op, target.op
        assert isinstance(loop, ForOp) and isinstance(into, ForOp) and into.parent is not None, "loops are fused"
        removes = self._may_remove(source, target, slice, place, escaping)
        private = [m for m in shared if self._may_be_private(m, source, target, escaping, removes=removes)]
        fuse(loop, slice, self.rewriter)
        if place is not into:
            self.rewriter.move_before(into, into.parent, place)
        graph.take_over(source.number, target.number, private, removes=removes)
        buffers = Buffers(into, slice, depth, self.options.space, self.options.threshold, self.rewriter)
        stores: dict[Value, list[Access]] = {}
        for access in accesses_in(into.walk_postorder()):
            if access.is_write and any(access.memref is memref for memref in private):
                stores.setdefault(access.memref, []).append(access)
        # The order in which MLIR goes through them is by chance; this is the likely one.
        for own in reversed(stores.values()):
            made = buffers.make(own)
            if made is not None and made.defining_op is not None:
                node = graph.add(made.defining_op, contents(made.defining_op))
                graph.add_edge(node.number, target.number, made)
        target.contents = contents(into)
        if removes:
            self.rewriter.erase(loop)
            graph.remove(source.number)

    def _may_remove(self, source: Node, target: Node, slice: Slice, place: Operation, escaping: set[Value]) -> bool:
        """Whether all that a loop does is done by its slices, before anybody needs it."""
        is_needed = bool(escaping)
        for edge in self.graph.outgoing.get(source.number, ()):
            op = self.graph.nodes[edge.node].op
            if op is target.op:
                continue
            if op.parent is not target.op.parent or not (place is op or place.is_before_in_block(op)):
                return False
            is_needed = True
        return not is_needed or slice.is_maximal() is True

    def _may_be_private(
        self, memref: Value, source: Node, target: Node, escaping: set[Value], *, removes: bool
    ) -> bool:
        """Whether the fused loop may have a buffer of its own in the place of a memref: nobody else needs that."""
        graph = self.graph
        if not is_sized(memref) or (memref in escaping and (removes or target.stores_to(memref) > 0)):
            return False
        if graph.writers_before(source.number, memref) > 0 or graph.users_behind(target.number, memref) > 0:
            return False
        edges = graph.outgoing.get(source.number, ())
        return not removes or not any(edge.value is memref and edge.node != target.number for edge in edges)

    # ---- siblings

    def _fuse_siblings(self) -> None:
        for number in self._targets():
            target = self.graph.nodes.get(number)
            if target is None or not isinstance(target.op, ForOp):
                continue
            seen: set[int] = set()
            while (sibling := self._sibling(target, seen)) is not None:
                if not self._fuse_sibling(sibling[0], target, sibling[1]):
                    break

    def _fuse_sibling(self, sibling: Node, target: Node, memref: Value) -> bool:
        """Puts a loop into another one that reads the same, if it may; False if no other one may be tried."""
        graph, loop, into = self.graph, sibling.op, target.op
        if not isinstance(loop, ForOp) or not isinstance(into, ForOp) or into.parent is None:
            return True
        first, second = (sibling, target) if loop.is_before_in_block(into) else (target, sibling)
        place = graph.insertion_point(first.number, second.number)
        loads = target.loads_of(memref)
        if place is None or not loads or why_apart(first, second) is not None:
            return True
        depths = len(loops_around(loads[0])) - _deeper_than(into)
        deepest, slices = self._slices(loop, into, depths, memref)
        if not deepest:
            return True
        tolerance = self._tolerance(loop, into, slices[deepest - 1])
        if tolerance is None:
            return False
        depth: int | None = deepest
        if not self.options.is_maximal:
            read = [Access(op) for op in sibling.loads_of(memref)]
            depth = best_depth(loop, into, read, slices, deepest, tolerance)
        if depth is None or slices[depth - 1].is_maximal() is not True:
            return True
        fuse(loop, slices[depth - 1], self.rewriter, is_innermost_sibling=depth == depths)
        if place is not into:
            self.rewriter.move_before(into, into.parent, place)
        graph.take_over_sibling(sibling.number, target.number)
        target.contents = contents(into)
        graph.remove(sibling.number)
        self.rewriter.erase(loop)
        return True

    def _sibling(self, target: Node, seen: set[int]) -> tuple[Node, Value] | None:
        """Another loop that reads what a loop reads, which was not tried yet; and the memref."""
        for argument in self.graph.block.arguments:
            for user in reversed([*argument.uses]):
                node = self.graph.node_around(user) if isinstance(user, READS) else None
                if node is None or not isinstance(node.op, ForOp) or node is target or node.number in seen:
                    continue
                if target.loads_of(argument) and self._may_be_sibling(node, target, argument):
                    seen.add(node.number)
                    return node, argument
        for edge in self.graph.incoming.get(target.number, ()):
            maker = self.graph.nodes[edge.node]
            is_made = maker.stores_to(edge.value) > 0 or edge.value.defining_op is maker.op
            if not target.loads_of(edge.value) or not is_made:
                continue
            reader = self._reader_of(edge, target, seen)
            if reader is not None:
                seen.add(reader.number)
                return reader, edge.value
        return None

    def _reader_of(self, edge: Edge, target: Node, seen: set[int]) -> Node | None:
        for other in self.graph.outgoing.get(edge.node, ()):
            node = self.graph.nodes[other.node]
            if other.node in seen or node is target or other.value is not edge.value:
                continue
            if isinstance(node.op, ForOp) and self._may_be_sibling(node, target, edge.value):
                return node
        return None

    def _may_be_sibling(self, node: Node, target: Node, memref: Value) -> bool:
        """Whether a loop reads a memref once, writes but one, and neither loop depends on the other."""
        if len(node.loads_of(memref)) != 1:
            return False
        if self.graph.has_path(node.number, target.number) or self.graph.has_path(target.number, node.number):
            return False
        written = {op.memref for op in node.contents.stores}
        both = [op.memref for op in node.contents.loads if op.memref in written]
        if any(self.graph.writers_before(node.number, shared) > 0 for shared in both):
            return False
        return len(written) <= 1


def _named(memrefs: dict[Value, None]) -> str:
    return ", ".join(map(called, memrefs))


def escapes(memref: Value, block: Block) -> bool:
    """Whether others than the affine accesses in a block may see a memref."""
    maker = memref.defining_op
    if maker is None or (is_view(maker) and escapes(maker.operands[0], block)):
        return True
    if not has_only_effect_on(maker, EffectKind.ALLOCATE, memref):
        return True
    for user in memref.uses:
        inside = block_in(user.parent, block.parent)
        if inside is None or (inside is block and not isinstance(user, SUBSCRIPTED)):
            return True
    return False


def has_cycle(loop: ForOp) -> bool:
    """Whether accesses in a loop depend on each other in a circle, or on themselves."""
    accesses = accesses_in(loop.walk_postorder())
    outer = nesting_depth(loop)
    edges: dict[int, list[int]] = {}
    for one, first in enumerate(accesses):
        edges[one] = [
            other
            for other, second in enumerate(accesses)
            if first.memref is second.memref
            and any(
                dependence(first, second, depth).may_be
                for depth in range(outer + 1, common_loops(first.op, second.op) + 2)
            )
        ]
    return _is_cyclic(edges)


def _is_cyclic(edges: dict[int, list[int]]) -> bool:
    """By taking away what nothing leads to."""
    counts = dict.fromkeys(edges, 0)
    for targets in edges.values():
        for target in targets:
            counts[target] += 1
    pending = [node for node, count in counts.items() if not count]
    gone = 0
    while pending:
        gone += 1
        for target in edges[pending.pop()]:
            counts[target] -= 1
            if not counts[target]:
                pending.append(target)
    return gone < len(edges)
