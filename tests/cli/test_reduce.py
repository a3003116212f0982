"""`fathom reduce`: what it writes, what it says, and with which status it ends."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Final

import pytest

from fathom.inputs.binary import BYTECODE
from tests.cli.running import fathom
from tests.patience import PATIENCE

TEXT: Final = """\
// Kept.

func.func @f(%a: i32) -> i32 {
  // So is this.
  %b = arith.addi %a, %a : i32
  %c = arith.muli %b, %a : i32
  return %c : i32
}
"""
SMALL: Final = """\
// Kept.

func.func @f() {
  // So is this.
  %a = arith.constant 0 : i32
  %b = arith.addi %a, %a : i32
  return
}
"""


@pytest.fixture
def file(tmp_path: Path) -> str:
    path = tmp_path / "input.mlir"
    path.write_text(TEXT)
    return str(path)


def check_reduce(arguments: list[str], status: int, stdout: str, stderr: str, text: str = "") -> None:
    ended, out, err = fathom("reduce", *arguments, text=text)
    assert (ended, out) == (status, stdout)
    assert err.splitlines()[:1] == stderr.splitlines()[:1]


def test_the_result_goes_to_standard_output_a_file_or_the_input(file: str, tmp_path: Path) -> None:
    test = ["--test", "grep -q 'arith.addi'"]
    told = "input.mlir: note: 4 operations became 4 in"
    status, out, err = fathom("reduce", *test, file)
    assert (status, out) == (0, SMALL)
    assert told in err
    status, out, err = fathom("reduce", *test, "-", text=TEXT)
    assert (status, out) == (0, SMALL)
    output = tmp_path / "small.mlir"
    check_reduce([*test, file, "-o", str(output)], 0, "", err.replace("<stdin>", file))
    assert (output.read_text(), Path(file).read_text()) == (SMALL, TEXT)
    check_reduce([*test, "--in-place", file], 0, "", err.replace("<stdin>", file))
    assert Path(file).read_text() == SMALL


def test_the_file_stands_where_the_command_says(file: str) -> None:
    status, out, _ = fathom("reduce", "--test", "test -s {} && grep -q muli {} && basename {} | grep -q input", file)
    assert status == 0
    assert "arith.muli" in out


def test_what_the_test_says_of_the_input(file: str) -> None:
    refused = "the test does not accept it: it ended with status 3, and 0 says that a file is interesting"
    check_reduce(["--test", "exit 3;", file], 1, "", f"fathom reduce: {file}: {refused}")
    late = "the test takes longer for it than the limit; give it more with --test-timeout"
    check_reduce(["--test", "sleep 30;", "--test-timeout", "0.2", file], 1, "", f"fathom reduce: {file}: {late}")


def test_mistakes_in_the_command_line(file: str) -> None:
    check_reduce([file], 1, "", "fathom reduce: give a command with --test; it accepts a file by exit status 0")
    message = "fathom reduce: standard input cannot be written to; leave out --in-place"
    check_reduce(["--test", "true", "--in-place", "-"], 1, "", message, TEXT)
    check_reduce(["--test", "true", "-"], 1, "", "fathom reduce: <stdin>: the input is bytecode", BYTECODE)


def test_bounds(file: str) -> None:
    status, _, err = fathom("reduce", "--test", "grep -q addi", "--tests", "3", file)
    assert status == 0
    assert "in 3 tests; more were not allowed" in err


def test_what_a_test_leaves_running_ends_with_it(file: str, tmp_path: Path) -> None:
    pids = tmp_path / "pids"
    fathom("reduce", "--test", f"sleep 100 & echo $! >> {pids}; grep -q addi", "--tests", "3", file)
    deadline = time.monotonic() + PATIENCE
    for pid in map(int, pids.read_text().split()):
        while Path(f"/proc/{pid}").exists() and b"sleep" in Path(f"/proc/{pid}/cmdline").read_bytes():
            assert time.monotonic() < deadline
            time.sleep(0.05)


def test_an_interrupt_leaves_the_best_so_far(file: str) -> None:
    marker = Path(file).with_name("asked")
    test = f"echo >> {marker}; [ $(wc -l < {marker}) -gt 4 ] && sleep 100; grep -q addi"
    command = [sys.executable, "-m", "fathom.cli", "reduce", "--test", test, "--test-timeout", "200", file]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    deadline = time.monotonic() + PATIENCE
    while not (marker.exists() and len(marker.read_text().splitlines()) > 4):
        assert time.monotonic() < deadline
        assert process.poll() is None
        time.sleep(0.05)
    os.kill(process.pid, signal.SIGINT)
    out, err = process.communicate(timeout=PATIENCE)
    assert process.returncode == 130
    assert "arith.addi" in out
    assert "it was interrupted" in err
