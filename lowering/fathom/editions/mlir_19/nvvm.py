"""The nvvm dialect of MLIR 19: the types of what a ballot takes go without saying.

Source of the rules: *'nvvm' Dialect* of MLIR 19, "Operations"; observed behaviour of mlir-opt 19.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from fathom.ir.types import I1, I32
from fathom.irdl.clauses import two_way
from fathom.irdl.code import DialectCode, OpCode

if TYPE_CHECKING:
    from fathom.irdl.protocols import ParsedOp, Resolver


def _resolve_ballot(resolver: Resolver, parsed: ParsedOp, _: None) -> None:
    tokens = (("mask", I32), ("pred", I1))
    resolver.operands = [resolver.operand(parsed.operands[name][0], type) for name, type in tokens]
    resolver.result_types = resolver.types(parsed.types["res"])


CODE: Final = DialectCode(
    {"vote.ballot.sync": OpCode(custom=two_way("$mask `,` $pred attr-dict `:` type($res)", _resolve_ballot))}
)
# Which types belong together is another table there.
WITHOUT: Final = ("nvvm.mma.sync",)
