"""The scf dialect of MLIR 16: a reduction is one operation for each value in a parallel loop, which ends with a yield.

Source of the rules: *'scf' Dialect* of MLIR 16, "Operations"; observed behaviour of mlir-opt 16.
"""

from __future__ import annotations

from typing import Final

from fathom.irdl.clauses import two_way
from fathom.irdl.code import DialectCode, OpCode

# The two blanks are MLIR's own.
_REDUCE: Final = "`(` $operand `)` ` ` ` ` `:` type($operand) custom<Labelled>($reductionOperator)"
_THREADS: Final = (
    "custom<Variables>(ref($region), ref($outputs)) `in` ` ` `(` $num_threads `)` "
    'custom<Carried>($outputs, type($results), "shared_outs") custom<Body>($region) attr-dict'
)
CODE: Final = DialectCode(
    {
        "foreach_thread": OpCode(custom=two_way(_THREADS)),
        "foreach_thread.perform_concurrently": OpCode(custom=two_way("custom<Unlabelled>($region) attr-dict")),
        "reduce": OpCode(custom=two_way(_REDUCE)),
    }
)
# There are as many reductions as operations that reduce, which no terminator holds together.
WITHOUT: Final = ("scf.parallel", "scf.reduce")
