"""The tosa dialect of MLIR 19: a condition is a tensor of one truth value, whose type goes without saying.

    %1 = tosa.cond_if %0 -> (tensor<f32>) { … } else { … }

Source of the rules: *Tensor Operator Set Architecture (TOSA) Dialect* of MLIR 19; observed behaviour of mlir-opt 19.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from fathom.ir.types import I1, TensorType
from fathom.irdl.clauses import two_way
from fathom.irdl.code import DialectCode, OpCode

if TYPE_CHECKING:
    from fathom.irdl.protocols import ParsedOp, Resolver

_COND_IF: Final = "$condition (`->` `(` type($output_list)^ `)`)? $then_graph (`else` $else_graph^)? attr-dict"


def _resolve_cond_if(resolver: Resolver, parsed: ParsedOp, _: None) -> None:
    resolver.operands = [resolver.operand(parsed.operands["condition"][0], TensorType((), I1))]
    resolver.result_types = resolver.types(parsed.types.get("output_list", []))


CODE: Final = DialectCode({"cond_if": OpCode(custom=two_way(_COND_IF, _resolve_cond_if))})
