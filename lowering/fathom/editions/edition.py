"""Editions of MLIR as layers: what each has otherwise than the next newer one.

An edition has two folders beside this module. `mlir-19` has a file for each dialect that is described otherwise there
(`differences.py`; `make dialects EDITION=19`), and `GONE`, the dialects that are not there yet. `mlir_19` has what data
cannot say, a module for each dialect, `mlir_19/memref.py`:

    CODE = DialectCode({"load": OpCode(custom=LOAD_SYNTAX)})     # on top of what the next edition has
    VERIFY = {"memref.load": …}                                  # aspects, as the dialects have them
    WITHOUT = ("memref.store",)                                  # of these, what the next edition says does not hold
    def completed(dialect: Dialect) -> Dialect: …                # the last word, if anything is left to say

and `mlir_19/__init__.py` has `LANGUAGE`, what the language itself is there, if that differs (`ir/language.py`). An
operation that has other operands, attributes and the like, by their names, loses what the next edition says of it in
aspects (checks, folds and the like are written for these), and its own syntax in code where the description has a
format in its place.

Nothing is read before a name is looked up, and of MLIR 22, which is no layer but the library itself, nothing at all.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from types import ModuleType
from typing import TYPE_CHECKING, Any, Final, cast

from fathom.cached import cached_property
from fathom.dialects import described_text, dialect_names, find_dialect
from fathom.editions.differences import Parts, applied, gone_in, parts_of
from fathom.ir.language import TODAY, Language
from fathom.irdl.aspects import Aspect, Said, said_in
from fathom.irdl.code import DialectCode, OpCode, joined
from fathom.irdl.description import Description
from fathom.irdl.dialect import Dialect
from fathom.irdl.lazy import Joined, possible_names
from fathom.irdl.plain_toml import plain_table
from fathom.records import record, replace
from fathom.text.files import beside, is_file, read_text, stems

if TYPE_CHECKING:
    from fathom.tablegen.records import Location

NEWEST: Final = "22"
"""The edition that the library itself is."""
OLDER: Final = ("19", "16", "15", "14", "13")
"""The editions that are layers, each on the one before it. The last one reads also what its predecessors had."""
BETWEEN: Final = {"21": (NEWEST, "19"), "18": ("19", "16")}
"""The editions of releases that are neither: what the first one has, and operations that only the second one has still.
They stand for the release before them as well."""
FIRST_RELEASE: Final = 10
"""The first release of LLVM that has MLIR."""
ADDITIONS: Final = beside(__file__, "additions.toml")
"""What C++ says of dialects and no definitions do, by their names."""
_CODE: Final = ".toml"


@record(eq=False)
class Source:
    """What a dialect of an edition is made of: its description, which one that is written in Python has not, what code
    says of it, what is done with it last, and the dialect itself where it is the next edition's."""

    text: str | None
    code: DialectCode
    completed: tuple[Callable[[Dialect], Dialect], ...] = ()
    same: Dialect | None = None


