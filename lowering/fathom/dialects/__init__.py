"""The dialects of the library, one module or package for each, imported when it is first asked for."""

from __future__ import annotations

from functools import cache
from importlib import import_module
from importlib.util import find_spec
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from fathom.irdl.dialect import Dialect


def find_dialect(name: str) -> Dialect | None:
    """The library's dialect of this name, or None."""
    return _load(name) if name.isidentifier() and find_spec(f"{__name__}.{name}") is not None else None


@cache
def _load(name: str) -> Dialect | None:
    return getattr(import_module(f"{__name__}.{name}"), "DIALECT", None)
