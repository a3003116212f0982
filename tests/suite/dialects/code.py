"""The code of MLIR's dialect `test`, for `--dialect`. Source of the rules: its C++ in `mlir/test/lib/Dialect/Test`."""

from __future__ import annotations

from typing import Final

from fathom.irdl.code import DialectCode
from fathom.rewriting.canonicalization import CANONICALIZATION
from fathom.rewriting.inlining_rules import INLINING
from tests.suite.dialects import rewrites
from tests.suite.dialects.directives import DIRECTIVES
from tests.suite.dialects.operations import OPERATIONS
from tests.suite.dialects.values import BODIES, CUSTOMS, PARAMETERS

CODE: Final = {
    "test": DialectCode(
        operations={**OPERATIONS, **rewrites.OPERATIONS},
        directives=DIRECTIVES,
        bodies=BODIES,
        customs=CUSTOMS,
        parameters=PARAMETERS,
        materialize_constant=rewrites.materialize_constant,
        aspects={CANONICALIZATION: lambda: rewrites.PATTERNS, INLINING: lambda: rewrites.RULES},
        takes_constants=lambda region: region.parent is not None and region.parent.name == "test.one_region_op",
    )
}
