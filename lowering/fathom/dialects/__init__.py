"""The dialects of the library, one folder or module for each, read when it is first asked for.

A folder holds the description of its dialect, `NAME.toml`, and in Python what data cannot say of it, if anything.
"""

from __future__ import annotations

from functools import cache
from importlib import import_module
from importlib.util import find_spec
from sys import modules
from typing import TYPE_CHECKING, Any, Final

from fathom.irdl.aspects import said_in
from fathom.records import replace
from fathom.text.files import beside, is_file, modules_in, read_text, stems

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from types import ModuleType

    from fathom.irdl.aspects import Aspect
    from fathom.irdl.code import DialectCode
    from fathom.irdl.description import Description
    from fathom.irdl.dialect import Dialect
    from fathom.irdl.parametric import Parametric


def find_dialect(name: str) -> Dialect | None:
    """The library's dialect of this name, or None."""
    if not name.isidentifier():
        return None
    if find_spec(f"{__name__}.{name}") is not None:
        return _load(name)
    return _load_described(name) if name in _described() else None


@cache
def dialect_names() -> tuple[str, ...]:
    """The names of the library's dialects, in their order; none is read."""
    packages = (name for folder in __path__ for name in modules_in(folder) if not name.startswith("_"))
    return tuple(sorted({*packages, *_described()}))


def code_of(name: str) -> DialectCode | None:
    """What the library's dialect of this name has beside its description, which those who extend it may use; None for
    an unknown one."""
    dialect = find_dialect(name)
    if dialect is None:
        return None
    from fathom.irdl.aspects import NOTHING_SAID
    from fathom.irdl.code import DialectCode

    return replace(dialect.code or DialectCode(), operations={}, aspects=NOTHING_SAID)


DESCRIBED: Final = beside(__file__, "mlir-22")
"""The folder of the descriptions of MLIR's other dialects, which are made of their definitions (`make dialects`)."""


def load_described(name: str, code: DialectCode | None = None) -> Dialect:
    """One of the library's dialects by its description."""
    return description_of(name, code).dialect()


def description_of(name: str, code: DialectCode | None = None) -> Description:
    """The description of one of the library's dialects: in its own folder, or else in `mlir-22/`."""
    from fathom.irdl.code import DialectCode
    from fathom.irdl.description import Description

    file = f"{name}.toml"
    code = replace(code or DialectCode(), aspects=Modules(name))
    return Description(read_text(_own_file(name) or beside(__file__, "mlir-22", file)), file, code)


def described_text(name: str) -> str | None:
    """The text of that description; None for a dialect that is written in Python, or unknown."""
    file = _own_file(name) or (beside(__file__, "mlir-22", f"{name}.toml") if name in _described() else None)
    return read_text(file) if file is not None else None


def _own_file(name: str) -> str | None:
    """The description in the folder of a dialect, if there is one."""
    return next((file for folder in __path__ if is_file(file := f"{folder}/{name}/{name}.toml")), None)


@cache
def own_description(name: str) -> Description:
    """What the library's dialect of this name is made of, for the code beside it, to which it refers: found by name, as
    the dialect is."""
    description: Description = import_module(f"{__name__}.{name}").DESCRIPTION
    return description


@cache
def attribute_definitions(name: str) -> Mapping[str, Parametric]:
    """The definitions of the attributes of one of the library's dialects, by class; none of one that is not
    described."""
    dialect = find_dialect(name)
    if dialect is None or described_text(name) is None:
        return {}
    return description_of(name, dialect.code).attributes


class Modules:
    """What a dialect of the library says of aspects (`fathom.irdl.aspects`): each in a module of its folder, which not
    every dialect has, and in those that the folder's own module names. One that is a single module says all in that."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._found: dict[Aspect[Any], Callable[[], Any] | None] = {}

    def get(self, key: Aspect[Any], /) -> Callable[[], Any] | None:
        """What gives what the modules say; None where there is none."""
        if key not in self._found:
            if key.is_table:
                table = _table(self._name, key.name)
                self._found[key] = (lambda: table) if table else None
                return self._found[key]
            names = (*getattr(modules.get(f"{__name__}.{self._name}"), key.parts, ()), key.place)
            said = said_in([part for name in names if (part := _part(self._name, name)) is not None], key)
            self._found[key] = (lambda: said) if said is not None else None
        return self._found[key]


@cache
def _table(name: str, aspect: str) -> dict[str, object]:
    """The texts of an aspect of a dialect by the full names of operations, which `make dialects` made."""
    file = f"{DESCRIBED}/{aspect}/{name}.toml"
    if not is_file(file):
        return {}
    from fathom.irdl.plain_toml import plain_table

    table = plain_table(read_text(file))
    assert table is not None, file
    return {f"{name}.{op}": text for op, text in table.items()}


@cache
def _part(name: str, part: str) -> ModuleType | None:
    """A module of a dialect's package, which not every dialect has; the module of a dialect that is no package."""
    package = f"{__name__}.{name}"
    spec = find_spec(package)
    if spec is None or spec.submodule_search_locations is None:
        return import_module(package) if spec is not None else None
    place = find_spec(f"{package}.{part}")
    # A folder without code, as one of compiled modules whose sources have gone, is none.
    return import_module(f"{package}.{part}") if place is not None and place.origin is not None else None


@cache
def _described() -> frozenset[str]:
    """The names of the dialects that are described there."""
    return frozenset(stems(DESCRIBED, ".toml"))


_load_described: Final = cache(load_described)


@cache
def _load(name: str) -> Dialect | None:
    module = import_module(f"{__name__}.{name}")
    if hasattr(module, "DIALECT"):
        return module.DIALECT
    return load_described(name) if _own_file(name) is not None or name in _described() else None
