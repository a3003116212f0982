"""What is asynchronous runs: by the runtime's queue of tasks, in the same order each time."""

from __future__ import annotations

import io
import json

from fathom.cli import main

TASKS = """
func.func private @mlirAsyncRuntimePrintCurrentThreadId()
func.func @chain(%n: i32) -> (i32, f32) {
  %c = arith.constant 1 : i32
  %size = arith.constant 2 : index
  %group = async.create_group %size : !async.group
  %t0, %v = async.execute -> !async.value<i32> {
    %0 = arith.addi %n, %c : i32
    vector.print %0 : i32
    async.yield %0 : i32
  }
  %t1, %w = async.execute [%t0] (%v as %x: !async.value<i32>) -> !async.value<f32> {
    %0 = arith.sitofp %x : i32 to f32
    vector.print %0 : f32
    async.yield %0 : f32
  }
  vector.print %n : i32
  %r0 = async.add_to_group %t0, %group : !async.token
  %r1 = async.add_to_group %t1, %group : !async.token
  async.await_all %group
  %1 = async.await %v : !async.value<i32>
  %2 = async.await %w : !async.value<f32>
  return %1, %2 : i32, f32
}
func.func @left(%n: i32) {
  %t0 = async.execute {
    %t1 = async.execute {
      vector.print %n : i32
      async.yield
    }
    async.yield
  }
  vector.print str "first\\n"
  return
}
func.func @in_error() -> (i1, i1, i1) {
  %false = arith.constant false
  %size = arith.constant 1 : index
  %group = async.create_group %size : !async.group
  %t0, %v = async.execute -> !async.value<i32> {
    cf.assert %false, "no"
    %0 = arith.constant 1 : i32
    async.yield %0 : i32
  }
  %t1 = async.execute [%t0] {
    vector.print str "never"
    async.yield
  }
  %r0 = async.add_to_group %t1, %group : !async.token
  async.runtime.await %group : !async.group
  async.runtime.await %v : !async.value<i32>
  %0 = async.runtime.is_error %t1 : !async.token
  %1 = async.runtime.is_error %group : !async.group
  %2 = async.runtime.is_error %v : !async.value<i32>
  return %0, %1, %2 : i1, i1, i1
}
func.func @fails() {
  %false = arith.constant false
  %t0 = async.execute {
    cf.assert %false, "no"
    async.yield
  }
  async.await %t0 : !async.token
  return
}
func.func @stuck() {
  %size = arith.constant 2 : index
  %group = async.create_group %size : !async.group
  %t0 = async.execute {
    async.yield
  }
  %r0 = async.add_to_group %t0, %group : !async.token
  async.await_all %group
  return
}
async.func @load(%m: memref<4xf32>, %i: index) -> !async.value<f32> {
  %0 = memref.load %m[%i] : memref<4xf32>
  return %0 : f32
}
async.func @twice(%m: memref<4xf32>, %i: index) -> !async.value<f32> {
  %v = async.call @load(%m, %i) : (memref<4xf32>, index) -> !async.value<f32>
  %0 = async.await %v : !async.value<f32>
  %1 = arith.addf %0, %0 : f32
  return %1 : f32
}
func.func @called(%m: memref<4xf32>, %i: index) -> f32 {
  %v = async.call @twice(%m, %i) : (memref<4xf32>, index) -> !async.value<f32>
  %0 = async.await %v : !async.value<f32>
  return %0 : f32
}
func.func @beside(%m: memref<8x64xi64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %c64 = arith.constant 64 : index
  scf.parallel (%i, %j) = (%c0, %c0) to (%c8, %c64) step (%c1, %c1) {
    %0 = arith.muli %i, %c64 : index
    %1 = arith.addi %0, %j : index
    %2 = arith.index_cast %1 : index to i64
    memref.store %2, %m[%i, %j] : memref<8x64xi64>
  }
  return
}
"""


def run(function: str, *options: str) -> tuple[int, str, str]:
    """Status and texts of `fathom run`."""
    stdout, stderr = io.StringIO(), io.StringIO()
    status = main(["run", "-e", function, *options], io.StringIO(TASKS), stdout, stderr)
    return status, stdout.getvalue(), stderr.getvalue()


def test_tasks_run_when_something_is_awaited_and_nothing_is_left() -> None:
    for level in (0, 3):
        assert run("chain", "--args=3", f"-O{level}") == (0, "3\n4\n4\n4\n4.0\n", "")
    assert run("chain", "--args=3", "--check") == (0, "3\n4\n4\n4\n4.0\n", "")


def test_tasks_that_nobody_awaits_end_before_the_program() -> None:
    assert run("left", "--args=5") == (0, "first\n5\n", "")


def test_what_fails_is_in_error_and_so_is_what_awaits_it() -> None:
    assert run("in_error") == (0, "true\ntrue\ntrue\n", "")


def test_a_thread_that_awaits_what_is_in_error_ends_the_program() -> None:
    status, out, err = run("fails")
    assert (status, out) == (1, "Awaited async operand is in error state\n")
    assert "an assertion failed" in err


def test_what_is_never_there_ends_the_program() -> None:
    message = "the program awaits what is never there: no task is left that could bring it about"
    assert run("stuck") == (1, "", f"<stdin>: error: {message}\n")


def test_functions_are_suspended() -> None:
    assert run("called", "--args=[1.0, 2.0, 3.0, 4.0], 2") == (0, "6.0\n", "")


def test_parallel_loops_in_blocks() -> None:
    numbers = [[row * 64 + column for column in range(64)] for row in range(8)]
    for told in ("", "async-dispatch=false num-workers=-1 min-task-size=1", "num-workers=3 min-task-size=7"):
        pipeline = f"builtin.module(async-parallel-for{{{told}}},lower-to-llvm)"
        options = "--args={shape: [8, 64], fill: 0}", f"--pass-pipeline={pipeline}", "--check", "--json"
        status, out, err = run("beside", *options)
        assert (status, err) == (0, "")
        assert json.loads(out)["arguments"][0]["data"] == numbers
