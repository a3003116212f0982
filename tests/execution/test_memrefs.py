"""Memrefs go in as lists or descriptions, are seen and changed by the program, and come back with their shapes."""

from __future__ import annotations

import pytest

from fathom.execution import Json, Limits, RunRequest, Worker
from fathom.ir.types import I32, I64, MemRefType
from tests.execution.programs import run


def check_run(
    worker: Worker, function: str, arguments: list[Json], results: list[Json], after: list[Json] | None = None
) -> None:
    """Check results, and arguments after the call where given; of a memref the data."""
    outcome = run(worker, "memrefs", function, *arguments)
    assert outcome.failure is None, outcome.failure
    assert [data_of(value) for value in outcome.results] == results
    if after is not None:
        assert [data_of(value) for value in outcome.arguments] == after


def data_of(value: Json) -> Json:
    return value["data"] if isinstance(value, dict) else value


@pytest.mark.parametrize(
    ("argument", "total"),
    [
        ([1, 2.5, 3], 6.5),
        ({"shape": [1000], "fill": 2}, 2000.0),
        ({"shape": [5], "iota": 0}, 10.0),
        ({"shape": [5], "iota": True}, 10.0),
        ({"shape": [3], "iota": 1.5}, 7.5),
        ({"shape": [2], "data": [1, 2]}, 3.0),
        ({"data": [1, 2, 4]}, 7.0),
        ([], 0.0),
        ({"shape": [0], "fill": 1}, 0.0),
        (["inf", 1], "inf"),
        (["inf", "-inf"], "nan"),
    ],
)
def test_ways_to_give_a_memref(worker: Worker, argument: Json, total: Json) -> None:
    check_run(worker, "sum", [argument], [total])


def test_changed_in_place(worker: Worker) -> None:
    check_run(worker, "scale", [2, [[1, 2, 3], [4, 5, 6]]], [], [None, [[2.0, 4.0, 6.0], [8.0, 10.0, 12.0]]])


def test_new_memref_as_result(worker: Worker) -> None:
    check_run(worker, "increment", [[[1, 2, 3], [4, 5, -1]]], [[[2, 3, 4], [5, 6, 0]]], [[[1, 2, 3], [4, 5, -1]]])


def test_flat_data_with_a_shape(worker: Worker) -> None:
    check_run(worker, "increment", [{"shape": [2, 3], "data": [1, 2, 3, 4, 5, 6]}], [[[2, 3, 4], [5, 6, 7]]])


def test_result_carries_type_and_shape(worker: Worker) -> None:
    outcome = run(worker, "memrefs", "as_unranked", [[1, 2], [3, 4], [5, 6]])
    assert outcome.results == ({"type": "memref<*xi32>", "shape": [3, 2], "data": [[1, 2], [3, 4], [5, 6]]},)


def test_result_is_accepted_as_argument(worker: Worker) -> None:
    first = run(worker, "memrefs", "increment", [[1, 2, 3], [4, 5, 6]])
    check_run(worker, "increment", [first.results[0]], [[[3, 4, 5], [6, 7, 8]]])


def test_strided_argument_with_room_to_choose(worker: Worker) -> None:
    check_run(worker, "corner", [[[1, 2], [3, 4]], 9], [[[1, 2], [3, 9]]], [[[1, 2], [3, 9]], None])
    placed: Json = {"data": [[1, 2], [3, 4]], "strides": [5, 1], "offset": 3}
    check_run(worker, "corner", [placed, 9], [[[1, 2], [3, 9]]], [[[1, 2], [3, 9]], None])


def test_strided_argument_as_the_type_says(worker: Worker) -> None:
    check_run(worker, "column", [[1, 2, 3]], [3.0], [[1.0, 2.0, 3.0]])


def test_strided_results(worker: Worker) -> None:
    check_run(worker, "window", [{"shape": [4, 4], "iota": 0}], [[[5.0, 6.0], [9.0, 10.0]]])
    check_run(worker, "transposed", [[[1, 2, 3], [4, 5, 6]]], [[[1, 4], [2, 5], [3, 6]]])


def test_copy_of_a_strided_memref(worker: Worker) -> None:
    check_run(worker, "copied", [{"shape": [4, 4], "iota": 0}], [[[5.0, 7.0], [9.0, 11.0]]])


@pytest.mark.parametrize(
    ("argument", "rank"), [(1.5, 0), ([1, 2], 1), ([[1], [2]], 2), ({"shape": [1] * 5, "fill": 0}, 5)]
)
def test_rank_of_an_unranked_argument(worker: Worker, argument: Json, rank: int) -> None:
    check_run(worker, "rank", [argument], [rank])


def test_unranked_there_and_back(worker: Worker) -> None:
    check_run(worker, "unranked", [[[1, 2], [3, 4]]], [[[1, 2], [3, 4]]], [[[1, 2], [3, 4]]])


def test_no_dimensions(worker: Worker) -> None:
    check_run(worker, "scalar_cell", [1.5], [1.5], [3.0])


