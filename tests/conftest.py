"""What holds for the whole suite: properties are tried with the same inputs each time, with FATHOM_REQUIRE_ORACLES=1 no
test is skipped for want of a tool in silence, and nothing is kept for the user who runs it."""

from __future__ import annotations

import gc
import os
import signal
from collections.abc import Generator
from pathlib import Path

import pytest

from tests.oracles import oracles_required
from tests.properties import configure_properties

configure_properties()
os.environ["FATHOM_CACHE"] = "off"

LONG = (
    "server/test_collector.py",
    "clients/test_neovim.py",
    "server/test_attacks.py",
    "clients/test_vscode.py",
    "server/test_beside.py",
    "server/test_hostile_documents.py",
    "server/test_workspace_diagnostics.py",
    "server/test_gone.py",
    "house/test_wheel.py",
    "elaborate/test_templates.py",
    "syntax/test_hostile.py",
)
"""The files that take longest: they come first, so that none of them is alone at the end; before all, that which goes
through all objects of its process."""
FOLDER = Path(__file__).parent
COLLECT = (50_000, 20, 20)
"""The thresholds of the garbage collector, which has much to go through that stays: modules, contexts, fixtures."""


def pytest_collection_finish() -> None:
    gc.set_threshold(*COLLECT)
    gc.collect()
    gc.freeze()


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    rank = {FOLDER / path: number for number, path in enumerate(LONG)}
    items.sort(key=lambda item: rank.get(item.path, len(LONG)))


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item, call: pytest.CallInfo[None]
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Turn any skip into a failure where every oracle is said to be present, but for what a kernel does not offer."""
    report = yield
    is_of_kernel = call.excinfo is not None and "on this machine" in str(call.excinfo.value)
    if report.skipped and oracles_required() and not is_of_kernel and not hasattr(report, "wasxfail"):
        report.outcome = "failed"
        report.longrepr = f"{item.nodeid} was skipped although FATHOM_REQUIRE_ORACLES is set: {call.excinfo}"
    return report


@pytest.fixture
def interruptible() -> Generator[None]:
    """Whoever runs the tests in the background may have set interrupts aside, and children would inherit that."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)
