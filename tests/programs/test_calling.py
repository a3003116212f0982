"""Compiled functions called from Python, in a worker and in this process: what goes in, what comes out, whose memory it
is, and what is raised."""

from __future__ import annotations

import gc
import inspect
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, cast

import numpy as np
import pytest

import fathom

VALUES = """\
func.func @add(%a: i32, %b: i32) -> i32 { %0 = arith.addi %a, %b : i32  return %0 : i32 }
func.func @unsigned(%a: ui16) -> ui16 { return %a : ui16 }
func.func @truth(%a: i1) -> i1 { %t = arith.constant true  %0 = arith.xori %a, %t : i1  return %0 : i1 }
func.func @five(%a: i5) -> i5 { return %a : i5 }
func.func @wide(%a: i128) -> i128 { return %a : i128 }
func.func @index(%a: index) -> index { return %a : index }
func.func @single(%a: f32) -> f32 { return %a : f32 }
func.func @half(%a: f16) -> f16 { return %a : f16 }
func.func @brain(%a: bf16) -> bf16 { return %a : bf16 }
func.func @mul(%a: f64, %b: f64) -> f64 { %0 = arith.mulf %a, %b : f64  return %0 : f64 }
func.func @conjugate(%a: complex<f64>) -> complex<f64> { %0 = complex.conj %a : complex<f64>  return %0 : complex<f64> }
func.func @nothing() { return }
func.func @several(%a: i8, %b: f32) -> (f32, i8) { return %b, %a : f32, i8 }
func.func @lanes(%a: vector<4xf32>) -> vector<4xf32> {
  %0 = arith.addf %a, %a : vector<4xf32>
  return %0 : vector<4xf32>
}
func.func @matrix(%a: vector<2x3xi16>) -> vector<2x3xi16> { return %a : vector<2x3xi16> }
func.func @bits(%a: vector<3xi1>) -> vector<3xi1> { return %a : vector<3xi1> }
func.func @doubled(%t: tensor<?xf32>) -> tensor<?xf32> {
  %0 = arith.addf %t, %t : tensor<?xf32>
  return %0 : tensor<?xf32>
}
func.func @same(%t: tensor<2xi32>) -> (tensor<2xi32>, tensor<2xi32>) { return %t, %t : tensor<2xi32>, tensor<2xi32> }
"""

