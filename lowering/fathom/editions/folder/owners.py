"""Which files of an MLIR define what of which dialect, found out without reading them as TableGen.

A definition belongs to the dialect that its parents name, or that of the class which it is made of: `def Arith_AddIOp :
Arith_Op<…>`, `class Arith_Op<…> : Op<Arith_Dialect, …>`. That is a guess, of which too many files cost time alone: what
a file says of a dialect its records say.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Final

from fathom.records import record
from fathom.slices import rest

_CODE: Final = re.compile(r"\[\{.*?\}\]|/\*.*?\*/|//[^\n]*", re.DOTALL)
INCLUDE: Final = re.compile(r'^[ \t]*include[ \t]+"([^"\n]+)"', re.MULTILINE)
_DEFINED: Final = re.compile(r"\b(class|multiclass|defm|def)\b[ \t\n]*([\w.#]*)([^{;]{0,4000})")
_DIALECT: Final = re.compile(r"\bdef[ \t\n]+(\w+)[ \t\n]*:[ \t\n]*(?:\w+[ \t\n]*,[ \t\n]*)*Dialect[ \t\n]*\{")
_NAME: Final = re.compile(r'\blet[ \t\n]+name[ \t\n]*=[ \t\n]*"(\w+)"')
_WORD: Final = re.compile(r"[A-Za-z_]\w*")
_STRING: Final = re.compile(r'"(?:[^"\\\n]|\\.)*"')


@record(eq=False)
class Scanned:
    """What a file says at a glance: the names that it includes, its dialects by the names of their records, the words
    that its classes are made of, by their names, and those of its definitions."""

    includes: tuple[str, ...]
    dialects: Mapping[str, str]
    classes: Mapping[str, frozenset[str]]
    definitions: frozenset[str]


def scanned(text: str) -> Scanned:
    """What a file says at a glance."""
    plain = _CODE.sub(" ", text)
    dialects: dict[str, str] = {}
    for match in _DIALECT.finditer(plain):
        if (name := _NAME.search(plain, match.end(), match.end() + 2000)) is not None:
            dialects[match[1]] = name[1]
    classes: dict[str, frozenset[str]] = {}
    definitions: set[str] = set()
    for kind, name, rest_of in _DEFINED.findall(_STRING.sub('""', plain)):
        words = frozenset(_WORD.findall(rest_of))
        if kind in ("class", "multiclass"):
            classes[name] = classes.get(name, frozenset()) | words
        else:
            definitions |= words
    return Scanned(tuple(INCLUDE.findall(plain)), dialects, classes, frozenset(definitions))


def files_by_dialect(files: Mapping[str, Scanned]) -> dict[str, tuple[str, ...]]:
    """The files that define each dialect, by its name: those of its definitions that no other of them includes."""
    records = {record: name for file in files.values() for record, name in file.dialects.items()}
    owners = _owners(files.values(), records)
    by_dialect: dict[str, set[str]] = {}
    for name, file in files.items():
        rest()
        owned = {dialect for word in file.definitions for dialect in owners.get(word, ())}
        for dialect in owned | {*file.dialects.values()}:
            by_dialect.setdefault(dialect, set()).add(name)
    reached = {name: _reached(name, files) for name in files}
    collections = [name for name, file in files.items() if not file.definitions]
    return {dialect: _fewest(names, reached, collections) for dialect, names in sorted(by_dialect.items())}


def _fewest(names: set[str], reached: Mapping[str, set[str]], collections: Iterable[str]) -> tuple[str, ...]:
    """So few files that the others are included by them; one that only includes others, if one includes them all."""
    tops = {name for name in names if not any(name in reached[other] for other in names if other != name)}
    all_of = [name for name in collections if len(tops) > 1 and tops <= reached[name]]
    return (min(all_of, key=lambda name: (len(reached[name]), name)),) if all_of else tuple(sorted(tops))


def _owners(files: Iterable[Scanned], records: Mapping[str, str]) -> dict[str, frozenset[str]]:
    """The dialects that a word in the parents of a definition stands for: records of dialects, and classes that are
    made of such, one after the other."""
    owners = {record: frozenset([name]) for record, name in records.items()}
    users: dict[str, set[str]] = {}
    for file in files:
        for name, words in file.classes.items():
            for word in words:
                users.setdefault(word, set()).add(name)
    waiting = list(owners)
    while waiting:
        word = waiting.pop()
        for user in users.get(word, ()):
            known = owners.get(user, frozenset())
            if not owners[word] <= known:
                owners[user] = known | owners[word]
                waiting.append(user)
    return owners


def _reached(name: str, files: Mapping[str, Scanned]) -> set[str]:
    """The files that a file includes, and those that these do."""
    reached: set[str] = set()
    waiting = [name]
    while waiting:
        file = files.get(waiting.pop())
        for included in file.includes if file is not None else ():
            if included in files and included not in reached:
                reached.add(included)
                waiting.append(included)
    return reached


def inputs_of(names: Iterable[str], files: Mapping[str, Scanned]) -> tuple[str, ...]:
    """The files that a reading of some reads, in order."""
    return tuple(sorted({each for name in names for each in (name, *_reached(name, files))}))
