"""A graph as lines of text, for who sees no picture."""

from __future__ import annotations

from typing import Final

from fathom.graphs.graph import Graph
from fathom.graphs.patterns import grid

_INDENT: Final = "    "
_DEEPEST: Final = 20
"""Groups in more others than this stand in no further."""


def outline(graph: Graph) -> str:
    """Each node with its number and its lines, and below them the edges that leave it."""
    leaving: dict[int, list[str]] = {}
    for edge in graph.edges:
        words = [edge.kind] if edge.kind not in ("branch", "value", "nest", "case") else []
        words += [edge.label] if edge.label and edge.label != edge.kind else []
        words += ["back"] if edge.is_back else []
        said = f"  ({', '.join(words)})" if words else ""
        leaving.setdefault(edge.start, []).append(f"-> [{edge.end}] {graph.nodes[edge.end].title}{said}")
    lines = [f"{graph.kind} of {graph.name}" if graph.name else graph.kind]
    inside: dict[int | None, list[int]] = {}
    for number, node in enumerate(graph.nodes):
        inside.setdefault(node.parent, []).append(number)
    pending = [(number, 0) for number in reversed(inside.get(None, []))]
    while pending:
        number, depth = pending.pop()
        node, indent = graph.nodes[number], _INDENT * min(depth, _DEEPEST)
        said = "" if node.is_reachable else "  (unreachable)"
        lines.append(f"{indent}[{number}] {node.title}{said}")
        drawn = grid(node.pattern) if node.pattern is not None else ()
        lines += (f"{indent}{_INDENT}{line}" for line in (*node.lines, *drawn, *leaving.get(number, ())))
        pending += ((inner, depth + 1) for inner in reversed(inside.get(number, [])))
    return "\n".join([*lines, *([graph.omitted] if graph.omitted else []), ""])
