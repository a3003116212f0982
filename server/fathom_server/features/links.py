"""Links to the files that locations name, such as `loc("kernel.py":3:4)`, where these files are there."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Final

from fathom.elaborate.failure import ElaborationFailure
from fathom.elaborate.literals import unquote
from fathom.records import record
from fathom.slices import paced
from fathom.syntax.shapes import Shape
from fathom_server.model.snapshot import Snapshot
from fathom_server.model.trees import trees_in

MOST_FILES: Final = 200
"""Of no more files than this it is looked up whether they are there."""


@record
class Link:
    """The text between two offsets, with the file that it names; `line` and `column` count from 1."""

    start: int
    end: int
    path: Path
    line: int
    column: int


def links(snapshot: Snapshot, folder: Path | None) -> list[Link]:
    """The links of a document in a folder; without one, only files with a whole path are found."""
    known: dict[str, Path | None] = {}
    file_links: list[Link] = []
    for item, start in snapshot.tree.items.with_offsets():
        for piece, offset in item.pieces.with_offsets():
            locations = piece.shape.known(_file_locations)
            if not locations:
                continue
            tokens, spans = piece.tokens(), piece.token_spans()
            for name, line, column in locations:
                path = _path(tokens[name].text, folder, known)
                if path is not None:
                    first, last = (start + offset + span for span in spans[name])
                    at = (int(tokens[token].text[:9]) if token is not None else 0 for token in (line, column))
                    file_links.append(Link(first + 1, last - 1, path, *at))
    return file_links


def _path(text: str, folder: Path | None, known: dict[str, Path | None]) -> Path | None:
    """The file that a string names, if it is there."""
    if text not in known:
        known[text] = _looked_up(text, folder) if len(known) < MOST_FILES else None
    return known[text]


def _looked_up(text: str, folder: Path | None) -> Path | None:
    try:
        path = Path(unquote(text))
        if folder is None and not path.is_absolute():
            return None
        target = path if folder is None else folder / path
        return target if target.is_file() else None
    except (ElaborationFailure, OSError, ValueError):
        return None


def _file_locations(shape: Shape) -> tuple[tuple[int, int, int | None], ...]:
    """The locations with a file in the statements of a shape: the tokens of its name, the line and the column."""
    return tuple(_locations(shape))


def _locations(shape: Shape) -> Iterator[tuple[int, int, int | None]]:
    for tree, shift in trees_in(shape):
        for node in paced(tree.walk()):
            if node.kind == "file_location":
                name, *numbers = [leaf.ref + shift for leaf in node.leaves if leaf.type in ("STRING", "INTEGER")]
                if numbers:
                    yield name, numbers[0], numbers[1] if len(numbers) > 1 else None
