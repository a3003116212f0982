"""What is not used: hints at the names of values, private symbols and aliases, which follow edits, and are given to
clients that fade them."""

from __future__ import annotations

import pytest
from lsprotocol import types

from fathom.context import Context
from fathom.diagnostics import UNUSED
from fathom.ir.operation import Span
from fathom_server.model.settings import Settings, updated
from fathom_server.session.opened import LARGE, OpenDocument
from tests.hunts.fuzz.check import edited, looked_at, new_document
from tests.server.answers import shown
from tests.server.client import capabilities, started
from tests.server.fixture import MARK, unmark


def hints_of(opened: OpenDocument) -> list[tuple[int, int]]:
    """The places of the hints, in the order of the text."""
    tree = opened.document.tree
    return sorted(
        (tree.start(index) + d.span.start, tree.start(index) + d.span.end)
        for index, diagnostics in opened.found(with_unused=True)
        for d in diagnostics
        if d.code in UNUSED and d.span is not None
    )


def check_unused(marked: str) -> None:
    """The names between marks are those that are not used."""
    text, offsets = unmark(marked)
    hints = hints_of(looked_at(OpenDocument(new_document(text, Context()))))
    expected = list(zip(offsets[::2], offsets[1::2], strict=True))
    assert shown(text, [Span(*pair) for pair in hints]) == shown(text, [Span(*pair) for pair in expected])


@pytest.mark.parametrize(
    "body",
    [
        "%u = arith.addi %a, %a : i32",
        "<|>%u<|> = arith.addi %a, %a : i32\n  %v = arith.muli %a, %a : i32\n  call @g(%v) : (i32) -> ()",
        "%u = call @h() : () -> i32",
        '%u = "foo.bar"() : () -> i32',
        "<|>%u:2<|> = scf.if %c -> (i32, i32) { scf.yield %a, %a : i32, i32 } else { scf.yield %a, %a : i32, i32 }",
        "%u:2 = scf.if %c -> (i32, i32) { scf.yield %a, %a : i32, i32 } else { scf.yield %a, %a : i32, i32 }\n"
        "  call @g(%u#1) : (i32) -> ()",
        "<|>%m<|> = memref.alloc() : memref<i32>",
        "%u = arith.addi %nowhere, %a : i32",
        '// "größe"\n  <|>%u<|> = arith.constant {"größe"} 1 : i32',
    ],
)
def test_values(body: str) -> None:
    if body == "%u = arith.addi %a, %a : i32":
        body = f"{MARK}%u{MARK} = arith.addi %a, %a : i32"
    body = body.replace("%u:2<|>", "%u<|>:2")
    check_unused(
        f"func.func @f(%a: i32, %c: i1) {{\n  {body}\n  return\n}}\n"
        "func.func private @g(i32)\nfunc.func private @h() -> i32\nfunc.func @uses() {\n"
        "  %0 = call @h() : () -> i32\n  call @g(%0) : (i32) -> ()\n  return\n}\n"
    )


def test_symbols() -> None:
    check_unused(
        "func.func private <|>@f<|>()\nfunc.func private @used()\n"
        "func.func @g() {\n  call @used() : () -> ()\n  return\n}\n"
        'memref.global "private" <|>@m<|> : memref<4xi32>\nllvm.mlir.global internal <|>@l<|>() : i32\n'
        'module @inner {\n  func.func private <|>@nested<|>()\n  func.func @"größe"() { return }\n}\n'
        "module { func.func private <|>@a<|>() func.func private @b() "
        "func.func @c() { call @b() : () -> () return } }\n"
        "module @n { func.func private <|>@alone<|>() } func.func private <|>@beside<|>() { return }\n"
        "// -----\nfunc.func private <|>@used<|>()\n"
        "func.func private <|>@itself<|>() {\n  return\n}\n"
    )


def test_aliases() -> None:
    check_unused(
        "!t = i32\n<|>!u<|> = f32\n#map = affine_map<(d0) -> (d0)>\n<|>#none<|> = affine_map<(d0) -> (d0)>\n"
        '#loc = loc("x":1:1)\nfunc.func @f(%a: !t) {\n  %0 = memref.alloc() : memref<4xi32, #map>\n'
        "  memref.dealloc %0 : memref<4xi32, #map>\n  return\n} loc(#loc)\n// -----\n<|>!t<|> = i64\n"
    )


def test_hints_follow_edits() -> None:
    text = "func.func private @f()\nfunc.func @g() {\n  %a = arith.constant 1 : i32\n  return\n}\n"
    opened = looked_at(OpenDocument(new_document(text, Context())))
    assert [text[first:last] for first, last in hints_of(opened)] == ["@f", "%a"]
    looked_at(edited(opened, (3, 2), (3, 2), "call @f() : () -> ()\n  "))
    now = opened.document.tree.text
    assert [now[first:last] for first, last in hints_of(opened)] == ["%a"]


def test_none_where_they_are_not_wanted() -> None:
    text = "func.func private @f()\n"
    opened = OpenDocument(new_document(text, Context()))
    opened.document.configure(updated(Settings(), {"diagnostics": {"unused": False}})[0])
    assert hints_of(looked_at(opened)) == []
    assert hints_of(looked_at(OpenDocument(new_document(text + "\n" * LARGE, Context())))) == []


@pytest.mark.parametrize("tags", [True, False])
async def test_clients_that_fade_get_them(tags: bool) -> None:
    text = "func.func private @f()\nfunc.func @g() {\n  %a = arith.constant 1 : i32\n  oops\n}\n"
    async with started(capabilities(tags=tags)) as session:
        buffer = session.open(text)
        await buffer.diagnostics(lambda messages: len(messages) == 2 if tags else len(messages) == 1)
        diagnostics = [d for d in await buffer.raw_diagnostics() if d.tags]
        assert [(d.severity, buffer.slice(d.range)) for d in diagnostics] == (
            [(types.DiagnosticSeverity.Hint, "@f")] if tags else []
        )
        buffer.edit(("  oops\n", "  return\n"))
        await buffer.diagnostics(lambda messages: len(messages) == (2 if tags else 0))
