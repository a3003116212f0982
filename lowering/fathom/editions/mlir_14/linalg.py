"""The linalg dialect of MLIR 14: a fill has its operands in parentheses.

Source of the rules: *'linalg' Dialect* of MLIR 14, "Operations"; observed behaviour of mlir-opt 14.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from fathom.dialects.linalg.bodies import Formula, apply, fill_body, scalar_type
from fathom.editions.named_operations import named_code
from fathom.irdl.clauses import two_way
from fathom.irdl.code import DialectCode, OpCode
from fathom.irdl.definition import CustomSyntax

if TYPE_CHECKING:
    from fathom.irdl.protocols import ParsedOp, Resolver


def resolve_plain(resolver: Resolver, parsed: ParsedOp, _: None) -> None:
    """The region of an operation whose text leaves it out gives its first argument."""
    resolver.resolve_by_rules()
    scalars = [scalar_type(operand.type) for operand in resolver.operands]
    resolver.imply = lambda op, definitions: fill_body(op, scalars, 0, definitions)


FILL: Final[CustomSyntax[None]] = two_way(
    "`(` $value `,` $output `)` attr-dict `:` type($value) `,` type($output) (`->` type($result)^)? ` `",
    resolve_plain,
    completes=False,
)
_SOFT_PLUS: Final[Formula] = apply("log", apply("add", 0, apply("exp", 0)))
CODE: Final = DialectCode({"fill": OpCode(custom=FILL), "soft_plus_2d": named_code(_SOFT_PLUS, 2)})
