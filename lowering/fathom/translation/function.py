"""One function's body: its blocks and instructions in LLVM's order, with operands as objects that get numbers last.

Instructions are made in the order in which values flow (so that constants fold), and numbered in the order in which
they stand. Both orders are those of `mlir-translate`, and so are the orders of predecessors and of a phi's incoming
values.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from fathom.dialects.llvm.types import LLVMVoidType
from fathom.ir.operation import Block, Operation, Region, Span, Value
from fathom.ir.types import Type
from fathom.irdl.interfaces import Branch
from fathom.records import field, record
from fathom.translation.attachments import ACCESS, MMRA, Attachments, access_attachments, attached
from fathom.translation.attribute_sets import AttributeSet
from fathom.translation.constant_text import spell
from fathom.translation.constants import Constant
from fathom.translation.metadata import Node

if TYPE_CHECKING:
    from fathom.translation.state import ModuleState


class Untranslatable(Exception):
    """An operation that has no translation; `translate` turns it into a diagnostic."""

    def __init__(self, op: Operation, message: str) -> None:
        super().__init__(message)
        self.op = op
        self.message = message


class Local:
    """A value that an instruction or an argument defines; `text` is its number, once it has one."""

    __slots__ = ("text", "type")

    def __init__(self, type: Type) -> None:
        self.type = type
        self.text = ""


Operand: TypeAlias = "Local | Constant"


class Label:
    """A block, as branches name it."""

    __slots__ = ("text",)

    def __init__(self) -> None:
        self.text = ""


class Group:
    """The attribute group of a call."""

    __slots__ = ("attributes", "text")

    def __init__(self, attributes: AttributeSet) -> None:
        self.attributes = attributes
        self.text = ""


Part: TypeAlias = "str | Local | Label | Group | Node"


@record(frozen=False)
class Instruction:
    """`parts` make the text after `%n = `; `result` is None when it has none."""

    parts: list[Part]
    result: Local | None
    span: Span | None


@record(frozen=False)
class Edge:
    """One successor of a terminator, with the values that it passes."""

    target: BasicBlock
    values: Sequence[Value]


@record(frozen=False, eq=False)
class BasicBlock:
    """A block of the function: one of the source's, or one that was put between a terminator and a successor that it
    names twice with values, which a phi could not tell apart. `source` is None for the latter, and `forwards` says
    where it goes."""

    source: Block | None
    label: Label = field(default_factory=Label)
    phis: list[Local] = field(default_factory=list[Local])
    incoming: list[tuple[BasicBlock, Sequence[Value | Local]]] = field(
        default_factory=list["tuple[BasicBlock, Sequence[Value | Local]]"]
    )
    instructions: list[Instruction] = field(default_factory=list[Instruction])
    edges: list[Edge] = field(default_factory=list[Edge])
    forwards: BasicBlock | None = None
    span: Span | None = None
    predecessors: list[Label] = field(default_factory=list[Label])
    """The most recent branch first, as LLVM lists them."""

    def dismantle(self) -> None:
        """Breaks the circles between blocks, so that they are gone when nobody has them any more."""
        self.edges, self.incoming, self.forwards = [], [], None


class FunctionEmitter:
    """What the emitters of single operations write to."""

    def __init__(self, module: ModuleState) -> None:
        self.module = module
        self.types = module.types
        self.values: dict[Value, Operand] = {}
        self.block = BasicBlock(None)

    def operand(self, value: Value, op: Operation) -> Operand:
        operand = self.values.get(value)
        if operand is None:
            raise Untranslatable(op, "operand does not dominate this use")
        return operand

    def text(self, operand: Operand) -> str | Local:
        return operand if operand.__class__ is Local else spell(operand, self.types)  # type: ignore[arg-type]

    def ref(self, op: Operation, index: int) -> str | Local:
        """An operand as it stands in an instruction, without its type."""
        return self.text(self.operand(op.operands[index], op))

    def typed(self, op: Operation, index: int) -> tuple[str, str | Local]:
        """An operand with its type in front, as two parts."""
        value = op.operands[index]
        return self.types(value.type) + " ", self.text(self.operand(value, op))

    def emit(
        self, op: Operation, *parts: Part, attachments: Attachments | None = None, type: Type | None = None
    ) -> Local | None:
        """Appends the instruction for `op`, with the metadata that is attached to it; its result, if any, stands for
        the operation's. `type` is that of a result if the operation does not say it."""
        type = type or (op.results[0].type if op.results else None)
        result = Local(type) if type is not None and type.__class__ is not LLVMVoidType else None
        if result is not None and op.results:
            self.values[op.results[0]] = result
        made = list(parts)
        if not ACCESS.isdisjoint(op.properties) or MMRA in op.attributes:
            attachments = {**(attachments or {}), **access_attachments(self.module, op)}
        if op.attributes:
            from fathom.translation.amendments import amendments

            attachments = {**(attachments or {}), **amendments(op, self.module)}
        if attachments:
            made += attached(attachments)
        self.block.instructions.append(Instruction(made, result, op.span))
        return result

    def define(self, op: Operation, constant: Constant) -> None:
        """The operation folds to a constant: no instruction."""
        self.values[op.results[0]] = constant

    def jump(self, index: int) -> Label:
        """The label of a successor; notes that the current block branches there."""
        target = self.block.edges[index].target
        target.predecessors.insert(0, self.block.label)
        return target.label


