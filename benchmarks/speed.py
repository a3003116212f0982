"""What is slow first: each row beside MLIR 22's own tools, in turns, written to `docs/speed.md` with what was measured
for other versions.

    python -m benchmarks.speed [--rounds N] [--only WORDS] [--check]

A row has a goal, in milliseconds or as so many times the peer's time. `--only` measures the rows whose names have the
words in them and writes nothing; `--check` ends with status 1 where a goal is missed.
"""

from __future__ import annotations

import argparse
import functools
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from benchmarks.big_functions import MISTAKE, PROGRAMS, RETURN
from benchmarks.client import FATHOM, PEER, Client
from benchmarks.open import FILES, OPTIONS, Runs, Times, opening, suite_folder
from benchmarks.open import measure as opened
from benchmarks.passes import KERNELS, PASSES, SIX, source
from benchmarks.preview import measure as previewed
from benchmarks.programs import FUNCTION, SIZES, distinct, repeated
from benchmarks.speed_page import Figure, write

COMMAND: Final = (sys.executable, "-c", "from fathom.cli import entry; entry()")
"""As the installed script `fathom` starts."""
OPT, TRANSLATE = (shutil.which(f"mlir-{tool}-22") for tool in ("opt", "translate"))
"""What a file without memory and vectors needs."""
URI: Final = "file:///benchmark/speed.mlir"
DIGIT: Final = "%c1 = arith.constant 1"

Measure = Callable[[], "tuple[float, float | None]"]
"""Milliseconds of one round, Fathom's and the peer's, if there is one."""


@dataclass(frozen=True, slots=True)
class Row:
    """What is measured, and what it is to be: milliseconds, or so many times the peer's."""

    name: str
    measure: Measure
    milliseconds: float | None = None
    times: float | None = None


def initialize() -> tuple[float, float | None]:
    def start(command: Sequence[str]) -> float:
        with Client(command) as client:
            return client.initialize() * 1000

    return start(FATHOM), start((str(PEER),)) if PEER.exists() else None


def open_cold(texts: Sequence[str]) -> tuple[float, float | None]:
    """For each 1,000 lines of the texts, each in a fresh server."""
    lines = sum(text.count("\n") for text in texts) / 1000
    sums: list[float] = []
    for command in (FATHOM, (str(PEER),)) if PEER.exists() else (FATHOM,):
        runs = Runs()
        for text in texts:
            opened(command, text, runs)
        sums.append(sum(runs.cold.last) / lines)
    return sums[0], sums[1] if len(sums) > 1 else None


def open_statements() -> tuple[float, float | None]:
    ours, peer = Runs(), Runs()
    opened(FATHOM, distinct(500), ours)
    if PEER.exists():
        opened((str(PEER),), distinct(500), peer)
    return ours.cold.last[0], peer.cold.last[0] if peer.cold.last else None


def whole_file(copies: int) -> tuple[float, float | None]:
    """What is shown first of LLVM IR of a whole file, all of it if it is short, beside the two tools that make all."""
    text = kernels(copies)
    with Client(FATHOM) as client:
        client.initialize(OPTIONS)
        opening(client, URI, text, Times())
        _, sent, answered = client.request("fathom/preview", {"textDocument": {"uri": URI}, "stage": "llvm-ir"})
    if OPT is None or TRANSLATE is None:
        return (answered - sent) * 1000, None
    with tempfile.TemporaryDirectory() as folder:
        given, lowered, out = (Path(folder) / name for name in ("given.mlir", "lowered.mlir", "out.ll"))
        given.write_text(text)
        peer = timed((OPT, *PASSES, str(given)), lowered)
        peer += timed((TRANSLATE, "--mlir-to-llvmir", str(lowered)), out)
    return (answered - sent) * 1000, peer


def whole_file_again(copies: int) -> tuple[float, float | None]:
    """The median over ten keys in the last function."""
    text = kernels(copies)
    with Client(FATHOM) as client:
        client.initialize(OPTIONS)
        document = client.open(URI, text)
        client.wait_for("textDocument/publishDiagnostics", 0)
        question = {"textDocument": {"uri": URI}, "stage": "llvm-ir"}
        client.request("fathom/preview", question)
        at = text.rindex(DIGIT) + len(DIGIT) - 1
        line, column = text.count("\n", 0, at), at - (text.rfind("\n", 0, at) + 1)
        times: list[float] = []
        for number in range(10):
            sent = client.edit(document, line, column, len(str(100 + number - 1)) if number else 1, str(100 + number))
            client.wait_for("fathom/previewDidChange", document.version)
            _, _, answered = client.request("fathom/preview", question)
            times.append((answered - sent) * 1000)
    return statistics.median(times), None


