"""Texts of a few lines that stand for much: the real server answers every request about them, and stays small.

`python -m tests.hunts.attack` measures the same, and how long a hover on another document waits meanwhile.
"""

from __future__ import annotations

from collections.abc import Generator
from typing import Final

import pytest

from benchmarks.client import Client
from tests.patience import PATIENCE
from tests.server.attacks import definitions, documents
from tests.server.client import COMMAND
from tests.server.every_question import Asking, needs_proc, warm_server

MOST: Final = 1 << 30
"""Bytes of memory that the server may hold, and each process beside it."""
SPACE: Final = 3 << 20
"""Kilobytes of addresses that each may have: what wants more, though it is never touched, fails."""
DOCUMENTS: Final = documents()
DEFINITIONS: Final = definitions()
LIMITED: Final = ("sh", "-c", f'ulimit -v {SPACE}; exec "$@"', "sh", *COMMAND)


@pytest.fixture(scope="module")
def client() -> Generator[Client, None, None]:
    """One server for all of them, which are closed again."""
    with warm_server(LIMITED) as client:
        yield client


@needs_proc
@pytest.mark.parametrize("name", DOCUMENTS)
def test_every_question_is_answered(client: Client, name: str) -> None:
    _check_borne(Asking(client, name, DOCUMENTS[name], PATIENCE, few=True))


@needs_proc
@pytest.mark.parametrize("name", DEFINITIONS)
def test_every_question_about_definitions_is_answered(client: Client, name: str) -> None:
    _check_borne(Asking(client, name, DEFINITIONS[name], PATIENCE, few=True, language="tablegen"))


def _check_borne(asking: Asking) -> None:
    borne = asking.all()
    assert not borne.refused
    assert borne.server < MOST
    assert borne.beside < MOST
    assert borne.longest < 1 << 24, borne.longest_of
