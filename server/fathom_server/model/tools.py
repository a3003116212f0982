"""The stages that the tools of other people have for a document."""

from __future__ import annotations

import re
import shlex
from typing import TYPE_CHECKING, Final

from fathom.records import record
from fathom_server.model.pipelines import commands_in
from fathom_server.model.queries import ALWAYS, fact
from fathom_server.model.snapshot import Snapshot
from fathom_server.model.tool_settings import Tool

if TYPE_CHECKING:
    from fathom.pipeline.run_lines import Command
    from fathom.tools.pipelines import Step

MARK: Final = ":"
"""Between the name of a tool and that of its pass, in the id of a stage. No pass of Fathom's has it in its name."""
_VERSION: Final = re.compile(r"-\d+$")
_NO_PASSES: Final = re.compile(r"--?(?:verify-diagnostics|o|verify-roundtrip|emit-bytecode|dump-pass-pipeline)\b")


@record
class ToolStage:
    """A document behind a pass of a tool, the last of a step."""

    tool: Tool
    step: Step


@fact(lambda _reach: ALWAYS)
def tool_stages(snapshot: Snapshot) -> tuple[ToolStage, ...]:
    """The stages of the tools that there are for a document, each tool with its pipeline: its own, or that of the first
    command of the document that runs it, or else the one that is named for Fathom's own passes."""
    if not snapshot.settings.tools:
        return ()
    from fathom.tools.pipelines import NoPipeline, steps_of

    found: list[ToolStage] = []
    for tool in snapshot.settings.tools:
        try:
            steps = steps_of(tool.pipeline or _pipeline_for(snapshot, tool))
        except NoPipeline:
            continue
        found += (ToolStage(tool, step) for step in steps)
    return tuple(found)


def _pipeline_for(snapshot: Snapshot, tool: Tool) -> str:
    for line in commands_in(snapshot.tree, snapshot.context):
        for command in line.commands:
            if command.tool == without_version(tool.name):
                return _flags_in(command)
    settings = snapshot.settings
    return settings.project_text or settings.pipeline_text


def without_version(name: str) -> str:
    """What a tool is called in a command: `mlir-opt` of `mlir-opt-22`."""
    return _VERSION.sub("", name)


def _flags_in(command: Command) -> str:
    """The flags of a command, as one types them; what names files and what is printed is left out."""
    words = [word.text for word in command.words[1:]]
    flags = [word for word in words if word.startswith("-") and not _NO_PASSES.match(word)]
    return shlex.join(flags)
