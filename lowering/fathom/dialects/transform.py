"""The transform dialect, described in `mlir-22/transform.toml`: named sequences are written as functions are."""

from __future__ import annotations

from typing import Final

from fathom.dialects import load_described
from fathom.dialects.func import FUNCTION_SYNTAX
from fathom.irdl.code import DialectCode, OpCode

CODE: Final = DialectCode(operations={"named_sequence": OpCode(custom=FUNCTION_SYNTAX)})
DIALECT: Final = load_described("transform", CODE)
