"""What control comes to, and which ways go back, found by going through a graph depth first."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from fathom.graphs.graph import Graph
from fathom.records import replace


def settled(graph: Graph, entries: Sequence[int]) -> Graph:
    """The graph with what is not reached from `entries` marked, and the edges that close a circle as going back.
    Groups are reached, and where something was left out nothing is said not to be."""
    ways: list[list[tuple[int, int]]] = [[] for _ in graph.nodes]
    for number, edge in enumerate(graph.edges):
        ways[edge.start].append((number, edge.end))
    reached, back = _searched(ways, entries)
    nodes = (
        node
        if number in reached or graph.omitted or node.kind in ("group", "loop")
        else replace(node, is_reachable=False)
        for number, node in enumerate(graph.nodes)
    )
    edges = (replace(edge, is_back=True) if number in back else edge for number, edge in enumerate(graph.edges))
    return replace(graph, nodes=tuple(nodes), edges=tuple(edges))


def _searched(ways: Sequence[Sequence[tuple[int, int]]], entries: Sequence[int]) -> tuple[set[int], set[int]]:
    """The nodes that are reached from `entries`; and the edges, from any node, that lead to one on the way to it."""
    seen, open_, back = set[int](), set[int](), set[int]()
    reached: set[int] | None = None
    for root in (*entries, None, *range(len(ways))):
        if root is None:
            reached = set(seen)
            continue
        if root in seen:
            continue
        seen.add(root)
        open_.add(root)
        path: list[tuple[int, Iterator[tuple[int, int]]]] = [(root, iter(ways[root]))]
        while path:
            node, rest = path[-1]
            for number, target in rest:
                if target in open_:
                    back.add(number)
                elif target not in seen:
                    seen.add(target)
                    open_.add(target)
                    path.append((target, iter(ways[target])))
                    break
            else:
                open_.discard(node)
                path.pop()
    return reached if reached is not None else seen, back
