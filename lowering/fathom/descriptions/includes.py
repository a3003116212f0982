"""Where the includes of `.td` files are looked up."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Final

from fathom.records import record
from fathom.tablegen.folders import usual_folders

COMPILE_COMMANDS: Final = "tablegen_compile_commands.yml"
"""The file in which a build with CMake says where each of its `.td` files finds its includes."""

_ENTRY: Final = re.compile(r"""^\s*(filepath|includes):\s*(?:"((?:[^"\\]|\\.)*)"|'([^']*)'|(.*?))\s*$""")


@record
class Includes:
    """The folders that are looked through for all files, and those for each file, by its path."""

    folders: tuple[str, ...] = ()
    by_file: Mapping[str, tuple[str, ...]] = MappingProxyType({})

    def of(self, path: str) -> tuple[str, ...]:
        """The folders for the includes of a file: its own, those of its build, those for all, and where MLIR's own
        files are usually."""
        own = (str(Path(path).parent), *self.by_file.get(path, ()), *self.folders)
        return tuple(dict.fromkeys((*own, *usual_folders())))


def compile_commands(text: str) -> dict[str, tuple[str, ...]]:
    """What a `tablegen_compile_commands.yml` says: the folders of each file. It is a YAML document for each file, with
    its path, and the folders with `;` between them."""
    folders: dict[str, tuple[str, ...]] = {}
    path = ""
    for line in text.splitlines():
        if line.startswith("---"):
            path = ""
        elif (entry := _ENTRY.match(line)) is not None:
            value = re.sub(r"\\(.)", r"\1", entry[2]) if entry[2] is not None else (entry[3] or entry[4] or "")
            if entry[1] == "filepath":
                path = value
            elif path:
                folders[path] = tuple(filter(None, value.split(";")))
    return folders
