"""The dialects that only MLIR's own tests have, known as any user's are: by the files that define them.

`mlir-opt` has been built with them.
"""

from __future__ import annotations

from pathlib import Path
from typing import Final

FILES: Final = (
    "Dialect/Test/TestOps.td",
    "Dialect/Test/TestOpsSyntax.td",
    "Dialect/TestIRDLToCpp/test_irdl_to_cpp.irdl.mlir",
    "Dialect/Transform/TestTransformDialectExtension.td",
    "Interfaces/TilingInterface/TestTilingInterfaceTransformOps.td",
    "Transforms/TestTransformsOps.td",
)
"""In `test/lib`; those of transform extend a dialect that is known."""

OWN: Final = tuple(Path(__file__).parent / "dialects" / name for name in ("code.py", "test.toml", "transform.toml"))
"""What only C++ says of them."""


def options(mlir: Path) -> list[str]:
    """The options of `fathom opt` that make them known; `mlir` is the folder of MLIR's source."""
    files = [*(mlir / "test" / "lib" / file for file in FILES), *OWN]
    return [*(f"--dialect={file}" for file in files), f"-I={mlir / 'include'}"]
