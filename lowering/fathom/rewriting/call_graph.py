"""Which functions call which: a graph of the functions that have a body, and its strongly connected components.

Source of the rules: *Passes*, `-inline`; the order of the components is that of mlir-opt 22, callees first.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

from fathom.ir.attributes import SymbolRefAttr
from fathom.irdl.interfaces import Call, FunctionLike
from fathom.records import field, record

if TYPE_CHECKING:
    from fathom.ir.operation import Operation
    from fathom.rewriting.symbol_uses import SymbolTables


@record(frozen=False, eq=False)
class Node:
    """A function with a body. `callees` are those that it calls, and `children` those that stand in it."""

    op: Operation
    callees: dict[Node, None] = field(default_factory=dict["Node", None])
    children: dict[Node, None] = field(default_factory=dict["Node", None])

    @property
    def edges(self) -> list[Node]:
        """Those that stand in it, and those that it calls."""
        return list({**self.children, **self.callees})


class CallGraph:
    """The functions in an operation."""

    def __init__(self, root: Operation, tables: SymbolTables) -> None:
        self._root: Final = root
        self._tables: Final = tables
        self._nodes: dict[Operation, Node] = {}
        self._outermost: list[Node] = []
        self._find_functions()
        for caller, call in list(self._calls()):
            target = self.called_by(call)
            if target is not None:
                caller.callees[target] = None

    def __iter__(self) -> Iterator[Node]:
        return iter(list(self._nodes.values()))

    def of(self, op: Operation) -> Node | None:
        """The node of a function; None for anything else."""
        return self._nodes.get(op)

    def around(self, op: Operation) -> Node | None:
        """The node of the nearest function around an operation."""
        inside = op.parent_op
        while inside is not None and inside not in self._nodes:
            inside = inside.parent_op
        return self._nodes[inside] if inside is not None else None

    def called_by(self, op: Operation) -> Node | None:
        """The function in the graph that a call calls, if that is known."""
        call = op.interface(Call)
        callee = call.callee(op) if call is not None else None
        if not isinstance(callee, SymbolRefAttr):
            return None
        callee_op = self._tables.nearest(op, callee, self._root)
        return self._nodes.get(callee_op) if callee_op is not None else None

    def _find_functions(self) -> None:
        pending: list[tuple[Operation, Node | None]] = [(self._root, None)]
        while pending:
            op, around = pending.pop()
            if op.interface(Call) is not None:
                continue
            function = op.interface(FunctionLike)
            if function is not None:
                if function.body(op) is None:
                    continue
                node = self._nodes[op] = Node(op)
                if around is None:
                    self._outermost.append(node)
                else:
                    around.children[node] = None
                around = node
            pending += [
                (operation, around)
                for region in reversed(op.regions)
                for operation in reversed(list(region.operations()))
            ]

    def _calls(self) -> Iterator[tuple[Node, Operation]]:
        for op in self._root.walk():
            if op.interface(Call) is not None:
                node = self.around(op)
                if node is not None:
                    yield node, op

    def components(self) -> list[list[Node]]:
        """The strongly connected components, each after those that it calls; by Tarjan's algorithm."""
        components: list[list[Node]] = []
        numbers: dict[Node, int] = {}
        lowest: dict[Node, int] = {}
        open_nodes: list[Node] = []
        done: set[Node] = set()
        for start in self._outermost:
            if start in numbers:
                continue
            numbers[start] = lowest[start] = len(numbers)
            open_nodes.append(start)
            path = [(start, iter(start.edges))]
            while path:
                node, edges = path[-1]
                target = next(edges, None)
                if target is None:
                    path.pop()
                    if path:
                        lowest[path[-1][0]] = min(lowest[path[-1][0]], lowest[node])
                    if lowest[node] == numbers[node]:
                        component: list[Node] = []
                        while not component or component[-1] is not node:
                            component.append(open_nodes.pop())
                        done.update(component)
                        components.append(component)
                elif target not in numbers:
                    numbers[target] = lowest[target] = len(numbers)
                    open_nodes.append(target)
                    path.append((target, iter(target.edges)))
                elif target not in done:
                    lowest[node] = min(lowest[node], numbers[target])
        return components
