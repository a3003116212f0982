"""The index dialect, described in `index.toml`: its folds, names of constants, and the check of casts."""

from __future__ import annotations

from typing import Final

from fathom.dialects import description_of
from fathom.ir.property_values import flag_property, integer_property
from fathom.irdl.code import DialectCode, OpCode

CODE: Final = DialectCode(
    operations={
        "constant": OpCode(
            result_names=lambda op: (f"idx{n}" if (n := integer_property(op, "value")) is not None else None,)
        ),
        "bool.constant": OpCode(result_names=lambda op: ("true" if flag_property(op, "value") else "false",)),
    },
)
DESCRIPTION: Final = description_of("index", CODE)
DIALECT: Final = DESCRIPTION.dialect()
