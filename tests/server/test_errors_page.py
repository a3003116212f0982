"""The page on diagnostics, `docs/errors.md`: each code is there, and each example gives what the page says."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from fathom import diagnostics
from fathom.context import Context
from fathom_server.session.opened import OpenDocument
from tests.fuzz.check import looked_at, new_document

PAGE = (Path(__file__).parents[2] / "docs" / "errors.md").read_text(encoding="utf-8")
SECTION = re.compile(r"^## `([\w-]+)`\n.*?^```mlir\n(.*?)^```\n\n> (\w+): (.*?)$", re.MULTILINE | re.DOTALL)
SECTIONS = SECTION.findall(PAGE)


def test_every_code_is_on_the_page() -> None:
    codes = {value for name, value in vars(diagnostics).items() if name.isupper() and isinstance(value, str)}
    assert codes <= set(re.findall(r"`([\w-]+)`", PAGE))


@pytest.mark.parametrize(("code", "text", "severity", "message"), SECTIONS, ids=[code for code, *_ in SECTIONS])
def test_an_example_gives_what_the_page_says(code: str, text: str, severity: str, message: str) -> None:
    opened = looked_at(OpenDocument(new_document(text, Context())))
    found = [(d.code, d.severity, d.message) for _, each in opened.found() for d in each]
    assert (code, severity, message) in found
    assert len({each for each in found if each[1] == "error"}) == (severity == "error")
