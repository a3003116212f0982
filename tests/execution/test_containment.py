"""What a contained program is kept from, that nothing a program starts outlives its run, and what the user is told."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from fathom.execution import Limits, RunOutcome, RunRequest, Worker
from fathom.execution.containment import MOST_THREADS, keeps_processes, landlock
from fathom.execution.containment.system_calls import needed, refused
from fathom.ir.types import I64
from tests.execution.goldens import SUPPORT_LIBRARIES
from tests.oracles import missing
from tests.processes import is_running

LOWERING = Path(__file__).resolve().parents[2] / "lowering"
DECLARATIONS = """
declare void @_exit(i32)
declare i32 @close(i32)
declare i32 @fork()
declare i32 @getppid()
declare i32 @kill(i32, i32)
declare i32 @open(ptr, i32, ...)
declare i32 @pthread_create(ptr, ptr, ptr, ptr)
declare i32 @prctl(i32, i64, i64, i64, i64)
declare i64 @read(i32, ptr, i64)
declare i32 @setsid()
declare i32 @sleep(i32)
declare i32 @socket(i32, i32, i32)
declare i32 @system(ptr)
declare i32 @unlink(ptr)
declare i32 @fcntl(i32, i32, ...)
declare i64 @syscall(i64, ...)
"""
CALLS = {
    "forks": "call i32 @fork()",
    "opens a socket": "call i32 @socket(i32 1, i32 1, i32 0)",
    "opens a file to write": "call i32 (ptr, i32, ...) @open(ptr @path, i32 1)",
    "makes a file": "call i32 (ptr, i32, ...) @open(ptr @path, i32 65, i32 420)",
    "removes a file": "call i32 @unlink(ptr @path)",
    "signals everyone": "call i32 @kill(i32 -1, i32 0)",
}
REFUSED = {
    "forks": "start a process",
    "opens a socket": "open a socket (the system call socket)",
    "opens a file to write": "write to files",
    "makes a file": "write to files",
    "removes a file": "write to files",
    "signals everyone": "act on other processes (the system call kill)",
}
FOREVER = """
  br label %again
again:
  %slept = call i32 @sleep(i32 1000)
  br label %again
