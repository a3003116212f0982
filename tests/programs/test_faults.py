"""Programs that do not return as they should, called from Python: each is an exception, and the next call runs."""

from __future__ import annotations

import gc
import os
import signal
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import fathom
from fathom.programs.resident import Resident

FAULTS = Path(__file__).resolve().parents[1] / "fixtures" / "execution" / "faults.mlir"


@pytest.fixture(scope="module")
def faults() -> Iterator[fathom.Module]:
    with fathom.compile(FAULTS, memory=256 << 20) as module:
        yield module


@pytest.fixture(scope="module")
def hurried() -> Iterator[fathom.Module]:
    with fathom.compile(FAULTS, timeout=2.0) as module:
        yield module


def check_fault(module: fathom.Module, name: str, *arguments: Any, kind: str, says: str) -> fathom.RunError:
    """What is raised where a call goes wrong; and that the next one runs."""
    with pytest.raises(fathom.RunError) as raised:
        module[name](*arguments)
    assert raised.value.failure.kind == kind
    assert says in str(raised.value)
    assert module.fine(5) == 5
    return raised.value


def four() -> np.ndarray[Any, np.dtype[Any]]:
    return np.array([1, 2, 3, 4], "i4")


def test_time(hurried: fathom.Module) -> None:
    check_fault(hurried, "endless", kind="timeout", says="running the program took longer than the limit of 2 s")
    error = check_fault(hurried, "endless_after_printing", 42, kind="timeout", says="2 s")
    assert error.stdout == "42"


def test_printing(faults: fathom.Module) -> None:
    error = check_fault(faults, "endless_printing", 7, kind="output-limit", says="more than the limit of 1048576 bytes")
    assert error.stdout.startswith("7\n7\n")


def test_memory_that_is_not_there(faults: fathom.Module) -> None:
    error = check_fault(faults, "null_store", 3, kind="crash", says="it accessed a null pointer")
    assert error.failure.details == {"signal": "SIGSEGV", "address": 0}
    assert error.stdout == "3"
    check_fault(faults, "wild_store", four(), 1 << 40, kind="crash", says="it accessed memory that cannot be")
    check_fault(faults, "recursion", 0, kind="crash", says="the program used up its stack (SIGSEGV)")
    check_fault(faults, "large_alloca", 64 << 20, kind="crash", says="an alloca too large")


def test_arithmetic(faults: fathom.Module) -> None:
    check_fault(faults, "divide", 1, 0, kind="crash", says="an integer division by zero")


def test_memory_without_end(faults: fathom.Module) -> None:
    says = "the program asked for 4398046511104 bytes, beyond its limit of 268435456 bytes of memory"
    check_fault(faults, "allocate", 1 << 40, kind="memory-limit", says=says)
    check_fault(faults, "leak", 1 << 18, kind="memory-limit", says="the program asked for 1048576 bytes")
    assert faults.allocate(1 << 20).shape == (1 << 20,)


def test_ends(faults: fathom.Module) -> None:
    error = check_fault(faults, "exits", 3, kind="exit", says="with exit status 3 instead of returning")
    assert (error.failure.details, error.stdout) == ({"status": 3}, "3")
    check_fault(faults, "exits", 0, kind="exit", says="exit status 0")
    error = check_fault(faults, "asserts", False, kind="crash", says="an abort: an assertion failed")
    assert error.stdout == "the flag must be set\n"
    check_fault(faults, "kills_itself", kind="crash", says="SIGKILL")


def test_processes(faults: fathom.Module, hurried: fathom.Module) -> None:
    with pytest.warns(RuntimeWarning, match="the program was refused to start a process"):
        faults.forks()
    check_fault(hurried, "kills_the_worker", kind="timeout", says="2 s")


def test_results_that_point_nowhere(faults: fathom.Module) -> None:
    check_fault(faults, "dangling", 16, 4, kind="crash", says="while the results were read")
    check_fault(faults, "dangling", 0, 4, kind="crash", says="a null pointer")
    assert faults.dangling(0, 0).shape == (0,)
    check_fault(faults, "dangling", 16, -1, kind="crash", says="the extents [-1], which cannot be right")


