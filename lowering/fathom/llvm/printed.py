"""What LLVM prints: to a file without a name, in which it is found afterwards."""

from __future__ import annotations

import os
import re
import sys
from typing import Final

_ABORTED: Final = "LLVM ERROR: "
_ASSERTION: Final = re.compile(r"^\S.*?:\d+: .*: (Assertion `.*' failed)\.$")
"""How an assertion fails, behind where in LLVM it stands."""
_VERDICT: Final = "Broken module found, compilation aborted!"
"""What LLVM says last where it ends because a module is wrong: what is wrong with it stands before."""
_MOST: Final = 1 << 16
"""How much is read, in bytes."""


def scratch_file() -> int:
    """The descriptor of a file that has no name."""
    if sys.platform == "linux":
        return os.memfd_create("llvm")
    from tempfile import TemporaryFile

    with TemporaryFile() as file:
        return os.dup(file.fileno())


def amount_in(file: int) -> int:
    """How many bytes have been printed to a file."""
    return os.fstat(file).st_size


def text_in(file: int, start: int, most: int = _MOST) -> str:
    """What was printed to a file since there were so many bytes, up to `most` bytes of it."""
    if hasattr(os, "pread"):
        data = os.pread(file, most, start)
    else:
        os.lseek(file, start, os.SEEK_SET)
        data = os.read(file, most)
    return data.decode(errors="replace")


def words_of(said: str) -> str:
    """What LLVM said, without that it ends."""
    lines = [line for line in said.splitlines() if line.strip() and line != _ABORTED + _VERDICT]
    end = next((at for at, line in enumerate(lines) if line.startswith(("PLEASE submit", "Stack dump:", " #0 "))), None)
    return "\n".join(_ASSERTION.sub(r"\1", line.removeprefix(_ABORTED)) for line in lines[:end])
