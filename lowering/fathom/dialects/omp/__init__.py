"""The omp dialect, OpenMP: described in `mlir-22/omp.toml`; here what its clauses say, its loops, and what
MLIR's verifiers say.

Source of the rules: *'omp' Dialect*, and observed behaviour of mlir-opt 22.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from fathom.dialects import description_of
from fathom.dialects.omp import block_arguments
from fathom.dialects.omp import checks as c
from fathom.dialects.omp.clauses import CLAUSES
from fathom.dialects.omp.loops import CANONICAL_LOOP, DIRECTIVES, LOOP_NEST, TARGET_ALLOCMEM, UNROLL_HEURISTIC
from fathom.dialects.omp.names import info_names, variable_names
from fathom.irdl.code import DialectCode, OpCode

OPERATIONS: Final[Mapping[str, OpCode]] = {
    "canonical_loop": OpCode(custom=CANONICAL_LOOP, region_argument_names=variable_names),
    "loop_nest": OpCode(custom=LOOP_NEST),
    "new_cli": OpCode(result_names=info_names),
    "target_allocmem": OpCode(custom=TARGET_ALLOCMEM),
    "unroll_heuristic": OpCode(custom=UNROLL_HEURISTIC),
}
CODE: Final = DialectCode(
    operations=OPERATIONS,
    predicates={"PointerLikeType": c.may_be_pointer},
    directives={
        **CLAUSES,
        **dict.fromkeys(block_arguments.NAMES, block_arguments.REGION),
        **DIRECTIVES,
    },
)
DESCRIPTION: Final = description_of("omp", CODE)
DIALECT: Final = DESCRIPTION.dialect()
VERIFY_PARTS: Final = ("checks", "nesting_checks", "recipe_checks")
