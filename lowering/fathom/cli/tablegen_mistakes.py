"""Mistakes in TableGen files, as llvm-tblgen shows them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from fathom.ir.locations import FileLineColLoc, LocationAttr, UnknownLoc
from fathom.messages.message import Message
from fathom.messages.source import Source
from fathom.tablegen.reading import Mistake, Reading


def show(reading: Reading, mistakes: Sequence[Mistake] | None = None) -> str:
    """What is wrong with what was read, or these mistakes, each message with its line, as llvm-tblgen shows it."""
    sources = {file.path: Source(file.path, file.text) for file in reading.files}
    return "".join(_shown(mistake, sources) for mistake in (reading.mistakes if mistakes is None else mistakes))


def _shown(mistake: Mistake, sources: Mapping[str, Source]) -> str:
    if mistake.location is None:
        text = f"{mistake.severity}: {mistake.message}\n"
    else:
        source = sources.get(mistake.location.file) or Source(mistake.location.file, "")
        text = source.render(Message(mistake.severity, mistake.message, _location(mistake)))
    return text + "".join(_shown(note, sources) for note in mistake.notes)


def _location(mistake: Mistake) -> LocationAttr:
    place = mistake.location
    return UnknownLoc() if place is None else FileLineColLoc(place.file, place.line, place.column)
