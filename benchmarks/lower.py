"""From source to LLVM IR: a function of a hundred operations, a file of 11,000 lines, and how the cost grows.

    python -m benchmarks.lower [--rounds N]

*Wall* is the median of the rounds, *processor* the least of them, which other work on the machine hardly changes.
What is measured begins with the parsed source, which in the editor is there already; parsing stands beside it. Bar: 100
operations from parsed source to LLVM IR that LLVM's verifier accepts in at most 20 ms, warm.
"""

from __future__ import annotations

import argparse
import shutil
import statistics
import subprocess
import time
from collections.abc import Callable

from benchmarks.big_functions import MISTAKE, PROGRAMS, RETURN
from benchmarks.programs import FUNCTION_LINES, SIZES, repeated
from fathom.context import default_context
from fathom.elaborate import load
from fathom.ir.clone import clone
from fathom.ir.operation import Operation
from fathom.pipeline.defaults import LOWER_TO_LLVM
from fathom.pipeline.lowering import run
from fathom.translation import translate, verify_ir
from fathom.verify import verify

BAR = 0.020
OPERATIONS = 100
GROWTH = (250, 500, 1000, 2000, 4000)


def source(name: str, operations: int) -> str:
    """A function of about so many operations."""
    return PROGRAMS[name](operations).text.replace(MISTAKE, RETURN)


def parsed(text: str) -> Operation:
    loaded = load(text)
    assert not loaded.has_errors, loaded.diagnostics
    return loaded.module


def lowered(module: Operation) -> str:
    """LLVM IR of a module, which is changed, all of it verified: the module, and what LLVM says of the text."""
    context = default_context()
    assert not verify(module, context=context)
    assert not run(LOWER_TO_LLVM, module, context).diagnostics
    translation = translate(module)
    assert not translation.diagnostics
    assert not verify_ir(translation.text)
    return translation.text


def measure(rounds: int, prepare: Callable[[], Operation], work: Callable[[Operation], object]) -> tuple[float, float]:
    """Median of wall clock, and the least time of the processor, in seconds."""
    wall, processor = list[float](), list[float]()
    for _ in range(rounds):
        module = prepare()
        started, began = time.perf_counter(), time.process_time()
        work(module)
        wall.append(time.perf_counter() - started)
        processor.append(time.process_time() - began)
    return statistics.median(wall), min(processor)


def small(rounds: int) -> float:
    """The functions of a hundred operations; the longest median, in seconds."""
    print(f"{OPERATIONS} operations, from parsed source to verified LLVM IR, {rounds} times each")
    slowest = 0.0
    for name in PROGRAMS:
        text = source(name, OPERATIONS)
        module = parsed(text)
        count = sum(1 for _ in module.walk())
        lowered(clone(module))
        wall, processor = measure(rounds, lambda module=module: clone(module), lowered)
        parse, _ = measure(rounds, lambda module=module: module, lambda _, text=text: parsed(text))
        slowest = max(slowest, processor)
        print(
            f"  {name:<10} {count:4} operations   wall {wall * 1000:6.1f} ms   processor {processor * 1000:6.1f} ms"
            f"   (parsing {parse * 1000:.1f} ms)"
        )
    return slowest


def large(rounds: int) -> None:
    """A whole file, beside mlir-opt with the same passes and mlir-translate."""
    text = repeated(SIZES["11k"])
    print(f"{SIZES['11k'] * FUNCTION_LINES:,} lines, all functions, from text to verified LLVM IR, {rounds} times")
    module = parsed(text)
    wall, processor = measure(rounds, lambda: module, lambda _: lowered(parsed(text)))
    print(f"  {'Fathom':<26} wall {wall:6.2f} s   processor {processor:6.2f} s")
    opt, translator = shutil.which("mlir-opt-22"), shutil.which("mlir-translate-22")
    if opt is None or translator is None:
        print("  mlir-opt-22 and mlir-translate-22 are not here and are LEFT OUT")
        return
    needed = [stage.name for stage in run(LOWER_TO_LLVM, parsed(repeated(1)), default_context()).stages]
    passes = f"--pass-pipeline=builtin.module({','.join(needed)})"

    def by_tools(_: Operation) -> None:
        lowered = subprocess.run([opt, passes], input=text, capture_output=True, text=True, check=True).stdout
        subprocess.run([translator, "--mlir-to-llvmir"], input=lowered, capture_output=True, text=True, check=True)

    wall, _ = measure(rounds, lambda: module, by_tools)
    print(f"  {'mlir-opt | mlir-translate':<26} wall {wall:6.2f} s")


def growth(rounds: int) -> None:
    """What an operation costs in functions of several sizes."""
    print("Microseconds of the processor for each operation, from parsed source to verified LLVM IR")
    print(f"  {'operations':<10} " + " ".join(f"{size:>8,}" for size in GROWTH))
    for name in PROGRAMS:
        costs: list[float] = []
        for size in GROWTH:
            module = parsed(source(name, size))
            count = sum(1 for _ in module.walk())
            _, processor = measure(rounds, lambda module=module: clone(module), lowered)
            costs.append(processor / count * 1e6)
        print(f"  {name:<10} " + " ".join(f"{cost:8.0f}" for cost in costs))


def main() -> None:
    parser = argparse.ArgumentParser(description="from source to LLVM IR")
    parser.add_argument("--rounds", type=int, default=30, help="how often the small functions are lowered")
    options = parser.parse_args()
    slowest = small(options.rounds)
    print(f"  bar {BAR * 1000:.0f} ms: {'held' if slowest <= BAR else 'MISSED'}")
    large(max(options.rounds // 10, 1))
    growth(max(options.rounds // 10, 1))


if __name__ == "__main__":
    main()