MEMORY = """\
memref.global "private" @kept : memref<2xi64> = dense<[5, 6]>
func.func @negate(%m: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = memref.dim %m, %c0 : memref<?xf32>
  scf.for %i = %c0 to %n step %c1 {
    %0 = memref.load %m[%i] : memref<?xf32>
    %1 = arith.negf %0 : f32
    memref.store %1, %m[%i] : memref<?xf32>
  }
  return
}
func.func @strided(%m: memref<?xi32, strided<[?], offset: ?>>, %v: i32) {
  linalg.fill ins(%v : i32) outs(%m : memref<?xi32, strided<[?], offset: ?>>)
  return
}
func.func @fixed(%m: memref<3xi32, strided<[2], offset: 4>>, %v: i32) {
  linalg.fill ins(%v : i32) outs(%m : memref<3xi32, strided<[2], offset: 4>>)
  return
}
func.func @shifted(%m: memref<?xi32>, %to: memref<?xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = memref.dim %to, %c0 : memref<?xi32>
  scf.for %i = %c0 to %n step %c1 {
    %0 = memref.load %m[%i] : memref<?xi32>
    memref.store %0, %to[%i] : memref<?xi32>
  }
  return
}
func.func @itself(%m: memref<?x?xf64>) -> memref<?x?xf64> { return %m : memref<?x?xf64> }
func.func @row(%m: memref<?x?xf64>, %i: index) -> memref<?xf64, strided<[1], offset: ?>> {
  %c1 = arith.constant 1 : index
  %n = memref.dim %m, %c1 : memref<?x?xf64>
  %0 = memref.subview %m[%i, 0] [1, %n] [1, 1] : memref<?x?xf64> to memref<?xf64, strided<[1], offset: ?>>
  return %0 : memref<?xf64, strided<[1], offset: ?>>
}
func.func @made(%n: index, %v: i16) -> memref<?xi16> {
  %0 = memref.alloc(%n) : memref<?xi16>
  linalg.fill ins(%v : i16) outs(%0 : memref<?xi16>)
  return %0 : memref<?xi16>
}
func.func @twice(%v: i16) -> (memref<2xi16>, memref<2xi16>) {
  %0 = memref.alloc() : memref<2xi16>
  linalg.fill ins(%v : i16) outs(%0 : memref<2xi16>)
  return %0, %0 : memref<2xi16>, memref<2xi16>
}
func.func @of_global() -> memref<2xi64> {
  %0 = memref.get_global @kept : memref<2xi64>
  return %0 : memref<2xi64>
}
func.func @counted() -> i64 {
  %c0 = arith.constant 0 : index
  %one = arith.constant 1 : i64
  %g = memref.get_global @kept : memref<2xi64>
  %0 = memref.load %g[%c0] : memref<2xi64>
  %1 = arith.addi %0, %one : i64
  memref.store %1, %g[%c0] : memref<2xi64>
  return %1 : i64
}
func.func @unranked(%m: memref<*xf32>) -> memref<*xf32> { return %m : memref<*xf32> }
func.func @rank(%m: memref<*xf32>) -> index { %0 = memref.rank %m : memref<*xf32>  return %0 : index }
func.func @point(%m: memref<i8>, %v: i8) { memref.store %v, %m[] : memref<i8>  return }
func.func @of_vectors(%m: memref<2xvector<4xf32>>) -> vector<4xf32> {
  %c1 = arith.constant 1 : index
  %0 = memref.load %m[%c1] : memref<2xvector<4xf32>>
  return %0 : vector<4xf32>
}
func.func @small(%m: memref<2xi4>) -> memref<2xi4> { return %m : memref<2xi4> }
"""


@pytest.fixture(scope="module", params=["in a worker", "in this process"])
def values(request: pytest.FixtureRequest) -> Iterator[fathom.Module]:
    with fathom.compile(VALUES, isolated=request.param == "in a worker") as module:
        yield module


@pytest.fixture(scope="module", params=["in a worker", "in this process"])
def memory(request: pytest.FixtureRequest) -> Iterator[fathom.Module]:
    with fathom.compile(MEMORY, isolated=request.param == "in a worker") as module:
        yield module


@pytest.fixture(scope="module")
def faults() -> Iterator[fathom.Module]:
    with fathom.compile(FAULTS) as module:
        yield module


def check_call(module: fathom.Module, name: str, *arguments: Any, gives: object) -> None:
    """What a call gives, of the same type; an array by its elements and their type."""
    result: Any = module[name](*arguments)
    results: tuple[Any, ...] = result if isinstance(gives, tuple) else (result,)
    expected: tuple[Any, ...] = cast("tuple[Any, ...]", gives) if isinstance(gives, tuple) else (gives,)
    assert len(results) == len(expected)
    for own, want in zip(results, expected, strict=True):
        if want.__class__ is np.ndarray:
            np.testing.assert_array_equal(own, want, strict=True)
        else:
            assert (own, type(own)) == (want, type(want))


def check_refused(module: fathom.Module, name: str, *arguments: Any, says: str) -> None:
    """What is said of arguments that do not fit, before anything runs."""
    with pytest.raises(fathom.ArgumentError) as raised:
        module[name](*arguments)
    assert str(raised.value) == f"@{name}: {says}"
    assert raised.value.failure.kind in ("bad-argument", "unsupported-signature")


def check_fault(module: fathom.Module, name: str, *arguments: Any, kind: str, says: str) -> fathom.RunError:
    """What is raised where a call goes wrong; and that the next one runs."""
    with pytest.raises(fathom.RunError) as raised:
        module[name](*arguments)
    assert (raised.value.failure.kind, says in str(raised.value)) == (kind, True), raised.value
    assert module.fine(1) == 1
    return raised.value


