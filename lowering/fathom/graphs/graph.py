"""A graph as data: what is drawn, where each part of it stands in a text, and how much is left out.

    graph = control_flow(function, Printed.of(module))
    [(node.title, node.lines) for node in graph.nodes]

Nodes and edges are numbered by their order. Of what a text makes too many, the first are there (`Limits`), and
`omitted` says so in words.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Final

from fathom.ir.operation import Span
from fathom.records import field, record
from fathom.text.beginnings import beginning

if TYPE_CHECKING:
    from fathom.graphs.patterns import Pattern

MOST_TEXT: Final = 100
"""So many characters of a line are in a node."""


@record
class Limits:
    """How much of a graph is made."""

    nodes: int = 2_000
    edges: int = 8_000
    lines: int = 12
    """So many lines of text a node has; the last one says how many more there are."""


@record
class Node:
    """One node: a block, an operation, a loop, a function, or a `group` of those that name it as their `parent`.

    `target` is where it stands in the text of its stage, `source` in the source, each in offsets; None where that is
    not known. What control never comes to is not `is_reachable`. An access has a `pattern` of the elements it touches.
    """

    kind: str
    title: str
    lines: tuple[str, ...] = ()
    target: Span | None = None
    source: Span | None = None
    parent: int | None = None
    is_reachable: bool = True
    pattern: Pattern | None = None


@record
class Edge:
    """One edge between the nodes of these numbers. `kind` is `true`, `false` or another word for the way that control
    takes, or `value`, `call`, `reference`, `nest`. One that goes back to where control came from `is_back`."""

    start: int
    end: int
    kind: str
    label: str = ""
    is_back: bool = False


@record
class Graph:
    """A graph of a `kind` (`making.KINDS`) of what has a name."""

    kind: str
    name: str
    nodes: tuple[Node, ...]
    edges: tuple[Edge, ...]
    omitted: str = ""


@record(frozen=False)
class Drawing:
    """A graph while it is made, which takes no more than its limits."""

    limits: Limits = field(default_factory=Limits)
    nodes: list[Node] = field(default_factory=list[Node])
    edges: list[Edge] = field(default_factory=list[Edge])
    nodes_lost: int = 0
    edges_lost: int = 0

    def node(self, node: Node) -> int | None:
        """The number of a new node; None where there are too many already."""
        if len(self.nodes) >= self.limits.nodes:
            self.nodes_lost += 1
            return None
        self.nodes.append(node)
        return len(self.nodes) - 1

    def edge(self, start: int | None, end: int | None, kind: str, label: str = "", *, is_back: bool = False) -> None:
        """A new edge, if both of its ends are drawn."""
        if start is None or end is None:
            return
        if len(self.edges) >= self.limits.edges:
            self.edges_lost += 1
            return
        self.edges.append(Edge(start, end, kind, label, is_back))

    def graph(self, kind: str, name: str) -> Graph:
        """What was made."""
        lost = [
            f"{count:,} {word} are left out: at most {most:,} are drawn"
            for count, word, most in (
                (self.nodes_lost, "nodes", self.limits.nodes),
                (self.edges_lost, "edges", self.limits.edges),
            )
            if count
        ]
        return Graph(kind, name, tuple(self.nodes), tuple(self.edges), "; ".join(lost))


def lines_shown(lines: Iterable[str], most: int) -> tuple[str, ...]:
    """The first lines, each cut where it is long, with a word on how many more there are."""
    listed = list(lines)
    kept = listed if len(listed) <= most else listed[: most - 1]
    shown = [beginning(line, MOST_TEXT) for line in kept]
    return (*shown, f"… {len(listed) - len(kept):,} more") if len(kept) < len(listed) else tuple(shown)


def spanned(spans: Iterable[Span | None]) -> Span | None:
    """From the first of some spans to the last."""
    known = [span for span in spans if span is not None]
    return Span(min(span.start for span in known), max(span.end for span in known)) if known else None
