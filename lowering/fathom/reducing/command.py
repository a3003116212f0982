"""A test that is a command of the shell: exit status 0 says that a text is interesting."""

from __future__ import annotations

import os
import shlex
import signal
import subprocess
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final, Self

from fathom.text.encodings import utf8

PLACE: Final = "{}"
"""Where the name of the file stands in a command; else it is the last word."""


class CommandTest:
    """Asks a command of the shell about a text, which is in a file of its own. A context manager: the file goes.

    It has `seconds` for each text; one for which it takes longer is not interesting. What it starts ends with it.
    """

    def __init__(self, command: str, name: str, seconds: float) -> None:
        """`name` is what the file is called, in a folder of its own."""
        self.status: int | None = None
        """How it ended the last time; None where it took too long."""
        self._folder = TemporaryDirectory(prefix="fathom-reduce-")
        self._file = Path(self._folder.name) / name
        word = shlex.quote(str(self._file))
        self._command = command.replace(PLACE, word) if PLACE in command else f"{command} {word}"
        self._seconds = seconds

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._folder.cleanup()

    def __call__(self, text: str) -> bool:
        """Whether the command accepts a text. Raises OSError where it cannot be asked."""
        self._file.write_bytes(utf8(text))
        process = subprocess.Popen(  # noqa: S602 - it is the user's own command
            self._command,
            shell=True,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
        try:
            self.status = process.wait(self._seconds)
        except subprocess.TimeoutExpired:
            self.status = None
        finally:
            _end(process)
        return self.status == 0


def _end(process: subprocess.Popen[bytes]) -> None:
    """Ends what a command left running, and the command itself."""
    if hasattr(os, "killpg"):
        try:
            os.killpg(process.pid, signal.SIGKILL)
        except (ProcessLookupError, PermissionError):
            pass  # All of it is over.
    else:
        process.kill()
    process.wait()