def array(elements: object, dtype: Any) -> np.ndarray[Any, np.dtype[Any]]:
    return np.array(elements, dtype)


def test_numbers(values: fathom.Module) -> None:
    check_call(values, "add", 40, 2, gives=42)
    check_call(values, "add", np.int32(-1), np.uint8(1), gives=0)
    check_call(values, "add", 2**32 - 1, 0, gives=-1)
    check_call(values, "unsigned", 65535, gives=65535)
    check_call(values, "truth", True, gives=False)
    check_call(values, "truth", np.bool_(False), gives=True)
    check_call(values, "five", 31, gives=-1)
    check_call(values, "wide", -(2**127), gives=-(2**127))
    check_call(values, "index", -1, gives=-1)
    check_call(values, "single", 0.1, gives=float(np.float32(0.1)))
    check_call(values, "single", float("-inf"), gives=float("-inf"))
    check_call(values, "half", 2.5, gives=2.5)
    check_call(values, "brain", 1, gives=1.0)
    check_call(values, "mul", np.float32(1.5), 2, gives=3.0)
    check_call(values, "conjugate", 1 + 2j, gives=1 - 2j)
    check_call(values, "conjugate", 1, gives=complex(1, -0.0))
    check_call(values, "nothing", gives=None)
    check_call(values, "several", 7, 0.5, gives=(0.5, 7))


def test_vectors(values: fathom.Module) -> None:
    check_call(values, "lanes", [1, 2, 3, 4], gives=array([2, 4, 6, 8], "f4"))
    check_call(values, "matrix", [[1, 2, 3], [-4, 5, 6]], gives=array([[1, 2, 3], [-4, 5, 6]], "i2"))
    check_call(values, "bits", [True, False, True], gives=array([True, False, True], "?"))


def test_tensors_are_values(values: fathom.Module) -> None:
    given = array([1, 2, 3], "f4")
    check_call(values, "doubled", given, gives=array([2, 4, 6], "f4"))
    check_call(values, "doubled", given[::-1], gives=array([6, 4, 2], "f4"))
    check_call(values, "doubled", [0.5], gives=array([1], "f4"))
    given.flags.writeable = False
    check_call(values, "doubled", given, gives=array([2, 4, 6], "f4"))
    source = array([1, 2], "i4")
    first, second = values.same(source)
    first[0] = 9
    assert (first.tolist(), second.tolist(), source.tolist()) == ([9, 2], [1, 2], [1, 2])


def test_memrefs_alias(memory: fathom.Module) -> None:
    own = array([1, 2, 3, 4], "f4")
    memory.negate(own)
    assert own.tolist() == [-1, -2, -3, -4]
    memory.negate(own[1:3])
    assert own.tolist() == [-1, 2, 3, -4]
    memory.negate(own[:0])
    point = array(1, "i1")
    memory.point(point, 5)
    assert point == 5


def test_strides_and_offsets(memory: fathom.Module) -> None:
    own = np.zeros(8, "i4")
    memory.strided(own[1::3], 7)
    assert own.tolist() == [0, 7, 0, 0, 7, 0, 0, 7]
    memory.strided(own[::-2], 1)
    assert own.tolist() == [0, 1, 0, 1, 7, 1, 0, 1]
    memory.fixed(own[2::2], 9)
    assert own.tolist() == [0, 1, 9, 1, 9, 1, 9, 1]


def test_arguments_that_overlap(memory: fathom.Module) -> None:
    own = np.arange(6, dtype="i4")
    memory.shifted(own, own[1:])
    assert own.tolist() == [0, 0, 0, 0, 0, 0]


def test_results_that_alias(memory: fathom.Module) -> None:
    own = np.arange(6, dtype="f8").reshape(2, 3)
    assert memory.itself(own) is own
    row = memory.row(own, 1)
    assert row.tolist() == [3, 4, 5]
    row[0] = -1
    assert own[1, 0] == -1
    assert np.shares_memory(row, own)


