"""Whether an edit leaves what a document means as it is."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from contextlib import contextmanager

from fathom.ir.printer import print_op
from fathom.ir.printing_flags import COMPARED_FLAGS
from fathom.syntax.tree import Item
from fathom_server.features.edits import Replacement, edited
from fathom_server.model.document import Document
from fathom_server.model.elaboration import elaborated
from fathom_server.model.mistakes import first_error
from fathom_server.model.snapshot import Snapshot


@contextmanager
def after(snapshot: Snapshot, edit: Sequence[Replacement]) -> Generator[Snapshot, None, None]:
    """The document after an edit whose replacements are in the order of the text. It is closed at the end, so that the
    garbage collector has nothing to do with it."""
    text = edited(snapshot.tree.text, edit)
    document = Document(snapshot.uri, snapshot.version, text, snapshot.context, snapshot.settings)
    try:
        yield document.snapshot()
    finally:
        document.close()


def means_the_same(snapshot: Snapshot, edit: Sequence[Replacement]) -> bool:
    """Whether the document means the same after an edit."""
    with after(snapshot, edit) as now:
        return is_same(snapshot, now)


def error_after(snapshot: Snapshot, edit: Sequence[Replacement]) -> str | None:
    """The message of an error that there would be after an edit and is not now; None if there is none."""
    with after(snapshot, edit) as now:
        return new_error(snapshot, now)


def is_same(before: Snapshot, now: Snapshot) -> bool:
    """Whether two documents have the same operations in the same order, whatever they look like. Only items whose texts
    differ are looked at."""
    old, new = _statements(before), _statements(now)
    if len(old) != len(new):
        return False
    for one, other in zip(old, new, strict=True):
        if one.text != other.text and not _is_same_item(before, one, now, other):
            return False
    return True


def _statements(snapshot: Snapshot) -> list[Item]:
    """The items that say something but what aliases stand for."""
    return [item for item in snapshot.tree.items if elaborated(snapshot, item).operations]


def _is_same_item(before: Snapshot, old: Item, now: Snapshot, new: Item) -> bool:
    if first_error(now, new) is not None:
        return False
    return _printed(before, old) == _printed(now, new)


def _printed(snapshot: Snapshot, item: Item) -> list[str]:
    return [print_op(op, COMPARED_FLAGS) for op in elaborated(snapshot, item).operations]


def new_error(before: Snapshot, now: Snapshot) -> str | None:
    """The message of an error that there is now and was not before; None if there is none."""
    had: dict[str, int] = {}
    for item in before.tree.items:
        if (error := first_error(before, item)) is not None:
            had[error.message] = had.get(error.message, 0) + 1
    for item in now.tree.items:
        if (error := first_error(now, item)) is not None:
            had[error.message] = had.get(error.message, 0) - 1
            if had[error.message] < 0:
                return error.message.partition("\n")[0]
    return None
