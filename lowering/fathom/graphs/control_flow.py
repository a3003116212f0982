"""The control-flow graph of a function: its blocks, and the ways between them.

Structured control flow is control flow too: an operation whose regions are entered and left (`RegionBranch`), such as
`scf.for`, is a group with their blocks in it, and the block that it stands in is divided behind it.

    ^bb0        %c = ...        ->  group: scf.for %i = ...
                scf.for ...             ^bb0(%i)  ->  ^bb0(%i)   back
    ^bb0 …      return

Source of the rules: *Understanding the IR Structure*; *'RegionBranchOpInterface'*.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Final

from fathom.graphs.graph import MOST_TEXT, Drawing, Graph, Limits, Node, lines_shown, spanned
from fathom.graphs.loops import times
from fathom.graphs.reachability import settled
from fathom.ir.attributes import IntegerAttr
from fathom.ir.types import I1
from fathom.irdl.interfaces import Branch, LoopLike, RegionBranch, RegionEdge
from fathom.records import field, record
from fathom.slices import paced
from fathom.text.beginnings import beginning

if TYPE_CHECKING:
    from fathom.graphs.printed import Printed
    from fathom.ir.operation import Block, Operation, Region

KIND: Final = "cfg"
_TRUTH: Final = (IntegerAttr(1, I1), IntegerAttr(0, I1))
_SUFFIX: Final = "Region"


@record(frozen=False)
class _Flow:
    """The graph while it is made. `first` has the node in which a block begins, `last` that in which it ends, `behind`
    the node to which control comes behind an operation, and `before` that which ends with it."""

    printed: Printed
    drawing: Drawing
    first: dict[Block, int | None] = field(default_factory=dict["Block", "int | None"])
    last: dict[Block, int | None] = field(default_factory=dict["Block", "int | None"])
    before: dict[Operation, int | None] = field(default_factory=dict["Operation", "int | None"])
    behind: dict[Operation, int | None] = field(default_factory=dict["Operation", "int | None"])


def control_flow(function: Operation, printed: Printed, name: str, limits: Limits) -> Graph:
    """The graph of an operation's regions, those of a function as a rule."""
    flow = _Flow(printed, Drawing(limits))
    pending: list[tuple[Region, int | None]] = [(region, None) for region in function.regions]
    regions: list[Region] = []
    while pending:
        region, parent = pending.pop()
        regions.append(region)
        for block in paced(region.blocks):
            inside = list(_draw_block(flow, block, parent))
            pending += ((inner, group) for op, group in reversed(inside) for inner in reversed(op.regions))
    for region in regions:
        for block in paced(region.blocks):
            _draw_ways(flow, block)
    entries = [flow.first.get(region.entry) for region in function.regions if not region.is_empty]
    return settled(flow.drawing.graph(KIND, name), [entry for entry in entries if entry is not None])


def _is_structured(op: Operation) -> bool:
    return bool(op.regions) and op.interface(RegionBranch) is not None


def _draw_block(flow: _Flow, block: Block, parent: int | None) -> Iterator[tuple[Operation, int | None]]:
    """Draws a block, divided behind structured operations, and gives these with their groups."""
    drawing, printed = flow.drawing, flow.printed
    title = printed.label(block)
    ops: list[Operation] = []

    def draw() -> int | None:
        node = drawing.node(
            Node(
                "block",
                title,
                lines_shown(map(printed.line, ops), drawing.limits.lines),
                spanned(map(printed.head, ops)),
                spanned(op.span for op in ops),
                parent,
            )
        )
        flow.first.setdefault(block, node)
        return node

    waiting: Operation | None = None
    for op in block:
        ops.append(op)
        if not _is_structured(op):
            continue
        node = draw()
        if waiting is not None:
            flow.behind[waiting] = node
        flow.before[op] = node
        waiting, ops, title = op, [], f"{printed.names.blocks[block]} …"
        loop, title_of_group = op.interface(LoopLike), beginning(printed.line(op), MOST_TEXT)
        lines = () if loop is None else (times(loop.trip_count(op)),)
        kind = "group" if loop is None else "loop"
        yield op, drawing.node(Node(kind, title_of_group, lines, printed.spans.get(op), op.span, parent))
    last = draw() if ops or waiting is None else flow.before[waiting]
    if waiting is not None and ops:
        flow.behind[waiting] = last
    flow.last[block] = last


def _draw_ways(flow: _Flow, block: Block) -> None:
    """Draws the ways from a block, and from the structured operations in it."""
    for op in block:
        model = op.interface(RegionBranch) if op.regions else None
        if model is None:
            continue
        start = flow.before.get(op)
        for edge, way in _entries(op, model):
            _draw_way(flow, start, op, edge, way)
    end = block.last
    if end is None:
        return
    if end.successors:
        branch = end.interface(Branch)
        ways = list(branch.ways(end)) if branch is not None else []
        ways += [""] * (len(end.successors) - len(ways))
        for successor, way in zip(end.successors, ways, strict=False):
            flow.drawing.edge(flow.last.get(block), flow.first.get(successor), _kind(way), way)
        return
    around = end.parent_op
    model = around.interface(RegionBranch) if around is not None and around in flow.before else None
    if around is None or model is None:
        return
    for edge, way in _named(around, model.leave(around, end, [None] * len(end.operands))):
        _draw_way(flow, flow.last.get(block), around, edge, way)


def _kind(way: str) -> str:
    return way if way in ("true", "false", "default", "unwind") else "case" if way else "branch"


def _entries(op: Operation, model: RegionBranch) -> list[tuple[RegionEdge, str]]:
    """The ways into an operation, each with a word: `true` and `false` where that is what its first operand decides."""
    unknown = [None] * len(op.operands)
    edges = model.enter(op, unknown)
    if len(edges) != 2 or not op.operands or op.operands[0].type != I1:
        return _named(op, edges)
    chosen = [model.enter(op, [truth, *unknown[1:]]) for truth in _TRUTH]
    if any(len(only) != 1 for only in chosen):
        return _named(op, edges)
    return [(only[0], way) for only, way in zip(chosen, ("true", "false"), strict=True)]


def _named(op: Operation, edges: Sequence[RegionEdge]) -> list[tuple[RegionEdge, str]]:
    """Ways with the names of the regions that they lead to, where there are several."""
    declared = op.definition.regions if op.definition is not None else ()
    names = {
        id(region): each.name.removesuffix(_SUFFIX)
        for region, each in zip(op.regions, declared, strict=False)
        if len(op.regions) > 1
    }
    return [(edge, names.get(id(edge.target), "")) for edge in edges]


def _draw_way(flow: _Flow, start: int | None, op: Operation, edge: RegionEdge, way: str) -> None:
    """Draws a way into a region of an operation, or out of it."""
    if edge.target is None or edge.target.is_empty:
        end = flow.behind.get(op)
    else:
        end = flow.first.get(edge.target.entry)
    flow.drawing.edge(start, end, way if way in ("true", "false") else "branch", way)
