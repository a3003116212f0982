"""An edition that is a folder: the release that it is nearest to, with what the definitions in it have otherwise.

Which one is meant says a *key*: the path of the folder, and what says that all its `.td` files are as they were. Other
files make another key, and so another edition; what did not change is known for both.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final

from fathom.cached import cached_property
from fathom.dialects import dialect_names
from fathom.editions.edition import NEWEST, OLDER, Edition, Source, edition, nearest, with_difference
from fathom.editions.folder.listing import Listing, beginning_of, listed
from fathom.editions.folder.owners import files_by_dialect, inputs_of, scanned
from fathom.editions.folder.places import BEHIND, NoMlir, Place, find
from fathom.editions.folder.reading import Base, Said, gone_dialects, read
from fathom.ir.language import TODAY, Language
from fathom.irdl.code import DialectCode
from fathom.kept import here
from fathom.kept.folder import name_of
from fathom.kept.stamp import stamp_of_fathom
from fathom.records import record
from fathom.tablegen.reading import Mistake
from fathom.tablegen.records import Location
from fathom.tablegen.sources import Texts

if TYPE_CHECKING:
    from types import ModuleType

_KEPT: Final = 4
"""So many editions of folders a process remembers."""
_STAMP: Final = 16


@record(eq=False)
class _Owners:
    """The files that define each dialect, by its name, and of each all that are read for it."""

    files: Mapping[str, tuple[str, ...]]
    inputs: Mapping[str, tuple[str, ...]]


class FolderEdition(Edition):
    """The dialects of an MLIR on disk."""

    def __init__(self, key: str, listing: Listing, release: str) -> None:
        super().__init__(release, edition(release))
        self.key = key
        self.place: Final = listing.place
        self.listing: Final = listing
        self._said: Final[dict[str, Said]] = {}
        self._texts: Final = Texts()

    @property
    def language(self) -> Language:
        """That of the nearest release."""
        return self.newer.language if self.newer is not None else TODAY

    def dialect_names(self) -> tuple[str, ...]:
        """The names of its dialects, in their order; none is read."""
        return tuple(sorted({*self._known, *self.defined} - self._gone))

    @property
    def defined(self) -> tuple[str, ...]:
        """The names of the dialects that the files define and that can be read."""
        return tuple(name for name in self._owners.files if name not in _BY_CODE)

    def said(self, name: str) -> Said:
        """What the files say of a dialect, which they define: read now, or kept from before."""
        if name not in self._said:
            self._said[name] = self._read_or_kept(name)
        return self._said[name]

    def take(self, name: str, data: bytes) -> None:
        """Takes over what another process read of a dialect (`data_of`)."""
        self._said[name] = _said_in(data)

    def where_defined(self, kind: str, dialect: str, name: str) -> Location | None:
        """Where an operation, a type or an attribute is defined."""
        return self.said(dialect).places.get((kind, name)) if dialect in self.defined else None

    # ---- as editions have it

    @property
    def _known(self) -> tuple[str, ...]:
        return self.newer.dialect_names() if self.newer is not None else dialect_names()

    @cached_property
    def _gone(self) -> frozenset[str]:
        return gone_dialects(self._known, self._owners.files, _BY_CODE) if self.listing.is_whole else frozenset()

    def _difference(self, name: str) -> str | None:
        return self.said(name).difference if name in self._owners.files and name not in _BY_CODE else None

    def _module(self, name: str) -> ModuleType | None:
        del name  # No code is taken from a folder.
        return None

    # ---- what is read

    @cached_property
    def _owners(self) -> _Owners:
        name = name_of("owners", stamp_of_fathom(), self.listing.stamp)
        kept = here()
        if kept is not None and (data := kept.get(name)) is not None:
            return _owners_in(data)
        files = {name: scanned(beginning_of(path)) for name, path in self.listing.files.items()}
        by_dialect = files_by_dialect(files)
        owners = _Owners(by_dialect, {dialect: inputs_of(names, files) for dialect, names in by_dialect.items()})
        if kept is not None:
            kept.put(name, json.dumps([owners.files, owners.inputs]).encode())
        return owners

    def _name_of(self, name: str) -> str:
        """Under which what is said of a dialect is kept: by all that it follows from."""
        files = self._owners.files[name]
        states = (f"{each}\0{self.listing.states.get(each, '')}" for each in self._owners.inputs[name])
        return name_of(
            "edition", stamp_of_fathom(), self.name, self.place.release, name, *self.place.folders, *files, "", *states
        )

    def _read_or_kept(self, name: str) -> Said:
        kept, entry = here(), self._name_of(name)
        data = kept.get(entry) if kept is not None else None
        if data is not None:
            return _said_in(data)
        paths = [self.listing.files[file] for file in self._owners.files[name]]
        inputs = [path for file in self._owners.inputs[name] if (path := self.listing.files.get(file)) is not None]
        said = read(name, paths, inputs, self.place.folders, self._texts, self._base(name))
        if kept is not None:
            kept.put(entry, data_of(said))
        return said

    def _base(self, name: str) -> Base:
        before = self._before(name) or Source("", DialectCode())
        behind = int(self.place.release or self.name)
        return Base(self.name, behind, before.text or "", before.code, lambda text: with_difference(name, before, text))


_BY_CODE: Final = ("builtin", "dlti")
"""The dialects that no description says, whatever their definitions are."""


# ---- on disk


def _owners_in(data: bytes) -> _Owners:
    files, inputs = json.loads(data)
    return _Owners(*({name: tuple(of) for name, of in table.items()} for table in (files, inputs)))


def data_of(said: Said) -> bytes:
    """What files say of a dialect, for a file or another process."""
    files = {place.file: None for place in said.places.values()}
    number = {file: index for index, file in enumerate(files)}
    places = [[*key, number[at.file], at.line, at.column] for key, at in said.places.items()]
    return json.dumps([said.difference, [_plain(mistake) for mistake in said.mistakes], [*files], places]).encode()


def _plain(mistake: Mistake) -> list[object]:
    at = mistake.location
    where = [at.file, at.line, at.column] if at is not None else None
    return [mistake.message, where, mistake.severity, [_plain(note) for note in mistake.notes]]


def _said_in(data: bytes) -> Said:
    difference, mistakes, files, listed_places = json.loads(data)
    places = {(kind, name): Location(files[file], line, column) for kind, name, file, line, column in listed_places}
    return Said(difference, tuple(map(_mistake_in, mistakes)), places)


def _mistake_in(plain: Sequence[Any]) -> Mistake:
    message, where, severity, notes = plain
    return Mistake(message, Location(*where) if where is not None else None, severity, tuple(map(_mistake_in, notes)))


# ---- by key


def key_of(place: Place) -> str:
    """The key of an MLIR as it is now."""
    return f"{place.named}{BEHIND}{listed(place).stamp[:_STAMP]}"


@lru_cache(_KEPT)
def folder_edition(key: str) -> FolderEdition:
    """The edition of a key; that of today where the folder has no MLIR any more."""
    named = key.rpartition(BEHIND)[0]
    try:
        place = find(named)
    except NoMlir:
        return FolderEdition(key, Listing(Place(named, ()), {}, {}), NEWEST)
    return FolderEdition(key, listed(place), release_of(place))


def release_of(place: Place) -> str:
    """The release that an MLIR is nearest to: the newest where nothing says, and the oldest for one that is older."""
    return nearest(place.release, between=()) or (OLDER[-1] if place.release else NEWEST)
