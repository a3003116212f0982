"""Programs that do not return as they should: each gives a clear message within its limits, and the worker goes on."""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from fathom.execution import Failure, Json, Limits, RunOutcome, RunRequest, Worker
from fathom.ir.types import F32, I32, I64, MemRefType
from tests.execution.goldens import SUPPORT_LIBRARIES
from tests.execution.programs import QUICK, run
from tests.oracles import missing

SHORT = Limits(seconds=2.0, memory=256 << 20, output=10_000)


def check_failure(
    worker: Worker, function: str, arguments: list[Json], kind: str, message: str, limits: Limits = QUICK
) -> RunOutcome:
    """Check kind and text of a failure, and that the same worker runs the next program."""
    worker.start()
    pid = worker.pid
    outcome = run(worker, "faults", function, *arguments, limits=limits)
    assert outcome.failure is not None
    assert outcome.failure.kind == kind
    assert message in outcome.failure.message
    assert run(worker, "faults", "fine", 5).results == (5,)
    assert worker.pid == pid
    return outcome


def details(outcome: RunOutcome) -> Failure:
    assert outcome.failure is not None
    return outcome.failure


def test_endless_loop(worker: Worker) -> None:
    message = "running the program took longer than the limit of 2 s; it was stopped"
    check_failure(worker, "endless", [], "timeout", message, SHORT)


def test_endless_loop_keeps_what_was_printed(worker: Worker) -> None:
    outcome = check_failure(worker, "endless_after_printing", [42], "timeout", "2 s", SHORT)
    assert outcome.stdout == "42"


def test_endless_printing(worker: Worker) -> None:
    outcome = check_failure(
        worker, "endless_printing", [7], "output-limit", "more than the limit of 10000 bytes", SHORT
    )
    assert outcome.stdout == "7\n" * 5000


def test_null_store(worker: Worker) -> None:
    outcome = check_failure(
        worker, "null_store", [3], "crash", "a segmentation fault (SIGSEGV): it accessed a null pointer"
    )
    assert details(outcome).details == {"signal": "SIGSEGV", "address": 0}
    assert outcome.stdout == "3"


def test_wild_store(worker: Worker) -> None:
    outcome = check_failure(
        worker, "wild_store", [[1, 2, 3, 4], 1 << 40], "crash", "SIGSEGV): it accessed memory that cannot be"
    )
    assert details(outcome).details["signal"] == "SIGSEGV"


def test_stack_overflow_by_recursion(worker: Worker) -> None:
    check_failure(worker, "recursion", [0], "crash", "the program used up its stack (SIGSEGV)")


def test_stack_overflow_by_alloca(worker: Worker) -> None:
    check_failure(worker, "large_alloca", [64 << 20], "crash", "an alloca too large")


def test_division_by_zero(worker: Worker) -> None:
    outcome = check_failure(worker, "divide", [1, 0], "crash", "an integer division by zero")
    assert details(outcome).details["signal"] == "SIGFPE"


def test_huge_allocation(worker: Worker) -> None:
    message = "the program asked for 4398046511104 bytes, beyond its limit of 268435456 bytes of memory"
    check_failure(worker, "allocate", [1 << 40], "memory-limit", message)


def test_many_allocations(worker: Worker) -> None:
    check_failure(worker, "leak", [1 << 18], "memory-limit", "the program asked for 1048576 bytes")


def test_allocation_within_the_limit(worker: Worker) -> None:
    outcome = run(worker, "faults", "allocate", 1 << 20)
    assert outcome.failure is None


def test_exit(worker: Worker) -> None:
    outcome = check_failure(worker, "exits", [3], "exit", "ended the process with exit status 3 instead of returning")
    assert details(outcome).details == {"status": 3}
    assert outcome.stdout == "3"
    check_failure(worker, "exits", [0], "exit", "exit status 0")


def test_failed_assertion(worker: Worker) -> None:
    outcome = check_failure(worker, "asserts", [False], "crash", "an abort: an assertion failed")
    assert details(outcome).details["signal"] == "SIGABRT"
    assert outcome.stdout == "the flag must be set\n"
    assert run(worker, "faults", "asserts", True).failure is None