def one_function() -> tuple[float, float | None]:
    """The preview of one function of a thousand operations after a key."""
    function = PROGRAMS["straight"](1000)
    text = function.text.replace(MISTAKE, RETURN)
    at = next(place for place in range(len(text)) if text.startswith("arith.constant ", place)) + len("arith.constant ")
    name = text.partition("@")[2].partition("(")[0]
    return statistics.median(previewed(text, name, at, 5, "llvm-ir")), None


def command(text: str, flags: Sequence[str], tool: str, peer: str | None) -> tuple[float, float | None]:
    """A command on a file and the same of MLIR's tool."""
    with tempfile.TemporaryDirectory() as folder:
        given, out = Path(folder) / "given.mlir", Path(folder) / "out"
        given.write_text(text)
        ours = timed((*COMMAND, tool, *flags, str(given)), out)
        return ours, timed((peer, *flags, str(given)), out) if peer is not None else None


def translated() -> tuple[float, float | None]:
    with tempfile.TemporaryDirectory() as folder:
        given, lowered = Path(folder) / "given.mlir", Path(folder) / "lowered.mlir"
        given.write_text(kernels(40))
        timed((OPT, *PASSES, str(given)) if OPT is not None else (*COMMAND, "opt", *PASSES, str(given)), lowered)
        return command(lowered.read_text(), ("--mlir-to-llvmir",), "translate", TRANSLATE)


def timed(called: Sequence[str], out: Path) -> float:
    """Milliseconds that a command takes."""
    began = time.perf_counter()
    subprocess.run([*called, "-o", str(out)], check=True, stderr=subprocess.DEVNULL)
    return (time.perf_counter() - began) * 1000


def kernels(copies: int) -> str:
    """Loops, vectors, mathematics, views and control flow: some 96 lines for each copy."""
    return "\n".join(f"{FUNCTION}\n{KERNELS}".format(n=n) for n in range(copies)) + "\n"


def rows() -> list[Row]:
    """All rows, in the order of the page."""
    folder = suite_folder()
    texts = [(folder / name).read_text(encoding="utf-8") for name in FILES] if folder is not None else []
    lines, large = kernels(2).count("\n"), source().count("\n")
    part = functools.partial
    scalar = repeated(SIZES["11k"])
    return [
        Row("start to `initialize`", initialize, milliseconds=150),
        *([Row("eight of MLIR's files, cold, 1,000 lines", part(open_cold, texts), times=8)] if texts else []),
        Row("500 statements, no two alike", open_statements, times=25),
        Row(f"whole-file preview, {lines} lines: first shown", part(whole_file, 2), milliseconds=250),
        Row(f"whole-file preview, {lines} lines: after a key", part(whole_file_again, 2), milliseconds=20),
        Row(f"whole-file preview, {large:,} lines: first shown", part(whole_file, 95), milliseconds=1500),
        Row(f"`fathom opt`, 14 passes, {large:,} lines", part(command, source(), PASSES, "opt", OPT), times=8),
        Row("`fathom opt`, parse and print, 11,000 lines", part(command, scalar, (), "opt", OPT), times=5),
        Row("`fathom opt`, six passes, 11,000 lines", part(command, scalar, SIX, "opt", OPT), times=8),
        Row("`fathom translate`, 20,000 lines", translated, times=5),
        Row("preview of a function of 1,000 operations, after a key", one_function, milliseconds=100),
    ]


def main() -> int:
    parser = argparse.ArgumentParser(description="what is slow first, beside MLIR 22's tools: docs/speed.md")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--only", default="", metavar="WORDS", help="the rows whose names have these words")
    parser.add_argument("--check", action="store_true", help="end with status 1 where a goal is missed")
    options = parser.parse_args()
    figures: list[Figure] = []
    for row in rows():
        if options.only not in row.name:
            continue
        measured = [row.measure() for _ in range(options.rounds)]
        ours = statistics.median(mine for mine, _ in measured)
        both = [(mine, other) for mine, other in measured if other is not None]
        peer = statistics.median(other for _, other in both) if both else None
        ratio = statistics.median(mine / other for mine, other in both) if both else None
        figures.append(Figure(row.name, ours, peer, ratio, row.milliseconds, row.times))
        print(figures[-1].line(), flush=True)
    if not options.only:
        write(figures, options.rounds)
    return int(options.check and not all(figure.holds for figure in figures))


if __name__ == "__main__":
    sys.exit(main())
