"""The examples, lowered by the real tools, give what mlir-runner gives; their functions run on arguments, too."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

import pytest

from fathom.execution import Json, RunRequest, Worker
from tests.execution.programs import QUICK, type_of
from tests.oracles import PASSES, flags, mlir_opt, mlir_runner, mlir_translate

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"


@cache
def lowered(name: str) -> str:
    """The LLVM dialect of an example."""
    return mlir_opt((EXAMPLES / f"{name}.mlir").read_text(encoding="utf-8"), *flags(PASSES))


def call(
    worker: Worker, name: str, function: str, types: list[str], results: list[str], values: list[Json]
) -> list[Json]:
    request = RunRequest(
        mlir_translate(lowered(name)), function, [*map(type_of, types)], [*map(type_of, results)], values
    )
    outcome = worker.run(request, QUICK)
    assert outcome.failure is None, outcome.failure
    return [*outcome.results, *(value["data"] for value in outcome.arguments if isinstance(value, dict))]


@pytest.mark.parametrize("name", sorted(path.stem for path in EXAMPLES.glob("*.mlir")))
def test_same_as_mlir_runner(worker: Worker, name: str) -> None:
    text = (EXAMPLES / f"{name}.mlir").read_text(encoding="utf-8")
    main = re.search(r"func\.func @main\(\) -> (\w+)", text)
    assert main is not None
    expected = mlir_runner(lowered(name), "main", main[1]).strip()
    (value,) = call(worker, name, "main", [], [main[1]], [])
    assert isinstance(value, (int, float))
    assert (f"{value:e}" if main[1].startswith("f") else str(value)) == expected


def test_saxpy(worker: Worker) -> None:
    vectors: list[Json] = [2, [1, 2, 3], [10, 20, 30]]
    types = ["f32", "memref<?xf32>", "memref<?xf32>"]
    assert call(worker, "saxpy", "saxpy", types, [], vectors) == [[1.0, 2.0, 3.0], [12.0, 24.0, 36.0]]


def test_sort(worker: Worker) -> None:
    assert call(worker, "sort", "sort", ["memref<?xi16>"], [], [[3, -1, 2, 3, -32768]]) == [[-32768, -1, 2, 3, 3]]


def test_matmul(worker: Worker) -> None:
    a, b, c = [[1, 2], [3, 4]], [[5, 6], [7, 8]], {"shape": [2, 2], "fill": 0}
    after = call(worker, "matmul", "matmul", ["memref<?x?xf64>"] * 3, [], [a, b, c])
    assert after[-1] == [[19.0, 22.0], [43.0, 50.0]]


def test_divmod(worker: Worker) -> None:
    results = call(worker, "divmod", "divmod", ["i32", "i32"], ["i32", "i32", "i1"], [7, 2])
    assert [type(value) for value in results] == [int, int, bool]
    assert results[:2] == [3, 1]
