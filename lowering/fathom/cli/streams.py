"""Where a command reads from and writes to, and its inputs by name."""

from __future__ import annotations

import os
from stat import S_IMODE
from typing import Final, TextIO

from fathom.records import field, record
from fathom.text.encodings import utf8
from fathom.text.files import read_bytes, write_bytes

_BEGINNING: Final = 4096


class Exit(Exception):
    """Ends a command with an exit status, after its message was written."""

    def __init__(self, status: int) -> None:
        super().__init__(status)
        self.status = status


@record
class Streams:
    """The three standard streams, and reading and writing the files that a command names."""

    stdin: TextIO
    stdout: TextIO
    stderr: TextIO
    _taken: list[str] = field(default_factory=list[str], compare=False)
    """What was read of standard input before somebody wanted all of it."""

    def fail(self, message: str) -> Exit:
        """Writes a message and gives the exception to raise."""
        self.stderr.write(message if message.endswith("\n") else message + "\n")
        return Exit(1)

    def read(self, name: str) -> Input:
        """A file, or standard input for `-`. Bytes that are not UTF-8 are kept."""
        if name == "-":
            text = "".join((*self._taken, self.stdin.read()))
            self._taken.clear()
            return Input("<stdin>", text)
        try:
            data = read_bytes(name)
        except OSError as error:
            raise self.fail(f"cannot open input file '{name}': {error.strerror}") from None
        return Input(name, data.decode("utf-8", "surrogateescape"))

    def beginning(self, name: str) -> str:
        """The beginning of what `read` gives; empty where that cannot be read."""
        if name == "-":
            self._taken.append(self.stdin.read())
            return self._taken[-1][:_BEGINNING]
        try:
            return read_bytes(name, _BEGINNING).decode("utf-8", "surrogateescape")
        except OSError:
            return ""

    def write(self, name: str, text: str) -> None:
        """Writes to a file, or to standard output for `-`."""
        if name == "-":
            self.stdout.write(text)
            return
        try:
            write_bytes(name, utf8(text))
        except OSError as error:
            raise self.fail(f"cannot open output file '{name}': {error.strerror}") from None

    def replace(self, name: str, text: str) -> None:
        """Puts a text in the place of a file, all at once: what goes wrong on the way costs nothing of it."""
        from pathlib import Path

        path = Path(name).resolve()
        beside = path.with_name(f".{path.name}.{os.getpid()}")
        try:
            if not os.access(path, os.W_OK):
                raise PermissionError
            file = beside.open("xb")
        except OSError:
            # No file can be made beside it, or this one must not be written: that is said by writing to it.
            self.write(name, text)
            return
        try:
            with file:
                file.write(utf8(text))
            beside.chmod(S_IMODE(path.stat().st_mode))
            beside.replace(path)
        except OSError as error:
            beside.unlink(missing_ok=True)
            raise self.fail(f"cannot write to '{name}': {error.strerror}") from None


@record
class Input:
    """A text with the name that its diagnostics give it."""

    name: str
    text: str
