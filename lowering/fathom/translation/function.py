"""One function's body: its blocks, what flows between them, and where its instructions are put.

Instructions are made in the order in which values flow, so that constants fold. This order and that in which blocks
stand are those of `mlir-translate`, and so are the orders of predecessors and of a phi's incoming values.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from fathom.ir import operation as mlir
from fathom.ir.operation import Operation, Region, Span
from fathom.irdl.interfaces import Branch
from fathom.llvmir.instructions import BasicBlock, Instruction, PHINode
from fathom.llvmir.metadata import DbgRecord, MDNode, SpecializedMDNode
from fathom.llvmir.names import SymbolTable
from fathom.llvmir.types import VOID
from fathom.llvmir.values import Constant, UndefValue, Value
from fathom.llvmir.words import METADATA_KINDS
from fathom.records import field, record
from fathom.translation.attachments import ACCESS, MMRA, Attachments, access_attachments

if TYPE_CHECKING:
    from fathom.translation.state import ModuleState


_NOT_THERE: Final = "operand does not dominate this use"


class Untranslatable(Exception):
    """An operation that has no translation; `translate` turns it into a diagnostic."""

    def __init__(self, op: Operation, message: str) -> None:
        super().__init__(message)
        self.op = op
        self.message = message


@record(frozen=False)
class Edge:
    """One successor of a terminator, with the values that it passes."""

    target: Flow
    values: Sequence[mlir.Value]


@record(frozen=False, eq=False)
class Flow:
    """A block of the function, and what flows into it: one of the source's, or one that was put between a terminator
    and a successor that it names twice with values, which a phi could not tell apart. `source` is None for the latter,
    `forwards` says where it goes."""

    source: mlir.Block | None
    block: BasicBlock = field(default_factory=BasicBlock)
    phis: list[PHINode] = field(default_factory=list[PHINode])
    incoming: list[tuple[Flow, Sequence[mlir.Value | PHINode]]] = field(
        default_factory=list["tuple[Flow, Sequence[mlir.Value | PHINode]]"]
    )
    """The most recent branch first, as MLIR lists predecessors."""
    edges: list[Edge] = field(default_factory=list[Edge])
    forwards: Flow | None = None
    between: Operation | None = None
    """The terminator behind which the block was put."""
    span: Span | None = None
    behind: BasicBlock | None = None
    """Where the source's block goes on, behind an operation whose regions are blocks of the function."""

    @property
    def current(self) -> BasicBlock:
        """The block that what comes next in the source's stands in."""
        return self.behind or self.block


class FunctionEmitter:
    """What the emitters of single operations write to."""

    def __init__(self, module: ModuleState, subprogram: SpecializedMDNode | None = None) -> None:
        self.module = module
        self.subprogram = subprogram
        """The function of the source that this is."""
        self.types = module.types
        self._spans = module.spans
        self.values: dict[mlir.Value, Value] = {}
        self.flow = Flow(None)
        """The block that is made."""
        self.records: list[DbgRecord] = []
        """What is said of variables before the next instruction."""
        self.blocks: list[BasicBlock] = []
        """Those of the function, in their order."""
        self.order: list[BasicBlock] = []
        """Those that have a terminator, in the order in which they got it."""
        self.names = SymbolTable()
        self.ends: list[BasicBlock] = []
        """Where the regions of operations lead to that are being made."""
        self.make_blocks: Callable[[list[Flow]], None] = _no_blocks
        """Makes the instructions of blocks."""

    def operand(self, value: mlir.Value, op: Operation) -> Value:
        """What stands for an operand of an operation."""
        operand = self.values.get(value)
        if operand is None:
            raise Untranslatable(op, _NOT_THERE)
        return operand

    def operands(self, op: Operation) -> list[Value]:
        """What stands for all operands."""
        values = self.values
        try:
            return [values[value] for value in op.operands]
        except KeyError:
            raise Untranslatable(op, _NOT_THERE) from None

    def emit(
        self,
        op: Operation,
        instruction: Instruction,
        attachments: Attachments | None = None,
        *,
        placed: bool = True,
    ) -> None:
        """Appends an instruction of an operation, with the metadata that is attached to it; its result, if any, stands
        for the operation's. One that is not `placed` is in no line for a debugger."""
        # There are a great many instructions, and few have anything attached.
        results, properties, attributes = op.results, op.properties, op.attributes
        if results and instruction.type is not VOID:
            self.values[results[0]] = instruction
        if (properties and not ACCESS.isdisjoint(properties)) or (attributes and MMRA in attributes):
            attachments = {**(attachments or {}), **access_attachments(self.module, op)}
        if attributes:
            from fathom.translation.amendments import amendments

            attachments = {**(attachments or {}), **amendments(op, self.module)}
        if placed and (self.subprogram is not None or op.location is not None):
            place = self.module.debug.location(op, self.subprogram)
            if place is not None:
                attachments = {**(attachments or {}), "dbg": place}
        if attachments:
            instruction.metadata = in_order(attachments)
        if self.records:
            instruction.records, self.records = self.records, []
        flow = self.flow
        (flow.behind or flow.block).instructions.append(instruction)
        self._spans[instruction] = op.span

    def record(self, op: Operation) -> None:
        """What an operation tells a debugger stands before the next instruction."""
        made = self.module.debug.record(op, self.subprogram, lambda value: self.operand(value, op))
        if made is not None:
            self.records.append(made)
            self._spans[made] = op.span

    def define(self, op: Operation, constant: Constant) -> None:
        """The operation folds to a constant: no instruction."""
        self.values[op.results[0]] = constant

    def successor(self, index: int) -> BasicBlock:
        """A successor of the block that is made."""
        return self.flow.edges[index].target.block

    @property
    def successors(self) -> list[BasicBlock]:
        """All of them."""
        return [edge.target.block for edge in self.flow.edges]


