"""What took long to make, kept on disk between runs: machine code, what is known of a program without lowering it, and
what the definitions of an MLIR say.

    kept = here()
    made = kept.get(name) if kept is not None else None

`places` says where it is kept, `secret` by what entries are told from what others put there, `folder` keeps, and
`stamp` says what all of it follows from. It is for systems that have folders as POSIX has them; elsewhere nothing is
kept.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from fathom.kept.places import is_on, places

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from fathom.kept.folder import Kept


def here() -> Kept | None:
    """What is kept for the user, unless the environment says that nothing is, or nothing can be."""
    from fathom.kept.folder import Kept, opened

    place = places() if is_on() else None
    kept = opened(place) if place is not None else None
    return kept if isinstance(kept, Kept) else None


def remembered(parts: Sequence[str], make: Callable[[], bytes]) -> bytes:
    """What is made of these parts, from before where it is kept."""
    from fathom.kept.folder import name_of

    kept = here()
    if kept is None:
        return make()
    name = name_of(*parts)
    data = kept.get(name)
    if data is None:
        data = make()
        kept.put(name, data)
    return data
