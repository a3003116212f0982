"""What the server knows beside the library: the dialects that files describe which the user names.

A name is a path or a pattern (`dialects/*.toml`), by the setting `fathom.dialects` in the folders of the workspace, by
the file `fathom.toml` of such a folder in that folder.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from glob import has_magic
from pathlib import Path
from typing import Final

from fathom.context import Context, default_context
from fathom.irdl.files import DialectFile, read_files
from fathom.irdl.sections import Mistake, Sections
from fathom.records import record
from fathom_server.session.workspace import CONFIGURATION

MOST: Final = 1000
"""No more files than this are read."""
LARGEST: Final = 16 << 20
"""Bytes that a description may have."""


@record
class Known:
    """What is known, and whence: the files with their texts, what is wrong in which of them, and what is wrong with
    the settings."""

    context: Context
    files: tuple[DialectFile, ...] = ()
    mistakes: tuple[tuple[DialectFile, tuple[Mistake, ...]], ...] = ()
    problems: tuple[str, ...] = ()


def read_known(folders: Sequence[Path], names: Sequence[str], former: Known | None = None) -> Known:
    """What the files say that are named. The context is that of `former` where no file changed."""
    paths: dict[Path, None] = {}
    problems: list[str] = []
    mistakes: dict[DialectFile, tuple[Mistake, ...]] = {}
    for name in names:
        found = [path for folder in folders or [Path()] for path in _named(folder, name)]
        problems += [] if found else [f"fathom.dialects: there is no file '{name}'"]
        paths |= dict.fromkeys(found)
    for folder in folders:
        configuration = read_file(folder / CONFIGURATION)
        if configuration is not None:
            found, wrong = _named_in(configuration, folder)
            paths |= dict.fromkeys(found)
            if wrong:
                mistakes[configuration] = tuple(wrong)
    files = tuple(file for path in list(paths)[:MOST] if (file := read_file(path)) is not None)
    if former is not None and files == former.files:
        context = former.context
        mistakes |= {file: found for file, found in former.mistakes if file in files}
    else:
        described = read_files(files)
        context = Context(described.dialects) if files else default_context()
        mistakes |= {file: found for file in files if (found := described.mistakes.get(file.path))}
    return Known(context, files, tuple(mistakes.items()), tuple(problems))


def _named_in(configuration: DialectFile, folder: Path) -> tuple[list[Path], list[Mistake]]:
    """The files that a `fathom.toml` names, and what is wrong with it."""
    sections = Sections(configuration.text, configuration.path)
    paths, wrong = list[Path](), list(sections.mistakes)

    def report(message: str, key: str, text: str = "") -> None:
        wrong.append(sections.mistake(message, "", "", key, text))

    for key in (*sections.top, *sections.kinds):
        if key != "dialects":
            report(f"unknown key '{key}'", key)
    names = sections.top.get("dialects", [])
    if not isinstance(names, list):
        report("expected a list of paths", "dialects")
        return paths, wrong
    for name in names:
        found = list(_named(folder, name)) if isinstance(name, str) else []
        if not isinstance(name, str):
            report("expected a path", "dialects")
        elif not found:
            report(f"there is no file '{name}'", "dialects", name)
        paths += found
    return paths, wrong


def _named(folder: Path, name: str) -> Iterator[Path]:
    """The files that a name stands for in a folder."""
    try:
        path = Path(name).expanduser()
        if has_magic(name):
            root = Path(path.anchor) if path.is_absolute() else folder
            pattern = path.relative_to(path.anchor)
            yield from sorted(each for each in root.glob(str(pattern)) if each.is_file())
        elif (folder / path).is_file():
            yield folder / path
    except (OSError, ValueError, RuntimeError):
        return  # No file has such a name.


def read_file(path: Path) -> DialectFile | None:
    """A file with its text; None if it cannot be read as one."""
    try:
        if path.stat().st_size > LARGEST:
            return None
        return DialectFile(str(path), path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None