def _no_blocks(flows: list[Flow]) -> None:
    raise AssertionError(f"{len(flows)} blocks stand in no function")


def in_order(attachments: Attachments) -> tuple[tuple[str, MDNode], ...]:
    """What is attached, in the order of the kinds."""
    if len(attachments) < 2:
        return tuple(attachments.items())
    return tuple(sorted(attachments.items(), key=lambda item: METADATA_KINDS.get(item[0], len(METADATA_KINDS))))


def flows_of(region: Region, made: dict[mlir.Block, BasicBlock]) -> list[Flow]:
    """The blocks of a function with their edges, the blocks between duplicate successors last. What stands for
    blocks is noted in `made`, unless it is there."""
    flows = {block: Flow(block, made.setdefault(block, BasicBlock()), span=block.label_span) for block in region.blocks}
    order = list(flows.values())
    for flow in list(order):
        assert flow.source is not None
        terminator = flow.source.last
        if terminator is None:
            continue
        seen: set[Flow] = set()
        for successor, values in successor_operands(terminator):
            target = flows[successor]
            if target in seen and successor.arguments:
                between = Flow(None, forwards=target, between=terminator, span=terminator.span)
                order.append(between)
                target = between
            seen.add(target)
            flow.edges.append(Edge(target, values))
    for flow in order:
        if flow.forwards is not None:
            flow.edges.append(Edge(flow.forwards, ()))
    return order


def successor_operands(op: Operation) -> Iterator[tuple[mlir.Block, Sequence[mlir.Value]]]:
    """Each successor of a terminator with the operands that it passes on."""
    if not op.successors:
        return
    branch = op.interface(Branch)
    edges = branch.edges(op) if branch is not None else ()
    if len(edges) != len(op.successors):
        raise Untranslatable(op, "")
    yield from ((edge.target, edge.passed) for edge in edges)


def flow_order(flows: Sequence[Flow]) -> list[Flow]:
    """Reverse postorder from the entry, then from each block that is not reached yet: definitions come before uses."""
    done: set[Flow] = set()
    order: list[Flow] = []
    for root in flows:
        if root in done:
            continue
        postorder: list[Flow] = []
        visited = {root}
        stack = [(root, iter(root.edges))]
        while stack:
            flow, edges = stack[-1]
            step = next((e.target for e in edges if e.target not in visited), None)
            if step is None:
                postorder.append(flow)
                stack.pop()
                continue
            visited.add(step)
            stack.append((step, iter(step.edges)))
        fresh = [flow for flow in reversed(postorder) if flow not in done]
        order += fresh
        done.update(fresh)
    return order


def begin_phis(emitter: FunctionEmitter, flows: Sequence[Flow]) -> None:
    """Gives all blocks but the first phis for their arguments, and tells them what will flow into these."""
    for flow in flows:
        if flow.source is None:
            assert flow.forwards is not None
            flow.forwards.incoming.insert(0, (flow, flow.phis))
        else:
            for edge in flow.edges:
                edge.target.incoming.insert(0, (flow, edge.values))
    for flow in flows[1:]:
        target = flow if flow.forwards is None else flow.forwards
        assert target.source is not None
        for argument in target.source.arguments:
            phi = PHINode(emitter.types(argument.type), [], [])
            place = emitter.module.debug.location(argument, emitter.subprogram)
            if place is not None:
                phi.metadata = (("dbg", place),)
            flow.phis.append(phi)
            # A block that a pass made has no label in the source; its arguments may come from there.
            emitter.module.spans[phi] = argument.span or flow.span
        flow.block.instructions += flow.phis
        if flow.source is not None:
            emitter.values.update(zip(flow.source.arguments, flow.phis, strict=True))


def end_phis(emitter: FunctionEmitter, flows: Sequence[Flow]) -> None:
    """Fills the phis in, when all that may flow into them is made."""
    for flow in flows[1:]:
        for index, phi in enumerate(flow.phis):
            for predecessor, values in flow.incoming:
                value = values[index]
                known = value if isinstance(value, PHINode) else emitter.values.get(value)
                phi.operands.append(known if known is not None else UndefValue(phi.type))
                phi.blocks.append(predecessor.current)


Emit: TypeAlias = "Callable[[FunctionEmitter, Any], None]"
"""Of operations of one class, or of any."""
ALWAYS_SAID: Final = ACCESS | {"operandSegmentSizes", "resultSegmentSizes"}


@record
class Emitter:
    """What emits one kind of operation, whose operands have been emitted before, and the properties of the operation
    that it puts into LLVM IR. Of what it does not name, somebody is told (`fathom.translation.unsaid`)."""

    emit: Emit
    says: frozenset[str]


def emitter(emit: Emit, says: str = "") -> Emitter:
    """An emitter that says these properties."""
    return Emitter(emit, ALWAYS_SAID.union(says.split()))
