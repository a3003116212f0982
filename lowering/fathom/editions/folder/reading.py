"""What the `.td` files of an MLIR say of a dialect, as the difference to the release that it is nearest to.

What cannot be read, or means nothing here, is a mistake at its place in the file; what it is about stays as that
release has it, and all else counts.
"""

from __future__ import annotations

import os
import tomllib
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from typing import TYPE_CHECKING, Final, cast

from fathom.editions.definitions import definitions_of
from fathom.editions.differences import Parts, parts_of
from fathom.editions.edition import ADDITIONS
from fathom.editions.folder.listing import beginning_of
from fathom.editions.folder.owners import INCLUDE
from fathom.editions.laying import in_words_of_today, laid_over, table_in
from fathom.irdl.description import Description
from fathom.irdl.ods.reader import Tables, joined, left_open, tables_of
from fathom.irdl.sections import Table, Value
from fathom.irdl.toml_text import toml_text
from fathom.records import field, record, replace
from fathom.slices import rest
from fathom.tablegen.reading import Mistake, Reader
from fathom.tablegen.records import Location, Records
from fathom.tablegen.sources import Texts
from fathom.text.files import is_file, read_text

if TYPE_CHECKING:
    from fathom.irdl.code import DialectCode

_MOST_MISTAKES: Final = 100
"""So many mistakes of a dialect are told."""
_ROUNDS: Final = 4
"""So often what means nothing is left out, since that may have a meaning for something else."""
_INHERITED: Final = ("summary", "description", "result_names")
"""What stays said of an operation, unless the files say it: names of results, which C++ has, and Fathom's summaries."""


@record(eq=False)
class Said:
    """What a dialect has otherwise than in the nearest release, None for nothing; what is wrong with the files; and
    where operations, types and attributes are defined, by their kinds and the names that texts have for them."""

    difference: str | None
    mistakes: tuple[Mistake, ...] = ()
    places: Mapping[tuple[str, str], Location] = field(default_factory=dict[tuple[str, str], Location])


@record(eq=False)
class Base:
    """What a dialect is in the nearest release: the name of that, its description, empty where it does not have the
    dialect, and its code. `described` gives of a difference the description and what code of the release holds then.
    `behind` is the number of the release that the files themselves are of."""

    release: str
    behind: int
    text: str
    code: DialectCode
    described: Callable[[str], tuple[str, DialectCode]]


def read(
    name: str, paths: Sequence[str], inputs: Sequence[str], folders: Sequence[str], texts: Texts, base: Base
) -> Said:
    """What the files of these paths say of a dialect; `inputs` are all that they include as well. `folders` are where
    includes are looked up."""
    missing = _missing(inputs, folders)
    nothing = {os.path.join(folders[0], included): "" for included in missing}
    mistakes = list(missing.values())
    records: list[Records] = []
    for path in paths:
        reading = Reader(texts, keeps_going=True).read(path, (*folders, os.path.dirname(path)), nothing)
        records.append(reading.records)
        mistakes += reading.errors
        rest()
    tables = _tables(name, records, texts=False)
    own = in_words_of_today(_joined(name, tables, is_new=not base.text), base.behind)
    before = parts_of(base.text)
    reference = definitions_of(base.release, name)
    newer = parts_of(reference) if reference is not None else before
    own = Parts(own.top, {key: _inheriting(key, text, newer) for key, text in own.tables.items()})
    kept = _read_by_code(own, base.code)
    for key in (("op", name) for name in kept if ("op", name) not in newer.tables):
        del own.tables[key]  # The nearest release has no definition of it, and is described here all the same.
    is_whole = not mistakes
    made = laid_over(own, newer, before, base.code, kept, by_hand=reference is not None, is_whole=is_whole)
    made = _without_top_of(newer, made) if made is not None and reference is not None else made
    made = _with_new_values(name, own, newer, before, made)
    if made is None:
        return Said(None, tuple(mistakes[:_MOST_MISTAKES]), _places(tables))
    made, unknown = _without_mistakes(name, made, tables, base)
    made = _with_texts(made, before, _tables(name, records, texts=True))
    return Said(made.text, tuple(dict.fromkeys((*mistakes, *unknown)))[:_MOST_MISTAKES], _places(tables))


