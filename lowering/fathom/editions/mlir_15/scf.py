"""The scf dialect of MLIR 15: threads share no tensors by name, they give parts of new ones.

Source of the rules: *'scf' Dialect* of MLIR 15, "Operations"; observed behaviour of mlir-opt 15.
"""

from __future__ import annotations

from typing import Final

from fathom.irdl.clauses import two_way
from fathom.irdl.code import DialectCode, OpCode

_THREADS: Final = (
    "custom<Variables>(ref($region)) `in` ` ` `(` $num_threads `)` `->` ` ` `(` type($results) `)` "
    "custom<Body>($region) attr-dict"
)
CODE: Final = DialectCode({"foreach_thread": OpCode(custom=two_way(_THREADS))})
