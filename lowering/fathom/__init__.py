"""Fathom's compiler library: MLIR text to IR, to the LLVM dialect, to LLVM IR, to a running function."""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from fathom.library import Lowered as Lowered
    from fathom.library import compile as compile
    from fathom.library import lower as lower
    from fathom.library import with_dialects as with_dialects
    from fathom.programs.benching import Comparison as Comparison
    from fathom.programs.benching import Measured as Measured
    from fathom.programs.benching import compare as compare
    from fathom.programs.errors import ArgumentError as ArgumentError
    from fathom.programs.errors import CompileError as CompileError
    from fathom.programs.errors import RunError as RunError
    from fathom.programs.modules import Function as Function
    from fathom.programs.modules import Module as Module

__version__ = "0.1.0"

_LATER = {
    **dict.fromkeys(("Lowered", "compile", "lower", "with_dialects"), "fathom.library"),
    **dict.fromkeys(("Comparison", "Measured", "compare"), "fathom.programs.benching"),
    **dict.fromkeys(("ArgumentError", "CompileError", "RunError"), "fathom.programs.errors"),
    **dict.fromkeys(("Function", "Module"), "fathom.programs.modules"),
}


def __getattr__(name: str) -> object:
    """What the library offers by its own name is imported when it is first used."""
    if name in _LATER:
        return getattr(import_module(_LATER[name]), name)
    raise AttributeError(f"module 'fathom' has no attribute '{name}'")


def __dir__() -> list[str]:
    return sorted({*globals(), *_LATER})