def test_death_by_signal(worker: Worker) -> None:
    check_failure(worker, "kills_itself", [], "crash", "SIGKILL")


def test_result_that_points_nowhere(worker: Worker) -> None:
    check_failure(worker, "dangling", [16, 4], "crash", "while the results were read")
    check_failure(worker, "dangling", [0, 4], "crash", "a null pointer")
    outcome = run(worker, "faults", "dangling", 0, 0)
    assert outcome.results == ({"type": "memref<?xf32>", "shape": [0], "data": []},)
    check_failure(worker, "dangling", [16, -1], "crash", "extents [-1], which cannot be right")


def test_program_that_forks(worker: Worker) -> None:
    """Parent and child both return; one answer arrives, and no process stays."""
    assert run(worker, "faults", "forks").failure is None or worker.pid is not None
    assert run(worker, "faults", "fine", 5).results == (5,)


def test_missing_symbol_that_is_not_reached(worker: Worker) -> None:
    """Only what the function reaches counts: one unfinished function does not keep others from running."""
    assert run(worker, "faults", "fine", 5, optimization=0).results == (5,)
    outcome = run(worker, "faults", "calls_nosuch", 1, optimization=0)
    assert details(outcome).details == {"symbols": ["nosuch"]}


def check_missing(worker: Worker, text: str, function: str, symbols: list[str], message: str, *libraries: str) -> None:
    outcome = worker.run(RunRequest(text, function, (I32,), (I32,), (1,), libraries=libraries), QUICK)
    assert outcome.failure is not None
    assert (outcome.failure.kind, outcome.failure.details) == ("missing-symbol", {"symbols": symbols})
    assert message in outcome.failure.message


CALLS = """
declare i32 @nosuch(i32)
declare i32 @neither(i32)
declare i32 @unused(i32)
define i32 @f(i32 %x) {
  %a = call i32 @nosuch(i32 %x)
  %b = call i32 @neither(i32 %a)
  ret i32 %b
}
"""


def test_missing_symbols_are_named(worker: Worker) -> None:
    message = "the program calls @neither and @nosuch, which nothing defines: give it a body in this module"
    check_missing(worker, CALLS, "f", ["neither", "nosuch"], message)


def test_function_that_is_not_there(worker: Worker) -> None:
    check_missing(worker, CALLS, "g", ["g"], "the program has no function @g; it defines: @f")
    check_missing(worker, CALLS, "nosuch", ["nosuch"], "@nosuch is declared in the program, but has no body to run")


def test_library_that_does_not_load(worker: Worker, tmp_path: Path) -> None:
    """It is told; only a program that needs a symbol that nothing else has cannot run."""
    library = str(tmp_path / "none.so")
    said = f"the shared library {library} does not load: "
    without = "define i32 @f(i32 %x) {\n  ret i32 %x\n}"
    outcome = worker.run(RunRequest(without, "f", (I32,), (I32,), (1,), libraries=(library,)), QUICK)
    assert outcome.results == (1,)
    assert [note for note in outcome.notes if note.startswith(said)]
    message = f"the program calls @neither and @nosuch, which nothing defines, and {said}"
    check_missing(worker, CALLS, "f", ["neither", "nosuch"], message, library)


def test_library_provides_the_symbol(worker: Worker) -> None:
    library = SUPPORT_LIBRARIES[0]
    if not Path(library).exists():
        missing(library)
    text = """
declare void @_mlir_ciface_printMemrefShapeF32(ptr)
define void @f(i64 %rank, ptr %descriptor) {
  %unranked = alloca { i64, ptr }
  %at = getelementptr i64, ptr %unranked, i64 1
  store i64 %rank, ptr %unranked
  store ptr %descriptor, ptr %at
  call void @_mlir_ciface_printMemrefShapeF32(ptr %unranked)
  ret void
}"""
    request = RunRequest(text, "f", (MemRefType(None, F32),), (), ([1, 2],), libraries=(library,))
    assert "sizes = [2]" in worker.run(request, QUICK).stdout


