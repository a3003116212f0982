"""A graph in the language of Graphviz.

Source of the rules: *DOT Language*.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from fathom.graphs.graph import Edge, Graph, Node

_GROUPS: Final = ("group", "loop")
_SHAPES: Final[Mapping[str, str]] = {
    "argument": "shape=ellipse",
    "constant": "shape=plain",
    "declaration": "style=dashed",
    "function": "shape=ellipse",
}
_WAYS: Final[Mapping[str, str]] = {
    "true": "color=darkgreen",
    "false": "color=firebrick",
    "default": "style=dashed",
    "unwind": "color=firebrick, style=dashed",
    "reference": "style=dotted",
    "nest": "arrowhead=none",
}


def dot(graph: Graph) -> str:
    """The text of a graph, which ends with a line break."""
    lines = [f"digraph {_quoted(f'{graph.kind} {graph.name}'.strip())} {{"]
    lines += ["  node [shape=box, fontname=monospace, fontsize=10]", "  edge [fontname=monospace, fontsize=9]"]
    parents = {node.parent for node in graph.nodes if node.parent is not None}
    inside: dict[int | None, list[int]] = {}
    for number, node in enumerate(graph.nodes):
        inside.setdefault(node.parent, []).append(number)
    pending: list[tuple[int, str]] = [(number, "  ") for number in reversed(inside.get(None, []))]
    while pending:
        number, indent = pending.pop()
        if number < 0:
            lines.append(f"{indent}}}")
        elif number in parents or (graph.nodes[number].kind in _GROUPS and _is_bare(number, graph.edges)):
            title = _quoted(graph.nodes[number].title, *graph.nodes[number].lines)
            lines.append(f"{indent}subgraph cluster_{number} {{")
            lines.append(f"{indent}  label={title}; fontname=monospace; fontsize=10; style=rounded; color=gray")
            pending.append((-1, indent))
            pending += ((inner, f"{indent}  ") for inner in reversed(inside.get(number, [])))
        else:
            lines.append(f"{indent}n{number} [{_node(graph.nodes[number])}]")
    lines += (f"  n{edge.start} -> n{edge.end}{attributes}" for edge, attributes in _edges(graph.edges))
    if graph.omitted:
        lines.append(f"  label={_quoted(graph.omitted)}")
    return "\n".join([*lines, "}", ""])


def _is_bare(number: int, edges: Sequence[Edge]) -> bool:
    return not any(number in (edge.start, edge.end) for edge in edges)


def _node(node: Node) -> str:
    label = _quoted(*([node.title, *node.lines] if node.lines else [node.title]), ends=bool(node.lines))
    attributes = [f"label={label}"]
    if node.kind in _SHAPES:
        attributes.append(_SHAPES[node.kind])
    if not node.is_reachable:
        attributes.append("color=gray, fontcolor=gray, style=dashed")
    return ", ".join(attributes)


def _edges(edges: Sequence[Edge]) -> Iterator[tuple[Edge, str]]:
    for edge in edges:
        attributes = [f"label={_quoted(edge.label)}"] if edge.label else []
        attributes += [_WAYS[edge.kind]] if edge.kind in _WAYS else []
        attributes += ["penwidth=2"] if edge.is_back else []
        yield edge, f" [{', '.join(attributes)}]" if attributes else ""


def _quoted(*lines: str, ends: bool = False) -> str:
    """A string that means these lines; each of which stands to the left, if it `ends` so. A backslash, a quotation mark
    and what is no character of a text mean themselves."""
    end = "\\l" if ends else "\\n"
    texts = (
        "".join(character if character.isprintable() else "?" for character in line)
        .replace("\\", "\\\\")
        .replace('"', '\\"')
        for line in lines
    )
    return '"' + end.join(texts) + (end if ends else "") + '"'
