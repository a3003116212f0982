"""The worker as a process: it starts lazily, stays warm, and ends with whoever started it."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path

from fathom.execution import Limits, RunRequest, Worker
from fathom.execution import run as run_once
from fathom.ir.types import I64
from tests.execution.programs import run
from tests.processes import descendants

LOWERING = Path(__file__).resolve().parents[2] / "lowering"
PROGRAM = "define i64 @f(i64 %x) {\n  %y = add i64 %x, 1\n  ret i64 %y\n}"


def test_starts_on_first_use_and_stays() -> None:
    with Worker() as worker:
        assert worker.pid is None
        assert run(worker, "faults", "fine", 1).results == (1,)
        pid = worker.pid
        assert pid is not None
        assert run(worker, "faults", "fine", 1).results == (1,)
        assert worker.pid == pid
    assert worker.pid is None


def test_run_without_a_worker() -> None:
    assert run_once(RunRequest(PROGRAM, "f", (I64,), (I64,), (4,))).results == (5,)


def test_times_are_reported(worker: Worker) -> None:
    outcome = worker.run(RunRequest(PROGRAM, "f", (I64,), (I64,), (1,)))
    assert outcome.call_seconds > 0
    assert outcome.compile_seconds > 0


def test_nothing_outlives_the_parent() -> None:
    """A parent that is killed while a program loops takes worker and program with it."""
    script = """
import threading, time
from fathom.execution import Limits, RunRequest, Worker
worker = Worker()
worker.start()
text = "define void @f() {\\n  br label %a\\na:\\n  br label %a\\n}"
threading.Thread(target=worker.run, args=(RunRequest(text, "f"), Limits(seconds=600)), daemon=True).start()
print(worker.pid, flush=True)
time.sleep(600)
"""
    environment = {**os.environ, "PYTHONPATH": str(LOWERING)}
    parent = subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE, env=environment)
    assert parent.stdout is not None
    worker_pid = int(parent.stdout.readline())
    until = time.monotonic() + 300
    while sys.platform == "linux" and not descendants(worker_pid) and time.monotonic() < until:
        time.sleep(0.02)
    program_pids = descendants(worker_pid)
    parent.kill()
    parent.wait()
    parent.stdout.close()
    until = time.monotonic() + 300
    while any(map(is_alive, (worker_pid, *program_pids))) and time.monotonic() < until:
        time.sleep(0.02)
    assert not any(map(is_alive, (worker_pid, *program_pids)))


def is_alive(pid: int) -> bool:
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rsplit(") ", 1)[1][0]
    except OSError:
        return False
    return state != "Z"


def test_killed_program_goes_with_the_worker() -> None:
    with Worker() as worker:
        worker.start()
        text = "define void @f() {\n  br label %a\na:\n  br label %a\n}"
        outcome = worker.run(RunRequest(text, "f"), Limits(seconds=0.2))
        assert outcome.failure is not None
        assert worker.pid is not None
        children = Path(f"/proc/{worker.pid}/task/{worker.pid}/children")
        assert not children.exists() or children.read_text() == ""


def test_modules_in_the_current_folder_are_not_imported(tmp_path: Path) -> None:
    (tmp_path / "json.py").write_text("raise SystemExit('a module of the workspace was run')", encoding="utf-8")
    script = "from fathom.execution import Worker\nwith Worker() as w: w.start(); print('up')"
    environment = {**os.environ, "PYTHONPATH": str(LOWERING)}
    done = subprocess.run(
        [sys.executable, "-P", "-c", script], cwd=tmp_path, env=environment, capture_output=True, text=True, check=False
    )
    assert (done.stdout, done.returncode) == ("up\n", 0), done.stderr


def test_importing_the_library_side_does_not_load_llvm() -> None:
    script = "import sys, fathom.execution; print(sorted({'llvmlite', 'asyncio'} & set(sys.modules)))"
    environment = {**os.environ, "PYTHONPATH": str(LOWERING)}
    done = subprocess.run([sys.executable, "-c", script], env=environment, capture_output=True, text=True, check=False)
    assert done.stdout == "[]\n", done.stderr
