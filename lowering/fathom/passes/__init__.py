"""The passes, by the names that mlir-opt gives them.

Each stands in a module of its own name, in `conversions` or `transforms`. To know the names takes a look at the
folders; a pass's module is imported when the pass is first named, and what that needs to run when it first runs.
"""

from __future__ import annotations

from functools import cache
from importlib import import_module
from pkgutil import iter_modules
from typing import Final

from fathom.passes.definition import Pass

FOLDERS: Final = ("conversions", "transforms")


@cache
def _modules() -> dict[str, str]:
    """The module of each pass, by the pass's name, sorted."""
    found = {
        module.name.replace("_", "-"): f"{__name__}.{folder}.{module.name}"
        for folder in FOLDERS
        for module in iter_modules(import_module(f"{__name__}.{folder}").__path__)
    }
    return dict(sorted(found.items()))


def names() -> tuple[str, ...]:
    """The names of the library's passes, sorted."""
    return tuple(_modules())


@cache
def find(name: str) -> type[Pass] | None:
    """The library's pass of this name, or None."""
    module = _modules().get(name)
    if module is None:
        return None
    for value in vars(import_module(module)).values():
        if isinstance(value, type) and issubclass(value, Pass) and getattr(value, "name", None) == name:
            return value
    raise ImportError(f"{module} defines no pass of the name '{name}'")


def all_passes() -> list[type[Pass]]:
    """All passes of the library, by name; this imports their modules."""
    return [found for name in names() if (found := find(name)) is not None]