class Edition:
    """The dialects of an edition of MLIR, by name, and its language. A dialect that is the same in the next edition is
    the same object."""

    def __init__(self, name: str, newer: Edition | None) -> None:
        self.name: Final = name
        self.key = name
        """By what a context finds it again: more than the name for one that is a folder (`editions/folder`)."""
        self.newer: Final = newer
        self._folder: Final = beside(__file__, f"mlir-{name}")
        self._package: Final = f"fathom.editions.mlir_{name}"
        self._sources: Final[dict[str, Source | None]] = {}
        self._dialects: Final[dict[str, Dialect | None]] = {}

    @property
    def is_folder(self) -> bool:
        """Whether its definitions are those in a folder of a user."""
        return self.key != self.name

    def where_defined(self, kind: str, dialect: str, name: str) -> Location | None:
        """Where an operation, a type or an attribute is defined, in the files of a folder; None where nothing says."""
        del kind, dialect, name
        return None

    @property
    def language(self) -> Language:
        """What the language itself is in it."""
        module = import_module(self._package)
        own: Language | None = getattr(module, "LANGUAGE", None)
        if own is None:
            own = self.newer.language if self.newer is not None else TODAY
        return replace(own, edition=self.name)

    def dialect_names(self) -> tuple[str, ...]:
        """The names of its dialects, in their order; none is read."""
        newer = self.newer.dialect_names() if self.newer is not None else dialect_names()
        own = (*stems(self._folder, _CODE), *newer) if is_file(f"{self._folder}/{_GONE}") else newer
        return tuple(sorted({*own} - self._gone))

    def find_dialect(self, name: str) -> Dialect | None:
        """The dialect of this name, or None."""
        if name not in self._dialects:
            source, newer = self._source(name), self.newer
            if newer is not None and source is newer._source(name):
                self._dialects[name] = newer.find_dialect(name)
            else:
                self._dialects[name] = _made(name, source) if source is not None else None
        return self._dialects[name]

    @cached_property
    def _gone(self) -> frozenset[str]:
        file = f"{self._folder}/{_GONE}"
        return frozenset(read_text(file).split()) if is_file(file) else frozenset()

    def _source(self, name: str) -> Source | None:
        if name not in self._sources:
            self._sources[name] = self._find(name) if name.isidentifier() and name not in self._gone else None
        return self._sources[name]

    def _before(self, name: str) -> Source | None:
        """What a dialect is made of in the next newer edition."""
        return self.newer._source(name) if self.newer is not None else of_library(name)

    def _find(self, name: str) -> Source | None:
        newer = self._before(name)
        difference, module = self._difference(name), self._module(name)
        if difference is None and module is None:
            return newer
        before = newer or Source("", DialectCode())
        text, code = before.text, before.code
        if difference is not None:
            text, code = with_difference(name, before, difference)
        if module is not None:
            without = frozenset[str](getattr(module, "WITHOUT", ()))
            code = replace(code, aspects=_WithoutOperations(code.aspects, without)) if without else code
            code = joined(replace(getattr(module, "CODE", DialectCode()), aspects=_InModule(module)), code)
        last: Callable[[Dialect], Dialect] | None = getattr(module, "completed", None)
        return Source(text, code, (*before.completed, *([last] if last is not None else [])))

    def _difference(self, name: str) -> str | None:
        """The description of a dialect as it differs from the next newer edition's; None where it does not."""
        file = f"{self._folder}/{name}.toml"
        return read_text(file) if is_file(file) else None

    def _module(self, name: str) -> ModuleType | None:
        place = f"{self._package}.{name}"
        return import_module(place) if find_spec(place) is not None else None


_GONE: Final = "GONE"


def of_library(name: str) -> Source | None:
    """What a dialect of the library is made of."""
    dialect = find_dialect(name)
    if dialect is None:
        return None
    module = import_module(f"fathom.dialects.{name}") if find_spec(f"fathom.dialects.{name}") is not None else None
    last: Callable[[Dialect], Dialect] | None = getattr(module, "completed", None)
    code = dialect.code or DialectCode(aspects=dialect.aspects)
    return Source(described_text(name), code, (last,) if last is not None else (), dialect)


def with_difference(name: str, before: Source, difference: str) -> tuple[str, DialectCode]:
    """The description of a dialect that differs so from another, and what code of that still holds."""
    text = applied(before.text or "", difference)
    whole, own = parts_of(before.text or ""), parts_of(difference)
    changed = {op for kind, op in {*own.tables, *gone_in(own)} if kind == "op"}
    operations: dict[str, OpCode] = {}
    for op, code in before.code.operations.items():
        if op not in changed:
            operations[op] = code
        elif (table := own.tables.get(("op", op))) is not None:
            has_format = _format_in(table) and _format_in(table) != _format_in(whole.tables.get(("op", op), ""))
            operations[op] = replace(code, custom=None) if has_format else code
    others = (op for op in changed if _names_in(own, op) != _names_in(whole, op))
    aspects = _WithoutOperations(before.code.aspects, frozenset(f"{name}.{op}" for op in others))
    return text, replace(before.code, operations=operations, aspects=aspects)


_VALUES: Final = ("attributes", "properties")
_NAMED: Final = ("operands", "results", "attributes", "properties", "regions", "successors")


def _names_in(parts: Parts, op: str) -> list[tuple[str, str]]:
    """The names of what an operation has, by which code goes, and which attributes these are."""
    table = plain_table(parts.tables.get(("op", op), "").partition("]\n")[2]) or {}
    lists = ((key, table.get(key, [])) for key in _NAMED)
    entries = [(key, str(entry)) for key, of in lists if isinstance(of, list) for entry in of]
    return sorted((key, entry if key in _VALUES else _without_kind(entry)) for key, entry in entries)


