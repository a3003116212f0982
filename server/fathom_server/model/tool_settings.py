"""The tools of other people that settings and projects name, as data.

A tool is a command that is run, so a person has to have said that it may be: by naming it in their own settings, or, of
those that the `fathom.toml` of a project names, by the setting `fathom.projectTools`, which a project cannot set.
"""

from __future__ import annotations

import shlex
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final, TypeAlias, cast

from fathom.records import record, replace

KEYS: Final = ("command", "pipeline", "timeoutSeconds", "memoryMegabytes")
"""What can be said of a tool."""
SECONDS: Final = 10.0
MEMORY: Final = 4 << 30
"""What a tool has where nothing is said: of address space, of which it uses less."""
Wrong: TypeAlias = "tuple[str, str, str]"
"""The name of a tool, a key, and what is wrong with it."""


@record
class Tool:
    """A tool by its name: the words of its command, and its pipeline if that is said. Names of files in the command
    count from the folder. It `is_allowed` to run if a person said so."""

    name: str
    command: tuple[str, ...]
    pipeline: str = ""
    seconds: float = SECONDS
    memory: int = MEMORY
    folder: Path | None = None
    is_allowed: bool = False

    @property
    def shown(self) -> str:
        """The command as a person types it."""
        return shlex.join(self.command)


def tools_from(said: Mapping[str, Mapping[str, object]], folder: Path | None) -> tuple[tuple[Tool, ...], list[Wrong]]:
    """The tools that tables say, by their names, in a folder; and what is wrong with them."""
    tools: list[Tool] = []
    wrong: list[Wrong] = []
    for name, table in said.items():
        tool, problems = _tool(name, table, folder)
        wrong += ((name, key, problem) for key, problem in problems)
        if tool is not None:
            tools.append(tool)
    return tuple(tools), wrong


def _tool(name: str, table: Mapping[str, object], folder: Path | None) -> tuple[Tool | None, list[tuple[str, str]]]:
    from fathom.tools.pipelines import NoPipeline, steps_of

    wrong = [
        (key, "expected one of command, pipeline, timeoutSeconds, memoryMegabytes") for key in table if key not in KEYS
    ]
    command = table.get("command")
    if not _are_words(command):
        return None, [*wrong, ("command", "expected a list of words, the program first")]
    tool = Tool(name, tuple(cast("Sequence[str]", command)), folder=folder)
    match table.get("pipeline"):
        case None:
            pass
        case str(pipeline):
            try:
                steps_of(pipeline)
                tool = replace(tool, pipeline=pipeline)
            except NoPipeline as problem:
                wrong.append(("pipeline", str(problem)))
        case _:
            wrong.append(("pipeline", "expected a string"))
    for key, unit in (("timeoutSeconds", 1.0), ("memoryMegabytes", 1 << 20)):
        value = table.get(key)
        if value is None:
            continue
        if isinstance(value, bool) or not isinstance(value, (int, float)) or not 0 < value < 1e9:
            wrong.append((key, "expected a positive number"))
        elif key == "timeoutSeconds":
            tool = replace(tool, seconds=float(value))
        else:
            tool = replace(tool, memory=int(value * unit))
    return tool, wrong


def _are_words(command: object) -> bool:
    if not isinstance(command, (list, tuple)) or not command:
        return False
    words = cast("Sequence[object]", command)
    return all(isinstance(word, str) and "\0" not in word for word in words) and bool(words[0])


def in_tables(values: Mapping[str, object]) -> dict[str, dict[str, object]]:
    """What flat settings, `tools.iree-opt.command`, say of each tool."""
    tables: dict[str, dict[str, object]] = {}
    for key, value in values.items():
        if key.startswith("tools."):
            name, _, last = key.removeprefix("tools.").rpartition(".")
            tables.setdefault(name, {})[last] = value
    return tables
