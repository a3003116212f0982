"""The dumps in a folder that `--mlir-print-ir-tree-dir` wrote.

    builtin_module_no-symbol-name/1_convert-arith-to-llvm.mlir
    builtin_module_no-symbol-name/func_func_f/0_0_canonicalize.mlir

The numbers count the passes that ran on each operation, the outermost first; so passes on what is nested come before
the next one on what is around.
"""

from __future__ import annotations

import os
import re
import stat
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from fathom.dumps.log import Dump, read_log
from fathom.records import record

MOST_FILES: Final = 100_000
"""So many files of a folder are listed."""
LARGEST: Final = 64 << 20
"""A larger file is left out."""
_NAME: Final = re.compile(r"((?:\d+_)+)(.+)\.mlir")


@record
class TreeDump:
    """A dump in a file, whose path counts from the folder; `operations` are the names of folders around it, which say
    what its pass ran on."""

    dump: Dump
    path: str
    operations: tuple[str, ...]


def read_tree(folder: Path) -> list[TreeDump]:
    """The dumps of a folder, in the order of the passes. What is no such file is passed over."""
    found: list[tuple[tuple[int, ...], tuple[str, ...], int, TreeDump]] = []
    for _, path in zip(range(MOST_FILES), _files(folder), strict=False):
        name = _NAME.fullmatch(path.name)
        try:
            if name is None:
                continue
            state = path.stat()
            if not stat.S_ISREG(state.st_mode) or state.st_size > LARGEST:
                continue
            log = read_log(path.read_bytes())
        except OSError:
            continue
        parts = path.relative_to(folder).parts[:-1]
        numbers = tuple(int(number) for number in name[1].rstrip("_").split("_"))
        for place, dump in enumerate(log.dumps):
            found.append((numbers, parts, place, TreeDump(dump, str(path.relative_to(folder)), parts)))
    return [each for *_, each in sorted(found, key=lambda each: each[:3])]


def _files(folder: Path) -> Iterator[Path]:
    for around, folders, files in os.walk(folder):
        folders.sort()
        for name in sorted(files):
            yield Path(around, name)
