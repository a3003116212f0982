"""`fathom opt` on tensors beside mlir-opt 22: `one-shot-bufferize`, and the whole way down to the LLVM dialect.

    python -m benchmarks.tensors [--sizes 1000 3000 10000] [--rounds N] [--shapes NAME ...] [--ways NAME ...]

Modules of several shapes are made up, with a fixed seed, of about so many operations. mlir-opt runs the passes that
`lower-to-llvm` finds needed, with those that give memory to tensors and free it under the names they have there. The
two take turns. Times are those of the processor, in seconds, of a process and all that it starts: the median of the
rounds, and so is the ratio of each round. *Growth* is the exponent with which Fathom's time grows from the size before,
*its* that of mlir-opt's: 1 is linear. On one buffer mlir-opt's time grows with the fourth power of the size, so it is
left out there from 400 operations on. Bar: at most 15 times mlir-opt's time on 10,000 operations, and linear.
"""

from __future__ import annotations

import argparse
import math
import shutil
import statistics
import sys
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path
from random import Random

from benchmarks.passes import run
from fathom.context import default_context
from fathom.elaborate import load
from fathom.pipeline import lowering
from fathom.pipeline.defaults import LOWER_TO_LLVM

SIZES = (1000, 3000, 10000)
WIDTH = 8
TENSOR = f"tensor<{WIDTH}x{WIDTH}xf32>"
BUFFERIZE = (
    "one-shot-bufferize{bufferize-function-boundaries allow-return-allocs-from-loops "
    "function-boundary-type-conversion=identity-layout-map}"
)
PEERS = {
    "elements-of-tensors": "convert-elementwise-to-linalg",
    "memory-for-tensors": f"{BUFFERIZE},buffer-deallocation-pipeline",
    "declared-functions": "convert-func-to-llvm",
}
"""What stands for steps of `lower-to-llvm` that are no passes of mlir-opt."""


class Body:
    """The body of a function that is being made up: lines, and the number of operations in them."""

    def __init__(self, random: Random) -> None:
        self.random = random
        self.lines: list[str] = []
        self.operations = 0
        self._names = 0

    def add(self, text: str, operations: int = 1) -> str:
        """Adds an operation, whose result has a new name."""
        self._names += 1
        name = f"%v{self._names}"
        self.lines.append(f"{name} = {text}")
        self.operations += operations
        return name

    def empty(self) -> str:
        return self.add(f"tensor.empty() : {TENSOR}")

    def filled(self) -> str:
        return self.fill(self.empty())

    def fill(self, tensor: str) -> str:
        return self.add(f"linalg.fill ins(%zero : f32) outs({tensor} : {TENSOR}) -> {TENSOR}", 2)

    def elementwise(self, one: str, other: str) -> str:
        """A sum or product of elements, in a new tensor."""
        to = self.empty()
        op = self.random.choice(("addf", "mulf", "maximumf"))
        return self.add(
            'linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]} '
            f"ins({one}, {other} : {TENSOR}, {TENSOR}) outs({to} : {TENSOR}) {{\n"
            "^bb0(%a: f32, %b: f32, %c: f32):\n"
            f"  %r = arith.{op} %a, %b : f32\n"
            "  linalg.yield %r : f32\n"
            f"}} -> {TENSOR}",
            3,
        )

    def product(self, one: str, other: str) -> str:
        to = self.filled()
        types = f"{TENSOR}, {TENSOR}"
        return self.add(f"linalg.matmul ins({one}, {other} : {types}) outs({to} : {TENSOR}) -> {TENSOR}", 4)

    def exchanged(self, tensor: str) -> str:
        """A part is taken out of a tensor, changed and put back."""
        part, place = f"tensor<4x{WIDTH}xf32>", f"[{self.random.randrange(4)}, 0] [4, {WIDTH}] [1, 1]"
        taken = self.add(f"tensor.extract_slice {tensor}{place} : {TENSOR} to {part}")
        changed = self.add(f"linalg.fill ins(%zero : f32) outs({taken} : {part}) -> {part}", 2)
        return self.add(f"tensor.insert_slice {changed} into {tensor}{place} : {part} into {TENSOR}")

    def read(self, tensor: str) -> str:
        """A tensor in which an element follows from another."""
        found = self.add(f"tensor.extract {tensor}[%c0, %c1] : {TENSOR}")
        return self.add(f"tensor.insert {found} into {tensor}[%c1, %c0] : {TENSOR}")

    def loop(self, tensor: str, other: str) -> str:
        """A loop that carries a tensor, and adds to it."""
        inner = Body(self.random)
        inner._names = self._names
        last = inner.exchanged(inner.elementwise("%acc", other))
        self._names = inner._names
        lines = "\n".join(inner.lines)
        return self.add(
            f"scf.for %i = %c0 to %c4 step %c1 iter_args(%acc = {tensor}) -> ({TENSOR}) {{\n"
            f"{lines}\n"
            f"scf.yield {last} : {TENSOR}\n"
            "}",
            inner.operations + 2,
        )


HEADER = "#id = affine_map<(d0, d1) -> (d0, d1)>\n"


def function(name: str, body: Body, result: str) -> str:
    lines = "\n".join(body.lines)
    return (
        f"func.func @{name}(%x: {TENSOR}, %w: {TENSOR}) -> {TENSOR} {{\n"
        "%c0 = arith.constant 0 : index\n%c1 = arith.constant 1 : index\n%c4 = arith.constant 4 : index\n"
        f"%zero = arith.constant 0.0 : f32\n{lines}\nreturn {result} : {TENSOR}\n}}\n"
    )