def _without_kind(entry: str) -> str:
    """`items: Variadic` of `items: Variadic<AnyType>`, and `item` of `item: I32`."""
    name, _, kind = entry.partition(":")
    arity = kind.strip().partition("<")[0]
    return f"{name}: {arity}" if arity in ("Optional", "Variadic", "VariadicOfVariadic") else name


def _format_in(table: str) -> str:
    """The line with an operation's format."""
    return next((line for line in table.split("\n") if line.startswith("syntax = ")), "")


def _made(name: str, source: Source) -> Dialect:
    if source.same is not None:
        return source.same
    if source.text:
        dialect = Description(source.text, f"{name}.toml", source.code).dialect()
    else:
        found = find_dialect(name)
        dialect = replace(found or Dialect(name), aspects=source.code.aspects)
    for completed in source.completed:
        dialect = completed(dialect)
    return dialect


class _InModule:
    """What the module of an edition says of a dialect."""

    def __init__(self, module: ModuleType) -> None:
        self._module = module

    def get(self, key: Aspect[Any], /) -> Callable[[], Any] | None:
        said = said_in([self._module], key) if not key.is_table else None
        return (lambda: said) if said is not None else None


class _WithoutOperations:
    """What is said of a dialect, but for what is said of these operations by their full names."""

    def __init__(self, base: Said, names: frozenset[str]) -> None:
        self._base = base
        self._names = names

    def get(self, key: Aspect[Any], /) -> Callable[[], Any] | None:
        say = self._base.get(key)
        return (lambda: self._without(say())) if say is not None else None

    def _without(self, said: Any) -> Any:
        if not isinstance(said, Mapping):
            return said
        table = cast("Mapping[str, object]", said)
        return {name: of_name for name, of_name in table.items() if name not in self._names}


class EditionBetween(Edition):
    """The edition of releases between two of which descriptions are made: a project on one of these has what is new and
    what is gone. All is as in the newer one, and what that has not as in the older one."""

    def __init__(self, name: str, newer: Edition | None, older: Edition) -> None:
        super().__init__(name, newer)
        self._older: Final = older

    @property
    def language(self) -> Language:
        newer = self.newer.language if self.newer is not None else TODAY
        return replace(newer, edition=self.name)

    def dialect_names(self) -> tuple[str, ...]:
        return self.newer.dialect_names() if self.newer is not None else dialect_names()

    def find_dialect(self, name: str) -> Dialect | None:
        if name not in self._dialects:
            newer = self.newer.find_dialect(name) if self.newer is not None else find_dialect(name)
            older = self._older.find_dialect(name)
            if newer is None or older is None or newer is older:
                self._dialects[name] = newer or older
            else:
                self._dialects[name] = _with_gone(newer, older)
        return self._dialects[name]


def _with_gone(newer: Dialect, older: Dialect) -> Dialect:
    """A dialect with the operations that only another one has."""
    if all(name in newer.by_name for name in possible_names(older.by_name)):
        return newer
    return replace(newer, operations=Joined(newer.by_name, older.by_name))


@cache
def edition(name: str) -> Edition | None:
    """The edition of this name; None for the library's own. Raises KeyError where there is none."""
    if name == NEWEST:
        return None
    if name in BETWEEN:
        newer, older = map(edition, BETWEEN[name])
        assert older is not None, "an older edition is a layer"
        return EditionBetween(name, newer, older)
    place = OLDER.index(name) if name in OLDER else -1
    if place < 0:
        raise KeyError(name)
    return Edition(name, edition(OLDER[place - 1]) if place else None)


def nearest(version: str, between: Iterable[str] = BETWEEN) -> str | None:
    """The edition for a version of MLIR such as "19", "17.0.6" or "v15": that of its major number, or else the next
    newer one; None for a text that is no version, and for one that is older than MLIR. `between` are the editions
    besides the described ones that may be it."""
    major = version.strip().removeprefix("v").partition(".")[0]
    if not major.isdecimal() or len(major) > 3 or int(major) < FIRST_RELEASE:
        return None
    newer = [name for name in (*between, *OLDER, NEWEST) if int(name) >= int(major)]
    return min(newer, key=int, default=NEWEST)
