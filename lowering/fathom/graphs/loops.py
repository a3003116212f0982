"""The nesting of loops, and how often each runs, where that is known.

Source of the rules: *'LoopLikeOpInterface'*.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from fathom.graphs.graph import Drawing, Graph, Limits, Node
from fathom.irdl.interfaces import LoopLike
from fathom.slices import paced
from fathom.text.beginnings import beginning

if TYPE_CHECKING:
    from fathom.graphs.printed import Printed
    from fathom.ir.operation import Operation

KIND: Final = "loops"


def loops(function: Operation, printed: Printed, name: str, limits: Limits) -> Graph:
    """The function, and the loops in it, each below the one around it."""
    drawing = Drawing(limits)
    head = beginning(printed.line(function), 100)
    root = drawing.node(Node("function", head, (), printed.head(function), function.span))
    numbers: dict[Operation, tuple[int | None, int | None]] = {function: (root, 1)}
    """Of each loop its node, and how often it runs all in all."""
    for op in paced(function.walk()):
        model = op.interface(LoopLike)
        if model is None or op is function:
            continue
        around = op.parent_op
        while around is not None and around not in numbers:
            around = around.parent_op
        parent, outer = numbers[around] if around is not None else (root, 1)
        count = model.trip_count(op)
        total = outer * count if outer is not None and count is not None else None
        lines = [f"{times(count)} each time"] if parent != root else [times(count)]
        lines += [f"{times(total)} in all"] if parent != root and total is not None else []
        title = beginning(printed.line(op), 100)
        numbers[op] = drawing.node(Node("loop", title, tuple(lines), printed.head(op), op.span)), total
        drawing.edge(parent, numbers[op][0], "nest")
    return drawing.graph(KIND, name)


def times(count: int | None) -> str:
    """How often something runs, in words."""
    return "not known how often" if count is None else "once" if count == 1 else f"{count:,} times"