"""
DAEMON = """
define i64 @f() {
  %first = call i32 @fork()
  %in_first = icmp eq i32 %first, 0
  br i1 %in_first, label %leave, label %wait
leave:
  %session = call i32 @setsid()
  %second = call i32 @fork()
  %in_second = icmp eq i32 %second, 0
  br i1 %in_second, label %again, label %gone
gone:
  call void @_exit(i32 0)
  unreachable
again:
  %slept = call i32 @sleep(i32 1000)
  br label %again
wait:
  %waited = call i32 @sleep(i32 SECONDS)
  ret i64 1
}
"""
BOMB = """
define i64 @f() {
  br label %again
again:
  %i = phi i64 [ 0, %0 ], [ %j, %again ]
  %child = call i32 @fork()
  %j = add i64 %i, 1
  %more = icmp slt i64 %j, COUNT
  br i1 %more, label %again, label %idle
idle:
  %slept = call i32 @sleep(i32 1000)
  br label %idle
}
"""
needs_filter = pytest.mark.skipif(not keeps_processes(), reason="no seccomp filter on this machine")


@pytest.fixture
def own() -> Iterator[Worker]:
    with Worker() as worker:
        yield worker


def run(worker: Worker, text: str, *, contained: bool = True, seconds: float = 5.0, path: str = "/x") -> RunOutcome:
    """Run @f of a text of LLVM IR."""
    data = path.encode() + b"\0"
    constant = "".join(f"\\{byte:02X}" for byte in data)
    text = f'@path = constant [{len(data)} x i8] c"{constant}"\n{DECLARATIONS}\n{text}'
    return worker.run(RunRequest(text, "f", (), (I64,)), Limits(seconds=seconds, contained=contained))


def returning(call: str) -> str:
    return f"define i64 @f() {{\n  %r = {call}\n  %w = sext i32 %r to i64\n  ret i64 %w\n}}"


@needs_filter
@pytest.mark.parametrize("name", CALLS)
def test_what_is_refused_fails_and_is_told(worker: Worker, tmp_path: Path, name: str) -> None:
    path = tmp_path / "file"
    path.write_text("untouched", encoding="ascii")
    outcome = run(worker, returning(CALLS[name]), path=str(path))
    assert outcome.results == (-1,), outcome
    assert f"the program was refused to {REFUSED[name]}" in outcome.notes[0]
    assert "fathom.run.contained" in outcome.notes[0]
    assert path.read_text(encoding="ascii") == "untouched"
    assert [file.name for file in tmp_path.iterdir()] == ["file"]


@needs_filter
def test_a_program_that_starts_another_is_stopped_with_the_reason(worker: Worker, tmp_path: Path) -> None:
    outcome = run(worker, returning("call i32 @system(ptr @path)"), path=f"touch {tmp_path}/made")
    assert outcome.failure is None or outcome.failure.kind == "refused", outcome
    if outcome.failure is not None:
        assert "tried to start a process" in outcome.failure.message
    assert list(tmp_path.iterdir()) == []


@needs_filter
def test_ways_around_are_closed(worker: Worker) -> None:
    """To outlive the worker, to have the kernel send a signal, and to use the numbers of another machine's calls."""
    assert run(worker, returning("call i32 @prctl(i32 1, i64 0, i64 0, i64 0, i64 0)")).results == (-1,)
    assert run(worker, returning("call i32 (i32, i32, ...) @fcntl(i32 1, i32 8, i32 1)")).results == (-1,)
    x32 = "define i64 @f() {\n  %r = call i64 (i64, ...) @syscall(i64 1073741865, i64 1, i64 1, i64 0)\n  ret i64 %r\n}"
    assert run(worker, x32).results == (-1,)


