"""What open `.ll` files are in the LLVM dialect: their imports, made in a process beside the server, and the *images*
of these, documents in MLIR of which features of MLIR are asked.

A function is imported with what it names, and no more. Of a later version in which that is the same text, nothing is
made anew.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from functools import partial
from typing import Final, TypeVar

from fathom.context import Context
from fathom.records import record, replace
from fathom_server.model.document import Document
from fathom_server.model.llvm_ir.excerpt import Excerpt, Part, excerpt
from fathom_server.model.llvm_ir.imported import Imported
from fathom_server.model.llvm_ir.importing import Made
from fathom_server.model.llvm_ir.snapshot import LlvmSnapshot
from fathom_server.model.settings import Settings
from fathom_server.session.line_process import LineProcess
from fathom_server.session.turns import Turns

MOST_SECONDS: Final = 30.0
"""An import may take so long."""
MOST_IMAGES: Final = 8
"""Of a file the images are kept that were asked for last."""
K = TypeVar("K")
V = TypeVar("V")
_IMPORTER: Final = "fathom_server.session.importer"
_TOO_MUCH: Final = Made("", "the import takes too much")


class Importer:
    """A process that imports texts, one after the other. What it makes is asked for while one has its `turn`."""

    def __init__(self) -> None:
        self.turn: Final = asyncio.Lock()
        self._process: Final = LineProcess(_IMPORTER, MOST_SECONDS)
        self.end: Final = self._process.end

    async def made(self, text: str) -> Made:
        """What a text is in the LLVM dialect."""
        answer = await self._process.ask(json.dumps(text).encode())
        return Made(*json.loads(answer)) if answer is not None else _TOO_MUCH


@record(eq=False)
class Image:
    """A version of a file, or a part of it, as a document in MLIR; if that is empty, `imported` may say why."""

    source: LlvmSnapshot
    imported: Imported
    document: Document
    _context: Context
    _settings: Settings

    def is_of(self, imported: Imported, context: Context, settings: Settings) -> bool:
        """Whether it is that of an import, read with what is known and set now."""
        return self.imported.text == imported.text and self._context is context and self._settings == settings


class LlvmImages:
    """See the module. `documents` are the files that are open."""

    def __init__(
        self,
        documents: dict[str, LlvmSnapshot],
        turns: Turns,
        context: Callable[[], Context],
        settings_for: Callable[[str], Settings],
    ) -> None:
        self._documents = documents
        self._turns = turns
        self._context = context
        self._settings_for = settings_for
        self._whole = Importer()
        self._parts = Importer()
        """Nobody waits for a part until another file is imported as a whole."""
        self._images: dict[str, dict[Part | None, Image]] = {}
        """The images that were asked for, by the URIs of their files."""
        self._made: dict[str, dict[Part, tuple[str, Made]]] = {}
        """What became of excerpts, by the same."""

    def close(self, uri: str) -> None:
        """Forgets a file."""
        self._images.pop(uri, None)
        self._made.pop(uri, None)

    def end(self) -> None:
        """Ends the processes."""
        self._whole.end()
        self._parts.end()

    async def imported(self, uri: str) -> Imported | None:
        """What the present version of a file is in the LLVM dialect; None if it is closed."""
        async with self._whole.turn:
            while (snapshot := self._documents.get(uri)) is not None:
                if snapshot.imported is not None:
                    return snapshot.imported
                made = await self._whole.made(snapshot.tree.text)
                known = replace(snapshot, imported=Imported(snapshot.tree.units, made.text, made.reason))
                if self._documents.get(uri) is snapshot:
                    self._documents[uri] = known
        return None

    async def image(self, uri: str, part: Part | None) -> Image | None:
        """The image of the present version of a file, or of a part of it; None if it is closed."""
        while (snapshot := self._documents.get(uri)) is not None:
            imported = await (self.imported(uri) if part is None else self._imported_part(snapshot, part))
            image = await self._image(snapshot, imported, part) if imported is not None else None
            if image is not None:
                return image
        return None

    async def _imported_part(self, snapshot: LlvmSnapshot, part: Part) -> Imported:
        """What a part of a version is in the LLVM dialect."""
        uri = snapshot.uri
        await self._turns.until_free(uri)
        chosen = await self._turns.ask(uri, lambda: excerpt(snapshot, part))
        if chosen is None:
            return Imported((), "")
        async with self._parts.turn:
            known = self._made.setdefault(uri, {})
            text, made = known.pop(part, ("", None))
            if made is None or text != chosen.text:
                made = await self._parts.made(chosen.text)
            _keep(known, part, (chosen.text, made))
        return _imported(snapshot, chosen, made)

    async def _image(self, snapshot: LlvmSnapshot, imported: Imported, part: Part | None) -> Image | None:
        """The image of what a version is in the LLVM dialect; None if that is not the present one any more."""
        uri = snapshot.uri
        await self._turns.until_free(uri)
        present = self._documents.get(uri)
        if present is None or present.tree is not snapshot.tree:
            return None
        context, settings = self._context(), self._settings_for(uri)
        known = self._images.setdefault(uri, {})
        former = known.pop(part, None)
        if former is not None and former.is_of(imported, context, settings):
            image = replace(former, source=present, imported=imported)
        else:
            read = partial(Document, uri, 0, imported.text, context, settings)
            image = Image(present, imported, await self._turns.ask(uri, read), context, settings)
        _keep(known, part, image)
        return image


def _keep(known: dict[K, V], key: K, value: V) -> None:
    """Remembers the last things."""
    known[key] = value
    while len(known) > MOST_IMAGES:
        del known[next(iter(known))]


def _imported(snapshot: LlvmSnapshot, chosen: Excerpt, made: Made) -> Imported:
    """What was made of an excerpt; a mistake is said at its line in the file."""
    placed = made._replace(line=chosen.line_in(snapshot.tree, made.line)) if made.line else made
    return Imported(chosen.units, made.text, placed.reason, chosen.outlined)