def check_compile_error(worker: Worker, text: str, message: str) -> None:
    outcome = worker.run(RunRequest(text, "f", (I32,), (I32,), (1,)), QUICK)
    assert details(outcome).kind == "compile-error"
    assert message in details(outcome).message


def test_invalid_llvm_ir(worker: Worker) -> None:
    check_compile_error(worker, "define i32 @f(i32 %x) { ret i64 %x }", "the LLVM IR is not valid")
    check_compile_error(worker, "func.func @f()", "expected top-level entity")


def test_signature_that_does_not_fit(worker: Worker) -> None:
    text = "define i64 @f(i32 %x) {\n  ret i64 0\n}"
    check_compile_error(worker, text, "@f has the type `i64 (i32)` in LLVM IR; its signature stands for `i32 (i32)`")


def test_what_llvm_cannot_compile(worker: Worker) -> None:
    text = 'define i32 @f(i32 %x) {\n  call void asm sideeffect "bogus instruction", ""()\n  ret i32 %x\n}'
    outcome = worker.run(RunRequest(text, "f", (I32,), (I32,), (1,)), QUICK)
    assert details(outcome).kind == "compile-error"
    assert run(worker, "faults", "fine", 5).results == (5,)


def test_program_may_define_what_the_runtime_has(worker: Worker) -> None:
    text = "define i64 @printI64(i64 %x) {\n  %y = add i64 %x, 1\n  ret i64 %y\n}"
    assert worker.run(RunRequest(text, "printI64", (I64,), (I64,), (1,)), QUICK).results == (2,)


# Workers that do not survive.


@pytest.fixture
def doomed() -> Iterator[Worker]:
    with Worker() as own:
        yield own


def test_cancel_from_another_thread(doomed: Worker) -> None:
    doomed.start()
    timer = threading.Timer(0.3, doomed.kill)
    timer.start()
    outcome = run(doomed, "faults", "endless", limits=Limits(seconds=300))
    assert details(outcome).kind == "cancelled"
    assert run(doomed, "faults", "fine", 5).results == (5,)


def test_cancel_at_any_instant(doomed: Worker) -> None:
    """Whenever the kill comes, the run ends soon, and as what it is: finished or cancelled."""
    for delay in (0.0, 0.002, 0.05, 0.1, 0.2, 0.3):
        timer = threading.Timer(delay, doomed.kill)
        timer.start()
        outcome = run(doomed, "faults", "endless_after_printing", 1, limits=Limits(seconds=1.0))
        assert details(outcome).kind in ("cancelled", "timeout")
        timer.join()
    assert run(doomed, "faults", "fine", 5).results == (5,)


def test_killed_while_idle(doomed: Worker) -> None:
    assert run(doomed, "faults", "fine", 1).results == (1,)
    doomed.kill()
    assert run(doomed, "faults", "fine", 2).results == (2,)


def test_dies_while_idle(doomed: Worker) -> None:
    doomed.start()
    assert doomed.pid is not None
    os.kill(doomed.pid, 9)
    assert run(doomed, "faults", "fine", 2).results == (2,)


def test_program_kills_the_worker(doomed: Worker) -> None:
    """Where it can, the next run starts a fresh one."""
    for contained in (True, False):
        outcome = run(doomed, "faults", "kills_the_worker", limits=Limits(seconds=0.5, contained=contained))
        assert details(outcome).kind in ("crash", "timeout")
        assert run(doomed, "faults", "fine", 2).results == (2,)


def test_closed(doomed: Worker) -> None:
    assert run(doomed, "faults", "fine", 2).results == (2,)
    doomed.close()
    assert details(run(doomed, "faults", "fine", 2)).kind == "worker-unavailable"


def test_threads_take_turns(worker: Worker) -> None:
    answers: list[Json] = []

    def ask(value: int) -> None:
        answers.append(run(worker, "faults", "fine", value).results[0])

    threads = [threading.Thread(target=ask, args=(value,)) for value in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(answers, key=str) == list(range(8))
