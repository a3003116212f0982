"""The LLVM dialect of MLIR 13, with what its predecessors wrote otherwise: types of LLVM's own that are wrapped, and
casts between these and builtin ones.

Source of the rules: *'llvm' Dialect* of MLIR 10 to 13, "Type System" and "Operations".
"""

from __future__ import annotations

from typing import Final

from fathom.dialects.llvm.wrapped_types import WRAPPED_TYPES
from fathom.irdl.constraints import ANY
from fathom.irdl.definition import OpDefinition, Operand, Result
from fathom.irdl.dialect import Dialect
from fathom.irdl.lazy import Lazy, possible_names
from fathom.irdl.traits import PURE
from fathom.records import replace

CAST: Final = OpDefinition(
    "llvm.mlir.cast",
    operands=(Operand("in", ANY),),
    results=(Result("res", ANY),),
    traits=(PURE,),
    assembly="$in attr-dict `:` type($in) `to` type($res)",
    summary="a value of a builtin type seen as one of LLVM's, or the other way round",
)


def completed(dialect: Dialect) -> Dialect:
    """The dialect with its types, and with the cast that went when they became builtin ones."""
    operations, added = dialect.by_name, {CAST.name: CAST}

    def make(name: str) -> OpDefinition | None:
        return added.get(name) or operations.get(name)

    names = (*possible_names(operations), *added)
    return replace(dialect, operations=Lazy(lambda: list(names), make), types=WRAPPED_TYPES)
