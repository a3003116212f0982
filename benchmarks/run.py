"""From a command to its end: `fathom run` of a small file, run before (warm), with nothing kept (cold), and with
`--no-cache`; beside it mlir-runner 22 on the same program in the LLVM dialect, and mlir-opt 22 piped into it. All take
turns. Bars: 150 ms warm, 300 ms cold.

`python -m benchmarks.run [--rounds 15]`
"""

from __future__ import annotations

import argparse
import os
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

EXAMPLE = Path(__file__).parents[1] / "examples" / "gcd.mlir"
ENTRY = "run_gcd"
PROGRAM = EXAMPLE.read_text(encoding="utf-8") + (
    f"func.func @{ENTRY}() -> i32 {{\n"
    "  %a = arith.constant 1071 : i32\n"
    "  %b = arith.constant 462 : i32\n"
    "  %r = func.call @gcd(%a, %b) : (i32, i32) -> i32\n"
    "  return %r : i32\n"
    "}\n"
)
EXPECTED = "21\n"
FATHOM = (sys.executable, "-c", "from fathom.cli import entry; entry()", "run")
"""As the installed script `fathom` starts."""
CALL = ("-e", ENTRY, "--entry-point-result=i32")
PASSES = ("--convert-scf-to-cf", "--convert-arith-to-llvm", "--convert-cf-to-llvm", "--convert-func-to-llvm")
WARM, COLD, WITHOUT = "fathom run, warm", "fathom run, cold", "fathom run --no-cache"
RUNNER, PIPE = "mlir-runner", "mlir-opt | mlir-runner"
BARS = {WARM: 0.150, COLD: 0.300}


def main() -> int:
    parser = argparse.ArgumentParser(description="a command to its end, warm and cold")
    parser.add_argument("--rounds", type=int, default=15, help="how often each is run")
    rounds = parser.parse_args().rounds
    with tempfile.TemporaryDirectory() as folder:
        times = measure(Path(folder), rounds)
    print(f"{rounds} rounds, milliseconds: from the start of the process to its end, and of the processor\n")
    print(f"{'command':<26}{'median':>8}{'best':>8}{'worst':>8}{'processor':>11}")
    for name, taken in times.items():
        walls, processor = [wall for wall, _ in taken], [own for _, own in taken]
        figures = "".join(f"{each * 1000:>8.0f}" for each in (statistics.median(walls), min(walls), max(walls)))
        print(f"{name:<26}{figures}{statistics.median(processor) * 1000:>11.0f}")
    if RUNNER not in times:
        print("\nMLIR 22's tools are not installed (Debian's mlir-22-tools), so there is nothing to compare with")
    missed = {name for name, bar in BARS.items() if statistics.median(wall for wall, _ in times[name]) > bar}
    for name, bar in BARS.items():
        print(f"{name}: bar {bar * 1000:.0f} ms {'MISSED' if name in missed else 'met'}")
    return int(bool(missed))


def measure(folder: Path, rounds: int) -> dict[str, list[tuple[float, float]]]:
    """The times of each command, in seconds: of the clock, and of the processor."""
    source, lowered = folder / "gcd.mlir", folder / "lowered.mlir"
    source.write_text(PROGRAM, encoding="utf-8")
    commands: dict[str, Sequence[str]] = {
        WARM: (*FATHOM, str(source), *CALL),
        COLD: (*FATHOM, str(source), *CALL),
        WITHOUT: (*FATHOM, str(source), *CALL, "--no-cache"),
    }
    opt, runner = shutil.which("mlir-opt-22"), shutil.which("mlir-runner-22")
    if opt is not None and runner is not None:
        subprocess.run((opt, *PASSES, str(source), "-o", str(lowered)), check=True)
        commands[RUNNER] = (runner, str(lowered), *CALL, "-O2")
        piped = f"{opt} {' '.join(PASSES)} {source} | {runner} {' '.join(CALL)} -O2"
        commands[PIPE] = ("/bin/sh", "-c", piped)
    run(commands[WARM], folder / "warm")
    times: dict[str, list[tuple[float, float]]] = {name: [] for name in commands}
    for number in range(rounds):
        for name, command in commands.items():
            times[name].append(run(command, folder / (f"cold{number}" if name == COLD else "warm")))
    return times


def run(command: Sequence[str], cache: Path) -> tuple[float, float]:
    environment = {**os.environ, "XDG_CACHE_HOME": str(cache), "XDG_STATE_HOME": str(cache)}
    environment.pop("FATHOM_CACHE", None)
    before, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    done = subprocess.run(command, env=environment, stdout=subprocess.PIPE, text=True, check=True)
    wall, after = time.perf_counter() - start, resource.getrusage(resource.RUSAGE_CHILDREN)
    if done.stdout != EXPECTED:
        raise AssertionError(done.stdout)
    return wall, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


if __name__ == "__main__":
    sys.exit(main())
