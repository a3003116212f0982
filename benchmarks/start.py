"""What a start costs: of the server, from the start of the process to the answer to `initialize`, beside
mlir-lsp-server 22; and of `fathom opt`, a small file read and printed, beside mlir-opt 22. They take turns. Then what
the first use of each dialect costs, in a process that has read none but `builtin`, `func` and `arith`.

`python -m benchmarks.start [--starts 10]`
"""

from __future__ import annotations

import argparse
import shutil
import statistics
import subprocess
import sys
import time
from pathlib import Path

from benchmarks.client import FATHOM, PEER, Client
from fathom.dialects import dialect_names

EXAMPLE = str(Path(__file__).parents[1] / "examples" / "gcd.mlir")
OPT = (sys.executable, "-c", "from fathom.cli import entry; entry()", "opt", EXAMPLE)
"""As the installed script `fathom` starts."""
FIRST_USE = """
import sys, time
from fathom.context import Context
context, name = Context(), sys.argv[1]
for each in ("builtin.module", "func.func", "arith.addi"):
    context.syntax(each)
began = time.process_time()
first = next(iter(context.dialect(name).by_name), None)
if first is not None:
    context.syntax(first)
print(time.process_time() - began)
"""
"""Reads a dialect, and the definition of an operation of it."""


def main() -> None:
    parser = argparse.ArgumentParser(description="process start to `initialize` answered")
    parser.add_argument("--starts", type=int, default=10, help="starts of each server")
    options = parser.parse_args()
    servers: dict[str, tuple[str, ...]] = {"Fathom": FATHOM}
    if PEER.exists():
        servers["mlir-lsp-server"] = (str(PEER),)

    times: dict[str, list[float]] = {name: [] for name in servers}
    for _ in range(options.starts):
        for name, command in servers.items():
            with Client(command) as client:
                times[name].append(client.initialize() * 1000)

    print(f"{options.starts} starts, milliseconds from process start to the answer to `initialize`\n")
    show("server", times)
    print(f"\n{options.starts} starts, milliseconds to read and print {Path(EXAMPLE).name}\n")
    show("command", commands(options.starts))
    print(f"\n{options.starts} processes for each dialect, milliseconds of the processor for its first use\n")
    used = first_uses(options.starts)
    slowest = sorted(used, key=lambda name: statistics.median(used[name]), reverse=True)[:8]
    show("dialect", {name: used[name] for name in slowest})
    print(f"{f'median of {len(used)}':<18}{statistics.median(map(statistics.median, used.values())):>10.0f}")
    if not PEER.exists():
        print("\nMLIR 22's tools are not installed (Debian's mlir-22-tools), so there is nothing to compare with")


def commands(starts: int) -> dict[str, list[float]]:
    """The times of `fathom opt`, and of mlir-opt where it is installed."""
    peer = shutil.which("mlir-opt-22")
    called = {"fathom opt": OPT, **({"mlir-opt": (peer, EXAMPLE)} if peer else {})}
    times: dict[str, list[float]] = {name: [] for name in called}
    for _ in range(starts):
        for name, command in called.items():
            start = time.perf_counter()
            subprocess.run(command, stdout=subprocess.DEVNULL, check=True)
            times[name].append((time.perf_counter() - start) * 1000)
    return times


def first_uses(processes: int) -> dict[str, list[float]]:
    """The times of the first use of each of the library's dialects."""
    times: dict[str, list[float]] = {name: [] for name in dialect_names()}
    for _ in range(processes):
        for name, values in times.items():
            used = subprocess.run((sys.executable, "-c", FIRST_USE, name), capture_output=True, text=True, check=True)
            values.append(float(used.stdout) * 1000)
    return times


def show(what: str, times: dict[str, list[float]]) -> None:
    print(f"{what:<18}{'median':>10}{'worst':>10}")
    for name, values in times.items():
        print(f"{name:<18}{statistics.median(values):>10.0f}{max(values):>10.0f}")


if __name__ == "__main__":
    main()
