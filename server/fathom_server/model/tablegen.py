"""An open `.td` file, and one version of it with what was read."""

from __future__ import annotations

from fathom.cached import cached_property
from fathom.records import record
from fathom.slices import paced
from fathom.tablegen.reading import Declared, Link, Reading, Span


@record
class TableGenDocument:
    """A version of an open `.td` file; `path` is where it is on disk."""

    uri: str
    path: str
    version: int
    text: str

    @property
    def lines(self) -> list[str]:
        """The lines, without their ends."""
        return self.text.split("\n")

    def edited(self, text: str, start: tuple[int, int] | None = None, end: tuple[int, int] | None = None) -> str:
        """The text with another in place of what stands between two points, each a line and a column in characters; of
        everything if there are none."""
        if start is None or end is None:
            return text
        return self.text[: self.offset(*start)] + text + self.text[self.offset(*end) :]

    def offset(self, line: int, column: int) -> int:
        """The offset of a point; what is beyond a line or the text is its end."""
        first = 0
        for _ in range(line):
            first = self.text.find("\n", first) + 1
            if not first:
                return len(self.text)
        last = self.text.find("\n", first)
        return min(first + column, last if last >= 0 else len(self.text))


@record(eq=False, slots=False)
class TableGenSnapshot:
    """A version of an open `.td` file, with all that was read for it."""

    document: TableGenDocument
    reading: Reading

    @property
    def path(self) -> str:
        return self.document.path

    @cached_property
    def texts(self) -> dict[str, str]:
        """The texts of all files that were read, by their paths."""
        return {self.path: self.document.text, **{file.path: file.text for file in self.reading.files}}

    @cached_property
    def declared(self) -> dict[tuple[str, int], Declared]:
        """What is declared at which place."""
        return {
            (declaration.span.file, declaration.span.start): declaration
            for declaration in paced(self.reading.declarations)
        }

    def declared_at(self, offset: int) -> Declared | None:
        """What the file declares by the name at an offset."""
        return next(
            (
                declaration
                for declaration in paced(self.reading.declarations)
                if _covers(declaration.span, self.path, offset)
            ),
            None,
        )

    def link_at(self, offset: int) -> Link | None:
        """The reference that the file has at an offset."""
        return next((link for link in paced(self.reading.links) if _covers(link.span, self.path, offset)), None)


def _covers(span: Span, path: str, offset: int) -> bool:
    return span.start <= offset <= span.end and span.file == path
