"""The memref dialect of MLIR 14: reshapes say no sizes.

Source of the rules: *'memref' Dialect* of MLIR 14, "Operations"; observed behaviour of mlir-opt 14.
"""

from __future__ import annotations

from typing import Final

from fathom.irdl.clauses import two_way
from fathom.irdl.code import DialectCode, OpCode

RESHAPE: Final = OpCode(custom=two_way("$src $reassociation attr-dict `:` type($src) `into` type($result)"))
"""That of reshapes of tensors too."""
CODE: Final = DialectCode(
    {
        "collapse_shape": RESHAPE,
        "expand_shape": RESHAPE,
        "view": OpCode(
            custom=two_way(
                "$source `` `[` $byte_shift `]` `` `[` $sizes `]` attr-dict `:` type($source) `to` type(results)"
            )
        ),
    }
)
