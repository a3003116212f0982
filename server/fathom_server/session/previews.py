"""The previews of a document that a client has: their last good texts, and which of them an edit made others."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

from fathom.records import record

if TYPE_CHECKING:
    from fathom.syntax.sequence import ChunkedSequence
    from fathom.syntax.tree import Item
    from fathom_server.model.snapshot import Snapshot

Key: TypeAlias = "tuple[str, str | None, bool]"
"""A stage, a function, where None is the whole document, and whether a part of it is wanted."""


@record(frozen=False)
class Shown:
    """The last good text of a preview, with the version and the map that it was sent with; empty if there was none
    yet. All but the version are JSON, as they were sent."""

    text: str
    version: int
    map: str
    part: str = ""
    """Where the part stands that it shows; empty if it shows no part."""


class Previews:
    """The previews that a client has. It is told which of them may be others, and asks for these again."""

    def __init__(self) -> None:
        self._shown: dict[Key, Shown] = {}
        self._told: ChunkedSequence[Item] | None = None
        """The items of the version of which the client was told last; what stands behind the first that is another one
        may have moved."""

    def __bool__(self) -> bool:
        return bool(self._shown)

    def shown(self, key: Key, snapshot: Snapshot) -> Shown:
        """What the client has of a preview that it asks for in a version; an empty text if it has none yet."""
        if not self._shown:
            self._told = snapshot.tree.items
        return self._shown.setdefault(key, Shown('""', snapshot.version, "[]"))

    def close(self, key: Key) -> None:
        """The client has one no more."""
        self._shown.pop(key, None)

    def close_all(self) -> None:
        """The client has none any more."""
        self._shown.clear()

    def others(self, snapshot: Snapshot) -> set[str]:
        """The functions whose previews may be others in a version than in that of which the client was told last, or
        whose places in the source may be; it is told of this one now."""
        from fathom_server.features.preview import has_changed, has_moved
        from fathom_server.features.stages import stages

        items = snapshot.tree.items
        first = self._told.difference(items)[0] if self._told is not None else 0
        self._told = items
        known = {stage.id: stage for stage in stages(snapshot)}
        names: set[str] = set()
        for id, name, is_part in self._shown:
            if name is not None and name not in names:
                stage = known.get(id)
                if (
                    stage is None
                    or is_part
                    or has_changed(snapshot, stage, name)
                    or has_moved(snapshot, stage, name, first)
                ):
                    names.add(name)
        return names
