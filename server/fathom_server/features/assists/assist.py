"""What an assist is: something that can be done about a selection, offered at once and made when it is chosen."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Final, TypeAlias

from fathom.records import record
from fathom_server.features.assists.selection import Selection
from fathom_server.features.edits import Refusal, Replacement

QUICK_FIX: Final = "quickfix"
EXTRACT: Final = "refactor.extract"
INLINE: Final = "refactor.inline"
REWRITE: Final = "refactor.rewrite"

Argument: TypeAlias = "str | int"
Made: TypeAlias = "list[Replacement] | Refusal"


@record
class Offer:
    """A title, and what the assist is to know when it is chosen: offsets of the document, and names."""

    title: str
    arguments: tuple[Argument, ...] = ()


@record
class Assist:
    """An assist by its name in messages. `offered` says at little cost what can be done about a selection; `make` gets
    a snapshot of the same version and the arguments of an offer, which are of the types `arguments`, and gives the
    edit, in the order of the text, or why there is none."""

    name: str
    kind: str
    offered: Callable[[Selection], Iterable[Offer]]
    make: Callable[..., Made]
    arguments: tuple[type[str] | type[int], ...] = ()
    may_refuse: bool = True
    """Whether it can turn out when it is made that what was offered is not possible."""
