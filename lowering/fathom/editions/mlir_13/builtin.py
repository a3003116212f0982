"""The builtin dialect of MLIR 13: a module has two blanks before its brace, as printers of formats had before regions.

Source of the rules: observed behaviour of mlir-opt 13.
"""

from __future__ import annotations

from fathom.irdl.dialect import Dialect
from fathom.records import replace

_MODULE = "($sym_name^)? attr-dict-with-keyword ` ` $bodyRegion"


def completed(dialect: Dialect) -> Dialect:
    """The dialect with modules that are written so."""
    module = replace(dialect.operation("builtin.module"), assembly=_MODULE)
    return replace(dialect, operations=(module, *(op for op in dialect.by_name.values() if op.name != module.name)))
