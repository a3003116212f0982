"""Keywords of syntaxes that are written by hand."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from fathom.irdl.protocols import OpParser, ParsedOp


def expect_keyword(parser: OpParser, parsed: ParsedOp, word: str) -> None:
    """A keyword; MLIR names the operation that lacks one."""
    parser.expect(word, f"custom op '{parsed.name}' expected '{word}'")
