"""The std dialect of MLIR 13: arithmetic, calls and branches, whose names need no dialect.

Source of the rules: *'std' Dialect* of MLIR 13, "Operations"; observed behaviour of mlir-opt 13.
"""

from __future__ import annotations

from typing import Final

from fathom.irdl.clauses import two_way
from fathom.irdl.code import DialectCode, OpCode

_UNARY: Final = OpCode(custom=two_way("$operand attr-dict `:` type($operand)"))
_BINARY: Final = OpCode(custom=two_way("$lhs `,` $rhs attr-dict `:` type($result)"))
_TERNARY: Final = OpCode(custom=two_way("$a `,` $b `,` $c attr-dict `:` type($result)"))
_CAST: Final = OpCode(custom=two_way("$in attr-dict `:` type($in) `to` type($out)"))
_EXTENSION: Final = OpCode(custom=two_way("$value attr-dict `:` type($value) `to` type($_result0)"))

_BINARIES: Final = (
    "addf addi and ceildivi_signed copysign divf divi_signed divi_unsigned floordivi_signed mulf muli or remf "
    "remi_signed remi_unsigned shift_left shift_right_signed shift_right_unsigned subf subi xor"
)

CODE: Final = DialectCode(
    operations={
        **dict.fromkeys(("absf", "ceilf", "floorf", "negf"), _UNARY),
        **dict.fromkeys(_BINARIES.split(), _BINARY),
        "fmaf": _TERNARY,
        **dict.fromkeys(("fpext", "fptosi", "fptoui", "fptrunc", "index_cast", "sitofp", "uitofp"), _CAST),
        **dict.fromkeys(("sexti", "trunci", "zexti"), _EXTENSION),
    }
)
