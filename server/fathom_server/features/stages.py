"""The stages of the pipeline in force, at which previews show what has become of a function."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from fathom.llvm.codegen.wanted import Form
from fathom.pipeline.stages import LLVM_DIALECT, LLVM_IR, SOURCE, Stage
from fathom.pipeline.stages import stages as pipeline_stages
from fathom.records import record
from fathom_server.model.code import how_made
from fathom_server.model.lowered import LONG, has_function, idle, pipeline, takes_long
from fathom_server.model.scoping import Unit, find, item_of, unit_of
from fathom_server.model.snapshot import Snapshot
from fathom_server.model.tools import MARK, ToolStage, tool_stages

__all__ = [
    "CODE",
    "LLVM_DIALECT",
    "LLVM_IR",
    "MARK",
    "OF_LLVM",
    "SOURCE",
    "PreviewStage",
    "stage_called",
    "stages",
    "stages_of",
]

_TITLES: Final[Mapping[str, str]] = {
    SOURCE: "Source, as Fathom understands it",
    LLVM_DIALECT: "LLVM dialect",
    LLVM_IR: "LLVM IR",
}
CODE: Final[Mapping[str, Form]] = {"llvm-optimized": "ir", "assembly": "assembly", "object": "disassembly"}
"""The stages that LLVM makes, and in which form."""
OF_LLVM: Final = (LLVM_IR, *CODE)
"""The stages at which everything has to be lowered."""


@record
class PreviewStage:
    """A point on the way to machine code. `passes` is how many passes of the pipeline have run there: none where a tool
    of other people runs its own."""

    id: str
    title: str
    language: str
    passes: int
    tool: ToolStage | None = None


def stages(snapshot: Snapshot) -> list[PreviewStage]:
    """The stages of the pipeline in force, from the source to LLVM IR, and what LLVM makes of that; then those of other
    people's tools. The last pass's own stage is the LLVM dialect."""
    listed = [_shown(stage) for stage in pipeline_stages(pipeline(snapshot))]
    passes = listed[-1].passes
    said = how_made(snapshot)
    level, target = said.optimize.strip(), said.target.strip() or "this computer"
    how = f"O{said.wanted.optimization.level}" if said.wanted.optimization.level else level
    listed.append(PreviewStage("llvm-optimized", f"Optimised LLVM IR ({how})", "llvm", passes))
    machine = said.cpu.strip() or target
    listed.append(PreviewStage("assembly", f"Assembly ({how}, {machine})", "asm", passes))
    listed.append(PreviewStage("object", f"Object file, disassembled ({how}, {machine})", "asm", passes))
    return listed + [_by_tool(each) for each in tool_stages(snapshot)]


def _by_tool(stage: ToolStage) -> PreviewStage:
    tool, name = stage.tool.name, stage.step.name
    return PreviewStage(f"{tool}{MARK}{name}", f"{tool}: after {name}", "mlir", 0, stage)


def _shown(stage: Stage) -> PreviewStage:
    language = "llvm" if stage.id == LLVM_IR else "mlir"
    return PreviewStage(stage.id, _TITLES.get(stage.id, f"After {stage.id}"), language, stage.passes)


def stage_called(snapshot: Snapshot, id: str) -> PreviewStage:
    """The stage of an id. Raises KeyError."""
    return {stage.id: stage for stage in stages(snapshot)}[id]


def stages_of(snapshot: Snapshot, function: str | None) -> list[PreviewStage]:
    """The stages at which a function, or if that is None any function of the document, is another than at the one
    before: without those of passes that have nothing to do for it. Those about which that is not known are there."""
    known = [numbers for unit in _units(snapshot, function) if (numbers := _idle(snapshot, unit)) is not None]
    hidden = known[0].intersection(*known) if known else frozenset[int]()
    ends = (SOURCE, LLVM_DIALECT, *OF_LLVM)
    return [stage for stage in stages(snapshot) if stage.id in ends or stage.passes - 1 not in hidden]


def _units(snapshot: Snapshot, function: str | None) -> list[Unit]:
    symbol = find(snapshot, function) if function is not None else None
    return [unit_of(symbol)] if symbol is not None else [item for item in snapshot.tree.items if has_function(item)]


def _idle(snapshot: Snapshot, unit: Unit) -> frozenset[int] | None:
    """Of what takes long, what was found out about it in the background; None while it is not known."""
    if takes_long(snapshot, item_of(unit)) or snapshot.tree.line_count > LONG:
        return idle.remembered(snapshot, unit)
    return idle(snapshot, unit)
