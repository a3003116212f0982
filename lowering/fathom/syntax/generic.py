"""The generic form of any operation, and the custom form of an unknown one, kept whole by matching brackets.

Source of the rules: *MLIR Language Reference*, "Operations".
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from fathom.records import record
from fathom.syntax.beginnings import (
    UNFINISHED,
    TokenAt,
    begins_operation,
    continues,
    defines_results,
    end_of_label,
    end_of_results,
    is_operation,
    is_type,
    on_line,
)
from fathom.syntax.nodes import ParsedOp, Successor
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
        if cursor.at("]"):
            cursor.fail("expected list element")
        cursor.successor(parsed)
        while cursor.accept(","):
            cursor.successor(parsed)
        cursor.expect("]")
    cursor.any_properties(parsed)
    if cursor.accept("("):
        parse_regions(cursor, parsed)
    else:
        _parse_end(cursor, parsed)


def up_to_regions(known: ParsedOp) -> ParsedOp:
    """What an operation in the generic form is before its regions, of which one that was read has more."""
    return ParsedOp(
        known.name,
        known.name_token,
        generic=True,
        result_groups=known.result_groups,
        operands=known.operands,
        successors=known.successors,
        properties=known.properties,
    )


def parse_regions(cursor: Cursor, parsed: ParsedOp) -> None:
    """`regions) {attributes} : type`."""
    cursor.region_list(parsed)
    cursor.expect(")", "expected ')' to end region list")
    _parse_end(cursor, parsed)


def _parse_end(cursor: Cursor, parsed: ParsedOp) -> None:
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
    begin = cursor.position
    if cursor.reached is not None and isinstance(before := cursor.reached.heads[0], _BeforeRegion):
        cursor.position, line = cursor.reached.position, cursor.peek(cursor.reached.position - 1 - begin).line
        parsed.regions, parsed.successors = cursor.reached.regions, [*before.successors]
        uses, pending = [*before.uses], [*before.pending]
    while True:
        token = cursor.token
        # What stands before the statement, on a line of a negative number, belongs to the operation.
        is_further = token.line != line and token.line >= 0
        if token.kind == "END" or (is_further and _ends(cursor, pending, default_dialect, vocabulary)):
            break
        if token.line == line and not pending and _is_followed(cursor, parsed, default_dialect, vocabulary):
            break
        if token.kind == "REGION":
            cursor.further_region(parsed, begin, _before_region(parsed, uses, pending))
            line = token.line
            continue
        if token.text in (")", "]", "}"):
            is_open = bool(pending)
            _close_angles(pending)
            if not pending or pending[-1] != token.text:
                cursor.looked_ahead = cursor.looked_ahead or (is_open and is_further)
                break
            pending.pop()
        elif token.text == ">":
            if pending and pending[-1] == ">":
                pending.pop()
        elif token.text == "{" and ">" not in pending and _opens_region(cursor):
            cursor.further_region(parsed, begin, _before_region(parsed, uses, pending))
            continue
        elif token.text in _CLOSING and token.kind == "PUNCT" and not _is_arrow(cursor):
            pending.append(_CLOSING[token.text])
        elif token.kind == "VALUE":
            uses.append(cursor.position)
        elif token.kind == "BLOCK":
            cursor.successor_block(parsed)
            continue
        elif (
            token.text == "loc"
            and not pending
            and cursor.at_location()
            and _is_last(cursor, default_dialect, vocabulary)
        ):
            break
        line = token.line
        cursor.position += 1
    if pending:
        # Another line might be taken for what stands between these brackets.
        cursor.looked_ahead = True
    _close_angles(pending)
    if pending:
        cursor.fail(f"expected '{pending[-1]}'")
    parsed.operands[""] = uses


@record
class _BeforeRegion:
    """What was read of an unknown operation before one of its regions: the values that it uses, the brackets that are
    open, and its successors."""

    uses: Sequence[int]
    pending: Sequence[str]
    successors: Sequence[Successor]


def _before_region(parsed: ParsedOp, uses: Sequence[int], pending: Sequence[str]) -> _BeforeRegion:
    return _BeforeRegion(tuple(uses), tuple(pending), tuple(parsed.successors))


def _ends(cursor: Cursor, pending: list[str], default_dialect: str, vocabulary: Vocabulary) -> bool:
    """Whether the operation ends before the line that the cursor is at. A line that must be another operation ends it
    even while brackets are `pending`, which is a mistake unless they may be something else."""
    if pending:
        token, following = cursor.token, cursor.peek()
        return begins_operation(cursor.token_at, cursor.position) or (
            all(close == ">" for close in pending)
            and token.kind == "BARE"
            and following.text not in ("=", ":", ",", ">")
            and is_operation(token.text, default_dialect, vocabulary)
        )
    previous, is_deeper = cursor.peek(-1).text, cursor.token.column > cursor.margin
    return not continues(cursor.token_at, cursor.position, previous, is_deeper, default_dialect, vocabulary)


def _close_angles(pending: list[str]) -> None:
    """Gives up the last `<` that were not closed: they need not be brackets."""
    while pending and pending[-1] == ">":
        pending.pop()


def _is_arrow(cursor: Cursor) -> bool:
    """Whether a `<` begins an arrow to the left."""
    token, following = cursor.token, cursor.peek()
    return token.text == "<" and following.text == "-" and (following.line, following.column) == (token.line, token.end)


def _is_followed(cursor: Cursor, parsed: ParsedOp, default_dialect: str, vocabulary: Vocabulary) -> bool:
    """Whether something else begins at the cursor, on a line of the operation: results of another, the label of a
    block, or the name of an operation that is known, where no clause can have it."""
    token, previous = cursor.token, cursor.peek(-1)
    if previous.text in UNFINISHED:
        return False
    token_at = on_line(cursor.token_at, token.line)
    if token.kind == "VALUE":
        # What is bound to a name in a clause, as in `for %i = %a`, is no name of an operation.
        end = end_of_results(token_at, cursor.position)
        return end is not None and (
            token_at(end).kind == "END" or _is_named(token_at, end, default_dialect, vocabulary)
        )
    if token.kind == "BLOCK":
        end = end_of_label(token_at, cursor.position)
        # Before the end of a line, types may follow those of what an operation passes to its one successor.
        is_first = cursor.position - 1 == parsed.name_token
        return end is not None and _begins_block(token_at, end, is_first, default_dialect, vocabulary)
    if token.kind != "BARE" or (previous.kind == "BARE" and not is_type(previous.text)):
        return False
    return "." in token.text and vocabulary.syntax(token.text) is not None


def _is_named(token_at: TokenAt, index: int, default_dialect: str, vocabulary: Vocabulary) -> bool:
    """Whether a token is the name of an operation: in quotes, with a dialect, or known."""
    token = token_at(index)
    if token.kind == "STRING":
        return token_at(index + 1).text == "("
    return token.kind == "BARE" and ("." in token.text or is_operation(token.text, default_dialect, vocabulary))


def _begins_block(token_at: TokenAt, index: int, is_first: bool, default_dialect: str, vocabulary: Vocabulary) -> bool:
    """Whether what stands behind something like a label begins a block, and is no type of what a successor is passed.
    That something may be the first thing in the operation."""
    token = token_at(index)
    if token.kind == "END":
        return not is_first
    if token.kind == "VALUE":
        return end_of_results(token_at, index) is not None
    return token.text == "}" or _is_named(token_at, index, default_dialect, vocabulary)


def _is_last(cursor: Cursor, default_dialect: str, vocabulary: Vocabulary) -> bool:
    """Whether nothing of the operation stands behind the location that the cursor is at, on its line."""
    line, depth, ahead = cursor.token.line, 0, 1
    while (token := cursor.peek(ahead)).line == line and token.kind != "END":
        depth += (token.text == "(") - (token.text == ")")
        ahead += 1
        if not depth:
            following = cursor.peek(ahead)
            is_over = following.line != line or following.kind == "END" or following.text == "}"
            return is_over or _is_another(cursor, cursor.position + ahead, default_dialect, vocabulary)
    return True


def _is_another(cursor: Cursor, index: int, default_dialect: str, vocabulary: Vocabulary) -> bool:
    """Whether the token, which is not the first of its line, begins an operation."""
    token = cursor.token_at(index)
    if token.kind == "STRING":
        return cursor.token_at(index + 1).text == "("
    is_named = token.kind == "BARE" and is_operation(token.text, default_dialect, vocabulary)
    return is_named or begins_operation(cursor.token_at, index)


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
    if first.kind != "BARE" or (second.line == first.line and second.text in ("=", ",", "}")):
        return False
    # A name before a colon is a case, such as `default: ^bb1`; an operation has a dialect there.
    return "." in first.text or second.text != ":"
