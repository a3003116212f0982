"""The dialects of the library, one folder or module for each, read when it is first asked for.

A folder holds the description of its dialect, `NAME.toml`, and in Python what data cannot say of it, if anything.
"""

from __future__ import annotations

from functools import cache
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from pkgutil import iter_modules
from typing import TYPE_CHECKING, Final, TypeVar

from fathom.records import replace

if TYPE_CHECKING:
    from types import ModuleType

    from fathom.irdl.aspects import Aspect
    from fathom.irdl.code import DialectCode
    from fathom.irdl.description import Description
    from fathom.irdl.dialect import Dialect

T = TypeVar("T")


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
    packages = (each.name for each in iter_modules(__path__) if not each.name.startswith("_"))
    return tuple(sorted({*packages, *_described()}))


def code_of(name: str) -> DialectCode | None:
    """What the library's dialect of this name has beside its description, which those who extend it may use; None for
    an unknown one."""
    dialect = find_dialect(name)
    if dialect is None:
        return None
    from fathom.irdl.code import DialectCode

    return replace(dialect.code or DialectCode(), operations={})


DESCRIBED: Final = Path(__file__).parent / "mlir-22"
"""The folder of the descriptions of MLIR's other dialects, which are made of their definitions (`make dialects`)."""


def load_described(name: str, code: DialectCode | None = None) -> Dialect:
    """One of MLIR's dialects by its description in `mlir-22/`."""
    return description_of(name, code).dialect()


def description_of(name: str, code: DialectCode | None = None) -> Description:
    """The description in `mlir-22/` of one of MLIR's dialects."""
    from fathom.irdl.description import read_description

    return read_description(DESCRIBED / f"{name}.toml", code)


@cache
def own_description(name: str) -> Description:
    """What the library's dialect of this name is made of, for the code beside it, to which it refers: found by name, as
    the dialect is."""
    found: Description = import_module(f"{__name__}.{name}").DESCRIPTION
    return found


def find_aspect(aspect: Aspect[T], name: str) -> T:
    """What the library's dialect of this name says of an aspect, in the module of that name, if it has one."""
    module = _part(name, aspect.name)
    return getattr(module, aspect.constant) if module is not None else aspect.nothing


@cache
def _part(name: str, part: str) -> ModuleType | None:
    """A module of a dialect's package, which not every dialect has."""
    package = f"{__name__}.{name}"
    spec = find_spec(package) if name.isidentifier() else None
    if spec is None or spec.submodule_search_locations is None:
        return None
    found = find_spec(f"{package}.{part}")
    # A folder without code, as one of compiled modules whose sources have gone, is none.
    return import_module(f"{package}.{part}") if found is not None and found.origin is not None else None


@cache
def _described() -> frozenset[str]:
    """The names of the dialects that are described there."""
    return frozenset(path.stem for path in DESCRIBED.glob("*.toml"))


_load_described: Final = cache(load_described)


@cache
def _load(name: str) -> Dialect | None:
    module = import_module(f"{__name__}.{name}")
    if hasattr(module, "DIALECT"):
        return module.DIALECT
    from fathom.irdl.description import read_description

    described = [path for folder in getattr(module, "__path__", ()) for path in Path(folder).glob(f"{name}.toml")]
    return read_description(described[0]).dialect() if described else None
