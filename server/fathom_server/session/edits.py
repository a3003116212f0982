"""Edits as clients make them: where one stands is found out when its turn has come."""

from __future__ import annotations

from collections.abc import Callable

from fathom.records import record
from fathom_server.model.document import Document, TextChange
from fathom_server.session.opened import SHORT

Locate = Callable[[Document], "tuple[tuple[int, int], tuple[int, int]]"]


@record
class Edit:
    """A change of text. `locate` gives the start and the end of what is replaced, each a line and a column in
    characters; None replaces everything. It is asked when the edit's turn comes, since positions count in the text
    after the edits before it."""

    text: str
    locate: Locate | None = None

    def placed(self, document: Document) -> TextChange:
        """The edit where it stands in a text."""
        return TextChange(self.text, *self.locate(document)) if self.locate is not None else TextChange(self.text)

    def is_in_long_line(self, document: Document) -> bool:
        """Whether the line that it begins in may take long to read."""
        return self.locate is not None and len(document.tree.line(self.locate(document)[0][0])) > SHORT
