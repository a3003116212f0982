"""The other files of the workspace, as features ask for them: those that are open as they are in the editor, the others
as they are on disk."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, Protocol

from fathom.records import record
from fathom_server.features.edits import Replacement
from fathom_server.model.snapshot import Snapshot

CLOSED: Final = -1
"""The version of a file that is not open."""


@record(eq=False)
class Place:
    """A part of a file, in offsets."""

    snapshot: Snapshot
    start: int
    end: int


@record(eq=False)
class FileEdit:
    """What becomes of a file: the replacements are in the order of its text."""

    snapshot: Snapshot
    replacements: tuple[Replacement, ...]


class Workspace(Protocol):
    """The files of the workspace, by their URIs."""

    def linked(self, name: str) -> Sequence[str]:
        """The files with symbols of a name that may be those of other files."""
        ...

    def snapshot(self, uri: str) -> Snapshot | None:
        """What a file holds now; None if it is gone."""
        ...


class _Alone:
    def linked(self, name: str) -> Sequence[str]:
        del name
        return ()

    def snapshot(self, uri: str) -> Snapshot | None:
        del uri
        return None


ALONE: Final[Workspace] = _Alone()
"""A workspace without files."""
