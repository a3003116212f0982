"""Keywords and lists of syntaxes that are written by hand."""

from __future__ import annotations

from typing import TYPE_CHECKING, Concatenate, ParamSpec, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable

    from fathom.irdl.protocols import OpParser, ParsedOp
    from fathom.irdl.readers import ParameterReader

P = ParamSpec("P")
T = TypeVar("T")
R = TypeVar("R", bound="ParameterReader")


def enclosed(read: Callable[Concatenate[R, P], T]) -> Callable[Concatenate[R, P], T]:
    """The reader of what stands in angle brackets."""

    def whole(reader: R, *args: P.args, **named: P.kwargs) -> T:
        reader.expect("<")
        inner = read(reader, *args, **named)
        reader.expect(">")
        return inner

    return whole


def expect_keyword(parser: OpParser, parsed: ParsedOp, word: str) -> None:
    """A keyword; MLIR names the operation that lacks one."""
    parser.expect(word, f"custom op '{parsed.name}' expected '{word}'")


def comma_separated(parser: OpParser | ParameterReader, read: Callable[[], T]) -> list[T]:
    """At least one of what `read` reads, with commas between them."""
    elements = [read()]
    while parser.accept(","):
        elements.append(read())
    return elements


def bracketed(parser: OpParser | ParameterReader, brackets: str, read: Callable[[], T], where: str = "") -> list[T]:
    """What stands in brackets with commas between, if anything does; `where` is how MLIR calls the list."""
    first, last = (f"expected '{bracket}' in {where}" if where else None for bracket in brackets)
    parser.expect(brackets[0], first)
    if parser.accept(brackets[1]):
        return []
    elements = comma_separated(parser, read)
    parser.expect(brackets[1], last)
    return elements