def test_results_that_are_owned(memory: fathom.Module) -> None:
    check_call(memory, "made", 3, 7, gives=array([7, 7, 7], "i2"))
    check_call(memory, "made", 0, 7, gives=array([], "i2"))
    first, second = memory.twice(4)
    del first
    gc.collect()
    assert second.tolist() == [4, 4]
    kept = [memory.made(1000, number)[:2] for number in range(50)]
    assert [part.tolist() for part in kept] == [[number] * 2 for number in range(50)]


def test_globals(memory: fathom.Module) -> None:
    own = memory.of_global()
    before = memory.counted()
    assert memory.counted() == before + 1
    own[:] = 0
    assert memory.counted() == before + 2


def test_unranked(memory: fathom.Module) -> None:
    own = np.zeros((2, 3), "f4")
    assert memory.unranked(own) is own
    check_call(memory, "rank", own, gives=2)
    check_call(memory, "rank", own[0], gives=1)


def test_elements_of_other_types(memory: fathom.Module) -> None:
    check_call(memory, "of_vectors", np.arange(8, dtype="f4").reshape(2, 4), gives=array([4, 5, 6, 7], "f4"))
    own = array([3, 15], "u1")
    assert memory.small(own) is own


class Interface:
    """Memory of somebody else, by the array interface."""

    def __init__(self, own: np.ndarray[Any, np.dtype[Any]]) -> None:
        self.__array_interface__ = own.__array_interface__
        self.own = own


class Dlpack:
    """Memory of somebody else, by DLPack."""

    def __init__(self, own: np.ndarray[Any, np.dtype[Any]]) -> None:
        self.own = own

    def __dlpack__(self, **options: Any) -> object:
        return self.own.__dlpack__(**options)

    def __dlpack_device__(self) -> tuple[int, int]:
        return 1, 0


def test_memory_of_others(memory: fathom.Module) -> None:
    wraps: tuple[Callable[[Any], object], ...] = (Interface, Dlpack, lambda own: memoryview(own))
    for wrap in wraps:
        own = array([1, 2], "f4")
        memory.negate(wrap(own))
        assert own.tolist() == [-1, -2], wrap


def test_refused_values(values: fathom.Module) -> None:
    check_refused(values, "add", 1, says="arguments: expected 2 for @add(i32, i32), got 1")
    check_refused(
        values,
        "add",
        2**32,
        0,
        says="argument #0: expected an integer from -2147483648 to 4294967295 for i32, got 4294967296",
    )
    check_refused(
        values, "add", 1.0, 0, says="argument #0: expected an integer from -2147483648 to 4294967295 for i32, got 1.0"
    )
    check_refused(values, "mul", 1, "2", says='argument #1: expected a number for f64, got the string "2"')
    check_refused(values, "lanes", [1, 2], says="argument #0: expected the shape (4,) for vector<4xf32>, got (2,)")
    check_refused(
        values,
        "doubled",
        array([1], "f8"),
        says="argument #0: expected an array of float32 for tensor<?xf32>, got one of float64",
    )


def test_refused_arrays(memory: fathom.Module) -> None:
    fixed = array([1], "f4")
    fixed.flags.writeable = False
    check_refused(
        memory,
        "negate",
        fixed,
        says="argument #0: expected an array that can be written to for memref<?xf32>, got a read-only one, which the "
        "function may write to (pass a copy of it)",
    )
    check_refused(
        memory,
        "negate",
        [1.0],
        says="argument #0: expected an array for memref<?xf32>, got an object of the type list, which has no memory of "
        "its own (pass numpy.array(…))",
    )
    check_refused(
        memory,
        "negate",
        np.zeros((2, 2), "f4"),
        says="argument #0: expected the shape (?) for memref<?xf32>, got (2, 2)",
    )
    check_refused(
        memory,
        "negate",
        np.zeros(4, "f4")[::2],
        says="argument #0: expected elements that lie in memory as those of memref<?xf32> (numpy.ascontiguousarray "
        "gives a copy that has them, and what the function writes is in that), got the strides (8,) in bytes",
    )
    check_refused(
        memory,
        "small",
        array([16, 1], "u1"),
        says="argument #0: expected elements in the range of memref<2xi4>, got 16",
    )


