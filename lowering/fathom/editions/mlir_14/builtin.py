"""The builtin dialect of MLIR 14: functions belong to it.

Source of the rules: *Builtin Dialect* of MLIR 14, "Operations".
"""

from __future__ import annotations

from typing import Final

from fathom.dialects import find_dialect
from fathom.irdl.definition import OpDefinition
from fathom.irdl.dialect import Dialect
from fathom.records import replace


def _function() -> OpDefinition:
    func = find_dialect("func")
    assert func is not None, "the library has the func dialect"
    return replace(func.operation("func.func"), name="builtin.func", default_dialect="")


FUNCTION: Final = _function()


def completed(dialect: Dialect) -> Dialect:
    """The dialect with its functions."""
    return replace(dialect, operations=(*dialect.by_name.values(), FUNCTION))
