"""Keywords and lists of syntaxes that are written by hand."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable

    from fathom.irdl.protocols import OpParser, ParsedOp
    from fathom.irdl.readers import ParameterReader

T = TypeVar("T")


def expect_keyword(parser: OpParser, parsed: ParsedOp, word: str) -> None:
    """A keyword; MLIR names the operation that lacks one."""
    parser.expect(word, f"custom op '{parsed.name}' expected '{word}'")


def comma_separated(parser: OpParser | ParameterReader, read: Callable[[], T]) -> list[T]:
    """At least one of what `read` reads, with commas between them."""
    found = [read()]
    while parser.accept(","):
        found.append(read())
    return found