def basic_blocks(region: Region) -> list[BasicBlock]:
    """The blocks of a function with their edges, the blocks between duplicate successors last."""
    blocks = {block: BasicBlock(block, span=block.label_span) for block in region.blocks}
    order = list(blocks.values())
    for basic in list(order):
        assert basic.source is not None
        terminator = basic.source.last
        if terminator is None:
            continue
        seen: set[BasicBlock] = set()
        for successor, values in successor_operands(terminator):
            target = blocks[successor]
            if target in seen and successor.arguments:
                between = BasicBlock(None, forwards=target, span=terminator.span)
                order.append(between)
                between.phis = [Local(argument.type) for argument in successor.arguments]
                target = between
            seen.add(target)
            basic.edges.append(Edge(target, values))
    for basic in order:
        if basic.forwards is not None:
            basic.edges.append(Edge(basic.forwards, ()))
    return order


def successor_operands(op: Operation) -> Iterator[tuple[Block, Sequence[Value]]]:
    """Each successor of a terminator with the operands that it passes on."""
    if not op.successors:
        return
    branch = op.interface(Branch)
    edges = branch.edges(op) if branch is not None else ()
    if len(edges) != len(op.successors):
        raise Untranslatable(op, "")
    yield from ((edge.target, edge.passed) for edge in edges)


def flow_order(blocks: Sequence[BasicBlock]) -> list[BasicBlock]:
    """Reverse postorder from the entry, then from each block that is not reached yet: definitions come before uses."""
    done: set[BasicBlock] = set()
    order: list[BasicBlock] = []
    for root in blocks:
        if root in done:
            continue
        postorder: list[BasicBlock] = []
        visited = {root}
        stack = [(root, iter(root.edges))]
        while stack:
            block, edges = stack[-1]
            step = next((e.target for e in edges if e.target not in visited), None)
            if step is None:
                postorder.append(block)
                stack.pop()
                continue
            visited.add(step)
            stack.append((step, iter(step.edges)))
        fresh = [block for block in reversed(postorder) if block not in done]
        order += fresh
        done.update(fresh)
    return order


def link_incoming(blocks: Sequence[BasicBlock]) -> None:
    """Tells each block what flows into its phis, the most recent branch first, as MLIR lists predecessors."""
    for block in blocks:
        if block.source is None:
            continue
        for edge in block.edges:
            edge.target.incoming.insert(0, (block, edge.values))
    for block in blocks:
        if block.forwards is not None:
            block.forwards.incoming.insert(0, (block, block.phis))


def phi_parts(emitter: FunctionEmitter, block: BasicBlock, index: int) -> list[Part]:
    """The text of one phi of a block."""
    parts: list[Part] = ["phi ", emitter.types(block.phis[index].type), " "]
    for position, (predecessor, values) in enumerate(block.incoming):
        value = values[index]
        operand = value if isinstance(value, Local) else emitter.values.get(value)
        text = emitter.text(operand) if operand is not None else "undef"
        parts += [", [ " if position else "[ ", text, ", ", predecessor.label, " ]"]
    return parts


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