FAULTS = """\
func.func @fine(%a: i32) -> i32 { return %a : i32 }
func.func @null() -> i32 {
  %0 = llvm.mlir.zero : !llvm.ptr
  %1 = llvm.load volatile %0 : !llvm.ptr -> i32
  return %1 : i32
}
func.func @beyond(%m: memref<4xi8>, %i: index) {
  %c = arith.constant 1 : i8
  memref.store %c, %m[%i] : memref<4xi8>
  return
}
func.func @asserts(%a: i1) { cf.assert %a, "it does not hold"  return }
func.func @ends() { %c = arith.constant 3 : i32  call @exit(%c) : (i32) -> ()  return }
func.func private @exit(i32)
func.func @forever() {
  cf.br ^bb1
^bb1:
  cf.br ^bb1
}
func.func @takes(%n: index) -> memref<?xi8> { %0 = memref.alloc(%n) : memref<?xi8>  return %0 : memref<?xi8> }
func.func @prints() { vector.print str "hello\\n"  return }
func.func @dead(%m: memref<4xi8>) { memref.dealloc %m : memref<4xi8>  return }
"""


def test_faults(faults: fathom.Module) -> None:
    check_fault(faults, "null", kind="crash", says="@null: the program died of a segmentation fault (SIGSEGV)")
    own = np.zeros(4, "i1")
    check_fault(faults, "beyond", own, 70004, kind="crash", says="segmentation fault")
    check_fault(faults, "beyond", own, 64, kind="crash", says="beyond the end of argument #0, which has 4 bytes")
    check_fault(faults, "beyond", own, 5, kind="crash", says="wrote beyond the end of argument #0, which has 4 bytes")
    check_fault(faults, "beyond", own, -1, kind="crash", says="wrote before the beginning of argument #0")
    assert own.tolist() == [0, 0, 0, 0]
    error = check_fault(faults, "asserts", False, kind="crash", says="an abort: an assertion failed")
    assert "it does not hold" in error.stdout + error.stderr
    check_fault(faults, "ends", kind="exit", says="the program ended the process with exit status 3")
    faults.dead(own)


def test_limits() -> None:
    with fathom.compile(FAULTS, timeout=0.5, memory=1 << 28) as module:
        assert module.fine(1) == 1
        check_fault(module, "forever", kind="timeout", says="took longer than the limit of 0.5 s")
        check_fault(module, "takes", 1 << 34, kind="memory-limit", says="asked for 17179869184 bytes")


def test_what_is_printed(faults: fathom.Module, capsys: pytest.CaptureFixture[str]) -> None:
    faults.prints()
    assert capsys.readouterr().out == "hello\n"


def test_what_is_printed_in_this_process(capfd: pytest.CaptureFixture[str]) -> None:
    with fathom.compile(FAULTS, isolated=False) as module:
        module.prints()
        assert capfd.readouterr().out == "hello\n"


