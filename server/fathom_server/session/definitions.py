"""What is known beside the library: the dialects that files describe, and the `.td` files that are open.

All of it is read in one piece of work, in slices of the event loop, whenever something that it is read from may have
changed; what did not change is not read again. Nobody waits for it but those who ask about a `.td` file.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Final, TypeVar

from fathom.descriptions.files import IRDL, DialectFile
from fathom.descriptions.places import Finding, Place
from fathom.descriptions.reading import DialectReader, Known, read_text
from fathom.descriptions.tablegen import findings_of
from fathom.records import record
from fathom.text.encodings import utf8
from fathom_server.model.settings import problems_of
from fathom_server.model.tablegen import TableGenDocument, TableGenSnapshot
from fathom_server.session.own_code.seen import Seen
from fathom_server.session.sources import Sources
from fathom_server.session.turns import Turns, tell

if TYPE_CHECKING:
    from fathom.diagnostics import Diagnostic
    from fathom.pipeline.language import Find

REST: Final = 0.1
"""Seconds without a change before what is open is read again with what is known now."""

_READING: Final = "fathom:definitions"
"""The turn of the work, among those of documents."""

T = TypeVar("T")


@record
class Looked:
    """What was found: what is known, the `.td` files that are open by their URIs, and what is wrong with files."""

    known: Known
    snapshots: dict[str, TableGenSnapshot]
    findings: tuple[Finding, ...]
    code: tuple[DialectFile, ...] = ()
    """Python that says more of the dialects, and may be run."""


class Definitions:
    """See the module. `programs` gives the texts of those of some files that are open as MLIR. `show` is called when
    what is wrong with files was found out anew, `take_over` when the dialects that are known are others; it gives what
    finds their passes."""

    def __init__(
        self,
        turns: Turns,
        programs: Callable[[Sequence[str]], Mapping[str, str]],
        show: Callable[[], None],
        take_over: Callable[[Known, Seen], Find],
    ) -> None:
        self.sources: Sources | None = None
        """Which files describe dialects; None until that was found out, and nothing is read before."""
        self.documents: dict[str, TableGenDocument] = {}
        self.looked = Looked(Known(), {}, ())
        self._turns = turns
        self._programs = programs
        self._show = show
        self._take_over = take_over
        self._reader = DialectReader()
        self._is_outdated = True
        self._waiting: list[Callable[[], None]] = []
        """Questions about what was not read yet."""
        self._taken_over = self._present
        self._taking: asyncio.TimerHandle | None = None
        self._seeing: asyncio.Task[None] | None = None
        self._seen = Seen()
        self._find: Find | None = None
        """What finds passes, from when it was seen what code says."""
        self._of_editions: tuple[Finding, ...] = ()
        self._faults: dict[str, tuple[Finding, ...]] = {}
        """What went wrong in code when it was called for open documents, by their URIs."""

    @property
    def findings(self) -> tuple[Finding, ...]:
        """What is wrong with files."""
        named = (*self.sources.findings, *self._unknown_passes(self.sources)) if self.sources is not None else ()
        faults = (finding for of_document in self._faults.values() for finding in of_document)
        found = (*named, *self.looked.findings, *self._seen.findings, *faults)
        return tuple(dict.fromkeys((*found, *self._of_editions)))

    def _unknown_passes(self, sources: Sources) -> Iterator[Finding]:
        """What is wrong with pipelines of projects, now that it is known which passes code has. While something is
        wrong with the code, nobody can tell."""
        find = self._find
        if find is None or self._seen.findings:
            return
        for project in sources.projects.values():
            if project.unless_known and problems_of(project.pipeline, find):
                yield from project.unless_known

    # ---- what changes

    def use(self, sources: Sources) -> None:
        """Takes over which files describe dialects."""
        self.sources = sources
        self.look()

    def open(self, document: TableGenDocument) -> None:
        """Takes in a file that was opened, or another version of it."""
        self.documents[document.uri] = document
        self.look()

    def close(self, uri: str) -> None:
        self.documents.pop(uri, None)
        self.look()

    def met(self, uri: str, faults: Iterable[Diagnostic]) -> None:
        """Takes over what goes wrong in code when it is called for a document; nothing for one that is closed."""
        code = {dialect_file.path: dialect_file for dialect_file in self.looked.code}
        findings = {finding: None for fault in faults if (finding := _fault(fault, code)) is not None}
        if tuple(findings) != self._faults.get(uri, ()):
            self._faults[uri] = tuple(findings)
            self._show()

    def tell_of_editions(self, findings: Sequence[Finding]) -> None:
        """Takes over what is wrong with the files of the MLIRs that are editions."""
        if (found := tuple(findings)) != self._of_editions:
            self._of_editions = found
            self._show()

    def look(self) -> None:
        """Sees to it that everything is read again that changed."""
        self._is_outdated = True
        if not self._turns.is_taken(_READING):
            self._read()

    # ---- questions

    def ask(self, uri: str, question: Callable[[TableGenSnapshot], T]) -> asyncio.Future[T | None]:
        """The answer to a question about the present version of an open file; None if it is closed meanwhile."""
        answer: asyncio.Future[T | None] = asyncio.get_running_loop().create_future()

        def act() -> None:
            if self._is_outdated or self._turns.is_taken(_READING):
                self._waiting.append(act)
            elif (snapshot := self.looked.snapshots.get(uri)) is None:
                tell(answer, lambda: None)
            elif not self._turns.later(uri, act):
                self._turns.take(uri, lambda: question(snapshot), lambda result: tell(answer, result))

        act()
        return answer

    # ---- the work

    def _read(self) -> None:
        sources, documents = self.sources, tuple(self.documents.values())
        if sources is None:
            return
        self._is_outdated = False
        programs = self._programs([path for path in sources.paths if path.endswith(IRDL)])
        self._turns.take(_READING, lambda: self._looked(sources, documents, programs), self._was_read)

    def _looked(self, sources: Sources, documents: Sequence[TableGenDocument], programs: Mapping[str, str]) -> Looked:
        buffers = {**programs, **{document.path: document.text for document in documents}}
        known = self._reader.read(sources.paths, sources.includes, buffers)
        findings = dict.fromkeys(known.findings)
        snapshots: dict[str, TableGenSnapshot] = {}
        for document in documents:
            reading = self._reader.reading(document.path, sources.includes, buffers)
            former = self.looked.snapshots.get(document.uri)
            is_same = former is not None and former.reading is reading and former.document == document
            snapshots[document.uri] = former if former is not None and is_same else TableGenSnapshot(document, reading)
            findings |= dict.fromkeys(findings_of(document.path, reading))
        texts = ((path, read_text(path)) for path in sources.code)
        code = tuple(DialectFile(path, text) for path, text in texts if text is not None)
        return Looked(known, snapshots, tuple(findings), code)

    def _was_read(self, result: Callable[[], Looked]) -> None:
        self.looked = result()
        if self._is_outdated:
            self._read()
            return
        waiting, self._waiting = self._waiting, []
        for act in waiting:
            act()
        self._show()
        if self._taking is not None:
            self._taking.cancel()
        self._taking = asyncio.get_running_loop().call_later(REST, self._take) if self._has_changed() else None

    @property
    def _present(self) -> tuple[tuple[DialectFile, ...], tuple[DialectFile, ...]]:
        """What describes dialects now, and what says more of them."""
        return self.looked.known.files, self.looked.code

    def _has_changed(self) -> bool:
        return self._present != self._taken_over

    def _take(self) -> None:
        self._taking = None
        if not self._has_changed():
            return
        self._taken_over = self._present
        if self._seeing is not None:
            self._seeing.cancel()
            self._seeing = None
        known, code = self.looked.known, self.looked.code
        if code:
            self._seeing = asyncio.get_running_loop().create_task(self._see(known, code))
        else:
            self._was_seen(known, Seen())

    async def _see(self, known: Known, code: tuple[DialectFile, ...]) -> None:
        """Takes over dialects with what code says of them, which is run elsewhere to find out."""
        from fathom_server.session.own_code.asking import see

        self._was_seen(known, await see(known.files, code))

    def _was_seen(self, known: Known, seen: Seen) -> None:
        self._seen = seen
        self._find = self._take_over(known, seen)
        self._show()


def _fault(fault: Diagnostic, code: Mapping[str, DialectFile]) -> Finding | None:
    """What went wrong in a module, from the place where it did to the end of the line; None of another file."""
    place = fault.place
    file = code.get(place.file) if place is not None else None
    if place is None or file is None:
        return None
    lines = file.text.split("\n")
    line = lines[place.line - 1].rstrip() if place.line <= len(lines) else ""
    # The column counts bytes. That of a whole line is that of its first word.
    start = len(utf8(line)[: place.column - 1].decode("utf-8", "replace")) or len(line) - len(line.lstrip())
    message = "\n".join([fault.message, *(note.message for note in fault.notes)])
    return Finding(message, Place(file.path, place.line - 1, start, max(start, len(line)), line))
