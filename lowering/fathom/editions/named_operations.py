"""Named operations on structures that today's MLIR has not any more: their syntax, with what they compute."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from fathom.dialects.linalg.bodies import Formula, apply
from fathom.dialects.linalg.named import parse_named, resolve_named
from fathom.dialects.linalg.syntax import Parts, print_named
from fathom.irdl.cases import word_of
from fathom.irdl.code import OpCode
from fathom.irdl.definition import CustomSyntax

if TYPE_CHECKING:
    from collections.abc import Callable

    from fathom.irdl.protocols import OpParser, ParsedOp, Resolver


def named_code(body: Formula, operands: int) -> OpCode:
    """The code of an operation that computes a formula of so many operands, with the output."""
    return _code(lambda _: body, operands)


def function_code(default: str, operands: int) -> OpCode:
    """The code of an operation that computes what its attribute `fun` says of its operands but the output, each cast to
    the type of the output; without it, the function that goes without saying."""
    inputs: Final = [apply("cast_signed", number) for number in range(operands - 1)]

    def body(resolver: Resolver) -> Formula:
        function = resolver.properties.get("fun")
        return apply(word_of(function) or default, *inputs) if function is not None else apply(default, *inputs)

    return _code(body, operands)


def _code(body: Callable[[Resolver], Formula], operands: int) -> OpCode:
    def parse(parser: OpParser, parsed: ParsedOp) -> Parts:
        return parse_named(parser, parsed, operands)

    def resolve(resolver: Resolver, parsed: ParsedOp, parts: Parts) -> None:
        resolve_named(resolver, parsed, parts, body(resolver))

    return OpCode(custom=CustomSyntax(parse, print_named, resolve, completes=False))
