"""Runs of what was compiled before: nothing is compiled again, and all that is told is the same."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from fathom.execution import Json, Limits, RunOutcome, RunRequest, Worker, run
from fathom.execution.containment import keeps_processes
from fathom.execution.kept_code import Code
from fathom.ir.types import F64, I1, I32, I64
from fathom.kept.folder import Kept, opened
from fathom.kept.places import Places
from fathom.records import replace
from tests.execution.programs import QUICK, program, signatures

LOWERING = Path(__file__).resolve().parents[2] / "lowering"
TWICE = "define i64 @f(i64 %x) {\n  %y = mul i64 %x, 2\n  ret i64 %y\n}"


class Noted(Kept):
    """What is kept, and what happened to it."""

    def __init__(self, own: Kept) -> None:
        self.own = own
        self.found: list[bool] = []
        self.names: list[str] = []

    def __del__(self) -> None:
        return

    def get(self, name: str) -> bytes | None:
        data = self.own.get(name)
        self.found.append(data is not None)
        return data

    def put(self, name: str, data: bytes) -> None:
        self.names.append(name)
        self.own.put(name, data)


@pytest.fixture
def kept(tmp_path: Path) -> Noted:
    own = opened(Places(str(tmp_path / "code"), str(tmp_path / "state" / "key")))
    assert isinstance(own, Kept), own
    return Noted(own)


def told(outcome: RunOutcome) -> RunOutcome:
    """An outcome without its times."""
    return replace(outcome, call_seconds=0.0, compile_seconds=0.0)


def check_the_same(kept: Noted, request: RunRequest, limits: Limits = QUICK, *, is_kept: bool = True) -> RunOutcome:
    """Runs without anything kept, while it is kept, and when it is: in one process, and in another."""
    plain = told(run(request, limits))
    with Worker(kept) as worker:
        outcomes = [told(worker.run(request, limits)) for _ in range(2)]
    outcomes.append(told(run(request, limits, kept)))
    assert outcomes == [plain] * 3
    assert (kept.found, len(kept.names)) == (([False, True, True], 1) if is_kept else ([False] * 3, 0))
    return plain


def test_a_function_is_compiled_once(kept: Noted) -> None:
    assert check_the_same(kept, RunRequest(TWICE, "f", (I64,), (I64,), (21,))).results == (42,)


@pytest.mark.parametrize(
    ("fixture", "function", "arguments"),
    [
        ("values", "echo_i1", [True]),
        ("faults", "divide", [1, 0]),
        ("faults", "exits", [3]),
        ("faults", "asserts", [False]),
        ("faults", "endless_after_printing", [1]),
        ("faults", "kills_itself", []),
    ],
)
def test_programs_of_all_ends(kept: Noted, fixture: str, function: str, arguments: Sequence[Json]) -> None:
    signature = signatures(fixture)[function]
    request = RunRequest(program(fixture), function, signature.inputs, signature.results, arguments)
    check_the_same(kept, request, Limits(seconds=2.0))


ALL_RUNTIMES = """
declare i64 @_mlir_apfloat_add(i32, i64, i64)
declare ptr @mlirAsyncRuntimeCreateGroup(i64)
declare i32 @puts(ptr)
@begun = constant [6 x i8] c"begun\\00"
@ended = constant [6 x i8] c"ended\\00"
@llvm.global_ctors = appending global [1 x { i32, ptr, ptr }] [{ i32, ptr, ptr } { i32 1, ptr @begin, ptr null }]
@llvm.global_dtors = appending global [1 x { i32, ptr, ptr }] [{ i32, ptr, ptr } { i32 1, ptr @end, ptr null }]
define void @begin() {
  %said = call i32 @puts(ptr @begun)
  ret void
}
define void @end() {
  %said = call i32 @puts(ptr @ended)
  ret void
}
define i64 @f(i64 %x) {
  %group = call ptr @mlirAsyncRuntimeCreateGroup(i64 %x)
  %sum = call i64 @_mlir_apfloat_add(i32 0, i64 %x, i64 %x)
  ret i64 %sum
}
"""


def test_constructors_and_the_rarer_parts_of_the_runtime(kept: Noted) -> None:
    outcome = check_the_same(kept, RunRequest(ALL_RUNTIMES, "f", (I64,), (I64,), (0,)))
    assert (outcome.stdout, outcome.results) == ("begun\nended\n", (0,))


def test_a_symbol_of_the_runtime_that_the_program_has(kept: Noted) -> None:
    text = "define i64 @printI64(i64 %x) {\n  %y = add i64 %x, 1\n  ret i64 %y\n}"
    assert check_the_same(kept, RunRequest(text, "printI64", (I64,), (I64,), (1,))).results == (2,)


def test_a_symbol_that_nothing_defines(kept: Noted) -> None:
    """It is found missing when the code is linked."""
    text = "declare i32 @nosuch(i32)\ndefine i32 @f(i32 %x) {\n  %y = call i32 @nosuch(i32 %x)\n  ret i32 %y\n}"
    outcome = check_the_same(kept, RunRequest(text, "f", (I32,), (I32,), (1,), libraries=("nosuch.so",)))
    assert outcome.failure is not None
    assert outcome.failure.details == {"symbols": ["nosuch"]}


SPOKEN = """
define i64 @f(i64 %x) #0 {
  call void asm sideeffect ".warning \\22beware\\22", ""()
  ret i64 %x
}
attributes #0 = { noinline }
"""


def test_what_llvm_says_is_said_again(kept: Noted) -> None:
    outcome = check_the_same(kept, RunRequest(SPOKEN, "f", (I64,), (I64,), (1,)))
    assert "beware" in outcome.stderr
    assert outcome.results == (1,)


@pytest.mark.parametrize(
    "text",
    [
        "define i64 @f(i64 %x) {\n  ret i32 0\n}",
        "define i32 @f(i64 %x) {\n  ret i32 0\n}",
        'define i64 @f(i64 %x) {\n  call void asm sideeffect "bogus instruction", ""()\n  ret i64 %x\n}',
    ],
)
def test_what_does_not_compile_is_not_kept(kept: Noted, text: str) -> None:
    outcome = check_the_same(kept, RunRequest(text, "f", (I64,), (I64,), (1,)), is_kept=False)
    assert outcome.failure is not None
    assert outcome.failure.kind == "compile-error"


@pytest.mark.parametrize(
    "other",
    [
        RunRequest(TWICE.replace("2", "3"), "f", (I64,), (I64,), (7,)),
        RunRequest(TWICE, "f", (I64,), (I64,), (7,), optimization=0),
        RunRequest(
            TWICE.replace("i64", "double").replace("mul", "fmul").replace("2", "2.0"), "f", (F64,), (F64,), (7,)
        ),
        RunRequest(TWICE + TWICE.replace("@f", "@g"), "g", (I64,), (I64,), (7,)),
        RunRequest(TWICE, "f", (I64,), (I64,), (7,), rows_first=True),
    ],
)
def test_what_another_program_is(kept: Noted, other: RunRequest) -> None:
    with Worker(kept) as worker:
        worker.run(RunRequest(TWICE, "f", (I64,), (I64,), (7,)))
        worker.run(other)
    assert kept.found == [False, False]
    assert len(set(kept.names)) == 2


def test_arguments_and_limits_make_no_other_program(kept: Noted) -> None:
    with Worker(kept) as worker:
        for value in (1, 2):
            outcome = worker.run(RunRequest(TWICE, "f", (I64,), (I64,), (value,)), Limits(seconds=100.0 * value))
            assert outcome.results == (2 * value,)
    assert kept.found == [False, True]


def test_code_for_another_computer(kept: Noted) -> None:
    """Code for another computer is not run: with the text it is made anew, without it that is said."""
    request = RunRequest(TWICE, "f", (I64,), (I64,), (21,))
    run(request, QUICK, kept)
    data = kept.own.get(kept.names[0])
    assert data is not None
    code = Code.from_bytes(data)
    assert code is not None
    foreign = replace(code, target="m68k-unknown-linux", image=b"\x7fELF").to_bytes()
    assert run(replace(request, code=foreign), QUICK).results == (42,)
    assert run(replace(request, code=b"nonsense"), QUICK).results == (42,)
    assert run(replace(request, code=data, llvm_ir=""), QUICK).results == (42,)
    failure = run(replace(request, code=foreign, llvm_ir=""), QUICK).failure
    assert failure is not None
    assert (failure.kind, failure.message) == (
        "compile-error",
        "the code that was kept of the program is not for this computer",
    )


WRITER = """
declare ptr @fopen(ptr, ptr)
@path = constant [PATH x i8] c"PLACE\\00"
@mode = constant [2 x i8] c"w\\00"
define i1 @f() {
  %file = call ptr @fopen(ptr @path, ptr @mode)
  %made = icmp ne ptr %file, null
  ret i1 %made
}
"""


@pytest.mark.skipif(not keeps_processes(), reason="there is no filter of system calls on this machine")
def test_kept_code_is_contained_as_other_code_is(kept: Noted, tmp_path: Path) -> None:
    """Also what was kept of a run that was not."""
    place = tmp_path / "made"
    text = WRITER.replace("PATH", str(len(str(place)) + 1)).replace("PLACE", str(place))
    request = RunRequest(text, "f", (), (I1,))
    assert run(request, Limits(contained=False), kept).results == (True,)
    place.unlink()
    for _ in range(2):
        outcome = run(request, Limits(), kept)
        assert outcome.results == (False,)
        assert "refused to write to files" in outcome.notes[0]
    assert not place.exists()
    assert kept.found == [False, True, True]


FORGER = """
declare i64 @write(i32, ptr, i64)
@frame = constant [33 x i8] c"\\0D\\00\\00\\00\\0C\\00\\00\\00{\\22made\\22:true}machine code"
define i64 @f(i64 %x) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 3, %entry ], [ %next, %loop ]
  %written = call i64 @write(i32 %i, ptr @frame, i64 33)
  %next = add i32 %i, 1
  %more = icmp slt i32 %next, 300
  br i1 %more, label %loop, label %done
