"""Which files describe dialects: those that the setting `fathom.dialects` names, and `fathom.toml` in a folder of the
workspace, which says more than that (`session/projects.py`).

A name is a path or a pattern (`dialects/*.toml`): by the setting in each folder of the workspace, by `fathom.toml` in
its own folder. `fathom.includes` names folders for the includes of `.td` files in the same ways.
"""

from __future__ import annotations

import os
from collections.abc import Collection, Iterator, Mapping, Sequence
from fnmatch import fnmatchcase
from glob import has_magic
from pathlib import Path
from types import MappingProxyType
from typing import Final

from fathom.descriptions.files import CODE
from fathom.descriptions.includes import COMPILE_COMMANDS, Includes, compile_commands
from fathom.descriptions.places import Finding
from fathom.descriptions.reading import read_text
from fathom.records import field, record
from fathom_server.session.projects import Project, project_file

NOTHING: Final[Mapping[Path, Project]] = MappingProxyType({})
MOST: Final = 1000
"""No more files than this are read."""
MOST_LOOKED_AT: Final = 200_000
"""Of so many entries of folders a pattern is looked for among."""
NOT_RUN: Final = (
    "'{0}' is Python, which is run in the editor only where the setting `fathom.dialectCode` allows it; on the command "
    "line it counts, with `fathom opt --dialect {0}` or `fathom run --dialect {0}`"
)
"""What is said of a module that is named, so that nobody waits in vain for what it says."""


@record
class Sources:
    """The files that describe dialects, where `.td` files find what they include, what is wrong with files that name
    these, and with the settings."""

    paths: tuple[str, ...] = ()
    code: tuple[str, ...] = ()
    """Modules in Python that say more of the dialects, and may be run."""
    includes: Includes = Includes()
    findings: tuple[Finding, ...] = ()
    problems: tuple[str, ...] = ()
    projects: Mapping[Path, Project] = field(default_factory=dict[Path, Project])
    """What the `fathom.toml` of each folder says that has one."""


class _Named:
    """What is named, as it is found."""

    def __init__(self, running: frozenset[Path], running_tools: frozenset[Path]) -> None:
        self._running = running
        self.running_tools = running_tools
        self.paths: dict[str, None] = {}
        self.code: dict[str, None] = {}
        self.folders: dict[str, None] = {}
        self.by_file: dict[str, tuple[str, ...]] = {}
        self.findings: list[Finding] = []
        self.problems: list[str] = []
        self.projects: dict[Path, Project] = {}

    def add(self, folder: Path, paths: Sequence[Path]) -> Path | None:
        """Files that are named in a folder; the first one that is code and is not to be run."""
        self.paths |= dict.fromkeys(str(path) for path in paths if not is_code(path))
        code = [path for path in paths if is_code(path)]
        if self.runs_code_in(folder):
            self.code |= dict.fromkeys(map(str, code))
            return None
        return code[0] if code else None

    def runs_code_in(self, folder: Path) -> bool:
        """Whether code that is named in a folder may be run."""
        return folder in self._running

    def add_include(self, path: Path) -> None:
        """A folder, or what a build says of its own."""
        if path.is_dir():
            self.folders[os.path.normpath(path)] = None
        else:
            self.by_file |= compile_commands(read_text(str(path)) or "")


def find_sources(
    folders: Sequence[Path],
    dialects: Mapping[str, Sequence[Path]],
    includes: Mapping[str, Sequence[Path]],
    former: Mapping[Path, Project] = NOTHING,
    running: Collection[Path] = (),
    running_tools: Collection[Path] = (),
) -> Sources:
    """The files that are named in the folders of a workspace, by `fathom.toml` and by settings; each name of these with
    the folders in which it is looked for. `former` is what the `fathom.toml` of each folder said before."""
    named = _Named(frozenset(running), frozenset(running_tools))
    for folder in folders:
        for build in (folder, *_build_folders(folder)):
            if (build / COMPILE_COMMANDS).is_file():
                named.add_include(build / COMPILE_COMMANDS)
    for name, around in dialects.items():
        files = {folder: list(files_named(folder, name)) for folder in around}
        named.problems += [] if any(files.values()) else [f"fathom.dialects: there is no file '{name}'"]
        left_out = [kept for folder, paths in files.items() if (kept := named.add(folder, paths)) is not None]
        named.problems += [f"fathom.dialects: {NOT_RUN.format(left.name)}" for left in left_out[:1]]
    for name, around in includes.items():
        places = [path for folder in around for path in _places_named(folder, name)]
        named.problems += [] if places else [f"fathom.includes: there is no folder '{name}'"]
        for place in places:
            named.add_include(place)
    for folder in folders:
        _read_configuration(folder, named, former.get(folder))
    includes_found = Includes(tuple(named.folders), named.by_file)
    paths, code = tuple(named.paths)[:MOST], tuple(named.code)[:MOST]
    return Sources(paths, code, includes_found, tuple(named.findings), tuple(named.problems), named.projects)


