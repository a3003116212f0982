"""`python -m tests.hunts.large [PASS…] [--only Dialect/Tosa] [--every N]`: MLIR's own tests with one number of a piece
made large, so that a few characters stand for more elements, operations or steps than anybody can hold.

Such a piece that is still valid goes through the passes of `make suite-passes` that concern it, and down to LLVM IR.
A pass may refuse it, with a diagnostic; it may not raise, take longer than some seconds of the processor or more than
its memory. The numbers are chosen by the piece's name, so a run repeats what it found.
"""

from __future__ import annotations

import argparse
import re
import signal
import sys
import traceback
import zlib
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from random import Random
from types import TracebackType
from typing import Final

from fathom.context import Context
from fathom.elaborate import load
from fathom.ir.clone import clone
from fathom.ir.operation import Operation
from fathom.ir.printer import print_module
from fathom.pipeline.defaults import pipeline_of
from fathom.pipeline.lowering import run as run_pipeline
from fathom.verify import verify
from tests.conformance.workers import WORKERS, run
from tests.suite.answers import Piece, split
from tests.suite.passes import USES, Use, is_chosen
from tests.suite.pieces import has_code
from tests.suite.source import mlir_source

NUMBER: Final = re.compile(r"(?<![\w.#%@^!])\d+(?=[x>,\s\])])(?!\.)|(?<=x)\d+(?=x)")
"""A number that may be an extent, a bound or an element."""
LARGE: Final = ("1000003", "70000000000")
LONG: Final = 10.0
"""Seconds of the processor that a pass may take."""

Task = tuple[str, str, tuple[Use, ...], int]


class TooLong(BaseException):
    """A pass takes longer than it may."""


def _too_long(*_: object) -> None:
    raise TooLong


def enlarged(piece: Piece) -> Iterator[str]:
    """Two texts of a piece, in each of which one number stands as a large one, wherever it stands."""
    chance = Random(zlib.crc32(piece.name.encode()))
    numbers = sorted({match[0] for match in NUMBER.finditer(piece.text)})
    for large in LARGE:
        if numbers:
            yield _with_large(piece.text, chance.choice(numbers), large)


def _with_large(text: str, number: str, large: str) -> str:
    return NUMBER.sub(lambda match: large if match[0] == number else match[0], text)


def valid(text: str) -> tuple[Operation, Context] | None:
    """The module of a text and its context; None if it is not valid."""
    context = Context()
    loaded = load(text, context)
    if loaded.has_errors or any(said.severity == "error" for said in verify(loaded.module, context=context)):
        return None
    return loaded.module, context


def fault_of(work: Callable[[], object]) -> str:
    """What a work does that it may not do; empty if nothing."""
    signal.signal(signal.SIGVTALRM, _too_long)
    signal.setitimer(signal.ITIMER_VIRTUAL, LONG)
    try:
        work()
    except TooLong:
        return f"takes more than {LONG:g} s at {_place(sys.exc_info()[2])}"
    except Exception as fault:
        return f"{type(fault).__name__} at {_place(fault.__traceback__)}: {str(fault)[:80]}"
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
    return ""


def faults_of(text: str, uses: Sequence[Use]) -> Iterator[tuple[str, str]]:
    """The passes that do to a text what they may not, and what that is."""
    read: list[tuple[Operation, Context]] = []
    if fault := fault_of(lambda: read.extend(filter(None, [valid(text)]))):
        yield "read", fault
    for module, context in read:
        names = {operation.name for operation in module.walk()}
        flags = {use.label: use.flag for use in uses if use.concerns(names)}
        for label, flag in {**flags, "lower-to-llvm": ""}.items():
            if fault := fault_of(partial(_run, flag, module, context)):
                yield label, fault


def _run(flags: str, module: Operation, context: Context) -> None:
    copy = clone(module)
    run_pipeline(pipeline_of(flags, context.find_pass), copy, context)
    print_module(copy)


def _place(trace: TracebackType | None) -> str:
    frames = traceback.extract_tb(trace)
    own = [frame for frame in frames if "/fathom/" in frame.filename] or frames
    return " < ".join(f"{Path(frame.filename).name}:{frame.lineno}" for frame in reversed(own[-4:]))


def findings_of(task: Task) -> list[tuple[str, str, str, str]]:
    """The faults of a file's pieces: the pass, the piece, what it is, and the text."""
    file, text, uses, every = task
    faults: list[tuple[str, str, str, str]] = []
    for piece in split(file, text):
        if not has_code(piece.text) or not is_chosen(piece.name, every):
            continue
        for large in enlarged(piece):
            faults += [(label, piece.name, fault, large) for label, fault in faults_of(large, uses)]
    return faults


def _ended(task: Task) -> list[tuple[str, str, str, str]]:
    return [("?", task[0], "the process ended", "")]


def main(words: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("passes", nargs="*", metavar="PASS")
    parser.add_argument("--only", default="", metavar="TEXT", help="the files whose path contains this")
    parser.add_argument("--every", type=int, default=1, metavar="N", help="a sample of one piece in N")
    parser.add_argument("--keep", type=Path, metavar="FOLDER", help="where the texts that show a fault go")
    parser.add_argument("--workers", type=int, default=WORKERS)
    options = parser.parse_args(words)
    home = mlir_source() / "test"
    uses = tuple(use for use in USES if not options.passes or {use.name, use.label} & set(options.passes))
    tasks: list[Task] = [
        (name, (home / name).read_text(encoding="utf-8", errors="surrogateescape"), uses, options.every)
        for name in sorted(str(path.relative_to(home)) for path in home.rglob("*.mlir"))
        if options.only in name
    ]
    count = 0
    for faults in run(findings_of, tasks, _ended, options.workers):
        for label, piece, fault, text in faults:
            count += 1
            print(f"{label:<40} {piece:<60} {fault}", flush=True)
            if options.keep:
                options.keep.mkdir(parents=True, exist_ok=True)
                (options.keep / f"{count}.mlir").write_text(text, encoding="utf-8", errors="surrogateescape")
    print(f"{count} findings")
    return 1 if count else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
