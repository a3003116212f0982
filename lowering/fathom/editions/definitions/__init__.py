"""What the definitions of MLIR's releases say of the dialects that the library describes by hand, facts only: with it
the definitions of any other MLIR are compared. `make dialects` writes it, of each release as the difference to the next
newer one.
"""

from __future__ import annotations

from fathom.editions.differences import applied
from fathom.editions.edition import NEWEST, OLDER
from fathom.text.files import beside, is_file, read_text


def definitions_of(release: str, name: str) -> str | None:
    """What the definitions of a release, "19", say of a dialect; None for one that is not described by hand."""
    file = beside(__file__, f"mlir-{NEWEST}", f"{name}.toml")
    if not is_file(file):
        return None
    text = read_text(file)
    for older in OLDER if release != NEWEST else ():
        file = beside(__file__, f"mlir-{older}", f"{name}.toml")
        text = applied(text, read_text(file)) if is_file(file) else text
        if older == release:
            break
    return text
