"""A client that asks for diagnostics has the last of them in the end, in whatever order messages cross."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from itertools import product
from types import SimpleNamespace
from typing import Any, Final, cast

import pytest
from lsprotocol import types

from fathom.context import default_context
from fathom.diagnostics import Diagnostic
from fathom.ir.operation import Span
from fathom.records import replace
from fathom_server.lsp import publishing
from fathom_server.lsp.publishing import Publishing
from fathom_server.model.document import Document, TextChange
from fathom_server.model.settings import Settings
from fathom_server.session.findings import mistakes
from fathom_server.session.opened import OpenDocument
from tests.server.client import capabilities

URI: Final = "file:///crossing.mlir"
EVENTS: Final = ("found", "edited", "asks", "answers")
MOST: Final = 5
"""So many events, in all orders."""


class Crossing:
    """A document of which ever more is found, and a client that asks when it opened or edited it and when it is told
    to."""

    def __init__(self) -> None:
        text = "func.func @f() {\n  return\n}\n"
        self.opened = OpenDocument(Document(URI, 0, text, default_context(), Settings()))
        self.count = 0
        self.has: list[str] | None = None
        self.is_to_ask = True
        self.told: list[asyncio.Future[None]] = []
        self.tasks: list[asyncio.Task[None]] = []
        server = SimpleNamespace(
            client_capabilities=capabilities(pulls=True),
            encoding="utf-16",
            session=SimpleNamespace(documents={URI: self.opened}),
            begin=self.begin,
            workspace_diagnostic_refresh_async=self.tell,
        )
        self.publishing = Publishing(cast("Any", server))

    def begin(self, work: Coroutine[Any, Any, None]) -> None:
        self.tasks.append(asyncio.get_running_loop().create_task(work))

    def tell(self, _params: None) -> asyncio.Future[None]:
        self.is_to_ask = True
        self.told.append(asyncio.get_running_loop().create_future())
        return self.told[-1]

    @property
    def known(self) -> list[str]:
        return [diagnostic.message for _, diagnostics in self.opened.found() for diagnostic in diagnostics]

    def found(self) -> None:
        """The background finds something else in the present version."""
        self.count += 1
        item = self.opened.document.tree.items[0]
        findings = self.opened.findings
        counted = mistakes((Diagnostic(str(self.count), Span(0, 1)),), {})
        findings.note(item, replace(findings.of(item), mistakes=counted))
        self.publishing.publish(self.opened)

    def edited(self) -> None:
        document = self.opened.document
        self.opened.changed(document.apply(TextChange(document.tree.text + "// more\n")))
        document.version += 1
        self.publishing.publish(self.opened)
        self.is_to_ask = True

    def asks(self) -> None:
        self.is_to_ask = False
        params = types.DocumentDiagnosticParams(types.TextDocumentIdentifier(URI))
        report = self.publishing.document(params)
        assert isinstance(report, types.RelatedFullDocumentDiagnosticReport)
        self.has = [item.message for item in report.items]

    def answers(self) -> None:
        """The client answers that it is told to ask."""
        if self.told:
            self.told.pop(0).set_result(None)


async def settled() -> None:
    for _ in range(5):
        await asyncio.sleep(0)


@pytest.mark.parametrize("first", EVENTS)
async def test_whatever_the_order(first: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(publishing, "REST", 0)
    for others in product(EVENTS, repeat=MOST - 1):
        crossing = Crossing()
        for event in (first, *others):
            getattr(crossing, event)()
            await settled()
        while crossing.told or crossing.is_to_ask:
            crossing.asks()
            crossing.answers()
            await settled()
        assert crossing.has == crossing.known, (first, *others)
        await asyncio.gather(*crossing.tasks)
