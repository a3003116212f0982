"""The acc dialect, OpenACC: described in `mlir-22/acc.toml`; here what its clauses say.

Source of the rules: *'acc' Dialect*, and observed behaviour of mlir-opt 22.
"""

from __future__ import annotations

from typing import Final

from fathom.dialects import description_of
from fathom.dialects.acc import clauses, routines
from fathom.irdl.code import DialectCode

CODE: Final = DialectCode(directives={**clauses.CLAUSES, **routines.CLAUSES})
DESCRIPTION: Final = description_of("acc", CODE)
DIALECT: Final = DESCRIPTION.dialect()
