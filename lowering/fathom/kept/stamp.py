"""What all that is kept follows from beside its own inputs: Fathom's source, the LLVM that is installed, and the
computer. It is known without importing either."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from functools import cache
from importlib.util import find_spec
from typing import Final

from fathom.kept.folder import name_of

_PACKAGE: Final = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
_OF_PROCESSOR: Final = 4096
"""So much of what the kernel says of processors is about the first of them, in bytes."""
_LINES: Final = (b"vendor", b"cpu family", b"model", b"stepping", b"flags", b"CPU ", b"Features")
"""How the lines begin that tell what it is."""


@cache
def stamp() -> str:
    """The name of all that what this process makes follows from."""
    return name_of("stamp", stamp_of_llvm(), *installed(_PACKAGE))


@cache
def stamp_of_fathom() -> str:
    """The name of what follows from Fathom alone, whatever the computer is."""
    return name_of("fathom", *installed(_PACKAGE))


@cache
def stamp_of_llvm() -> str:
    """The name of what machine code follows from that LLVM makes here."""
    return name_of("llvm", sys.version, *_system(), *_llvm())


def installed(package: str) -> Iterator[str]:
    """What says which Fathom this is: of one that was installed, what was; of a tree that is worked on, its files."""
    around = os.path.dirname(package)
    records = [
        os.path.join(around, name, "RECORD")
        for name in os.listdir(around)
        if name.startswith("fathom_mlir-") and name.endswith(".dist-info")
    ]
    if not records:
        yield from _source(package)
    for record in records:
        state = os.stat(record)
        yield f"{record}\0{state.st_size}\0{state.st_mtime_ns}"


def _system() -> Iterator[str | bytes]:
    """What the computer is, so far as code may depend on it. Folders of users may be shared by several."""
    if hasattr(os, "uname"):
        uname = os.uname()
        yield from (uname.sysname, uname.machine, *(() if sys.platform == "linux" else (uname.nodename,)))
    try:
        file = os.open("/proc/cpuinfo", os.O_RDONLY)
    except OSError:
        return
    try:
        lines = os.read(file, _OF_PROCESSOR).partition(b"\n\n")[0].splitlines()
    finally:
        os.close(file)
    # Other lines tell of its present speed.
    yield from (line for line in lines if line.startswith(_LINES))


def _source(folder: str) -> Iterator[str]:
    """Which files a folder and those in it have, and of which time and size."""
    files, folders = list[tuple[str, int, int]](), [folder]
    while folders:
        with os.scandir(folders.pop()) as entries:
            for entry in entries:
                if not entry.is_dir():
                    state = entry.stat()
                    files.append((entry.path, state.st_size, state.st_mtime_ns))
                elif entry.name != "__pycache__":
                    folders.append(entry.path)
    files.sort()
    yield repr(files)


def _llvm() -> Iterator[str]:
    """Which files llvmlite has for LLVM."""
    spec = find_spec("llvmlite")
    if spec is not None and spec.origin is not None:
        yield from _source(os.path.join(os.path.dirname(spec.origin), "binding"))
