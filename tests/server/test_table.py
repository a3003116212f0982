"""The table of requests: each row has a feature behind it, loaded when needed, and refuses what makes no sense."""

from __future__ import annotations

import inspect
import subprocess
import sys
from typing import Any

import pytest
from lsprotocol import types

from benchmarks.client import Client
from fathom_server.lsp.requests import FEATURES, Request
from fathom_server.lsp.table import COMMANDS, REQUESTS
from tests.server.client import COMMAND, environment

MALFORMED: tuple[dict[str, Any], ...] = ({}, {"textDocument": 3}, {"title": [], "textDocument": {}})


@pytest.mark.parametrize("row", REQUESTS, ids=lambda row: row.method)
def test_a_row_names_a_function_that_answers_from_a_snapshot(row: Request[object, object]) -> None:
    assert next(iter(inspect.signature(row.function()).parameters)) == "snapshot"


def test_names_are_unique() -> None:
    assert len({row.method for row in REQUESTS}) == len(REQUESTS)
    assert len({row.name for row in COMMANDS}) == len(COMMANDS)


def test_no_feature_is_loaded_before_it_is_needed() -> None:
    late = (f"{FEATURES}.", "fathom_server.model.", "fathom.ir", "fathom.syntax")
    script = f"import sys, fathom_server.lsp.server\nprint([m for m in sys.modules if m.startswith({late!r})])"
    ran = subprocess.run([sys.executable, "-c", script], env=environment(), capture_output=True, text=True, check=True)
    assert ran.stdout == "[]\n"


def test_nothing_of_documents_is_loaded_before_initialize_is_answered() -> None:
    body = b'{"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {"capabilities": {}}}'
    watched = {**environment(), "PYTHONPROFILEIMPORTTIME": "1"}
    ran = subprocess.run(
        (*COMMAND, "--stdio"),
        input=b"Content-Length: %d\r\n\r\n%b" % (len(body), body),
        env=watched,
        capture_output=True,
        check=False,
    )
    assert b'"capabilities"' in ran.stdout
    loaded = {line.rpartition("|")[2].strip() for line in ran.stderr.decode().splitlines()}
    assert "fathom_server.lsp.server" in loaded
    late = (f"{FEATURES}.", "fathom_server.model.", "fathom_server.session.session", "fathom.ir", "fathom.syntax")
    assert not [name for name in loaded if name.startswith(late)]


def test_malformed_requests_are_invalid_and_unknown_documents_have_no_answer() -> None:
    with Client((*COMMAND, "--stdio")) as client:
        client.initialize()
        for row in REQUESTS:
            for params in MALFORMED:
                with pytest.raises(RuntimeError, match="-32602"):
                    client.request(row.method, params)
        unknown = {"textDocument": {"uri": "file:///unknown.mlir"}, "position": {"line": 0, "character": 0}}
        for method in (types.TEXT_DOCUMENT_HOVER, types.TEXT_DOCUMENT_DEFINITION, types.TEXT_DOCUMENT_DOCUMENT_SYMBOL):
            assert client.request(method, unknown)[0] is None
        client.open("file:///a.mlir", "func.func private @f()\n")
        assert client.wait_for(types.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS).params["diagnostics"] == []
