"""The editions that there are, by the names that contexts know them by."""

from __future__ import annotations

from fathom.editions.edition import Edition, edition
from fathom.editions.folder.places import BEHIND, is_key


def folder_of(name: str) -> str:
    """The path of the folder whose key a name is; empty for that of a release."""
    return name.rpartition(BEHIND)[0] if is_key(name) else ""


def find_edition(name: str) -> Edition | None:
    """The edition of a name, "19", or of the key of a folder (`folder/layer.py`); None for the library's own. Raises
    KeyError where there is none, and NoMlir."""
    if not is_key(name):
        return edition(name)
    from fathom.editions.folder.layer import folder_edition

    return folder_edition(name)