def _places(tables: Sequence[Tables]) -> dict[tuple[str, str], Location]:
    """Where definitions stand, by the names that texts have for them."""
    found: dict[tuple[str, str], Location] = {}
    for of in tables:
        for (kind, name), place in of.places.items():
            if kind in _PLURALS:
                mnemonic = of.tables.get(kind, {}).get(name, {}).get("mnemonic", name)
                found.setdefault((kind, str(mnemonic)), place)
    return found


def _missing(inputs: Sequence[str], folders: Sequence[str]) -> dict[str, Mistake]:
    """The files that are included and not there, such as those that a build makes, by their names. Nothing stands for
    them, so that what is around them is read."""
    missing: dict[str, Mistake] = {}
    for path in inputs:
        text = beginning_of(path)
        for include in INCLUDE.finditer(text):
            places = (os.path.join(folder, include[1]) for folder in (*folders, os.path.dirname(path)))
            if include[1] not in missing and not any(map(is_file, places)):
                line = text.count("\n", 0, include.start(1)) + 1
                column = include.start(1) - text.rfind("\n", 0, include.start(1)) - 1
                at = Location(path, line, column)
                missing[include[1]] = Mistake(f"could not find include file '{include[1]}'", at)
    return missing


def _without_top_of(newer: Parts, made: Parts) -> Parts | None:
    """A difference without what the definitions of the nearest release say of the dialect as a whole, too; None where
    nothing is left."""
    known = {key: value for key, value in table_in(newer.top).items() if key not in _ALWAYS}
    top = {key: value for key, value in table_in(made.top).items() if known.get(key) != value}
    return Parts(toml_text(top, {}), made.tables) if made.tables or top.keys() - _ALWAYS else None


_ALWAYS: Final = frozenset(("dialect", "checked"))
"""What stands at the top of each difference."""


def _with_new_values(name: str, own: Parts, newer: Parts, before: Parts, made: Parts | None) -> Parts | None:
    """A difference with the types and attributes that the nearest release does not have at all. Of those that only C++
    reads it says no more than that there are such."""
    new = {
        key: text
        for key, text in own.tables.items()
        if key[0] in ("type", "attribute") and key not in newer.tables and key not in before.tables
    }
    opaque = {key for key, text in new.items() if table_in(text).get("opaque")}
    if not new:
        return made
    top: Table = table_in(made.top) if made is not None else {"dialect": name, "checked": "declared"}
    top |= {f"allow_unknown_{kind}s": True for kind, _ in opaque if table_in(before.top).get("dialect")}
    changed = made.tables if made is not None else {}
    return Parts(toml_text(top, {}), {**{key: text for key, text in new.items() if key not in opaque}, **changed})


def _tables(name: str, records: Sequence[Records], *, texts: bool) -> list[Tables]:
    shared: dict[str, str] = {}
    classes: dict[str, str] = {}
    return [tables_of(of_file, name, shared, classes, texts=texts) for of_file in records]


def _joined(name: str, tables: Sequence[Tables], *, is_new: bool) -> str:
    """The description that tables make, with what only C++ says of the dialect in the releases that are known."""
    added = dict(_additions().get(name, {}))
    added.pop("result_names", None)
    operations = cast("Mapping[str, Table]", added.pop("operations", {}))
    top = {**left_open(tables), **added} if is_new else added
    return joined(name, tables, top, operations)


@cache
def _additions() -> Mapping[str, Table]:
    return cast("Mapping[str, Table]", tomllib.loads(read_text(ADDITIONS)))


def _inheriting(key: tuple[str, str], text: str, newer: Parts) -> str:
    """A table with what stays said of an operation that the nearest release has."""
    other = newer.tables.get(key)
    if key[0] != "op" or other is None:
        return text
    known, own = table_in(other), table_in(text)
    more = {what: known[what] for what in _INHERITED if what in known and what not in own}
    return _text(key, _ordered({**own, **more}, known)) if more else text


def _ordered(table: Table, like: Table) -> Table:
    """A table with its keys in the order of another, so that their texts can be compared."""
    return {
        key: table[key] for key in (*(key for key in like if key in table), *(key for key in table if key not in like))
    }


