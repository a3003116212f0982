"""The passes, and the pipelines of several, by the names that mlir-opt gives the passes.

Each stands in a module of its own name: a pass in `conversions` or `transforms`, a pipeline in `pipelines`. To know the
names takes a look at the folders; a module is imported when its pass is first named, and what that needs to run when it
first runs.
"""

from __future__ import annotations

from functools import cache
from importlib import import_module
from typing import Final, TypeVar

from fathom.passes.definition import Declared, Pass, PassPipeline
from fathom.text.files import modules_in

FOLDERS: Final = ("conversions", "transforms")
PIPELINES: Final = "pipelines"

DeclaredT = TypeVar("DeclaredT", bound=Declared)


@cache
def _modules(*folders: str) -> dict[str, str]:
    """The modules in folders, by what they declare, sorted."""
    modules = {
        name.replace("_", "-"): f"{__name__}.{folder}.{name}"
        for folder in folders
        for path in import_module(f"{__name__}.{folder}").__path__
        for name in modules_in(path)
    }
    return dict(sorted(modules.items()))


def names() -> tuple[str, ...]:
    """The names of the library's passes, sorted."""
    return tuple(_modules(*FOLDERS))


def pipeline_names() -> tuple[str, ...]:
    """The names of the library's pipelines, sorted."""
    return tuple(_modules(PIPELINES))


@cache
def find(name: str) -> type[Pass] | None:
    """The library's pass of this name, or None."""
    module = _modules(*FOLDERS).get(name)
    return _declared(module, name, Pass) if module is not None else None


@cache
def find_pipeline(name: str) -> type[PassPipeline] | None:
    """The library's pipeline of this name, or None."""
    module = _modules(PIPELINES).get(name)
    return _declared(module, name, PassPipeline) if module is not None else None


def _declared(module: str, name: str, kind: type[DeclaredT]) -> type[DeclaredT]:
    for value in vars(import_module(module)).values():
        if isinstance(value, type) and issubclass(value, kind) and getattr(value, "name", None) == name:
            return value
    raise ImportError(f"{module} defines nothing of the name '{name}'")


def all_passes() -> list[type[Pass]]:
    """All passes of the library, by name; this imports their modules."""
    return [known for name in names() if (known := find(name)) is not None]


def all_pipelines() -> list[type[PassPipeline]]:
    """All pipelines of the library, by name."""
    return [pipeline for name in pipeline_names() if (pipeline := find_pipeline(name)) is not None]
