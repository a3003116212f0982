"""Ranges that are written many at a time are those that are written one by one."""

from __future__ import annotations

import random
from typing import Final, get_args

import pytest

from fathom.context import default_context
from fathom.ir.operation import Span
from fathom.text.encodings import Encoding
from fathom_server.lsp.convert import TextPositions, TreeRanges, range_to_lsp
from fathom_server.lsp.encoded import encoded_range
from fathom_server.model.document import Document
from fathom_server.model.settings import Settings

TEXTS: Final = (
    "",
    "func.func @f() {\n  return\n}\n\nfunc.func @g() {\n  return\n}",
    'func.func @f() attributes {a = "aü𝄞"} {\n  return\n}\nfunc.func @g() {\r\n  return // ü𝄞\n}\n',
    "// a\n\n\n#a = 1 : i32\nmodule {\n  func.func @f() {\n    return\n  }\n}\n\n",
)


@pytest.mark.parametrize("text", TEXTS)
@pytest.mark.parametrize("encoding", get_args(Encoding))
def test_ranges_of_a_document(text: str, encoding: Encoding) -> None:
    tree = Document("file:///a.mlir", 1, text, default_context(), Settings()).tree
    positions = [(start, end) for start in range(len(text) + 2) for end in range(start, len(text) + 2)]
    random.Random(7).shuffle(positions)
    ranges = TreeRanges(tree, encoding)
    for start, end in positions[:400]:
        assert ranges.encoded(start, end) == encoded_range(range_to_lsp(tree, start, end, encoding))


@pytest.mark.parametrize("text", TEXTS)
@pytest.mark.parametrize("encoding", get_args(Encoding))
def test_ranges_of_a_text(text: str, encoding: Encoding) -> None:
    positions = TextPositions(text, encoding)
    for start in range(0, len(text) + 1, 3):
        for end in range(start, len(text) + 1, 5):
            span = Span(start, end)
            assert positions.encoded(span) == encoded_range(positions.range(span))
