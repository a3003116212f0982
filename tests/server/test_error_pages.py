"""The pages on diagnostics, `docs/errors`: each code has one, and each example gives what its page says."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from lsprotocol import types

from fathom import diagnostics
from fathom.context import Context
from fathom_server.model.settings import Settings
from fathom_server.session.opened import OpenDocument
from tests.hunts.fuzz.check import looked_at, new_document
from tests.server.client import capabilities, started

FOLDER = Path(__file__).parents[2] / "docs" / "errors"
INDEX = "README.md"
PAGES = {path.stem: path.read_text(encoding="utf-8") for path in sorted(FOLDER.glob("*.md")) if path.name != INDEX}
EXAMPLE = re.compile(r"^```mlir\n(.*?)^```\n\n> (\w+): (.*?)$", re.MULTILINE | re.DOTALL)
EXAMPLES = [(code, *example) for code, page in PAGES.items() for example in EXAMPLE.findall(page)]


def test_every_code_has_a_page() -> None:
    codes = {value for name, value in vars(diagnostics).items() if name.isupper() and isinstance(value, str)}
    assert codes == set(PAGES)
    assert all(page.startswith(f"# `{code}`\n\n") for code, page in PAGES.items())


def test_the_index_leads_to_every_page() -> None:
    links = re.findall(r"\[([\w-]+)\]\(([\w-]+)\.md\)", (FOLDER / INDEX).read_text(encoding="utf-8"))
    assert all(name == target for name, target in links)
    assert sorted(name for name, _ in links) == sorted(PAGES)


@pytest.mark.parametrize(("code", "text", "severity", "message"), EXAMPLES, ids=[code for code, *_ in EXAMPLES])
def test_an_example_gives_what_the_page_says(code: str, text: str, severity: str, message: str) -> None:
    opened = looked_at(OpenDocument(new_document(text, Context(), Settings())))
    shown = [
        (d.code, d.severity, d.message)
        for _, findings in opened.found(with_unused=True, with_deprecated=True)
        for d in findings
    ]
    assert (code, severity, message) in shown
    assert len({diagnostic for diagnostic in shown if diagnostic[1] == "error"}) == (severity == "error")


@pytest.mark.parametrize("links", [True, False])
async def test_a_code_links_to_its_page(links: bool) -> None:
    async with started(capabilities(links=links)) as session:
        (diagnostic,) = await session.open("func.func @f() {\n  cf.br ^bb1\n}\n").raw_diagnostics()
        assert diagnostic.code == "undeclared-block"
        page = FOLDER / "undeclared-block.md"
        assert diagnostic.code_description == (types.CodeDescription(page.as_uri()) if links else None)