def test_threads(memory: fathom.Module) -> None:
    failed: list[object] = []

    def call(number: int) -> None:
        for _ in range(20):
            own = memory.made(100, number)
            if own.tolist() != [number] * 100:
                failed.append(own)

    threads = [threading.Thread(target=call, args=(number,)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failed == []


NAMES = """\
func.func @f(%left: i32, %right: memref<?xf32>) -> i32 { return %left : i32 }
func.func @llvm_ir() { return }
module @inner { func.func @g() -> i32 { %0 = arith.constant 7 : i32  return %0 : i32 } }
"""


def test_module() -> None:
    with fathom.compile(NAMES) as module:
        assert list(module) == ["f", "llvm_ir", "inner::g"]
        assert "inner::@g" in module
        assert module["inner::@g"]() == 7
        assert module["@f"] is module.f
        assert str(module.f.signature) == "(i32, memref<?xf32>) -> i32"
        assert str(inspect.signature(module.f)) == "(left: 'i32', right: 'memref<?xf32>', /) -> 'i32'"
        assert repr(module.f) == "<fathom function @f: (i32, memref<?xf32>) -> i32>"
        assert repr(module).splitlines() == [
            "<fathom module: 3 functions>",
            "  @f: (i32, memref<?xf32>) -> i32",
            "  @llvm_ir: () -> ()",
            "  … and 1 more",
        ]
        assert "f" in dir(module)
        assert "define i32 @f(i32 %0, ptr %1" in module.llvm_ir
        assert module["llvm_ir"]() is None
        assert "f:" in module.assembly
        assert module.stages[-1].name == "convert-func-to-llvm"
        assert "llvm.func @f" in module.stages[-1].text
        with pytest.raises(AttributeError, match="no function 'h' in the module; there are: f, llvm_ir, inner::g"):
            _ = module.h
    with pytest.raises(ValueError, match="the module is closed"):
        module.f(1, np.zeros(1, "f4"))


def test_mistakes_of_a_text() -> None:
    with pytest.raises(fathom.CompileError) as raised:
        fathom.compile("func.func @f(%a: i32) -> i64 {\n  return %a : i32\n}\n")
    says = "type of return operand 0 ('i32') doesn't match function result type ('i64') in function @f"
    assert str(raised.value).startswith(f"<string>:2:3: error: {says}\n  return %a : i32\n  ^")
    assert [problem.message for problem in raised.value.diagnostics] == [says]


def test_mistakes_of_a_pipeline() -> None:
    with pytest.raises(fathom.CompileError, match="no-such-pass"):
        fathom.compile(NAMES, pipeline="builtin.module(no-such-pass)")
    with pytest.raises(fathom.CompileError, match="was left behind by the lowering to the LLVM dialect"):
        fathom.compile(NAMES, pipeline="--convert-arith-to-llvm")
    with pytest.raises(ValueError, match="optimize is 0, 1, 2 or 3, not 4"):
        fathom.compile(NAMES, optimize=4)


def test_own_pipeline_and_files(tmp_path: Path) -> None:
    file = tmp_path / "f.mlir"
    file.write_text(NAMES)
    for given in (file, str(file)):
        with fathom.compile(given, pipeline="--convert-func-to-llvm --finalize-memref-to-llvm", optimize=0) as module:
            assert module.f(3, np.zeros(1, "f4")) == 3
    with pytest.raises(OSError, match="No such file"):
        fathom.compile("missing.mlir")


def test_another_calling_convention() -> None:
    """What a signature stands for is what is called, or nothing is."""
    with pytest.raises(fathom.CompileError, match="its signature stands for"):
        fathom.compile(
            "func.func @f(%m: memref<4xf32>) { return }",
            pipeline="--convert-func-to-llvm=use-bare-ptr-memref-call-conv=1",
        )


LLVM = """\
llvm.func @sum(%p: !llvm.ptr, %n: i32) -> i32 {
  %zero = llvm.mlir.constant(0 : i32) : i32
  %one = llvm.mlir.constant(1 : i32) : i32
  llvm.br ^head(%zero, %zero : i32, i32)
^head(%i: i32, %sum: i32):
  %more = llvm.icmp "slt" %i, %n : i32
  llvm.cond_br %more, ^body, ^done
^body:
  %at = llvm.getelementptr %p[%i] : (!llvm.ptr, i32) -> !llvm.ptr, i32
  %0 = llvm.load %at : !llvm.ptr -> i32
  llvm.store %zero, %at : i32, !llvm.ptr
  %1 = llvm.add %sum, %0 : i32
  %2 = llvm.add %i, %one : i32
  llvm.br ^head(%2, %1 : i32, i32)
^done:
  llvm.return %sum : i32
}
llvm.func @strlen(!llvm.ptr) -> i64
llvm.func @length(%p: !llvm.ptr) -> i64 { %0 = llvm.call @strlen(%p) : (!llvm.ptr) -> i64  llvm.return %0 : i64 }
llvm.func @same(%p: !llvm.ptr) -> !llvm.ptr { llvm.return %p : !llvm.ptr }
llvm.func @pair(%s: !llvm.struct<(i32, struct<(f64, i1)>)>) -> !llvm.struct<(i32, struct<(f64, i1)>)> {
  llvm.return %s : !llvm.struct<(i32, struct<(f64, i1)>)>
}
llvm.func @array(%a: !llvm.array<3 x i16>) -> !llvm.array<3 x i16> { llvm.return %a : !llvm.array<3 x i16> }
llvm.func fastcc @fast(%a: i8 {llvm.signext}, %b: i64) -> i64 {
  %0 = llvm.sext %a : i8 to i64
  %1 = llvm.sub %0, %b : i64
  llvm.return %1 : i64
}
llvm.func @by_memory(%written: !llvm.ptr {llvm.sret = !llvm.struct<(i8, i64)>, llvm.align = 16},
    %pair: !llvm.ptr {llvm.byval = !llvm.struct<(i64, i32)>}, %more: i64, %read: !llvm.ptr {llvm.byref = i5}) {
  %1 = llvm.mlir.constant(1 : i32) : i32
  %a = llvm.load %pair : !llvm.ptr -> i64
  %second = llvm.getelementptr %pair[0, 1] : (!llvm.ptr) -> !llvm.ptr, !llvm.struct<(i64, i32)>
  %b = llvm.load %second : !llvm.ptr -> i32
  llvm.store %1, %second : i32, !llvm.ptr
  %wide = llvm.sext %b : i32 to i64
  %sum = llvm.add %a, %wide : i64
  %all = llvm.add %sum, %more : i64
  %c = llvm.load %read : !llvm.ptr -> i5
  %d = llvm.sext %c : i5 to i8
  llvm.store %d, %written : i8, !llvm.ptr
  %place = llvm.getelementptr %written[0, 1] : (!llvm.ptr) -> !llvm.ptr, !llvm.struct<(i8, i64)>
  llvm.store %all, %place : i64, !llvm.ptr
  llvm.return
}
llvm.func @nobody(%p: !llvm.ptr {llvm.inalloca = i32}) { llvm.return }
"""


@pytest.mark.parametrize("isolated", [True, False])
def test_values_of_the_llvm_dialect(isolated: bool) -> None:
    with fathom.compile(LLVM, isolated=isolated) as module:
        own = np.arange(5, dtype="i4")
        check_call(module, "sum", own, 5, gives=10)
        assert own.tolist() == [0] * 5
        check_call(module, "length", "héllo", gives=6)
        check_call(module, "length", b"abc", gives=3)
        check_call(module, "same", None, gives=None)
        check_call(module, "same", 4096, gives=4096)
        assert module.pair((7, (0.5, True))) == (7, (0.5, True))
        assert module.array(np.array([1, -2, 3], "i2")) == [1, -2, 3]
        check_call(module, "fast", -1, 1, gives=-2)
        check_refused(
            module,
            "pair",
            (7,),
            says="argument #0: expected a sequence of 2 for !llvm.struct<(i32, struct<(f64, i1)>)>, got one of 1",
        )
        check_refused(
            module,
            "same",
            0.5,
            says="argument #0: expected None, an address, an array, str or bytes for "
            "!llvm.ptr, got an object of the type float",
        )
        pair = (5, -2)
        assert module.by_memory(pair, 10, -3) == (-3, 13)
        assert pair == (5, -2)
        assert list(inspect.signature(module.by_memory).parameters) == ["pair", "more", "read"]
        check_refused(
            module,
            "by_memory",
            (5,),
            10,
            -3,
            says="argument #0: expected a sequence of 2 for !llvm.struct<(i64, i32)>, got one of 1",
        )
        check_refused(
            module,
            "nobody",
            0,
            says="argument #0 of @nobody: no caller from outside can pass what is 'inalloca'",
        )
