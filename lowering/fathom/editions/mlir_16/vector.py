"""The vector dialect of MLIR 16: a reduction says its attributes behind its types.

Source of the rules: *'vector' Dialect* of MLIR 16, "Operations"; observed behaviour of mlir-opt 16.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from fathom.editions.former import unnamed
from fathom.irdl.clauses import two_way
from fathom.irdl.code import DialectCode, OpCode

if TYPE_CHECKING:
    from fathom.irdl.protocols import ParsedOp, Resolver

completed = unnamed


def _resolve_reduction(resolver: Resolver, parsed: ParsedOp, _: None) -> None:
    vector, result = (resolver.type(parsed.types[name][0]) for name in ("vector", "dest"))
    accumulators = [resolver.operand(token, result) for token in parsed.operands.get("acc", ())]
    resolver.operands = [resolver.operand(parsed.operands["vector"][0], vector), *accumulators]
    resolver.result_types = [result]


_REDUCTION: Final = "$kind `,` $vector (`,` $acc^)? `:` type($vector) `into` type($dest) attr-dict"
CODE: Final = DialectCode({"reduction": OpCode(custom=two_way(_REDUCTION, _resolve_reduction))})
