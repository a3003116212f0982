"""What is no mistake of the user's: faults of Fathom's own, files that are no text, and interrupts."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from fathom.cli import opt
from fathom.ir.printing_flags import PrintingFlags
from fathom.llvmir import budget
from fathom.records import initializers
from fathom.text.beginnings import MOST_OUTPUT
from tests.cli.running import fathom
from tests.oracles import run_tool

STRUCTS = (
    "!t0 = !llvm.struct<(i32, i32)>\n"
    + "".join(f"!t{i} = !llvm.struct<(!t{i - 1}, !t{i - 1})>\n" for i in range(1, 41))
    + "llvm.func @f(!t40)\n"
)
ALLOCATIONS = (
    "!t0 = !llvm.struct<(i32, i32)>\n"
    + "".join(f"!t{i} = !llvm.struct<(!t{i - 1}, !t{i - 1})>\n" for i in range(1, 12))
    + "llvm.func @f(%n: i64) {\n"
    + "".join(f"  %{i} = llvm.alloca %n x !t11 : (i64) -> !llvm.ptr\n" for i in range(50))
    + "  llvm.return\n}\n"
)
BYTES = "llvm.mlir.global @g(dense<1> : tensor<9999999999xi8>) : !llvm.array<9999999999 x i8>\n"


def test_a_fault_is_told_with_its_place(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> int:
        raise KeyError("no such thing\nat all")

    monkeypatch.setattr(opt, "main", fail)
    status, output, errors = fathom("opt")
    assert (status, output) == (70, "")
    first, place, *_ = errors.splitlines()
    assert first.startswith("fathom opt: a fault in Fathom, please report it with the input: KeyError: ")
    assert place.startswith("  at test_faults.py:")
    assert place.endswith(" in fail")
    assert "fathom/cli/__init__.py" in errors


@pytest.mark.parametrize("fault", [RecursionError("too deep"), MemoryError(), AssertionError(), NotImplementedError()])
def test_faults_of_all_kinds(monkeypatch: pytest.MonkeyPatch, fault: Exception) -> None:
    def fail(*_: object) -> int:
        raise fault

    monkeypatch.setattr(opt, "main", fail)
    assert fathom("opt")[2].startswith(
        f"fathom opt: a fault in Fathom, please report it with the input: {type(fault)}"[:50]
    )


@pytest.mark.parametrize(
    ("command", "text"),
    [
        (["opt"], STRUCTS),
        (["translate", "--mlir-to-llvmir"], STRUCTS),
        (["translate", "--mlir-to-llvmir"], BYTES),
        (["translate", "--mlir-to-llvmir"], ALLOCATIONS),
    ],
    ids=["aliases", "aliases, translated", "an array", "a type again and again"],
)
def test_a_text_that_is_too_long(monkeypatch: pytest.MonkeyPatch, command: list[str], text: str) -> None:
    for write in initializers():
        write()
    usual = PrintingFlags.__init__.__defaults__ or ()
    few = tuple(1_000_000 if size == MOST_OUTPUT else size for size in usual)
    monkeypatch.setattr(PrintingFlags.__init__, "__defaults__", few)
    monkeypatch.setattr(budget, "MOST_OUTPUT", 1_000_000)
    monkeypatch.setattr(budget, "MOST_REPEATED", 1_000_000)
    status, output, errors = fathom(*command, text=text)
    assert (status, output) == (1, "")
    assert "of more than 1,000,000 characters" in errors
    assert "a fault" not in errors


@pytest.mark.parametrize("unbuffered", ["", "1"])
@pytest.mark.parametrize(
    ("arguments", "program"), [(["opt"], "fathom opt"), (["opt", "--help"], "fathom opt"), (["--version"], "fathom")]
)
def test_a_full_disk_is_no_fault(arguments: list[str], program: str, unbuffered: str) -> None:
    command = [sys.executable, "-m", "fathom.cli", *arguments]
    environment = os.environ | {"PYTHONUNBUFFERED": unbuffered}
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(command, input=b"", stdout=full, stderr=subprocess.PIPE, env=environment, check=False)
    said = f"{program}: cannot write to standard output: No space left on device\n"
    assert (done.returncode, done.stderr.decode()) == (1, said)


@pytest.mark.parametrize(("closed", "expected"), [("<&-", "module {\n}\n\n"), (">&-", ""), ("<&- >&- 2>&-", "")])
def test_streams_may_be_closed(closed: str, expected: str) -> None:
    command = ["sh", "-c", f'"$0" -m fathom.cli opt {closed}', sys.executable]
    done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, encoding="utf-8", check=False)
    assert (done.returncode, done.stdout, done.stderr) == (0, expected, "")


def test_an_interrupt_is_no_fault(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt(*_: object) -> int:
        raise KeyboardInterrupt

    monkeypatch.setattr(opt, "main", interrupt)
    assert fathom("opt") == (130, "", "")


@pytest.mark.parametrize(
    ("data", "what"),
    [
        (b"\x7fELF\x02\x01\x01\0\0\0\0", "a binary file (ELF"),
        (b"BC\xc0\xde5\x14\0\0", "LLVM bitcode"),
        (b"\x1f\x8b\x08\0", "a compressed file (gzip)"),
        ("func.func @f()".encode("utf-16"), "text in UTF-16"),
        (bytes(range(256)) * 4, "a binary file"),
    ],
)
@pytest.mark.parametrize("command", ["opt", "run", "translate"])
def test_files_that_are_no_text(tmp_path: Path, command: str, data: bytes, what: str) -> None:
    file = tmp_path / "file.mlir"
    file.write_bytes(data)
    status, output, errors = fathom(command, *(["--mlir-to-llvmir"] if command == "translate" else []), str(file))
    assert (status, output) == (1, "")
    assert f"error: the input is {what}" in errors
    assert data[:20].decode("utf-8", "backslashreplace") not in errors


def test_a_stray_character_is_a_mistake_in_a_text() -> None:
    for text in ("func.func private @f()\n\0\n", "// caf\udce9\nfunc.func private @f()\n"):
        assert "the input is" not in fathom("opt", text=text)[2]


def test_an_option_that_is_neither_true_nor_false() -> None:
    assert fathom("opt", "--verify-each=foo") == (
        1,
        "",
        run_tool("mlir-opt", ["--verify-each=foo"], "")
        .stderr.replace("mlir-opt-22", "fathom opt")
        .replace("mlir-opt", "fathom opt"),
    )
