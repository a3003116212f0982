"""LLVM may end its process: its words come back as a diagnostic on the operation concerned, and all else goes on."""

from __future__ import annotations

import io
import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from fathom.cli import main
from fathom.llvm import PRINT, VERIFY
from fathom.llvm.printed import words_of
from fathom.llvm.process import Died, Llvm, Refused, ask, begin, close, is_up, start
from fathom.translation import verify_ir

BROKEN = """\
define void @f(i1 %0, ptr %1) {
  call void @llvm.assume(i1 %0) [ "align"(ptr %1, i64 16) ]
  ret void
}
declare void @llvm.assume(i1)
!llvm.module.flags = !{!0}
!0 = !{i32 2, !"Debug Info Version", i32 3}
"""
SOUND = "define void @f() {\n  ret void\n}\n"


def check_refused(text: str, place: str, message: str) -> None:
    """The command line ends with 1, with one error, about what begins with `place`."""
    stdout, stderr = io.StringIO(), io.StringIO()
    assert main(["translate"], io.StringIO(text), stdout, stderr) == 1
    assert stdout.getvalue() == ""
    error, line, *_ = stderr.getvalue().splitlines()
    assert error.partition(": error: ")[2] == message
    assert line.strip().startswith(place)


def function(*lines: str, before: str = "") -> str:
    body = "".join(f"  {line}\n" for line in lines)
    return f"{before}llvm.func @f(%p: !llvm.ptr, %i: i32, %n: i64, %c: i1) {{\n{body}  llvm.return\n}}\n"


@pytest.mark.parametrize(
    ("line", "message"),
    [
        (
            'llvm.inline_asm "nop", "=*m" %p : (!llvm.ptr) -> ()',
            "Operand for indirect constraint must have elementtype attribute",
        ),
        ('llvm.inline_asm "nop", "=r,=" %p : (!llvm.ptr) -> ()', "failed to parse constraints"),
        (
            'llvm.intr.assume %c ["align"(%p, %n : !llvm.ptr, i64)] : i1',
            "assume with operand bundles must have i1 true condition",
        ),
        ("%0 = llvm.load %p {alignment = 4294967296 : i64} : !llvm.ptr -> i32", None),
        (
            "%0 = llvm.load %p {alignment = 8589934592 : i64} : !llvm.ptr -> i32",
            "huge alignments are not supported yet",
        ),
        ("%0 = llvm.load %p {alignment = 3 : i64} : !llvm.ptr -> i32", "alignment is not a power of two"),
        ("%0 = llvm.load %p : !llvm.ptr -> i16777215", "bitwidth for integer type out of range"),
        (
            "%0 = llvm.alloca %i x i32 : (i32) -> !llvm.ptr<4294967295>",
            "invalid address space, must be a 24-bit integer",
        ),
        ("%0 = llvm.mlir.undef : !llvm.label", None),
        ('llvm.call_intrinsic "llvm.ctlz.i32"() : () -> ()', "Intrinsic has incorrect return type!"),
    ],
)
def test_the_operation_is_named(line: str, message: str | None) -> None:
    text = function(line)
    if message is None:
        assert main(["translate"], io.StringIO(text), io.StringIO(), io.StringIO()) == 0
        return
    name = next(word for word in line.replace("%0 = ", "").split() if word.startswith("llvm."))
    check_refused(text, line[:20], f"'{name}' op is refused by LLVM: {message}")


@pytest.mark.parametrize(
    "line",
    [
        # The upgrade of an old intrinsic takes its arguments for granted, the reader of constraints a digit.
        'llvm.call_intrinsic "llvm.x86.avx.storeu.ps.256"() : () -> ()',
        '%5 = llvm.inline_asm "nop", "=@ccz" %p : (!llvm.ptr) -> i32',
    ],
)
def test_where_llvm_ends_without_a_word_is_found(line: str) -> None:
    others = "".join(f"llvm.func @g{number}() {{\n  llvm.return\n}}\n" for number in range(5))
    bad = function("%0 = llvm.load %p : !llvm.ptr -> i32", line, "llvm.store %0, %p : i32, !llvm.ptr")
    stderr = io.StringIO()
    text = others + bad + others.replace("@g", "@h")
    assert main(["translate"], io.StringIO(text), io.StringIO(), stderr) == 1
    error, shown, *_ = stderr.getvalue().splitlines()
    assert "refused by LLVM: Assertion" in error
    assert shown.strip() == line


