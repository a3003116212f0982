"""The dialects of the library, one module or package for each, imported when it is first asked for."""

from __future__ import annotations

from functools import cache
from importlib import import_module
from importlib.util import find_spec
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from fathom.irdl.dialect import Dialect
    from fathom.rewriting.pattern import Pattern


def find_dialect(name: str) -> Dialect | None:
    """The library's dialect of this name, or None."""
    return _load(name) if name.isidentifier() and find_spec(f"{__name__}.{name}") is not None else None


@cache
def find_canonicalization(name: str) -> Sequence[Pattern]:
    """The canonicalisation patterns of the library's dialect of this name: `PATTERNS` in its module `canonicalization`,
    if it has one."""
    package = f"{__name__}.{name}"
    spec = find_spec(package) if name.isidentifier() else None
    if spec is None or spec.submodule_search_locations is None or find_spec(f"{package}.canonicalization") is None:
        return ()
    patterns: Sequence[Pattern] = import_module(f"{package}.canonicalization").PATTERNS
    return patterns


@cache
def _load(name: str) -> Dialect | None:
    return getattr(import_module(f"{__name__}.{name}"), "DIALECT", None)
