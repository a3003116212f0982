"""What the user is told of a mistake that is Fathom's own."""

from __future__ import annotations

import errno
import traceback
from pathlib import Path
from typing import Final, TextIO

from fathom.text.beginnings import TextTooLong

STATUS: Final = 70
"""The exit status after a fault: that for errors inside of software, of BSD's sysexits."""
_FULL: Final = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO)
"""What writing to a standard stream fails of that leads to a file."""
_PLACES: Final = 3
_PACKAGES: Final = Path(__file__).resolve().parents[2]


def report(program: str, fault: Exception, stderr: TextIO) -> int:
    """Writes what went wrong, and where; the exit status. That a text is too long to be written is no fault, nor that
    there is no room for it."""
    if isinstance(fault, TextTooLong):
        stderr.write(f"{program}: {fault}\n")
        return 1
    if isinstance(fault, OSError) and fault.errno in _FULL and fault.filename is None:
        stderr.write(f"{program}: cannot write to standard output: {fault.strerror}\n")
        return 1
    said = str(fault).strip().splitlines()
    what = f"{type(fault).__name__}: {said[0]}" if said else type(fault).__name__
    stderr.write(f"{program}: a fault in Fathom, please report it with the input: {what}\n")
    frames = traceback.extract_tb(fault.__traceback__)[-_PLACES:]
    stderr.writelines(f"  at {_shown(frame.filename)}:{frame.lineno} in {frame.name}\n" for frame in reversed(frames))
    return STATUS


def _shown(file: str) -> str:
    """A file of Fathom's by its place in the package."""
    path = Path(file)
    return str(path.relative_to(_PACKAGES)) if path.is_relative_to(_PACKAGES) else path.name
