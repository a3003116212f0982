"""The generic form of any operation, and the custom form of an unknown one, kept whole by matching brackets.

Source of the rules: *MLIR Language Reference*, "Operations".
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from fathom.syntax.beginnings import begins_operation, continues, defines_results
from fathom.syntax.nodes import ParsedOp
from fathom.syntax.vocabulary import Vocabulary

if TYPE_CHECKING:
    from fathom.syntax.cursor import Cursor

_CLOSING: Final = {"(": ")", "[": "]", "{": "}", "<": ">"}


def parse_generic(cursor: Cursor, parsed: ParsedOp) -> None:
    """What follows the name in quotes: `(operands) [successors] <{properties}> (regions) {attributes} : type`."""
    parsed.generic = True
    cursor.expect("(", "expected '(' to start operand list")
    parsed.operands[""] = cursor.bare_value_list()
    cursor.expect(")", "expected ')' to end operand list")
    if cursor.accept("["):
        cursor.successor(parsed)
        while cursor.accept(","):
            cursor.successor(parsed)
        cursor.expect("]")
    cursor.properties(parsed)
    if cursor.at("(") and (cursor.peek().text == "{" or cursor.peek().kind == "REGION"):
        cursor.expect("(")
        cursor.region(parsed)
        while cursor.accept(","):
            cursor.region(parsed)
        cursor.expect(")", "expected ')' to end region list")
    cursor.attr_dict(parsed)
    cursor.expect(":", "expected ':' followed by operation type")
    parsed.function_type = cursor.function_type()


def parse_unknown(cursor: Cursor, parsed: ParsedOp, default_dialect: str, vocabulary: Vocabulary) -> None:
    """Tokens up to the end of the line on which all brackets are closed, and the lines after it that begin nothing. A
    `{` that ends a line opens a region."""
    parsed.known = False
    uses: list[int] = []
    pending: list[str] = []
    line = cursor.peek(-1).line
    while True:
        token = cursor.token
        if token.kind == "END" or (token.line != line and _ends(cursor, bool(pending), default_dialect, vocabulary)):
            break
        if token.kind == "REGION":
            cursor.region(parsed)
            line = token.line
            continue
        if token.text in (")", "]", "}") or (token.text == ">" and pending and pending[-1] == ">"):
            if not pending or pending[-1] != token.text:
                break
            pending.pop()
        elif token.text == "{" and not any(close != ")" for close in pending) and _opens_region(cursor):
            cursor.region(parsed)
            continue
        elif token.text in _CLOSING and token.kind == "PUNCT":
            pending.append(_CLOSING[token.text])
        elif token.kind == "VALUE":
            uses.append(cursor.position)
        elif token.kind == "BLOCK":
            cursor.successor_block(parsed)
            continue
        elif token.text == "loc" and not pending and cursor.at_location():
            break
        line = token.line
        cursor.position += 1
    if pending:
        cursor.fail(f"expected '{pending[-1]}'")
    parsed.operands[""] = uses


def _ends(cursor: Cursor, is_open: bool, default_dialect: str, vocabulary: Vocabulary) -> bool:
    """Whether the operation ends before the line that the cursor is at. A line that must be another operation ends it
    even while a bracket `is_open`, which is a mistake then."""
    if is_open:
        return begins_operation(cursor.token_at, cursor.position)
    return not continues(cursor.token_at, cursor.position, default_dialect, vocabulary)


def _opens_region(cursor: Cursor) -> bool:
    """Whether the `{` here begins a region and no dictionary: what follows it is no entry of a dictionary."""
    first, second = cursor.peek(1), cursor.peek(2)
    if first.line != cursor.token.line:
        cursor.looked_ahead = True
    if first.text == "}":
        return first.line != cursor.token.line
    if first.kind == "VALUE":
        return defines_results(cursor.token_at, cursor.position + 1)
    if first.kind == "BLOCK":
        return True
    if first.kind == "STRING":
        return second.line == first.line and second.text == "("
    return first.kind == "BARE" and (second.line != first.line or second.text not in ("=", ",", "}"))
