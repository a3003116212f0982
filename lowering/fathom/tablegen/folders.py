"""Where the `.td` files of an installed MLIR are."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Final

VARIABLES: Final = ("MLIR_DIR", "LLVM_DIR")
"""Environment variables of CMake, each with a folder `lib/cmake/mlir` of an installation or of a build."""


def usual_folders() -> Iterator[str]:
    """The folders for includes in which MLIR's own definitions are: those of the environment, then those where Debian
    and its likes install them, the newest first."""
    roots = [
        Path(value).parents[2] for name in VARIABLES if (value := os.environ.get(name)) and len(Path(value).parts) > 3
    ]
    roots += sorted(Path("/usr/lib").glob("llvm-*"), key=_version, reverse=True)
    for root in roots:
        folder = root / "include"
        if (folder / "mlir" / "IR" / "OpBase.td").is_file():
            yield str(folder)


def _version(root: Path) -> int:
    number = root.name.partition("-")[2]
    return int(number) if number.isdecimal() else 0
