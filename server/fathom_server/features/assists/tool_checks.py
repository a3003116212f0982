"""The RUN line for the pipeline of a tool of other people, and CHECK lines for what it makes of the document.

                                     // RUN: iree-opt %s --canonicalize --mlir-print-local-scope | FileCheck %s

                                     // CHECK-LABEL:   func.func @f(
                                     // CHECK-SAME:      %[[VAL_0:[^ :,)]+]]: i32) -> i32 {
func.func @f(%a: i32) -> i32 {  ->   func.func @f(%a: i32) -> i32 {

What the tool prints is read as any text is, so operations that nobody has described have their lines too. The tool runs
before the edit is made (`runs_for`).
"""

from __future__ import annotations

import shlex
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from typing import Final

from fathom.diagnostics import UNKNOWN_OP
from fathom.elaborate import load
from fathom.ir.dismantle import dismantling
from fathom.syntax.tree import Item
from fathom_server.features.assists.assist import Made, Offer
from fathom_server.features.assists.checks import Part, checks_of, has_checks, merged, run_line
from fathom_server.features.assists.selection import Selection
from fathom_server.features.edits import Refusal, Replacement
from fathom_server.features.tool_stages import NOT_ALLOWED, handed_split
from fathom_server.model.modules import splits
from fathom_server.model.pipelines import commands_in
from fathom_server.model.snapshot import Snapshot
from fathom_server.model.tool_runs import made, to_make
from fathom_server.model.tools import ToolStage, tool_stages, without_version

FLAGS: Final = ("--mlir-print-local-scope",)
"""How the tool prints: without aliases, which FileCheck would have to follow."""


def offered(selection: Selection) -> Iterator[Offer]:
    """For each tool, where the document has no CHECK lines."""
    snapshot = selection.snapshot
    if snapshot.tree.items and snapshot.settings.tools and not has_checks(snapshot):
        for name in _last_stages(snapshot):
            yield Offer(f"Write the RUN and CHECK lines for the pipeline of {name}", (name,))


def runs_for(snapshot: Snapshot, name: str) -> Iterator[Callable[[], None]]:
    """What has the tool run on the parts of the document, as far as it has not and may."""
    stage = _last_stages(snapshot).get(name)
    if stage is None or not stage.tool.is_allowed:
        return
    for split in splits(snapshot):
        given = handed_split(snapshot, split)
        run = to_make(stage, given.text, snapshot.uri, FLAGS) if given.problem is None else None
        if run is not None:
            yield run


def written(snapshot: Snapshot, name: str) -> Made:
    """The CHECK lines above the functions of each part, and a RUN line above all, if no command of the tool that ends
    in FileCheck is there."""
    stage = _last_stages(snapshot).get(name)
    if stage is None:
        return Refusal(f"{name} has no pipeline")
    if has_checks(snapshot):
        return Refusal("the document has CHECK lines")
    if not stage.tool.is_allowed:
        return Refusal(NOT_ALLOWED.format(name, stage.tool.shown))
    parts: list[Part] = []
    with ExitStack() as modules:
        for split in splits(snapshot):
            part = _part(snapshot, split, stage)
            if isinstance(part, Refusal):
                return part
            modules.enter_context(dismantling(part.module))
            parts.append(part)
        edit = [check for part in parts for check in checks_of(snapshot, part)]
        if not _has_command(snapshot, name):
            edit.insert(0, Replacement(0, 0, _run_line(snapshot, stage, parts)))
        return merged(edit)


def _last_stages(snapshot: Snapshot) -> dict[str, ToolStage]:
    """The stage behind the whole pipeline of each tool."""
    return {stage.tool.name: stage for stage in tool_stages(snapshot)}


def _part(snapshot: Snapshot, split: Item | None, stage: ToolStage) -> Part | Refusal:
    """A part as the tool leaves it."""
    given = handed_split(snapshot, split)
    if given.problem is not None:
        return Refusal(f"there is a mistake: {given.problem.message}")
    there = made(stage, given.text, FLAGS)
    if there is None:
        return Refusal(
            f"{stage.tool.name} has not run; the editor has to ask for the edit of an action that was chosen"
        )
    if there.problem:
        return Refusal(f"the pipeline fails: {there.problem}")
    loaded = load(there.located.text, snapshot.context)
    mistake = next((d for d in loaded.diagnostics if d.severity == "error" and d.code != UNKNOWN_OP), None)
    if mistake is not None:
        return Refusal(f"what {stage.tool.name} prints cannot be read: {mistake.message}")
    return Part(split, loaded.module)


def _has_command(snapshot: Snapshot, name: str) -> bool:
    """Whether there is a command that has the tool print for FileCheck."""
    lines = commands_in(snapshot.tree, snapshot.context)
    return any([c.tool for c in line.commands] == [without_version(name), "FileCheck"] for line in lines)


def _run_line(snapshot: Snapshot, stage: ToolStage, parts: list[Part]) -> str:
    words = [stage.tool.name, "%s", *map(_quoted, (*stage.tool.command[1:], *stage.step.flags))]
    return run_line(snapshot, " ".join(words), len(parts))


def _quoted(word: str) -> str:
    """A word as the shell of a test has to see it; what lit would replace stands for itself."""
    return shlex.quote(word).replace("%", "%%")
