"""The LLVM dialect of MLIR 16: a pointer may say what it points to.

Source of the rules: *'llvm' Dialect* of MLIR 16, "Type System".
"""

from __future__ import annotations

from typing import Final

from fathom.dialects.llvm.former_types import FORMER_READERS
from fathom.dialects.llvm.type_syntax import types_of
from fathom.irdl.dialect import Dialect
from fathom.records import replace

_TYPES: Final = types_of(FORMER_READERS)


def completed(dialect: Dialect) -> Dialect:
    """The dialect with its types."""
    return replace(dialect, types=_TYPES)
