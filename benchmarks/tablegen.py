"""Reading TableGen: all that MLIR's `ArithOps.td` includes, from nothing and again, beside llvm-tblgen 22.

`python -m benchmarks.tablegen [FILE] [-I DIR] [--rounds 5]`: from nothing, in a new reader; again, nothing changed;
after an edit of the last definition of the file, of its first line, and of the file that was included first. Seconds
of wall clock, the fastest and the median of the rounds, and of CPU for Fathom.
"""

from __future__ import annotations

import argparse
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

from fathom.tablegen.reading import Reader, Reading
from tests.oracles import find_tool

INCLUDE = Path("/usr/lib/llvm-22/include")
FILE = INCLUDE / "mlir" / "Dialect" / "Arith" / "IR" / "ArithOps.td"


def main() -> None:
    parser = argparse.ArgumentParser(description="the speed of the reader of TableGen")
    parser.add_argument("file", nargs="?", default=str(FILE))
    parser.add_argument("-I", dest="folders", action="append", default=None)
    parser.add_argument("--rounds", type=int, default=5)
    options = parser.parse_args()
    folders = options.folders or [str(INCLUDE)]
    if not Path(options.file).exists():
        sys.exit(f"{options.file} is not here (Debian's libmlir-22-dev)")
    tool = find_tool("llvm-tblgen")
    times: dict[str, list[tuple[float, float]]] = {}
    for _ in range(options.rounds):
        _fathom(options.file, folders, times)
        if tool is not None:
            command = [tool, "--dump-json", *(f"-I{folder}" for folder in folders), options.file]
            _timed(times, "llvm-tblgen", lambda command=command: _run(command))
    print(f"{'':<32}{'fastest':>10}{'median':>10}{'CPU':>10}   seconds, {options.rounds} rounds")
    for name, measured in times.items():
        walls = [wall for wall, _ in measured]
        cpu = f"{min(used for _, used in measured):>10.3f}" if name != "llvm-tblgen" else ""
        print(f"{name:<32}{min(walls):>10.3f}{statistics.median(walls):>10.3f}{cpu}")


def _fathom(file: str, folders: list[str], times: dict[str, list[tuple[float, float]]]) -> None:
    text = Path(file).read_text(encoding="utf-8")
    reader = Reader(keeps_going=True)

    def read(name: str, buffers: dict[str, str]) -> Reading:
        return _timed(times, name, lambda: reader.read(file, folders, buffers))

    first = read("from nothing", {})
    assert not first.errors, first.errors[0]
    read("again, nothing changed", {})
    last = text.rindex("\ndef ")
    read("again, last definition edited", {file: f"{text[:last]}\n{text[last:]}"})
    start = text.index('include "')
    read("again, first line edited", {file: f"{text[:start]}\n{text[start:]}"})
    read("(back)", {})
    times.pop("(back)")
    includes = [included for included in first.files[1:] if "\nclass " in included.text]
    changed = includes[0]
    read("again, first include edited", {changed.path: changed.text.replace("\nclass ", "\n\nclass ", 1)})


def _timed(times: dict[str, list[tuple[float, float]]], name: str, work: Callable[[], Reading]) -> Reading:
    start, used = time.perf_counter(), time.process_time()
    reading = work()
    times.setdefault(name, []).append((time.perf_counter() - start, time.process_time() - used))
    return reading


def _run(command: list[str]) -> Reading:
    from fathom.tablegen.reading import NOT_READ

    subprocess.run(command, stdout=subprocess.DEVNULL, check=True)
    return NOT_READ


if __name__ == "__main__":
    main()