def test_elements_of_every_size(worker: Worker) -> None:
    check_run(worker, "flags", [[False, True, False]], [True], [[False, True, False]])
    check_run(worker, "odd", [[1, -2]], [-2], [[1, -2]])
    check_run(worker, "wide", [[1, -(2**127)]], [-(2**127)], [[1, -(2**127)]])
    check_run(worker, "points", [[[1, 2], [3, "nan"]]], [[3.0, "nan"]], [[[1.0, 2.0], [3.0, "nan"]]])
    check_run(worker, "lanes", [[[1, 2, 3, 4], [5, 6, 7, 8]]], [[5.0, 6.0, 7.0, 8.0]])
    check_run(worker, "halves", [[0.1, 65504]], [[0.1, 65504.0]])
    check_run(worker, "brains", [[0.1, 3e38]], [[0.1, 3e38]])
    check_run(worker, "indices", [[1, -1, 2**63]], [[1, -1, -(2**63)]])


def test_memory_space(worker: Worker) -> None:
    check_run(worker, "far", [{"fill": 1}], [[1.0] * 4])


def test_argument_that_the_program_frees(worker: Worker) -> None:
    outcome = run(worker, "memrefs", "freed", [1, 2, 3, 4])
    assert outcome.arguments == (
        {"type": "memref<4xf32>", "shape": [4], "data": [1.0, 2.0, 3.0, 4.0], "deallocated": True},
    )


def test_results_that_alias_arguments(worker: Worker) -> None:
    check_run(worker, "two", [[1, 2], [3, 4]], [[3, 4], 9, [9, 2]], [[9, 2], [3, 4]])


def test_zero_extents_keep_their_shape(worker: Worker) -> None:
    outcome = run(worker, "memrefs", "scale", 1, {"shape": [2, 0], "fill": 0})
    assert outcome.arguments[1] == {"type": "memref<?x?xf32>", "shape": [2, 0], "data": [[], []]}
    outcome = run(worker, "memrefs", "as_unranked", [])
    assert outcome.results == ({"type": "memref<*xi32>", "shape": [0, 2], "data": []},)


def test_large_memrefs_are_cut_off(worker: Worker) -> None:
    outcome = run(worker, "memrefs", "scale", 2, {"shape": [1000, 1000], "fill": 1}, limits=Limits(elements=1500))
    after = outcome.arguments[1]
    assert isinstance(after, dict)
    assert after["shape"] == [1000, 1000]
    assert after["truncated"] == 998_500
    assert after["data"] == [[2.0] * 1000, [2.0] * 500]


def test_a_million_elements_from_a_list(worker: Worker) -> None:
    check_run(worker, "sum", [[1.0] * 1_000_000], [1_000_000.0])


STORE = """
define void @f(ptr %0, ptr %at, i64 %2, i64 %3, i64 %4, i64 %index) {
  %element = getelementptr i32, ptr %at, i64 %index
  store i32 7, ptr %element
  ret void
}"""


@pytest.mark.parametrize(
    ("index", "words"),
    [
        (3, None),
        (4, "the program wrote beyond the end of argument #0, which has 16 bytes"),
        (-1, "the program wrote before the beginning of argument #0, which has 16 bytes"),
        (64, "it accessed memory 240 bytes beyond the end of argument #0, which has 16 bytes"),
    ],
)
def test_stores_beside_an_argument(worker: Worker, index: int, words: str | None) -> None:
    request = RunRequest(STORE, "f", (MemRefType((4,), I32), I64), (), ([1, 2, 3, 4], index))
    outcome = worker.run(request)
    assert (outcome.failure is None) == (words is None)
    assert outcome.failure is None or words is None or words in outcome.failure.message


SMASHED = """
declare ptr @malloc(i64)
declare void @free(ptr)
define i64 @f(i64 %at, i64 %value, i64 %frees) {
  %memory = call ptr @malloc(i64 24)
  %place = getelementptr i8, ptr %memory, i64 %at
  store volatile i64 %value, ptr %place
  %free = icmp ne i64 %frees, 0
  br i1 %free, label %release, label %done
release:
  call void @free(ptr %memory)
  br label %done
done:
  ret i64 0
}"""


@pytest.mark.parametrize(("at", "value", "frees"), [(-8, 3, 1), (-8, 1 << 40, 1)])
def test_a_damaged_heap_is_told(worker: Worker, at: int, value: int, frees: int) -> None:
    """The C library finds it out; what it says is shown."""
    outcome = worker.run(RunRequest(SMASHED, "f", (I64, I64, I64), (I64,), (at, value, frees), 0))
    assert outcome.failure is not None
    assert outcome.failure.kind == "crash"
    assert "the program damaged its heap: it wrote outside of what it had allocated" in outcome.failure.message


FLOODED = """
declare ptr @malloc(i64)
declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)
define i64 @f(i64 %count) {
  %memory = call ptr @malloc(i64 24)
  call void @llvm.memset.p0.i64(ptr %memory, i8 65, i64 %count, i1 true)
  ret i64 0
}"""


@pytest.mark.parametrize("count", [1000, 20_000, 100_000, 1_000_000])
def test_a_heap_that_is_flooded_is_not_called_a_want_of_memory(worker: Worker, count: int) -> None:
    """What lies behind the allocation depends on the machine; whatever comes of it, the compiler is not blamed."""
    outcome = worker.run(RunRequest(FLOODED, "f", (I64,), (I64,), (count,), 0))
    if outcome.failure is not None:
        assert outcome.failure.kind == "crash" or "damaged its heap" in outcome.failure.message
        assert "compile" not in outcome.failure.message
    assert worker.run(RunRequest(FLOODED, "f", (I64,), (I64,), (24,), 0)).results == (0,)
