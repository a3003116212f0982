"""Functions of generated signatures, which give back what they take: called through the library, in a worker and in
this process, and through the worker of the command line and the server, they give the same."""

from __future__ import annotations

import math
import random
from typing import Any

import numpy as np
import pytest

import fathom
from fathom.execution import Json, Limits, RunRequest, Worker

FUNCTIONS = 100
SEED = 2028
NUMBERS: dict[str, tuple[Any, Json]] = {
    "i1": (True, True),
    "i5": (-7, -7),
    "i8": (-128, -128),
    "ui8": (200, 200),
    "si16": (-300, -300),
    "i32": (np.int32(-5), -5),
    "i64": (1 << 62, 1 << 62),
    "i128": (-(1 << 100), -(1 << 100)),
    "index": (12, 12),
    "f16": (1.5, 1.5),
    "bf16": (-2.5, -2.5),
    "f32": (0.25, 0.25),
    "f64": (np.float64(1e300), 1e300),
    "f80": (1.0, 1.0),
    "complex<f32>": (1 - 2j, [1.0, -2.0]),
    "complex<f64>": (0.5j, [0.0, 0.5]),
}
VECTORS: dict[str, tuple[str, tuple[int, ...]]] = {
    "vector<4xf32>": ("f4", (4,)),
    "vector<2x3xi16>": ("i2", (2, 3)),
    "vector<8xi1>": ("?", (8,)),
    "vector<3xf64>": ("f8", (3,)),
    "vector<5xi8>": ("i1", (5,)),
}
ARRAYS: dict[str, tuple[str, tuple[int, ...]]] = {
    "memref<2x3xf32>": ("f4", (2, 3)),
    "memref<?xi32>": ("i4", (4,)),
    "memref<?x4xf64, strided<[?, 1], offset: ?>>": ("f8", (2, 4)),
    "memref<*xi64>": ("i8", (2, 1, 2)),
    "memref<4xi1>": ("?", (4,)),
    "memref<i16>": ("i2", ()),
    "memref<?xf16>": ("f2", (3,)),
    "memref<3xvector<4xf32>>": ("f4", (3, 4)),
    "tensor<3xf32>": ("f4", (3,)),
    "tensor<?x2xi64>": ("i8", (2, 2)),
    "tensor<f64>": ("f8", ()),
}


def signature(source: random.Random) -> tuple[list[str], list[int]]:
    """The types of the arguments of a function, and which of them it gives back, in which order."""
    inputs = source.choices([*NUMBERS, *VECTORS, *ARRAYS], k=source.randint(0, 5))
    results = source.sample(range(len(inputs)), k=source.randint(0, len(inputs)))
    return inputs, results


def function(name: str, inputs: list[str], results: list[int]) -> str:
    """Its text."""
    arguments = ", ".join(f"%{number}: {type}" for number, type in enumerate(inputs))
    types = ", ".join(inputs[number] for number in results)
    values = f" {', '.join(f'%{number}' for number in results)} : {types}" if results else ""
    return f"func.func @{name}({arguments}) -> ({types}) {{ return{values} }}\n"


def value_of(type: str, source: random.Random) -> tuple[Any, Json]:
    """A value for Python, and the same for JSON."""
    if type in NUMBERS:
        return NUMBERS[type]
    dtype, shape = (VECTORS | ARRAYS)[type]
    elements = [source.randint(0, 1) if dtype == "?" else source.randint(-9, 9) for _ in range(math.prod(shape))]
    array = np.array(elements, dtype).reshape(shape)
    return array, array.tolist()


def plain(value: Any) -> Json:
    """A value of Python as JSON has it."""
    if isinstance(value, np.ndarray):
        return value.tolist()
    return [value.real, value.imag] if isinstance(value, complex) else value


def elements(value: Json) -> Json:
    """A result of the worker without what stands around its elements."""
    return value["data"] if isinstance(value, dict) else value


def check_function(module: fathom.Module, worker: Worker, name: str, given: list[tuple[Any, Json]]) -> None:
    """The results of a call, in each way."""
    own: Any = module[name](*(value for value, _ in given))
    types = module[name].signature
    results = () if not types.results else own if len(types.results) > 1 else (own,)
    values = [value for _, value in given]
    request = RunRequest(module.llvm_ir, name, types.inputs, types.results, values, optimization=0)
    outcome = worker.run(request, Limits(seconds=300))
    assert outcome.failure is None
    assert [plain(result) for result in results] == [elements(result) for result in outcome.results], types


@pytest.mark.parametrize("isolated", [True, False])
def test_each_way_gives_the_same(isolated: bool) -> None:
    source = random.Random(SEED + isolated)
    made = {f"f{number}": signature(source) for number in range(FUNCTIONS)}
    text = "".join(function(name, *types) for name, types in made.items())
    with fathom.compile(text, isolated=isolated, optimize=1) as module, Worker() as worker:
        for name, (inputs, _) in made.items():
            check_function(module, worker, name, [value_of(type, source) for type in inputs])
