"""The scf dialect: structured control flow.

Source of the rules: *'scf' Dialect*.
"""

from __future__ import annotations

from typing import Final

from fathom.dialects import load_described
from fathom.dialects.scf import branches, loops, parallel
from fathom.irdl.code import DialectCode

CODE: Final = DialectCode(
    {**loops.CODE, **branches.CODE, **parallel.CODE},
    predicates=parallel.PREDICATES,
    directives={"BoundType": loops.BOUND_TYPE, "Space": parallel.SPACE, "SwitchCases": branches.SWITCH_CASES},
)
DIALECT: Final = load_described("scf", CODE)
VERIFY_PARTS: Final = ("branches", "loops", "parallel")
