"""Markdown for clients that show none."""

from __future__ import annotations

import pytest
from lsprotocol import types

from fathom_server.lsp.clients import client_of
from fathom_server.lsp.markup import markup, plain_text, with_lines

MARKDOWN, PLAIN = types.MarkupKind.Markdown, types.MarkupKind.PlainText


def check_plain(markdown: str, expected: str) -> None:
    assert plain_text(markdown) == expected
    assert markup(markdown, is_markdown=False) == types.MarkupContent(PLAIN, expected)
    assert markup(markdown, is_markdown=True) == types.MarkupContent(MARKDOWN, markdown)


def test_code_stays_as_it_is() -> None:
    check_plain("```mlir\n%a = `x` | y\n---\n```\n\nresult of `a.b`", "%a = `x` | y\n---\n\nresult of a.b")


def test_quotes_and_weights_go() -> None:
    check_plain("Syntax: `` a `(` $b `)` ``, one of **`x`**", "Syntax: a `(` $b `)`, one of x")


def test_rows_stand_side_by_side() -> None:
    check_plain(
        "| # | field |\n| --- | --- |\n| 0 | `!llvm.ptr` |\n| 1 | `a \\| b` |", "#  field\n0  !llvm.ptr\n1  a | b"
    )


def test_a_rule_is_an_empty_line() -> None:
    check_plain("short\n\n---\n\nlong", "short\n\nlong")


@pytest.mark.parametrize(
    ("formats", "expected"),
    [(None, True), ([], True), ([MARKDOWN, PLAIN], True), ([PLAIN, MARKDOWN], False), ([PLAIN], False)],
)
def test_what_a_client_takes(formats: list[types.MarkupKind] | None, expected: bool) -> None:
    hover = types.HoverClientCapabilities(content_format=formats)
    client = types.ClientCapabilities(text_document=types.TextDocumentClientCapabilities(hover=hover))
    assert client_of(client, "utf-16").takes_markdown is expected
    assert client_of(types.ClientCapabilities(), "utf-16").takes_markdown


def test_lines_are_links_where_they_can_be_followed() -> None:
    said = "read at [line 12](#L12), `[x](#L1)`"
    assert with_lines(said, "file:///a.mlir", are_links=True) == "read at [line 12](file:///a.mlir#L12), `[x](#L1)`"
    assert with_lines(said, "file:///a.mlir", are_links=False) == "read at line 12, `[x](#L1)`"


@pytest.mark.parametrize(("said", "expected"), [(None, False), ({"fathom": {"lineLinks": True}}, True)])
def test_a_client_says_that_it_follows_lines(said: object, expected: bool) -> None:
    capabilities = types.ClientCapabilities(experimental=said)
    assert client_of(capabilities, "utf-16").follows_lines is expected
