"""The tensor dialect: making tensors, taking them apart, and seeing them in another shape.

Source of the rules: *'tensor' Dialect*, and observed behaviour of mlir-opt 22.
"""

from __future__ import annotations

from math import prod
from typing import TYPE_CHECKING, Final

from fathom.dialects import load_described
from fathom.dialects.tensor.casts import ranked
from fathom.irdl.code import DialectCode, OpCode
from fathom.rewriting.speculation import SIZE_OF_DIMENSION

if TYPE_CHECKING:
    from fathom.irdl.protocols import ParsedOp, Resolver


def _resolve_elements(resolver: Resolver, parsed: ParsedOp) -> None:
    """The operands are the elements of the result, whose type stands in the text."""
    result = ranked(resolver.type(parsed.types["result"][0]))
    tokens = parsed.operands["elements"]
    if result is None or not result.has_static_shape:
        resolver.resolve_by_rules()
        return
    count = prod(result.ranked_shape)
    if count != len(tokens):
        counts = f"got {len(tokens)} operands and {count} types"
        at = tokens[0] if tokens else None
        resolver.fail(f"custom op '{parsed.name}' number of operands and types do not match: {counts}", at)
    resolver.operands = [resolver.operand(token, result.element) for token in tokens]
    resolver.result_types = [result]


CODE: Final = DialectCode(
    {
        "dim": OpCode(interfaces=(SIZE_OF_DIMENSION,)),
        "from_elements": OpCode(resolve=_resolve_elements),
    }
)
DIALECT: Final = load_described("tensor", CODE)
