"""One warm worker for all tests that do not kill theirs."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from fathom.execution import Worker


@pytest.fixture(scope="session")
def worker() -> Iterator[Worker]:
    with Worker() as shared:
        yield shared
