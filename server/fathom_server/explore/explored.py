"""The file that the page of `fathom explore` is about: what the page is told of it, and how it is saved.

Only this file is written, by a session, for which one needs the token; and only over what the page has seen of it. The
text takes its place all at once, so that a machine that stops on the way costs nothing of it.
"""

from __future__ import annotations

import hashlib
import os
from pathlib import Path
from stat import S_IMODE
from typing import Any, Final

from fathom.inputs.traces import is_trace
from fathom.records import record
from fathom_server.lsp.plain import plain
from fathom_server.lsp.requests import invalid, refused
from fathom_server.session.workspace import CONFIGURATION

LANGUAGES: Final = {".mlir": "mlir", ".ll": "llvm"}


@record
class Explored:
    """The file of a page, by its resolved path."""

    path: Path

    def project(self, started_in: Path) -> Path | None:
        """The folder whose `fathom.toml` counts: the one of the file, or the nearest around it that has one, up to the
        folder in which the command was started; None if there is no such file."""
        around = [*self.path.parents]
        most = around.index(started_in) if started_in in around else 0
        return next((folder for folder in around[: most + 1] if (folder / CONFIGURATION).is_file()), None)

    def told(self) -> dict[str, str | bool]:
        """What the page is told of it: the text as it is on disk, and a mark by which that is known again; of a trace
        that it is one. Raises OSError."""
        if is_trace(self.path):
            return {"uri": self.path.as_uri(), "name": self.path.name, "trace": True}
        data = self.path.read_bytes()
        return {
            "uri": self.path.as_uri(),
            "name": self.path.name,
            "languageId": LANGUAGES.get(self.path.suffix, "mlir"),
            "text": data.decode("utf-8", "replace"),
            "mark": mark(data),
        }

    def save(self, params: Any) -> dict[str, str]:
        """Writes `text`, if the file is still what `mark` says, and gives the mark of what is there then. The ends of
        lines are those that the file has. Raises the error `RequestFailed` with the reason where it is not written."""
        given = plain(params)
        text, known = given.get("text"), given.get("mark")
        if not isinstance(text, str) or not isinstance(known, str):
            raise invalid("`text` and `mark` are texts")
        try:
            before = self.path.read_bytes()
            if mark(before) != known:
                raise refused("not saved: the file has changed on disk since this page read it")
            data = _with_ends_of(before, text)
            _put(self.path, data)
        except OSError as problem:
            raise refused(f"not saved: {problem.strerror or problem}") from None
        return {"mark": mark(data)}


def mark(data: bytes) -> str:
    """The mark of what a file holds."""
    return hashlib.sha256(data).hexdigest()


def _with_ends_of(before: bytes, text: str) -> bytes:
    """A text of an editor, to which the end of a line is `\\n`, with the ends of lines of the file."""
    try:
        before.decode("utf-8")
    except UnicodeDecodeError:
        raise refused("not saved: the file is not in UTF-8, and would be another") from None
    ends = before.count(b"\r\n")
    if before.count(b"\r") != ends or (ends and before.count(b"\n") != ends):
        raise refused("not saved: the lines of the file end in different ways, which would be lost")
    return (text.replace("\n", "\r\n") if ends else text).encode("utf-8", "replace")


def _put(path: Path, data: bytes) -> None:
    """Puts data in the place of a file. Raises OSError."""
    if not os.access(path, os.W_OK):
        raise PermissionError("the file may not be written")
    beside = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        with beside.open("xb") as file:
            file.write(data)
        beside.chmod(S_IMODE(path.stat().st_mode))
        beside.replace(path)
    finally:
        beside.unlink(missing_ok=True)
