"""Dialects that the user describes, in files of their own (`docs/dialects.md`)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from types import MappingProxyType

from fathom.irdl.description import Description
from fathom.irdl.dialect import Dialect
from fathom.irdl.sections import Mistake
from fathom.records import record, replace


@record
class DialectFile:
    """A file that describes a dialect: where it is, and its text."""

    path: str
    text: str


@record
class Described:
    """What files say: the dialects by name, and by file what is wrong with them."""

    dialects: Mapping[str, Dialect] = MappingProxyType({})
    mistakes: Mapping[str, tuple[Mistake, ...]] = MappingProxyType({})


def read_files(files: Iterable[DialectFile]) -> Described:
    """The dialects that files describe. Of a dialect that several describe, the first one counts, and it is a mistake
    in the others. What is wrong in a file is not defined, and the rest of it is."""
    dialects: dict[str, Dialect] = {}
    described: dict[str, str] = {}
    mistakes: dict[str, tuple[Mistake, ...]] = {}
    for file in files:
        description = Description(file.text, file.path)
        found = list(description.check())
        name = description.name
        if name in described:
            found.append(
                description.sections.mistake(f"'{name}' is described in {described[name]} too", "", "", "dialect")
            )
        elif name:
            described[name] = file.path
            # What is wrong is not defined, and its uses are none the worse for it.
            dialects[name] = replace(description.dialect(), complete=not (found or description.allows_unknown))
        if found:
            mistakes[file.path] = tuple(found)
    return Described(dialects, mistakes)