def test_module_flags_are_named() -> None:
    check_refused(
        'llvm.module_flags [#llvm.mlir.module_flag<error, "k", 2 : i32>,\n'
        '                   #llvm.mlir.module_flag<error, "k", 3 : i32>]\n',
        "llvm.module_flags",
        "'llvm.module_flags' op is refused by LLVM: module flag identifiers must be unique (or of 'require' type)",
    )


@pytest.mark.parametrize(
    ("function", "error"),
    [
        (
            "llvm.func amdgpu_kernelcc @main() -> i32 {\n"
            "  %0 = llvm.mlir.constant(0 : i32) : i32\n  llvm.return %0 : i32\n}\n",
            "Calling convention requires void return type",
        ),
        (
            "llvm.func @main() -> i32 {\n"
            "  %0 = llvm.mlir.undef : vector<[4]xf32>\n"
            "  %p = llvm.mlir.zero : !llvm.ptr\n"
            "  llvm.store volatile %0, %p : vector<[4]xf32>, !llvm.ptr\n"
            "  %1 = llvm.mlir.constant(0 : i32) : i32\n  llvm.return %1 : i32\n}\n",
            "",
        ),
    ],
)
def test_a_run_ends_with_a_status(function: str, error: str, tmp_path: Path) -> None:
    source = tmp_path / "odd.mlir"
    source.write_text(function)
    stderr = io.StringIO()
    assert main(["run", str(source)], io.StringIO(), io.StringIO(), stderr) == 1
    assert f"{source}:1:1: error: " in stderr.getvalue() or error == ""
    assert error in stderr.getvalue()


def test_after_its_end_another_is_asked() -> None:
    assert verify_ir(SOUND) == []
    (said,) = verify_ir(BROKEN)
    assert said.startswith("assume with operand bundles must have i1 true condition")
    assert verify_ir(SOUND) == []
    assert ask(PRINT, "declare void @f()").endswith("declare void @f()\n")
    with pytest.raises(Refused):
        ask(VERIFY, "nonsense")
    with pytest.raises(Died):
        ask(VERIFY, BROKEN)


def test_a_process_of_several_threads_starts_it_anew() -> None:
    close()
    done = threading.Event()
    other = threading.Thread(target=done.wait)
    other.start()
    try:
        assert verify_ir(SOUND) == []
        assert verify_ir(BROKEN) != []
    finally:
        done.set()
        other.join()
        close()


def test_a_fork_has_its_own() -> None:
    assert verify_ir(SOUND) == []
    child = os.fork()
    if child == 0:
        os._exit(0 if verify_ir(SOUND) == [] and verify_ir(BROKEN) else 1)
    assert os.waitpid(child, 0)[1] == 0
    assert verify_ir(SOUND) == []


def test_words() -> None:
    said = (
        'python: /build/llvm/lib/IR/InlineAsm.cpp:12: bool f(): Assertion `x && "why"\' failed.\n'
        "PLEASE submit a bug report\nStack dump:\n#0 here\n"
    )
    assert words_of(said) == 'Assertion `x && "why"\' failed'
    assert words_of("a\n  b\nLLVM ERROR: Broken module found, compilation aborted!\n") == "a\n  b"
    assert words_of("LLVM ERROR: Cannot select: x\n") == "Cannot select: x"


def test_it_may_start_before_there_is_a_question() -> None:
    close()
    start()
    assert is_up()
    assert verify_ir(SOUND) == []


def test_it_may_begin_before_it_is_needed() -> None:
    close()
    assert not is_up()
    begin()
    assert is_up()
    assert verify_ir(SOUND) == []
    assert is_up()


