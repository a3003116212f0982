"""`fathom dialect check FOLDER`: an MLIR that is an edition, read as a whole (`docs/editions.md`)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fathom.editions.differences import gone_in, parts_of
from fathom.editions.folder.layer import folder_edition, key_of
from fathom.editions.folder.places import NoMlir, find

if TYPE_CHECKING:
    from fathom.cli.streams import Streams
    from fathom.editions.folder.reading import Said


def check_folder(folder: str, streams: Streams) -> int:
    """Says of each dialect that the MLIR in a folder defines what is otherwise than in the release that it is nearest
    to, and what is wrong with its files. Raises Exit where the folder has none."""
    try:
        layer = folder_edition(key_of(find(folder)))
    except NoMlir as problem:
        raise streams.fail(f"fathom dialect check: {problem}") from None
    wrong: dict[str, None] = {}
    for name in layer.defined:
        said = layer.said(name)
        streams.stdout.write(f"{name}: {_told(said, layer.name)}\n")
        for mistake in said.mistakes:
            at = mistake.location
            place = f"{at.file}:{at.line}:{at.column}: " if at is not None else ""
            wrong[f"{place}{mistake.severity}: {mistake.message}"] = None
    streams.stderr.write("".join(f"{line}\n" for line in wrong))
    return int(bool(wrong))


def _told(said: Said, release: str) -> str:
    if said.difference is None:
        return f"as in MLIR {release}"
    parts = parts_of(said.difference)
    counts = [
        ("operation", "operations", sum(kind == "op" for kind, _ in parts.tables)),
        ("other definition", "other definitions", sum(kind != "op" for kind, _ in parts.tables)),
    ]
    changed = [f"{count} {one if count == 1 else many}" for one, many, count in counts if count]
    told = [f"{' and '.join(changed)} unlike MLIR {release}"] if changed else []
    gone = [f"without {', '.join(sorted(name for _, name in gone_in(parts)))}"] if gone_in(parts) else []
    return "; ".join((*told, *gone)) or f"as in MLIR {release}, but for what may be unknown"
