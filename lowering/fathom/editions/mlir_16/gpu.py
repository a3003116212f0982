"""The gpu dialect of MLIR 16: most of its operations give no names to their results, and what a reduction combines by
does not say of what kind of numbers.

Source of the rules: *'gpu' Dialect* of MLIR 16, "Operations"; observed behaviour of mlir-opt 16.
"""

from __future__ import annotations

from typing import Final

from fathom.editions.former import unnamed
from fathom.editions.mlir_19.gpu import FORMER_MODULE
from fathom.irdl.clauses import two_way
from fathom.irdl.code import DialectCode, OpCode
from fathom.irdl.dialect import Dialect

_UNIFORM: Final = "(`uniform` $uniform^)?"
_TYPE: Final = "attr-dict `:` functional-type(operands, results)"
CODE: Final = DialectCode(
    {
        "all_reduce": OpCode(custom=two_way(f"($op^)? $value {_UNIFORM} $body {_TYPE}")),
        "module": FORMER_MODULE,
        "subgroup_reduce": OpCode(custom=two_way(f"$op $value {_UNIFORM} {_TYPE}")),
    }
)


def completed(dialect: Dialect) -> Dialect:
    """The dialect without most of the names."""
    return unnamed(dialect, ("gpu.shuffle",))