def test_reading_is_allowed(worker: Worker, tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_text("12345", encoding="ascii")
    text = """
define i64 @f() {
  %buffer = alloca [8 x i8]
  %file = call i32 (ptr, i32, ...) @open(ptr @path, i32 0)
  %count = call i64 @read(i32 %file, ptr %buffer, i64 8)
  ret i64 %count
}"""
    outcome = run(worker, text, path=str(path))
    assert (outcome.results, outcome.notes) == ((5,), ())


def test_what_is_not_contained_may(worker: Worker, tmp_path: Path) -> None:
    outcome = run(worker, returning("call i32 @system(ptr @path)"), contained=False, path=f"touch {tmp_path}/made")
    assert (outcome.results, outcome.notes) == ((0,), ())
    assert [path.name for path in tmp_path.iterdir()] == ["made"]


@needs_filter
def test_threads_are_few(worker: Worker) -> None:
    text = f"""
define ptr @thread(ptr %nothing) {{{FOREVER}}}
define i64 @f() {{
  %id = alloca i64
  br label %next
next:
  %i = phi i64 [ 0, %0 ], [ %j, %next ]
  %r = call i32 @pthread_create(ptr %id, ptr null, ptr @thread, ptr null)
  %j = add i64 %i, 1
  %more = icmp slt i64 %j, COUNT
  br i1 %more, label %next, label %done
done:
  %slept = call i32 @sleep(i32 1)
  ret i64 %j
}}"""
    assert run(worker, text.replace("COUNT", "8")).results == (8,)
    outcome = run(worker, text.replace("COUNT", "1000"))
    assert outcome.failure is not None
    assert outcome.failure.message == f"the program started more than {MOST_THREADS} threads; it was stopped"


def test_the_threads_of_a_library(worker: Worker) -> None:
    """MLIR's own runtime of asynchronous functions works in a contained program."""
    library = Path(SUPPORT_LIBRARIES[0]).with_name("libmlir_async_runtime.so")
    if not library.exists():
        missing(str(library))
    text = """
declare ptr @mlirAsyncRuntimeCreateToken()
declare void @mlirAsyncRuntimeEmplaceToken(ptr)
declare void @mlirAsyncRuntimeAwaitToken(ptr)
declare void @mlirAsyncRuntimeExecute(ptr, ptr)
define void @job(ptr %token) {
  call void @mlirAsyncRuntimeEmplaceToken(ptr %token)
  ret void
}
define i64 @f() {
  %token = call ptr @mlirAsyncRuntimeCreateToken()
  call void @mlirAsyncRuntimeExecute(ptr %token, ptr @job)
  call void @mlirAsyncRuntimeAwaitToken(ptr %token)
  ret i64 7
}"""
    outcome = worker.run(RunRequest(text, "f", (), (I64,), libraries=(str(library),)))
    assert (outcome.results, outcome.notes) == ((7,), ()), outcome


def test_closed_descriptors_are_told(worker: Worker) -> None:
    closing = """
define i64 @f() {
  br label %next
next:
  %i = phi i32 [ 0, %0 ], [ %j, %next ]
  %r = call i32 @close(i32 %i)
  %j = add i32 %i, 1
  %more = icmp slt i32 %j, 4096
  br i1 %more, label %next, label %done
done:
  LAST
}"""
    for last, words, seconds in (
        ("ret i64 0", "closed the file descriptors", 300.0),
        ("br label %done", "took longer than the limit", 0.5),
    ):
        outcome = run(worker, closing.replace("LAST", last), seconds=seconds)
        assert outcome.failure is not None
        assert words in outcome.failure.message
    assert run(worker, "define i64 @f() { ret i64 5 }").results == (5,)


def test_the_table_of_system_calls_is_that_of_this_machine() -> None:
    """Beside the kernel's header, where one is installed."""
    header = Path("/usr/include/x86_64-linux-gnu/asm/unistd_64.h")
    if not header.exists() or os.uname().machine != "x86_64":
        return
    lines = (
        line.split() for line in header.read_text(encoding="ascii").splitlines() if line.startswith("#define __NR")
    )
    numbers = {name.removeprefix("__NR_"): int(number) for _, name, number in lines}
    calls = {**needed(), **refused()}
    assert {name: number for name, number in calls.items() if name in numbers} == {
        name: numbers[name] for name in calls if name in numbers
    }


# ---- nothing outlives its run


def session_of(pid: int) -> set[int]:
    """A process and all that descend from it."""
    children: dict[int, list[int]] = {}
    for folder in Path("/proc").iterdir():
        if folder.name.isdigit():
            try:
                fields = (folder / "stat").read_text(encoding="utf-8", errors="replace").rpartition(")")[2].split()
            except OSError:
                continue
            if fields[0] not in "ZX":
                children.setdefault(int(fields[1]), []).append(int(folder.name))
    pids, left = {pid}, [pid]
    while left:
        more = children.get(left.pop(), [])
        pids.update(more)
        left += more
    return pids


def until(holds: Callable[[], bool], seconds: float = 300.0) -> bool:
    deadline = time.monotonic() + seconds
    while not holds() and time.monotonic() < deadline:
        time.sleep(0.02)
    return holds()


NO_NAMESPACES = """
from fathom.execution.containment import kernel
kernel.enter_pid_namespace = lambda: False
"""
"""What a worker runs first that is to do without PID namespaces."""


@pytest.fixture(params=["namespace", "subreaper"])
def way(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> str:
    """Both ways in which processes are held together."""
    if sys.platform != "linux":
        pytest.skip("processes are followed on Linux only")
    if request.param == "subreaper":
        hook = tmp_path / "site"
        hook.mkdir()
        (hook / "sitecustomize.py").write_text(NO_NAMESPACES, encoding="ascii")
        monkeypatch.setenv("PYTHONPATH", os.pathsep.join((str(hook), os.environ.get("PYTHONPATH", ""))))
    return request.param


def lives_only_with(run_it: Callable[[], object], worker: Worker) -> None:
    """What runs has no process left below the worker when it is over."""
    worker.start()
    assert worker.pid is not None
    pid = worker.pid
    run_it()
    assert until(lambda: session_of(pid) <= {pid}), session_of(pid)


def test_a_daemon_ends_with_its_run(own: Worker, way: str) -> None:
    def play() -> None:
        outcome = run(own, DAEMON.replace("SECONDS", "1"), contained=False)
        assert outcome.results == (1,), (way, outcome)

    lives_only_with(play, own)


def test_a_daemon_ends_with_the_time(own: Worker, way: str) -> None:
    def play() -> None:
        outcome = run(own, DAEMON.replace("SECONDS", "60"), contained=False, seconds=0.5)
        assert outcome.failure is not None, way
        assert outcome.failure.kind == "timeout"

    lives_only_with(play, own)


@pytest.mark.usefixtures("way")
def test_a_fork_bomb_ends_with_the_time(own: Worker) -> None:
    """The kernel counts the processes of all but root, for whom this is a bomb that stops at some."""
    text = BOMB.replace("COUNT", "5" if os.getuid() == 0 else "1000000000")
    lives_only_with(lambda: run(own, text, contained=False, seconds=0.5), own)


START = """
import sys, threading, time
from fathom.execution import Limits, RunRequest, Worker
worker = Worker()
worker.start()
request = RunRequest(sys.stdin.read(), "f", (), (), ())
limits = Limits(seconds=60, contained=sys.argv[1] == "contained")
threading.Thread(target=worker.run, args=(request, limits), daemon=True).start()
print(worker.pid, flush=True)
time.sleep(60)
"""


@pytest.mark.parametrize("contained", ["contained", "not contained"])
@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM])
@pytest.mark.usefixtures("way")
def test_nothing_outlives_who_asked(contained: str, number: signal.Signals) -> None:
    """Whoever started the worker is killed in the middle of a run."""
    text = DECLARATIONS + DAEMON.replace("SECONDS", "60").replace("i64 @f", "void @f").replace("ret i64 1", "ret void")
    parent = subprocess.Popen(
        [sys.executable, "-c", START, contained],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env={**os.environ, "PYTHONPATH": os.pathsep.join((os.environ.get("PYTHONPATH", ""), str(LOWERING)))},
    )
    assert parent.stdin is not None
    assert parent.stdout is not None
    with parent.stdin, parent.stdout:
        parent.stdin.write(text.encode())
        parent.stdin.close()
        worker = int(parent.stdout.readline())
        assert until(lambda: len(session_of(worker)) > 1)
        time.sleep(0.3)
        family = session_of(worker)
        parent.send_signal(number)
        parent.wait()
    assert until(lambda: not any(map(is_running, family))), [pid for pid in family if is_running(pid)]


def test_a_cancelled_run_takes_all_with_it(own: Worker, way: str) -> None:
    own.start()
    assert own.pid is not None
    pid, families = own.pid, list[set[int]]()

    def has_settled() -> bool:
        """Whether the daemon is there. While it begins, it may be overlooked: its parent may be gone by its turn."""
        families.append(session_of(pid))
        return len(families) > 1 and families[-1] == families[-2] and len(families[-1]) > 2

    def cancel() -> None:
        until(has_settled)
        own.kill()

    canceller = threading.Thread(target=cancel)
    canceller.start()
    outcome = run(own, DAEMON.replace("SECONDS", "600"), contained=False, seconds=600)
    canceller.join()
    assert outcome.failure is not None, way
    assert outcome.failure.kind == "cancelled"
    assert len(families[-1]) > 2
    assert until(lambda: not any(map(is_running, families[-1])))


def test_landlock_is_reported_by_its_version() -> None:
    try:
        known = landlock.version()
    except OSError:
        missing("Landlock")
    assert known >= 1