done:
  ret i64 %x
}
"""
"""A program that says on all its descriptors what a worker says that has compiled one."""


@pytest.mark.parametrize("contained", [True, False])
def test_a_program_puts_nothing_in_the_place_of_its_code(kept: Noted, contained: bool) -> None:
    request = RunRequest(FORGER, "f", (I64,), (I64,), (1,))
    limits = Limits(contained=contained)
    outcomes = [told(run(request, limits, kept)) for _ in range(2)]
    assert kept.found == [False, True]
    data = kept.own.get(kept.names[0])
    assert data is not None
    code = Code.from_bytes(data)
    assert code is not None
    assert code.image.startswith(b"\x7fELF") or sys.platform != "linux"
    assert outcomes[0] == outcomes[1]
    assert outcomes[0].failure is not None
    assert outcomes[0].failure.kind == "crash"


def test_a_worker_that_is_a_fork() -> None:
    """It runs programs as others do, and the process that forked it has neither LLVM nor children afterwards."""
    script = """
import os, sys
from fathom.execution import Limits, RunRequest, Worker
from fathom.execution.started import can_fork, fork
from fathom.ir.types import I64
assert can_fork()
text = sys.stdin.read()
with Worker(None, fork(keeps=False)) as worker:
    print([worker.run(RunRequest(text, "f", (I64,), (I64,), (value,))).results for value in (1, 2)])
    worker.kill()
    print(worker.run(RunRequest(text, "f", (I64,), (I64,), (3,))).results)
    assert worker.pid is not None and os.getsid(worker.pid) == worker.pid
assert "llvmlite" not in sys.modules
try:
    os.waitpid(-1, 0)
except ChildProcessError:
    print("alone")
"""
    environment = {**os.environ, "PYTHONPATH": str(LOWERING)}
    done = subprocess.run(
        [sys.executable, "-c", script], input=TWICE, env=environment, capture_output=True, text=True, check=False
    )
    assert (done.stdout, done.stderr) == ("[(2,), (4,)]\n(6,)\nalone\n", "")


def test_a_process_of_several_threads_does_not_fork() -> None:
    script = """
import threading
from fathom.execution.started import can_fork
held = threading.Event()
threading.Thread(target=held.wait).start()
print(can_fork())
held.set()
"""
    environment = {**os.environ, "PYTHONPATH": str(LOWERING)}
    done = subprocess.run([sys.executable, "-c", script], env=environment, capture_output=True, text=True, check=True)
    assert done.stdout == "False\n"
