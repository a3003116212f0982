"""Functions of two hundred generated signatures give what Python says: in the worker, and through `fathom run`."""

from __future__ import annotations

import io
import json
from pathlib import Path

import pytest

from fathom.cli import main
from fathom.context import default_context
from fathom.execution import Worker
from fathom.inputs.loading import Loading
from fathom.messages.source import Source
from fathom.programs.preparing import Prepared, program_of
from tests.execution.programs import QUICK
from tests.execution.signature_table import COUNT, Called, table

TABLE = list(table())
SHARES = 8


def test_there_are_so_many() -> None:
    assert len({called.text for called in TABLE}) >= COUNT * 0.8


@pytest.mark.parametrize("share", range(SHARES))
def test_in_the_worker(worker: Worker, share: int) -> None:
    for called in TABLE[share::SHARES]:
        program = program_of(Source("f.mlir", called.text), "f", Loading(context=default_context()))
        assert isinstance(program, Prepared), called.text
        outcome = worker.run(program.request(called.arguments, optimization=share % 4), QUICK)
        assert outcome.failure is None, (outcome.failure, called)
        assert list(outcome.results) == called.results, called


@pytest.mark.parametrize("share", range(SHARES))
def test_on_the_command_line(tmp_path: Path, share: int) -> None:
    for called in TABLE[share::SHARES]:
        check_command(called, tmp_path)


def check_command(called: Called, folder: Path) -> None:
    (folder / "arguments.json").write_text(json.dumps(called.arguments), encoding="utf-8")
    command = ["run", "-", "-e", "f", "--json", "--timeout=300", f"--args-file={folder / 'arguments.json'}"]
    stdout, stderr = io.StringIO(), io.StringIO()
    status = main(command, io.StringIO(called.text), stdout, stderr)
    answer = json.loads(stdout.getvalue())
    assert (status, stderr.getvalue(), answer["failure"]) == (0, "", None), called
    assert answer["results"] == called.results, called
