"""LLVM IR as a module of the LLVM dialect, as `mlir-translate --import-llvm` makes it."""

from fathom.importing.module import Imported, import_llvm
from fathom.importing.options import Options

__all__ = ["Imported", "Options", "import_llvm"]
