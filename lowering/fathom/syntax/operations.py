"""One operation from its tokens: results, name, what its syntax reads, and location."""

from __future__ import annotations

from fathom.records import replace
from fathom.syntax.beginnings import ANY_DIALECT
from fathom.syntax.cursor import Cursor
from fathom.syntax.generic import parse_generic, parse_regions, parse_unknown, up_to_regions
from fathom.syntax.nodes import ParsedOp, ResultGroup
from fathom.syntax.token_reader import SyntaxFailure
from fathom.syntax.vocabulary import OpSyntax, Vocabulary


def parse_operation(
    cursor: Cursor, vocabulary: Vocabulary, default_dialect: str
) -> tuple[ParsedOp, OpSyntax | None, SyntaxFailure | None]:
    """One operation with its results and its location. What could be read before a failure is kept.

    Where a region opens (`cursor.opens`), that is what the operation would be if it ended with the region.
    """
    parsed = ParsedOp("", 0)
    syntax: OpSyntax | None = None
    try:
        reached = cursor.reached
        known = reached.operation if reached is not None else None
        if known is None and cursor.at_kind("value"):
            _parse_results(cursor, parsed)
        parsed.name_token = cursor.position
        token = cursor.token
        if reached is not None and known is not None:
            parsed = up_to_regions(known)
            syntax = _generic_syntax(vocabulary.syntax(parsed.name))
            cursor.position = reached.begin
            parse_regions(cursor, parsed)
        elif token.kind == "STRING":
            parsed.name = cursor.text(cursor.position)[1:-1]
            syntax = _generic_syntax(vocabulary.syntax(parsed.name))
            cursor.position += 1
            if not parsed.name:
                cursor.fail("empty operation name is invalid", cursor.position - 1)
            parse_generic(cursor, parsed)
        elif token.kind == "BARE":
            syntax = _custom_syntax(cursor, vocabulary, default_dialect, parsed)
            if syntax is None and vocabulary.is_generic(parsed.name):
                cursor.fail(f"custom op '{token.text}' has no custom assembly form")
            cursor.operation = parsed.name
            if syntax is not None and parsed.result_groups and (syntax.function or syntax.container):
                if cursor.peek(-1).line != token.line:
                    # It defines nothing: the line before it is unfinished.
                    parsed.name, syntax = "", None
                    cursor.fail("expected operation name in quotes")
            cursor.position += 1
            if syntax is None:
                parse_unknown(cursor, parsed, default_dialect, vocabulary)
            else:
                parsed.value = syntax.parse(cursor, parsed)
        else:
            cursor.fail("expected operation name in quotes")
        parsed.location = cursor.optional_location()
    except SyntaxFailure as failure:
        parsed.is_whole = False
        parsed.end = cursor.position
        return parsed, syntax, failure.untraced()
    parsed.end = cursor.position
    return parsed, syntax, None


def _generic_syntax(syntax: OpSyntax | None) -> OpSyntax | None:
    """In the generic form an operation's regions have no default dialect."""
    if syntax is None:
        return None
    return replace(syntax, default_dialect="")


def _custom_syntax(cursor: Cursor, vocabulary: Vocabulary, default_dialect: str, parsed: ParsedOp) -> OpSyntax | None:
    name = parsed.name = cursor.token.text
    if "." not in name and default_dialect == ANY_DIALECT:
        return None
    if "." not in name:
        full = vocabulary.full_name(name, default_dialect)
        syntax = vocabulary.syntax(full)
        is_gap = bool(default_dialect) and not vocabulary.is_complete(default_dialect)
        if syntax is None and not is_gap and not vocabulary.is_defined(full):
            parsed.unregistered = True
            tried = f" (tried '{full}' as well)" if default_dialect else ""
            cursor.fail(f"custom op '{name}' is unknown{tried}")
        parsed.name = full
        return syntax
    syntax = vocabulary.syntax(name)
    if syntax is None:
        dialect, _, rest = name.partition(".")
        if not rest or (vocabulary.is_complete(dialect) and not vocabulary.is_defined(name)):
            parsed.unregistered = True
            cursor.fail(f"custom op '{name}' is unknown")
    return syntax


def _parse_results(cursor: Cursor, parsed: ParsedOp) -> None:
    while True:
        if not cursor.at_kind("value"):
            cursor.fail("expected valid ssa identifier")
        group = ResultGroup(cursor.value_definition())
        parsed.result_groups.append(group)
        if cursor.accept(":"):
            if not cursor.at_kind("integer"):
                cursor.fail("expected integer number of results")
            group.count = cursor.integer_literal()
            if not 1 <= group.count <= 100_000:
                cursor.fail("expected named operation to have at least 1 result", cursor.position - 1)
        if not cursor.accept(","):
            break
    cursor.expect("=", "expected '=' after SSA name")
