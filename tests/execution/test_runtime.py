"""The print functions print what mlir-runner's do, and results are what mlir-runner gives."""

from __future__ import annotations

import re
import time

from fathom.execution import RunRequest, Worker
from fathom.ir.types import F32, I1, I64, MemRefType
from tests.execution.goldens import FIXTURES, goldens, without_addresses
from tests.execution.programs import run
from tests.oracles import require_tool


def test_printing(worker: Worker) -> None:
    outcome = run(worker, "printing", "main")
    assert outcome.failure is None, outcome.failure
    assert without_addresses(outcome.stdout) == (FIXTURES / "printing.txt").read_text(encoding="utf-8")


def test_fixtures_are_what_the_tools_give() -> None:
    require_tool("mlir-runner")
    for path, text in goldens():
        assert path.read_text(encoding="utf-8") == text, f"{path.name} is out of date: see tests/update_goldens.py"


def test_memrefs_without_elements_print_nothing(worker: Worker) -> None:
    text = """
declare void @printMemrefF32(i64, ptr)
define void @f(i64 %rank, ptr %memref) {
  call void @printMemrefF32(i64 %rank, ptr %memref)
  ret void
}"""
    request = RunRequest(text, "f", (MemRefType(None, F32),), (), ([],))
    printed = without_addresses(worker.run(request).stdout)
    assert printed == "Unranked Memref base@ = ADDRESS rank = 1 offset = 0 sizes = [0] strides = [1] data = \n[]\n"


def test_clocks(worker: Worker) -> None:
    text = """
declare double @rtclock()
declare i64 @_mlir_ciface_nanoTime()
define i64 @f() {
  %a = call i64 @_mlir_ciface_nanoTime()
  ret i64 %a
}
define i1 @g() {
  %a = call double @rtclock()
  %b = call double @rtclock()
  %c = fcmp ole double %a, %b
  ret i1 %c
}"""
    before = time.monotonic_ns()
    now = worker.run(RunRequest(text, "f", (), (I64,))).results[0]
    assert isinstance(now, int)
    assert before <= now <= time.monotonic_ns()
    assert worker.run(RunRequest(text, "g", (), (I1,))).results == (True,)


def test_text_goes_to_its_stream(worker: Worker) -> None:
    text = """
@text = constant [4 x i8] c"hi\\0A\\00"
declare void @printString(ptr)
declare void @printFlops(double)
declare i64 @write(i32, ptr, i64)
define void @f() {
  call void @printString(ptr @text)
  call void @printFlops(double 2.5e9)
  %n = call i64 @write(i32 1, ptr @text, i64 2)
  ret void
}"""
    outcome = worker.run(RunRequest(text, "f"))
    assert (outcome.stdout, outcome.stderr) == ("hi\nhi", "2.500000 GFLOPS\n")


def test_program_cannot_damage_the_protocol(worker: Worker) -> None:
    """Writing to every low descriptor, and closing them all, leaves the answer as it was."""
    text = """
@text = constant [4 x i8] c"hi\\0A\\00"
declare i64 @write(i32, ptr, i64)
declare i32 @close(i32)
define i64 @f() {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %n = call i64 @write(i32 %i, ptr @text, i64 3)
  %c = call i32 @close(i32 %i)
  %next = add i32 %i, 1
  %more = icmp slt i32 %next, 64
  br i1 %more, label %loop, label %done
done:
  ret i64 7
}"""
    outcome = worker.run(RunRequest(text, "f", (), (I64,)))
    assert outcome.results == (7,)
    assert re.fullmatch("(hi\n)+", outcome.stdout)
