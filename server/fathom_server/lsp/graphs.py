"""`fathom/graph`; `docs/protocol.md` describes it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from fathom_server.lsp.convert import TextPositions
from fathom_server.lsp.encoded import Encoded, encoded_list, encoded_object, encoded_range
from fathom_server.lsp.plain import plain
from fathom_server.lsp.previews import function_shown, stage_meant
from fathom_server.lsp.requests import invalid

if TYPE_CHECKING:
    from fathom.graphs.graph import Edge, Node
    from fathom_server.features.graph import ShownGraph
    from fathom_server.features.stages import PreviewStage
    from fathom_server.lsp.border import AnyBorder, Border


def what_is_drawn(border: Border, params: Any) -> tuple[str, PreviewStage, str | None]:
    """The kind, the stage, and the function by its name or by a position in it, where None is the whole file."""
    from fathom_server.features.stages import stages

    given = plain(params)
    kind = kind_meant(given)
    return kind, stage_meant(stages(border.snapshot), given), *function_shown(border, params)


def kind_meant(given: Any) -> str:
    """The kind that is asked for, one of those that there are."""
    from fathom_server.features.graph import KINDS

    kind = given.get("kind")
    if kind not in KINDS:
        raise invalid(f"there is no graph of the kind {kind!r}; there are: {', '.join(KINDS)}")
    return kind


def subject(kind: str, stage: PreviewStage, function: str | None) -> object:
    """What is the same in two questions of which the later one counts."""
    return kind, stage, function


def graph(border: AnyBorder, _params: object, shown: ShownGraph) -> Encoded:
    """A graph of the present version, or the reason why there is none."""
    answer: dict[str, object] = {"kind": shown.kind, "stage": shown.stage.id, "version": border.snapshot.version}
    if shown.function is not None:
        answer["function"] = shown.function
    made = shown.graph
    if made is None:
        return encoded_object({**answer, "nodes": [], "edges": [], "problem": " ".join((shown.problem or "").split())})
    texts = TextPositions(shown.text, border.client.encoding)
    answer["nodes"] = encoded_list(_node(border, texts, node).json for node in made.nodes)
    answer["edges"] = [_edge(edge) for edge in made.edges]
    if made.omitted:
        answer["omitted"] = made.omitted
    return encoded_object(answer)


def _node(border: AnyBorder, texts: TextPositions, node: Node) -> Encoded:
    fields: dict[str, object] = {"kind": node.kind, "title": node.title}
    if node.lines:
        fields["lines"] = list(node.lines)
    if node.source is not None:
        fields["source"] = Encoded(encoded_range(border.range(node.source.start, node.source.end)))
    if node.target is not None:
        fields["target"] = Encoded(encoded_range(texts.range(node.target)))
    if node.parent is not None:
        fields["parent"] = node.parent
    if not node.is_reachable:
        fields["unreachable"] = True
    if node.pattern is not None:
        from fathom.graphs.patterns import pattern_fields

        fields["pattern"] = pattern_fields(node.pattern)
    return encoded_object(fields)


def _edge(edge: Edge) -> dict[str, object]:
    fields: dict[str, object] = {"start": edge.start, "end": edge.end, "kind": edge.kind}
    if edge.label:
        fields["label"] = edge.label
    if edge.is_back:
        fields["back"] = True
    return fields