def layers(body: Body, operations: int) -> str:
    """Layers, each of what the one before gives."""
    value = body.elementwise("%x", "%w")
    while body.operations < operations:
        match body.random.randrange(5):
            case 0:
                value = body.product(value, "%w")
            case 1:
                value = body.exchanged(value)
            case 2:
                value = body.read(value)
            case 3:
                value = body.loop(value, "%w")
            case _:
                value = body.elementwise(value, "%w")
    return value


def one_function(operations: int) -> str:
    """One long function of layers."""
    body = Body(Random(0))
    return HEADER + function("main", body, layers(body, operations))


def functions(operations: int) -> str:
    """Functions of some forty operations, as exports of models have them."""
    random, texts, count = Random(0), list[str](), 0
    while count < operations:
        body = Body(random)
        texts.append(function(f"f{len(texts)}", body, layers(body, random.randrange(20, 60))))
        count += body.operations + 6
    return HEADER + "".join(texts)


def branches(operations: int) -> str:
    """Many tensors that are alive for long: each is made of two that came some time before."""
    body = Body(Random(0))
    values = ["%x", "%w"]
    while body.operations < operations:
        one, other = (body.random.choice(values[-8:]) for _ in range(2))
        values.append(body.elementwise(one, other))
    return HEADER + function("main", body, values[-1])


def one_buffer(operations: int) -> str:
    """A long chain on one buffer: parts and elements of it are read, changed and put back."""
    body = Body(Random(0))
    value = body.filled()
    while body.operations < operations:
        step = body.random.choice((body.read, body.exchanged, body.fill))
        value = step(value)
    return HEADER + function("main", body, value)


MOST_ON_ONE_BUFFER = 400
"""More operations than these mlir-opt is not asked to bufferize in one buffer."""

SHAPES: dict[str, Callable[[int], str]] = {
    "functions": functions,
    "layers": one_function,
    "branches": branches,
    "one buffer": one_buffer,
}


def way_down(text: str) -> str:
    """mlir-opt's passes from a module to the LLVM dialect."""
    loaded = load(text)
    assert not loaded.has_errors, loaded.diagnostics
    stages = lowering.run(LOWER_TO_LLVM, loaded.module, default_context()).stages
    return ",".join(PEERS.get(stage.name, stage.name) for stage in stages)


def main() -> None:
    parser = argparse.ArgumentParser(description="bufferization and the way down beside mlir-opt")
    parser.add_argument("--sizes", type=int, nargs="+", default=SIZES)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--shapes", nargs="+", default=list(SHAPES), choices=list(SHAPES))
    parser.add_argument("--ways", nargs="+", default=["bufferize", "lower"], choices=["bufferize", "lower"])
    options = parser.parse_args()
    peer = shutil.which("mlir-opt-22")
    if peer is None:
        print("mlir-opt-22 is not here and is LEFT OUT")
    print(f"{options.rounds} rounds, seconds of the processor\n")
    print(f"{'way':<10}{'shape':<12}{'size':>7}{'Fathom':>9}{'mlir-opt':>9}{'ratio':>7}{'growth':>8}{'its':>6}")
    with tempfile.TemporaryDirectory() as folder:
        for way in options.ways:
            for shape in options.shapes:
                before: tuple[int, list[float]] | None = None
                for size in options.sizes:
                    is_too_much = shape == "one buffer" and size > MOST_ON_ONE_BUFFER
                    asked = None if is_too_much else peer
                    found = measure(way, SHAPES[shape](size), asked, options.rounds, Path(folder))
                    print(f"{way:<10}{shape:<12}{size:>7}{row(size, found, before)}", flush=True)
                    before = size, found


def row(size: int, found: list[float], before: tuple[int, list[float]] | None) -> str:
    """The figures of a size, and how they grew from those before."""
    growths: list[float] = []
    if before is not None:
        growths = [
            math.log(now / then) / math.log(size / before[0]) for now, then in zip(found[:2], before[1], strict=False)
        ]
    times = "".join(f"{each:>9.2f}" for each in found[:2]) + "".join(f"{each:>7.1f}" for each in found[2:])
    return times + "".join(f"{each:>{width}.2f}" for each, width in zip(growths, (8, 6), strict=False))


def measure(way: str, text: str, peer: str | None, rounds: int, folder: Path) -> list[float]:
    """Fathom's time, mlir-opt's, and the ratio."""
    path, out = folder / "in.mlir", folder / "out.mlir"
    path.write_text(text)
    ours = [f"--pass-pipeline=builtin.module({BUFFERIZE})"] if way == "bufferize" else ["--lower-to-llvm"]
    theirs = f"--pass-pipeline=builtin.module({BUFFERIZE if way == 'bufferize' else way_down(text)})"
    times: list[Sequence[float]] = []
    for _ in range(rounds):
        mine, _ = run((sys.executable, "-c", "from fathom.cli import entry; entry()", "opt", *ours, str(path)), out)
        if peer is None:
            times.append((mine,))
            continue
        its, _ = run((peer, theirs, str(path)), out)
        times.append((mine, its, mine / its))
    return [statistics.median(column) for column in zip(*times, strict=True)]


if __name__ == "__main__":
    main()