UNSOUND = """\
#file = #llvm.di_file<"a" in "b">
#unit = #llvm.di_compile_unit<id = distinct[0]<>, sourceLanguage = DW_LANG_C, file = #file, isOptimized = true,
  emissionKind = Full>
#int = #llvm.di_basic_type<tag = DW_TAG_base_type, name = "int", sizeInBits = 32>
#f = #llvm.di_subprogram<id = distinct[1]<>, compileUnit = #unit, scope = #file, name = "f", file = #file,
  subprogramFlags = Definition>
#x = #llvm.di_local_variable<scope = #f, name = "x", file = #file, line = 2, type = #int>
llvm.func @f(%a: i32) {
  llvm.intr.dbg.value #x #llvm.di_expression<[DW_OP_LLVM_fragment(16, 48)]> = %a : i32
  llvm.return
} loc(fused<#f>["a":1:1])
"""


def test_debug_information_that_llvm_drops_is_refused() -> None:
    close()
    message = "'llvm.intr.dbg.value' op is refused by LLVM: fragment is larger than or outside of variable"
    check_refused(UNSOUND, "llvm.intr.dbg.value", message)
    # What was printed of that is not said of another.
    (said,) = verify_ir(BROKEN)
    assert said.startswith("assume with operand bundles")


@pytest.mark.skipif(sys.platform != "linux", reason="processes are looked up in /proc")
def test_llvm_that_still_thinks_ends_with_who_asked() -> None:
    program = """
import os, signal, threading, time
from fathom.llvm import VERIFY, process, questions
questions.QUESTIONS = {VERIFY: lambda text: time.sleep(600)}
llvm = process.Llvm()
llvm.start()
print(llvm._running.pid, flush=True)
threading.Thread(target=llvm.ask, args=(VERIFY, ""), daemon=True).start()
time.sleep(1)
os.kill(os.getpid(), signal.SIGKILL)
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert done.returncode == -signal.SIGKILL, done.stderr
    pid = int(done.stdout)
    deadline = time.monotonic() + 30
    while Path(f"/proc/{pid}/stat").exists() and _state(pid) != "Z" and time.monotonic() < deadline:
        time.sleep(0.05)
    assert not Path(f"/proc/{pid}/stat").exists() or _state(pid) == "Z"


def _state(pid: int) -> str:
    """What a process does: `R` if it runs, `Z` if it is over and nobody has asked how."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(") ")[2][0]
    except FileNotFoundError:
        return "Z"


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no process forks here")
def test_a_fork_of_a_large_process_may_take_its_memory_beside() -> None:
    """What the parent has does not count, though it is more than the fork may take."""
    script = """
import mmap
from fathom.llvm import VERIFY
from fathom.llvm.process import Llvm
held = mmap.mmap(-1, 2 << 30)
llvm = Llvm(seconds=300, memory=768 << 20)
llvm.ask(VERIFY, "define void @f() { ret void }")
print("answered")
"""
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=300, check=False)
    assert (done.stdout, done.stderr) == ("answered\n", "")


@pytest.mark.skipif(sys.platform != "linux", reason="limits are looked up in /proc")
def test_a_lower_limit_stays() -> None:
    """Who may not raise the limit would have no LLVM, and who may would take more than is allowed here."""
    script = """
import re, resource
from pathlib import Path
from fathom.llvm import VERIFY
from fathom.llvm.process import Llvm
resource.setrlimit(resource.RLIMIT_AS, (16 << 30, 16 << 30))
llvm = Llvm(seconds=300, memory=1 << 40)
llvm.ask(VERIFY, "define void @f() { ret void }")
limits = Path(f"/proc/{llvm._running.pid}/limits").read_text()
print(*re.search(r"Max address space +(\\d+) +(\\d+)", limits).groups())
"""
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=300, check=False)
    assert (done.stdout, done.stderr) == (f"{16 << 30} {16 << 30}\n", "")


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no process forks here")
def test_a_process_that_does_not_read_is_given_up() -> None:
    """A question that is longer than what a pipe holds waits no longer than LLVM may think."""
    llvm = Llvm(seconds=1)
    llvm.ask(VERIFY, SOUND)
    (process,) = [running for running in [llvm._running] if running is not None]  # pyright: ignore[reportPrivateUsage]
    os.kill(process.pid, signal.SIGSTOP)
    with pytest.raises(Died):
        llvm.ask(VERIFY, "; a comment\n" * (1 << 20))
    llvm.ask(VERIFY, SOUND)
    llvm.close()