def test_symbols_that_are_not_there(faults: fathom.Module) -> None:
    """They keep no function from being called that does without; here the whole module cannot be linked."""
    error = check_fault(faults, "calls_nosuch", 1, kind="missing-symbol", says="the program calls @nosuch")
    assert error.failure.details == {"symbols": ["nosuch"]}


def test_results_that_reach_too_far() -> None:
    with fathom.compile("""\
func.func @fine(%x: i32) -> i32 { return %x : i32 }
func.func @longer(%m: memref<4xi32>) -> memref<9xi32> {
  %0 = memref.reinterpret_cast %m to offset: [0], sizes: [9], strides: [1] : memref<4xi32> to memref<9xi32>
  return %0 : memref<9xi32>
}
func.func @beside(%m: memref<4xi32>, %i: index) -> memref<4xi32, strided<[1], offset: ?>> {
  %0 = memref.reinterpret_cast %m to offset: [%i], sizes: [4], strides: [1]
      : memref<4xi32> to memref<4xi32, strided<[1], offset: ?>>
  return %0 : memref<4xi32, strided<[1], offset: ?>>
}
""") as module:
        check_fault(module, "longer", four(), kind="crash", says="reaches beyond argument #0, which has 16 bytes")
        check_fault(module, "beside", four(), -900, kind="crash", says="memory that is not its own")


def worker_of(module: fathom.Module) -> Resident:
    """The worker of a module that was called."""
    (caller,) = module._callers.values()  # pyright: ignore[reportPrivateUsage]
    assert isinstance(caller, Resident)
    return caller


ENDLESS = """\
func.func @fine(%x: i32) -> i32 { return %x : i32 }
func.func @endless() { cf.br ^bb1 ^bb1: cf.br ^bb1 }
"""


def test_a_worker_that_dies_between_calls() -> None:
    with fathom.compile(ENDLESS) as module:
        assert module.fine(1) == 1
        pid = worker_of(module).pid
        assert pid is not None
        os.kill(pid, signal.SIGKILL)
        deadline = time.monotonic() + 30
        while time.monotonic() < deadline:
            try:
                assert module.fine(2) == 2
            except fathom.RunError:
                # The kernel has not taken it down yet.
                continue
            break
        assert worker_of(module).pid != pid


@pytest.mark.usefixtures("interruptible")
def test_an_interrupt_ends_a_call() -> None:
    with fathom.compile(ENDLESS) as module:
        assert module.fine(1) == 1
        timer = threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT))
        timer.start()
        with pytest.raises(KeyboardInterrupt):
            module.endless()
        assert module.fine(3) == 3


def test_a_worker_goes_with_its_module() -> None:
    module = fathom.compile(ENDLESS)
    assert module.fine(1) == 1
    pid = worker_of(module).pid
    assert pid is not None
    del module
    gc.collect()
    deadline = time.monotonic() + 30
    while Path(f"/proc/{pid}").exists() and time.monotonic() < deadline:
        time.sleep(0.01)
    assert not Path(f"/proc/{pid}").exists()


THREADS = """\
func.func @fine(%x: i32) -> i32 { return %x : i32 }
llvm.func @pthread_create(!llvm.ptr, !llvm.ptr, !llvm.ptr, !llvm.ptr) -> i32
llvm.func @pause() -> i32
llvm.func @waits(%p: !llvm.ptr) -> !llvm.ptr { %0 = llvm.call @pause() : () -> i32  llvm.return %p : !llvm.ptr }
func.func @threads(%n: index) {
  %zero = llvm.mlir.zero : !llvm.ptr
  %one = llvm.mlir.constant(1 : i64) : i64
  %at = llvm.alloca %one x i64 : (i64) -> !llvm.ptr
  %function = llvm.mlir.addressof @waits : !llvm.ptr
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    %0 = llvm.call @pthread_create(%at, %zero, %function, %zero) : (!llvm.ptr, !llvm.ptr, !llvm.ptr, !llvm.ptr) -> i32
  }
  %1 = llvm.call @pause() : () -> i32
  return
}
"""


def test_threads_without_end() -> None:
    with fathom.compile(THREADS) as module:
        check_fault(module, "threads", 100, kind="thread-limit", says="the program started more than 64 threads")
