"""The code of MLIR's dialect `test`, for `--dialect`. Source of the rules: its C++ in `mlir/test/lib/Dialect/Test`."""

from __future__ import annotations

from typing import Final

from fathom.irdl.aspects import said_in
from fathom.irdl.code import DialectCode
from fathom.irdl.folding import FOLDS, MATERIALIZE_CONSTANT, TAKES_CONSTANTS
from fathom.irdl.verifying import VERIFY
from fathom.rewriting.canonicalization import CANONICALIZATION
from fathom.rewriting.inlining_rules import INLINING
from fathom.rewriting.int_ranges import INT_RANGES
from tests.suite.dialects import int_ranges, operations, rewrites
from tests.suite.dialects.directives import DIRECTIVES
from tests.suite.dialects.values import BODIES, CUSTOMS, PARAMETERS

CODE: Final = {
    "test": DialectCode(
        operations={**operations.OPERATIONS, **rewrites.OPERATIONS},
        directives=DIRECTIVES,
        bodies=BODIES,
        customs=CUSTOMS,
        parameters=PARAMETERS,
        aspects={
            CANONICALIZATION: lambda: rewrites.PATTERNS,
            FOLDS: lambda: rewrites.FOLDS,
            INLINING: lambda: rewrites.RULES,
            INT_RANGES: lambda: int_ranges.INT_RANGES,
            MATERIALIZE_CONSTANT: lambda: rewrites.materialize_constant,
            TAKES_CONSTANTS: lambda: rewrites.takes_constants,
            VERIFY: lambda: said_in([operations], VERIFY),
        },
    )
}
