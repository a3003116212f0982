"""The acc dialect, OpenACC: described in `mlir-22/acc.toml`; here what its clauses say, and what MLIR's verifiers say.

Source of the rules: *'acc' Dialect*, and observed behaviour of mlir-opt 22.
"""

from __future__ import annotations

from typing import Final

from fathom.dialects import description_of
from fathom.dialects.acc import clauses, routines
from fathom.dialects.acc.common import may_be_pointer
from fathom.irdl.code import DialectCode

CODE: Final = DialectCode(
    predicates={"PointerLikeType": may_be_pointer, "OpenACC_AnyPointerOrMappableType": may_be_pointer},
    directives={**clauses.CLAUSES, **routines.CLAUSES},
)
DESCRIPTION: Final = description_of("acc", CODE)
DIALECT: Final = DESCRIPTION.dialect()
VERIFY_PARTS: Final = ("checks",)