def _text(key: tuple[str, str], table: Table) -> str:
    return toml_text({}, {key[0]: {key[1]: table}})


def _read_by_code(own: Parts, code: DialectCode) -> list[str]:
    """The operations whose text C++ reads, and code of the nearest release here: these are as that knows them."""
    return [
        name
        for (kind, name), text in own.tables.items()
        if kind == "op"
        and (known := code.operations.get(name)) is not None
        and known.custom is not None
        and table_in(text).get("opaque")
    ]


# ---- what means nothing here


def _without_mistakes(name: str, made: Parts, tables: Sequence[Tables], base: Base) -> tuple[Parts, list[Mistake]]:
    """A difference without the tables that mean nothing here, and what is wrong with these. What the nearest release
    does not have is kept as it is written where only its format means nothing, and else nothing is known of it."""
    known = parts_of(base.text).tables
    mistakes: list[Mistake] = []
    for _ in range(_ROUNDS):
        text, code = base.described(made.text)
        wrong: dict[tuple[str, str], tuple[str, str]] = {}
        for mistake in Description(text, f"{name}.toml", code).check():
            kind, _, rest_of_key = mistake.key.partition(".")
            owner = max(
                (key for key in made.tables if key[0] == kind and f"{rest_of_key}.".startswith(f"{key[1]}.")),
                key=lambda key: len(key[1]),
                default=None,
            )
            if owner is not None:
                wrong.setdefault(owner, (mistake.message, rest_of_key.removeprefix(owner[1]).strip(".")))
        if not wrong:
            break
        mistakes += (_mistake(key, message, tables) for key, (message, _) in wrong.items())
        top = dict(table_in(made.top))
        left: dict[tuple[str, str], str] = {}
        for key, table in made.tables.items():
            if key not in wrong:
                left[key] = table
            elif key not in known and wrong[key][1] == _SYNTAX:
                left[key] = _as_written(key, table)
            elif key not in known and key[0] in _PLURALS:
                top[f"allow_unknown_{_PLURALS[key[0]]}"] = True
        made = Parts(toml_text(top, {}), left)
    return made, mistakes


_PLURALS: Final = {"op": "operations", "type": "types", "attribute": "attributes"}
_SYNTAX: Final = "syntax"


def _as_written(key: tuple[str, str], table: str) -> str:
    """The table of what is kept as it is written, since its format means nothing here."""
    known = {name: value for name, value in table_in(table).items() if name != _SYNTAX}
    return _text(key, {**known, "opaque": True})


def _mistake(key: tuple[str, str], message: str, tables: Sequence[Tables]) -> Mistake:
    places = (of.places[where] for where in ((f"{key[0]}.syntax", key[1]), key) for of in tables if where in of.places)
    place: Location | None = next(places, None)
    return Mistake(f"{key[0]} {key[1]}: {message}", place, "warning")


# ---- what people are told


def _with_texts(made: Parts, before: Parts, tables: Sequence[Tables]) -> Parts:
    """A difference with what the files say in words of operations that are new or otherwise."""
    told = {name: table for of in tables for name, table in of.tables.get("op", {}).items()}
    changed = dict(made.tables)
    for key, text in _operations(made):
        words: dict[str, Value] = {}
        for what in ("summary", "description"):
            if (said := told.get(key[1], {}).get(what)) is not None:
                words[what] = said
        known = table_in(before.tables.get(key, ""))
        if words and "summary" not in known:
            changed[key] = _text(key, {**words, **table_in(text)})
    return replace(made, tables=changed)


def _operations(made: Parts) -> Iterator[tuple[tuple[str, str], str]]:
    yield from ((key, text) for key, text in made.tables.items() if key[0] == "op")


def gone_dialects(known: Sequence[str], defined: Mapping[str, object], never: Sequence[str]) -> frozenset[str]:
    """The dialects of the nearest release that an MLIR does not have any more: none, unless it has most of them."""
    missing = {name for name in known if name not in defined and name not in never}
    return frozenset(missing) if len(missing) * 4 < len(known) else frozenset()
