"""Fathom's compiler library: MLIR text to IR, to the LLVM dialect, to LLVM IR, to a running function."""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from fathom.library import Lowered as Lowered
    from fathom.library import lower as lower
    from fathom.library import with_dialects as with_dialects

__version__ = "0.1.0"


def __getattr__(name: str) -> object:
    """What the library offers by its own name is imported when it is first used."""
    if name in ("Lowered", "lower", "with_dialects"):
        return getattr(import_module("fathom.library"), name)
    raise AttributeError(f"module 'fathom' has no attribute '{name}'")
