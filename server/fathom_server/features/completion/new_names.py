"""Names that are about to be given: those that the text uses already and nothing defines, the next number, and those
that are given elsewhere and are free here."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from itertools import count
from typing import Final

from fathom.elaborate.sites import site_of
from fathom.ir.operation import Region
from fathom.records import NamedTuple
from fathom_server.features.completion.inquiry import Inquiry
from fathom_server.features.completion.suggestion import Kind, Suggestion
from fathom_server.model.aliases import aliases_for
from fathom_server.model.scoping import scope_at, symbols_in


class _Names(NamedTuple):
    """The names that are used here and not defined, and what says whether one is taken by something else."""

    needed: tuple[str, ...]
    is_taken: Callable[[str], bool]


_NUMBERED: Final = {"%": "%", "^": "^bb"}
"""What the numbered names begin with, where names are numbered."""
_KINDS: Final[Mapping[str, Kind]] = {"%": "value", "^": "block", "@": "function", "!": "type", "#": "attribute"}


def new_names(inquiry: Inquiry) -> Iterator[Suggestion]:
    """The names with the sign of a position that can be given there."""
    sign = inquiry.position.sign
    kind = _KINDS[sign]
    names = _NAMES[sign](inquiry)
    # A signature is not whole yet, so its names are not known.
    met = {token.text for token in inquiry.position.before if token.kind == "VALUE"}
    for name in names.needed:
        yield Suggestion(name, kind, "used, and not defined")
    if sign in _NUMBERED:
        numbered = (f"{_NUMBERED[sign]}{number}" for number in count())
        yield Suggestion(next(name for name in numbered if name not in met and not names.is_taken(name)), kind)
    for text in inquiry.near.ordered:
        name = text.partition("#")[0] or text
        if name.startswith(sign) and name not in met and (sign not in "!#" or "." not in name):
            if not names.is_taken(name):
                yield Suggestion(name, kind)


def _is_free(name: str) -> bool:
    """Where nothing is known of the names around, none is taken."""
    del name
    return False


def _values(inquiry: Inquiry) -> _Names:
    known, place = inquiry.known, inquiry.place
    scope = known.scopes.get(place.region) if place is not None and place.region is not None else None
    if place is None or scope is None:
        return _Names((), _is_free)
    around = set(_around(place.region))

    def is_taken(name: str) -> bool:
        """Whether a value is visible by a name, here or in a region of what stands here."""
        for region in scope.regions_of(name):
            if site_of(scope.tables[region][name][0]) is not place.site:
                if region in around or any(outer is place.region for outer in _around(region)):
                    return True
        return False

    needed = dict.fromkeys(name.partition("#")[0] for name in scope.undeclared)
    return _Names(tuple(name for name in needed if not is_taken(name)), is_taken)


def _around(region: Region | None) -> Iterator[Region]:
    """A region and those around it, from the innermost on."""
    while region is not None:
        yield region
        region = region.parent.parent_region if region.parent is not None else None


def _blocks(inquiry: Inquiry) -> _Names:
    known, place = inquiry.known, inquiry.place
    labels = known.labels.get(place.region) if place is not None and place.region is not None else None
    if place is None or labels is None:
        return _Names((), _is_free)

    def is_taken(name: str) -> bool:
        return name in labels.defined and labels.places[name].site is not place.site

    return _Names(tuple(labels.forward), is_taken)


def _symbols(inquiry: Inquiry) -> _Names:
    snapshot, position = inquiry.snapshot, inquiry.position
    item = position.item
    at = position.start - snapshot.start_of(item)
    scope = scope_at(snapshot, item, at)

    def is_taken(name: str) -> bool:
        defined = symbols_in(snapshot, scope, name[1:])
        return any(other.item is not item or other.name_start != at for other in defined)

    return _Names((), is_taken)


def _aliases(inquiry: Inquiry) -> _Names:
    position = inquiry.position
    known = aliases_for(inquiry.snapshot, position.item)
    piece = position.item.pieces[position.index]

    def is_taken(name: str) -> bool:
        definition = known.definition(name)
        return definition is not None and definition[0] is not piece

    return _Names((), is_taken)


_NAMES: Final[Mapping[str, Callable[[Inquiry], _Names]]] = {
    "%": _values,
    "^": _blocks,
    "@": _symbols,
    "!": _aliases,
    "#": _aliases,
}
