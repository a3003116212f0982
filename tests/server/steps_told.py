"""What features answer about graphs and about what each pass did, as text that shows places."""

from __future__ import annotations

from fathom.graphs.making import KINDS
from fathom_server.features.graph import graph
from fathom_server.features.stages import stages
from fathom_server.features.timeline import life, timeline, why_not
from fathom_server.features.told import Asked
from fathom_server.model.snapshot import Snapshot


def of_graph(snapshot: Snapshot) -> str:
    """Each graph of @f at the source, at the LLVM dialect and as LLVM IR: the nodes, with the first line of what stands
    at their places in the document and in the text of the stage, and the edges."""
    out = ""
    for stage in stages(snapshot):
        for kind in KINDS if stage.id in ("source", "llvm-dialect", "llvm-ir") else ():
            made = graph(snapshot, kind, stage, "f")
            out += f"=== {kind} at {stage.id}\n"
            if made.graph is None:
                out += f"{made.problem}\n"
                continue
            for number, node in enumerate(made.graph.nodes):
                places = [
                    text[span.start : span.end].partition("\n")[0].strip() if span is not None else "nowhere"
                    for text, span in ((snapshot.tree.text, node.source), (made.text, node.target))
                ]
                inside = f" in {node.parent}" if node.parent is not None else ""
                out += f"{number}{inside} {node.kind} {node.title}: {places[0]}  ->  {places[1]}\n"
            for edge in made.graph.edges:
                label = f" {edge.label}" if edge.label else ""
                out += f"{edge.start} -> {edge.end} {edge.kind}{label}{' back' if edge.is_back else ''}\n"
    return out


OF_THE_MACHINE = ("LLVM's optimisation", "LLVM's code", "the object file")
"""Steps that look otherwise for another processor."""


def of_timeline(snapshot: Snapshot, offset: int) -> str:
    """The passes that ran on @f, the life of the operation at a place, and why it is left."""
    asked = Asked("f", place=(offset, 0))
    out = "passes:\n"
    for id, row in timeline(snapshot, asked).passes:
        out += f"  {id}: {row.before} operations before, {row.after} after{', changed' if row.has_changed else ''}\n"
    lived, left = life(snapshot, asked), why_not(snapshot, asked)
    out += f"life: {lived.problem or lived.operation}\n"
    for step in lived.life:
        if step.who.title in OF_THE_MACHINE:
            continue
        out += f"  {step.who.title}: {' / '.join(step.before)} => {' / '.join(step.after)}\n"
    out += f"left: {left.problem or left.operation}\n"
    for told in left.reasons:
        out += f"  {told.pass_name}{f' ({told.note})' if told.note else ''}\n"
        out += "".join(f"    {reason.pattern}: {reason}\n" for reason in told.reasons)
    return out
