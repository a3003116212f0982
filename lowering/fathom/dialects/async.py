"""The async dialect, described in `mlir-22/async.toml`: its functions are written as those of func are."""  # noqa: N999

from __future__ import annotations

from typing import Final

from fathom.dialects import load_described
from fathom.dialects.func import FUNCTION_SYNTAX
from fathom.irdl.code import DialectCode, OpCode

CODE: Final = DialectCode(operations={"func": OpCode(custom=FUNCTION_SYNTAX)})
DIALECT: Final = load_described("async", CODE)