def is_code(path: Path) -> bool:
    """Whether a file that is named is code, which is for the command line."""
    return path.suffix == CODE


def _build_folders(folder: Path) -> Iterator[Path]:
    """The folders in which a build of the workspace usually is."""
    try:
        yield from sorted(path for path in folder.glob("build*") if path.is_dir())
    except OSError:
        return


def _read_configuration(folder: Path, named: _Named, former: Project | None) -> None:
    """Takes in what a `fathom.toml` says, which said something before, and what is wrong with it."""
    file = project_file(folder, runs_code=named.runs_code_in(folder), runs_tools=folder in named.running_tools)
    if file is None:
        return
    project = file.read(former)
    named.projects[folder] = project
    for name in project.dialects:
        paths = list(files_named(folder, name))
        left_out = named.add(folder, paths)
        if not paths:
            file.report(f"there is no file '{name}'", "dialects", name)
        if left_out is not None:
            file.report(NOT_RUN.format(left_out.name), "dialects", name, severity="note")
    for name in project.includes:
        places = list(_places_named(folder, name))
        if not places:
            file.report(f"there is no folder '{name}'", "includes", name)
        for place in places:
            named.add_include(place)
    named.findings += sorted(file.findings, key=lambda finding: (finding.place.line, finding.place.start))


def _places_named(folder: Path, name: str) -> Iterator[Path]:
    """The folder that a name stands for, or the file of a build's compile commands."""
    try:
        path = folder / Path(name).expanduser()
        if path.is_dir() or (path.name == COMPILE_COMMANDS and path.is_file()):
            yield path
    except (OSError, ValueError, RuntimeError):
        return  # No folder has such a name.


# ---- names of files


def files_named(folder: Path, name: str) -> Iterator[Path]:
    """The files that a name stands for in a folder, in order."""
    try:
        path = folder / Path(name).expanduser()
        if not has_magic(name):
            if path.is_file():
                yield Path(os.path.normpath(path))
            return
        parts = path.parts
        fixed = next(index for index, part in enumerate(parts) if has_magic(part))
        depth = len(parts) if "**" not in parts else None
        every = walked(Path(*parts[:fixed]), depth - fixed if depth is not None else None)
        yield from sorted(candidate for candidate in every if _matches(parts[fixed:], candidate.parts[fixed:]))
    except (OSError, ValueError, RuntimeError):
        return  # No file has such a name.


def is_named(folder: Path, name: object, path: Path) -> bool:
    """Whether a name stands for a file of this path, which need not be there."""
    return isinstance(name, str) and _matches((folder / name).parts, path.parts)


def _matches(pattern: Sequence[str], parts: Sequence[str]) -> bool:
    if not pattern or not parts:
        return not pattern and not parts
    if pattern[0] == "**":
        return _matches(pattern[1:], parts) or _matches(pattern, parts[1:])
    return fnmatchcase(parts[0], pattern[0]) and _matches(pattern[1:], parts[1:])


def walked(folder: Path, depth: int | None) -> Iterator[Path]:
    """The files in a folder and in those in it, down to a depth, but for hidden ones."""
    seen = 0
    for root, folders, files in os.walk(folder):
        level = len(Path(root).parts) - len(folder.parts) + 1
        folders[:] = [] if level == depth else [folder for folder in sorted(folders) if not folder.startswith(".")]
        seen += len(files) + len(folders)
        if seen > MOST_LOOKED_AT:
            return
        yield from (Path(root, file) for file in files)
