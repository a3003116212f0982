"""The texts that are read: files on disk, and the buffers of an editor over them."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

from fathom.tablegen.records import Location
from fathom.tablegen.tokens import Chunk, chunk_at
from fathom.text.lines import Lines

_MOST_KEPT: Final = 512
"""Texts whose chunks are kept."""


class Text:
    """A text, with the chunks that were found in it."""

    def __init__(self, text: str) -> None:
        self.text = text
        self._chunks: dict[int, Chunk] = {}
        self._lines = Lines(text)

    def chunk(self, offset: int) -> Chunk:
        """The tokens from an offset on."""
        chunk = self._chunks.get(offset)
        if chunk is None:
            chunk = self._chunks[offset] = chunk_at(self.text, offset)
        return chunk

    def location(self, file: str, offset: int) -> Location:
        """Line and column of an offset; columns count bytes."""
        return Location(file, *self._lines.place(offset))

    def line(self, number: int) -> str:
        """A line, without its end."""
        return self._lines.line(number)


class Texts:
    """Texts by what is in them, and files as they were when they were last looked at. A file is read again when its
    time or size changed."""

    def __init__(self) -> None:
        self._by_content: dict[bytes, Text] = {}
        self._files: dict[str, tuple[tuple[int, int], Text]] = {}

    def text(self, content: str) -> Text:
        """The text of a content, the same one for the same content."""
        key = hashlib.blake2b(content.encode("utf-8", "surrogatepass"), digest_size=20).digest()
        text = self._by_content.pop(key, None)
        if text is None:
            text = Text(content)
            while len(self._by_content) >= _MOST_KEPT:
                del self._by_content[next(iter(self._by_content))]
        self._by_content[key] = text
        return text

    def file(self, path: str) -> Text | None:
        """The text of a file; None where there is none that can be read."""
        try:
            status = Path(path).stat()
            stamp = (status.st_mtime_ns, status.st_size)
            known = self._files.get(path)
            if known is not None and known[0] == stamp:
                return known[1]
            if not Path(path).is_file():
                return None
            content = Path(path).read_bytes().decode("utf-8", "surrogateescape")
        except (OSError, ValueError):
            return None
        text = self.text(content)
        self._files[path] = (stamp, text)
        return text


class Library:
    """Where one reading finds files: the open buffers, the folders that includes are looked up in, and the disk."""

    def __init__(self, texts: Texts, folders: Sequence[str], buffers: Mapping[str, str]) -> None:
        self._texts = texts
        self._folders = tuple(folders)
        self._buffers = {str(path): text for path, text in buffers.items()}

    def open(self, path: str) -> Text | None:
        """The text of a path."""
        buffer = self._buffers.get(path) if "/../" not in path else self._buffers.get(os.path.normpath(path))
        return self._texts.text(buffer) if buffer is not None else self._texts.file(path)

    def include(self, name: str) -> tuple[str, Text] | None:
        """The file that `include "name"` means, with its path: the name as it is, or in one of the folders."""
        for path in (name, *(os.path.join(folder, name) for folder in self._folders)):  # noqa: PTH118 (in every reading)
            text = self.open(path)
            if text is not None:
                return path, text
        return None
