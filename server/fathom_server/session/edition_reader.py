"""The process that reads the MLIR in a folder, `python -m fathom_server.session.edition_reader`.

Its path comes on standard input. To standard output go lines of JSON: first the key of what is there now
(`fathom.editions.folder.layer`) and the names of the dialects, then of each what its files say. What is too much for it
takes it down, and not the server.
"""

from __future__ import annotations

import json
import sys

from fathom.editions.folder.layer import data_of, folder_edition, key_of
from fathom.editions.folder.places import NoMlir, find


def main() -> None:
    """Reads and tells."""
    try:
        layer = folder_edition(key_of(find(sys.stdin.readline().rstrip("\n"))))
    except NoMlir:
        return
    _tell([layer.key, *layer.defined])
    for name in layer.defined:
        _tell([name, data_of(layer.said(name)).decode()])


def _tell(what: list[str]) -> None:
    sys.stdout.write(f"{json.dumps(what)}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    main()
