"""The graph of operations and values: what is computed of what. Of a model on tensors, its data flow.

An operation with regions that control goes into is a group, with a node for itself, its arguments and what is in it;
of any other with regions, what these use from outside is used by it. Source of the rules: *Understanding the IR
Structure*.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

from fathom.graphs.graph import Drawing, Graph, Limits, Node
from fathom.irdl.interfaces import ConstantLike, FunctionLike, LoopLike, RegionBranch
from fathom.records import field, record
from fathom.slices import paced
from fathom.text.beginnings import beginning

if TYPE_CHECKING:
    from fathom.graphs.printed import Printed
    from fathom.ir.operation import Block, Operation, Region, Value

KIND: Final = "data-flow"
_MOST_NAME: Final = 40


@record(frozen=False)
class _Flow:
    """The graph while it is made. `nodes` has the node that each value is of."""

    printed: Printed
    drawing: Drawing
    nodes: dict[Value, int | None] = field(default_factory=dict["Value", "int | None"])
    heads: list[tuple[Operation, int | None]] = field(default_factory=list[tuple["Operation", "int | None"]])


def data_flow(function: Operation, printed: Printed, name: str, limits: Limits) -> Graph:
    """The graph of what an operation holds, a function as a rule."""
    flow = _Flow(printed, Drawing(limits))
    pending: list[tuple[Region, int | None, int | None]] = [(region, None, None) for region in function.regions]
    while pending:
        region, parent, head = pending.pop()
        for block in paced(region.blocks):
            _draw_arguments(flow, block, parent, head)
            inner = [_draw_operation(flow, op, parent) for op in block]
            pending += (
                (region, group, number)
                for op, group, number in reversed(inner)
                if group is not None
                for region in reversed(op.regions)
            )
    for op, number in paced(flow.heads):
        for value in _used(op):
            label = f"{printed.names.values[value]} : {beginning(str(value.type), _MOST_NAME)}"
            flow.drawing.edge(flow.nodes.get(value), number, "value", label)
    return flow.drawing.graph(KIND, name)


def _draw_arguments(flow: _Flow, block: Block, parent: int | None, head: int | None) -> None:
    for argument in block.arguments:
        node = flow.drawing.node(
            Node(
                "argument",
                flow.printed.names.values[argument],
                (beginning(str(argument.type), _MOST_NAME),),
                None,
                argument.span,
                parent,
            )
        )
        flow.nodes[argument] = node
        flow.drawing.edge(head, node, "nest")


def _draw_operation(flow: _Flow, op: Operation, parent: int | None) -> tuple[Operation, int | None, int | None]:
    """Draws an operation; gives its group, if it is one, and its node."""
    printed, drawing = flow.printed, flow.drawing
    group = None
    if _is_open(op):
        kind = "loop" if op.interface(LoopLike) is not None else "group"
        group = parent = drawing.node(Node(kind, op.name, (), printed.spans.get(op), op.span, parent))
    kind = "constant" if op.interface(ConstantLike) is not None else "operation"
    types = ", ".join(beginning(str(result.type), _MOST_NAME) for result in op.results[:4])
    results = printed.names.results.get(op, "")
    title = beginning(f"{results} = {op.name}" if results else op.name, 2 * _MOST_NAME)
    node = drawing.node(Node(kind, title, (types,) if types else (), printed.head(op), op.span, parent))
    flow.nodes.update((result, node) for result in op.results)
    flow.heads.append((op, node))
    return op, group, node


def _is_open(op: Operation) -> bool:
    return any(not region.is_empty for region in op.regions) and (
        op.interface(RegionBranch) is not None or op.interface(FunctionLike) is not None
    )


def _used(op: Operation) -> Iterator[Value]:
    """What an operation uses, once: of one that is no group, what its regions use from outside, too."""
    inside = op.walk() if op.regions and not _is_open(op) else (op,)
    used: dict[Value, None] = {}
    own = set[object]()
    for inner in inside:
        used.update(dict.fromkeys(inner.operands))
        own.update(inner.results)
        own.update(value for region in inner.regions for block in region.blocks for value in block.arguments)
    return (value for value in used if value not in own or inside == (op,))
