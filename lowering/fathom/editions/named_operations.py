"""Named operations on structures that today's MLIR has not any more: their syntax, with what they compute."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fathom.dialects.linalg.named import parse_named, resolve_named
from fathom.dialects.linalg.syntax import Parts, print_named
from fathom.irdl.code import OpCode
from fathom.irdl.definition import CustomSyntax

if TYPE_CHECKING:
    from fathom.dialects.linalg.bodies import Formula
    from fathom.irdl.protocols import OpParser, ParsedOp, Resolver


def named_code(body: Formula, operands: int) -> OpCode:
    """The code of an operation that computes a formula of so many operands, with the output."""

    def parse(parser: OpParser, parsed: ParsedOp) -> Parts:
        return parse_named(parser, parsed, operands)

    def resolve(resolver: Resolver, parsed: ParsedOp, parts: Parts) -> None:
        resolve_named(resolver, parsed, parts, body)

    return OpCode(custom=CustomSyntax(parse, print_named, resolve, completes=False))
