"""Where in a folder an MLIR has its definitions, and which release it is.

A folder may be a checkout of LLVM's repository, the `mlir` or `mlir/include` in it, a folder in which it was built, or
one in which it is installed, with `include/mlir`. In a checkout the definitions that a build makes are looked for in
builds in it (`build*/tools/mlir/include`).
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Final

from fathom.records import record
from fathom.text.files import is_file

MARK: Final = "mlir/IR/OpBase.td"
"""What each MLIR has in the folder of its includes, from 2020 on."""
BEHIND: Final = "#"
"""What stands in the key of a folder between its path and the state of its files (`layer.py`)."""
_INCLUDES: Final = ("mlir/include", "include", "", "../include")
_LONGEST: Final = 1 << 20
"""Bytes of a file that says a version, of which more is not read."""
_MOST_BUILDS: Final = 8
_NUMBER: Final = r"^\s*{}\D{{0,20}}?(\d+)"
_VERSIONS: Final = (
    ("cmake/Modules/LLVMVersion.cmake", r"set\s*\(\s*LLVM_VERSION_MAJOR"),
    ("llvm/CMakeLists.txt", r"set\s*\(\s*LLVM_VERSION_MAJOR"),
    ("include/llvm/Config/llvm-config.h", r"#\s*define\s+LLVM_VERSION_MAJOR"),
    ("lib/cmake/llvm/LLVMConfig.cmake", r"set\s*\(\s*LLVM_VERSION_MAJOR"),
    ("lib/cmake/mlir/MLIRConfigVersion.cmake", r"set\s*\(\s*PACKAGE_VERSION"),
)
"""The files that say which release an MLIR is, from the folder of a checkout or an installation, and how."""
_NAMED: Final = re.compile(r"(?:llvm|mlir)(?:-project)?-v?(\d{2})(?!\d)")
"""A release in the name of a folder: `/usr/lib/llvm-22`, `llvm-project-18.1.8`."""
_SOURCE: Final = re.compile(r"^CMAKE_HOME_DIRECTORY:INTERNAL=(.+?)\s*$", re.MULTILINE)


class NoMlir(ValueError):
    """That a folder has no definitions of MLIR, in a sentence."""


@record
class Place:
    """An MLIR on disk: the folder that was named, those in which its includes are looked up, of which the first has
    MLIR's own, and its release; empty where nothing says one."""

    named: str
    folders: tuple[str, ...]
    release: str = ""


def is_folder(said: str) -> bool:
    """Whether what says an edition names a folder, and no version."""
    return "/" in said or os.sep in said or said in (".", "..") or said.startswith("~")


def is_key(name: str) -> bool:
    """Whether the name of an edition is the key of a folder."""
    return BEHIND in name


def find(named: str, around: str = "") -> Place:
    """The MLIR in a folder, whose name counts from the folder `around`, by default the present one. Raises NoMlir."""
    path = absolute(named, around)
    include = _include_in(path) or _include_in(_source_of(path))
    if include is None:
        there = "no definitions of MLIR are in it" if os.path.isdir(path) else "there is no such folder"
        raise NoMlir(
            f"'{named}': {there}: a checkout of LLVM has 'mlir/include/{MARK}', an installation 'include/{MARK}'"
        )
    folders = [include, *_further(include, path)]
    return Place(path, tuple(dict.fromkeys(folders)), _release(include, path))


def absolute(named: str, around: str = "") -> str:
    """The path of a folder that is named from another, by default the present one. Raises NoMlir."""
    try:
        return os.path.normpath(os.path.join(os.path.abspath(around), os.path.expanduser(named)))
    except ValueError:
        raise NoMlir("no folder has such a name") from None


def _include_in(path: str | None) -> str | None:
    """The folder of MLIR's includes in one that may hold it."""
    if path is None:
        return None
    return next((folder for part in _INCLUDES if _has_mark(folder := os.path.normpath(os.path.join(path, part)))), None)


def _has_mark(folder: str) -> bool:
    try:
        return is_file(os.path.join(folder, MARK))
    except ValueError:
        return False


def _source_of(build: str) -> str | None:
    """The checkout that is built in a folder."""
    said = _SOURCE.search(_head(os.path.join(build, "CMakeCache.txt")))
    return os.path.dirname(said[1]) if said is not None else None


def _further(include: str, path: str) -> Iterator[str]:
    """Where else includes may be: what builds make, and what belongs to LLVM."""
    root = os.path.dirname(os.path.dirname(include))
    builds = [path, *_builds(root), *_builds(path)]
    for build in builds:
        yield from filter(os.path.isdir, (os.path.join(build, part) for part in ("tools/mlir/include", "include")))
    yield from filter(os.path.isdir, [os.path.join(root, "llvm", "include")])


def _builds(root: str) -> list[str]:
    try:
        return sorted(map(str, islice((path for path in Path(root).glob("build*") if path.is_dir()), _MOST_BUILDS)))
    except (OSError, ValueError):
        return []


def _release(include: str, path: str) -> str:
    """The major number of the release that the files around say, or else the name of the folder."""
    above = os.path.dirname(include)
    for root in dict.fromkeys((os.path.dirname(above), above, path)):
        for name, pattern in _VERSIONS:
            said = re.search(_NUMBER.format(pattern), _head(os.path.join(root, name)), re.MULTILINE | re.IGNORECASE)
            if said is not None:
                return said[1]
    named = _NAMED.findall(f"{os.path.realpath(include)}/{path}")
    return named[-1] if named else ""


def _head(file: str) -> str:
    """The beginning of a file; empty for one that cannot be read."""
    try:
        if not is_file(file):
            return ""
        with open(file, "rb") as opened:
            return opened.read(_LONGEST).decode("utf-8", "replace")
    except (OSError, ValueError):
        return ""
