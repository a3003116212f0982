"""The dialects of the library, one folder or module for each, read when it is first asked for.

A folder holds the description of its dialect, `NAME.toml`, and in Python what data cannot say of it, if anything.
"""

from __future__ import annotations

from functools import cache
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
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
    module = import_module(f"{__name__}.{name}")
    if hasattr(module, "DIALECT"):
        return module.DIALECT
    from fathom.irdl.description import read_description

    described = [path for folder in getattr(module, "__path__", ()) for path in Path(folder).glob(f"{name}.toml")]
    return read_description(described[0]).dialect() if described else None
