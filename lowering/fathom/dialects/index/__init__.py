"""The index dialect, described in `index.toml`: its folds, names of constants, and the check of casts."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from fathom.dialects import description_of
from fathom.ir.attributes import IntegerAttr
from fathom.ir.operation import Operation
from fathom.irdl.code import DialectCode, OpCode


def _constant_names(op: Operation) -> Sequence[str | None]:
    value = op.properties.get("value")
    return (f"idx{value.value}" if isinstance(value, IntegerAttr) else None,)


def _bool_names(op: Operation) -> Sequence[str | None]:
    value = op.properties.get("value")
    return ("true" if isinstance(value, IntegerAttr) and value.value else "false",)


CODE: Final = DialectCode(
    operations={
        "constant": OpCode(result_names=_constant_names),
        "bool.constant": OpCode(result_names=_bool_names),
    },
)
DESCRIPTION: Final = description_of("index", CODE)
DIALECT: Final = DESCRIPTION.dialect()
