"""A description of a dialect that nobody has described, made from the uses of its operations."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from fathom.descriptions.files import DialectFile, dialects_in
from fathom.ir.operation import Operation
from fathom.irdl.drafts import drafted
from fathom_server.model.document import Document
from fathom_server.model.elaboration import elaborated
from fathom_server.model.mistakes import diagnostics
from fathom_server.model.snapshot import Snapshot

MOST_TRIED: Final = 60
"""Of no more operations than this each syntax is tried by itself."""


def described(snapshot: Snapshot, dialect: str, texts: Sequence[str]) -> str | None:
    """The description of a dialect, the text of a file, from its uses in these texts; None if it has none. It makes no
    mistake of anything that was none in them: an operation whose text it might misread is kept as it is written."""
    context, settings = snapshot.context, snapshot.settings
    documents = [Document(f"file:///{index}.mlir", 0, text, context, settings) for index, text in enumerate(texts)]
    uses = [op for document in documents for op in _uses(document, dialect)]
    if not uses:
        return None
    before = _errors(documents)

    def is_harmless(text: str) -> bool:
        known = context
        for dialect_module in dialects_in([DialectFile(dialect, text)]).values():
            known = known.with_dialect(dialect_module)
        return (
            _errors([Document(document.uri, 0, document.tree.text, known, settings) for document in documents])
            <= before
        )

    draft = drafted(dialect, uses)
    if is_harmless(draft):
        return draft
    names = sorted({op.name.partition(".")[2] for op in uses})
    kept = set(names)
    for name in names if len(names) <= MOST_TRIED else ():
        if is_harmless(drafted(dialect, uses, frozenset(kept - {name}))):
            kept.remove(name)
    return drafted(dialect, uses, frozenset(kept))


def _uses(document: Document, dialect: str) -> Iterator[Operation]:
    """The operations of a dialect in a document."""
    snapshot = document.snapshot()
    for item in document.tree.items:
        for root in elaborated(snapshot, item).operations:
            yield from (op for op in root.walk() if op.name.startswith(f"{dialect}."))


def _errors(documents: Sequence[Document]) -> set[tuple[str, int, str]]:
    """The errors in documents, by the document, the item and the message."""
    errors: set[tuple[str, int, str]] = set()
    for document in documents:
        snapshot = document.snapshot()
        for index, item in enumerate(document.tree.items):
            errors |= {
                (document.uri, index, diagnostic.message)
                for diagnostic in diagnostics(snapshot, item)
                if diagnostic.severity == "error"
            }
    return errors
