"""Tools as processes: what comes of those that behave, and that nothing is left of those that do not."""

from __future__ import annotations

import sys
import threading
import time
from pathlib import Path

import pytest

from fathom.tools.running import Ended, Limits, Running, Stop

QUICK = Limits(seconds=60.0, output=1 << 20)


def ran(code: str, text: str = "", limits: Limits = QUICK) -> Ended:
    """What comes of a program in Python on a text."""
    return Running([sys.executable, "-c", code], [], None, limits).run(text)


def check_end(code: str, status: int, stop: Stop = "", limits: Limits = QUICK) -> None:
    ended = ran(code, limits=limits)
    assert (ended.status, ended.stop) == (status, stop), ended.said


def test_what_a_tool_reads_prints_and_says() -> None:
    ended = ran("import sys; print(open(sys.argv[-1]).read()); print('oh', file=sys.stderr)", "text ä")
    assert (ended.status, ended.printed, ended.said, ended.stop) == (0, "text ä\n".encode(), b"oh\n", "")


@pytest.mark.parametrize(
    ("code", "status"),
    [
        ("raise SystemExit(3)", 3),
        ("import os; os.abort()", -6),
        ("import os; os.kill(os.getpid(), 11)", -11),
        ("import os; os.kill(os.getppid(), 0)", 0),
    ],
)
def test_how_a_tool_ended_is_told(code: str, status: int) -> None:
    check_end(code, status)


def test_a_tool_has_so_much_time_memory_and_output() -> None:
    check_end("import time; time.sleep(3600)", -9, "timeout", Limits(seconds=1.0))
    check_end("import sys\nwhile 1: sys.stdout.write('x' * 100_000)", -9, "output")
    ended = ran("x = bytearray(8 << 30)", limits=Limits(seconds=60.0, memory=1 << 30))
    assert ended.status == 1
    assert b"MemoryError" in ended.said
    assert ran("import sys\nfor _ in range(10): sys.stderr.write('x' * 1_000_000)").status == 0


def test_a_tool_that_is_not_there_is_told() -> None:
    for program in ("no-such-tool-at-all", "./no-such-tool", "/"):
        ended = Running([program], [], Path("/"), QUICK).run("")
        assert ended.status != 0
        assert b"cannot start" in ended.said


def test_whatever_a_tool_starts_ends_with_it(tmp_path: Path) -> None:
    """Processes of sessions of their own, whose parents are gone."""
    leaves = (
        "import os, time\nfor _ in range(9):\n  if os.fork() == 0:\n    os.setsid()\n    if os.fork(): os._exit(0)\n"
    )
    leaves += f"    open({str(tmp_path)!r} + f'/{{os.getpid()}}', 'w')\n    time.sleep(3600)\n"
    leaves += f"while len(os.listdir({str(tmp_path)!r})) < 9: time.sleep(0.01)\n"
    check_end(leaves, 0)
    check_end(leaves + "time.sleep(3600)", -9, "timeout", Limits(seconds=2.0))
    assert not _running(str(tmp_path))


def _running(word: str) -> list[str]:
    """The commands of processes that have a word in them."""
    found: list[str] = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                command = (entry / "cmdline").read_bytes().decode("utf-8", "replace")
            except OSError:
                continue
            found += [command] if word in command else []
    return found


def test_another_thread_interrupts() -> None:
    running = Running([sys.executable, "-c", "import time; time.sleep(3600)"], [], None, QUICK)
    begun = threading.Event()

    def interrupt() -> None:
        begun.wait()
        time.sleep(0.3)
        running.interrupt()

    thread = threading.Thread(target=interrupt)
    thread.start()
    begun.set()
    assert running.run("").stop == "interrupted"
    thread.join()
    again = Running([sys.executable, "-c", "pass"], [], None, QUICK)
    again.interrupt()
    assert again.run("").stop == "interrupted"
