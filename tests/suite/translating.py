"""LLVM IR of the pieces of MLIR's own tests: `fathom translate` beside mlir-translate 22, of every piece that it takes.

    python -m tests.suite.translating [--only loops] [--show N] [--kind TEXT] [--list] [--folder FOLDER]

The pieces are those of `mlir/test/Target/LLVMIR`, or of the `.mlir` files of another folder. Each is *equal*, byte for
byte, *refused* with an error, or *different*: where the status is 0 and the text another, something was lost or made up
in silence, of which there is to be nothing. The process may end by no signal. With `--only` the files whose path
contains the text; `--show` prints the first N that differ, of the kinds that contain `--kind` if it is given; `--list`
names each piece that is not equal. The status is 1 if any is different, or ended the process.
"""

from __future__ import annotations

import argparse
import difflib
import subprocess
import sys
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from tests.conformance.asking import ask_fathom, first_error
from tests.conformance.compare import normalise
from tests.conformance.page import commonest
from tests.conformance.workers import run
from tests.oracles import find_tool, tool_version
from tests.suite.answers import TIMEOUT, split
from tests.suite.pieces import has_code
from tests.suite.source import NoSource, mlir_source

TO_LLVMIR = "--mlir-to-llvmir"
EQUAL, REFUSED, DIFFERENT, ENDED = "equal", "refused", "different", "ended the process"
KINDS = 30
"""How many kinds of refusal are printed."""


@dataclass(frozen=True, slots=True)
class Compared:
    """A piece that mlir-translate takes: what came of it here, why, and how it differs."""

    piece: str
    result: str
    kind: str = ""
    shown: str = ""


def oracle(text: str) -> str | None:
    """The LLVM IR of mlir-translate; None of what it does not take."""
    tool = find_tool("mlir-translate")
    assert tool, "the measure needs mlir-translate 22"
    try:
        # In bytes: what it prints of strings need not be UTF-8.
        given = text.encode(errors="surrogateescape")
        done = subprocess.run([tool, TO_LLVMIR], input=given, capture_output=True, timeout=TIMEOUT, check=False)
    except subprocess.TimeoutExpired:
        return None
    return done.stdout.decode(errors="surrogateescape") if done.returncode == 0 else None


def compare(name: str, text: str, expected: str) -> Compared:
    """What `fathom translate` makes of a piece, beside what is expected."""
    asked = ask_fathom(["translate", TO_LLVMIR], text)
    if asked.crash:
        return Compared(name, ENDED, asked.crash)
    if asked.status:
        return Compared(name, REFUSED, normalise(first_error(asked.stderr)), asked.stderr)
    if asked.stdout == expected:
        return Compared(name, EQUAL)
    lines = list(
        difflib.unified_diff(
            expected.splitlines(), asked.stdout.splitlines(), "mlir-translate", "fathom", n=0, lineterm=""
        )
    )
    return Compared(name, DIFFERENT, lines[3] if len(lines) > 3 else "", "\n".join(lines[2:40]))


def compared_of(task: tuple[str, str]) -> list[Compared]:
    """The pieces of one file, given by its name and text, that mlir-translate takes."""
    comparisons: list[Compared] = []
    for piece in split(*task):
        if not has_code(piece.text):
            continue
        expected = oracle(piece.text)
        if expected is not None:
            comparisons.append(compare(piece.name, piece.text, expected))
    return comparisons


def _ended(task: tuple[str, str]) -> list[Compared]:
    return [Compared(task[0], ENDED, "by a signal")]


def summary(comparisons: Sequence[Compared]) -> list[str]:
    """How many pieces came out how, and the commonest reasons of a refusal."""
    counts = Counter(compared.result for compared in comparisons)
    lines = [f"{len(comparisons)} pieces that mlir-translate takes"]
    lines += [f"{counts[result]:6} {result}" for result in (EQUAL, REFUSED, DIFFERENT, ENDED)]
    kinds = Counter(compared.kind for compared in comparisons if compared.result == REFUSED)
    common = sorted(kinds.items(), key=lambda item: (-item[1], item[0]))
    return [*lines, "", "| pieces | refused for |", "|---:|---|", *commonest(common, KINDS, "reasons")]


def main() -> int:
    parser = argparse.ArgumentParser(description="fathom translate against mlir-translate 22 on MLIR's own tests")
    parser.add_argument("--only", default="", help="the files whose path contains this")
    parser.add_argument("--show", type=int, default=0, metavar="N", help="print the first N that are not equal")
    parser.add_argument("--kind", default="", help="show those whose kind or result contains this")
    parser.add_argument("--list", action="store_true", help="name each piece that is not equal")
    parser.add_argument("--folder", type=Path, help="the files of this folder, instead of MLIR's own tests")
    options = parser.parse_args()
    if tool_version("mlir-translate") is None:
        sys.exit("this needs mlir-translate 22 (Debian's mlir-22-tools)")
    try:
        home: Path = options.folder or mlir_source() / "test" / "Target" / "LLVMIR"
    except NoSource as problem:
        sys.exit(f"this needs MLIR's source: {problem}")

    names = sorted(str(path.relative_to(home)) for path in home.rglob("*.mlir"))
    tasks = [
        (name, (home / name).read_text(encoding="utf-8", errors="surrogateescape"))
        for name in names
        if options.only in name
    ]
    comparisons: list[Compared] = []
    for some in run(compared_of, tasks, _ended):
        comparisons += some
    comparisons.sort(key=lambda compared: compared.piece)
    others = [
        compared
        for compared in comparisons
        if compared.result != EQUAL and options.kind in f"{compared.result}: {compared.kind}"
    ]
    print("\n".join(summary(comparisons)))
    for compared in others if options.list else []:
        print(f"{compared.piece}: {compared.result}: {compared.kind}")
    for compared in others[: options.show]:
        print(f"==== {compared.piece}: {compared.result}: {compared.kind}\n{compared.shown}")
    return int(any(compared.result in (DIFFERENT, ENDED) for compared in comparisons))


if __name__ == "__main__":
    sys.exit(main())
