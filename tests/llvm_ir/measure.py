"""`make llvm-ir`: LLVM's own tests through the LLVM dialect and back, beside mlir-translate 22.

    python -m tests.llvm_ir.measure [--count N] [--seed S] [--only TEXT] [--show N] [--kind TEXT] [--folder FOLDER]

takes so many of the files that `tests.llvm_ir.sample` knows, by a fixed seed. Of those that
`mlir-translate --import-llvm` takes it is told how many Fathom imports to the same text, byte for byte; of how many of
the modules that `mlir-translate` made, and exports itself, Fathom makes the same LLVM IR; and for how many an export
after an import after an export of Fathom's own import is the same as the first. None may end the process. Without
`--only`, `--folder` and `--count` it writes `docs/llvm-ir.md`. `--show` prints the first N differences of a kind.
"""

from __future__ import annotations

import argparse
import difflib
import subprocess
import sys
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

from tests.conformance.asking import Asked, ask_fathom, first_error
from tests.conformance.compare import normalise
from tests.conformance.page import commonest, paragraph, share
from tests.conformance.workers import run
from tests.llvm_ir.sample import FOLDERS, files
from tests.oracles import find_tool, tool_version
from tests.suite.source import NoSource

PAGE = Path(__file__).resolve().parents[2] / "docs" / "llvm-ir.md"
COUNT, SEED = 800, 27
TIMEOUT = 30
IMPORT, EXPORT = "--import-llvm", "--mlir-to-llvmir"
KINDS = 12
"""How many kinds of differences the page lists."""
IMPORTED, EXPORTED, IDENTITY = "import", "export", "identity"
STEPS = {
    IMPORTED: ("imported to the same text", 95.0),
    EXPORTED: ("exported to the same text, of what `mlir-translate` imports", 98.0),
    IDENTITY: ("the same after export, import and export", 99.0),
}
"""What is measured, and the share that there is to be, in percent."""


@dataclass(frozen=True, slots=True)
class Result:
    """What came of a file in one step: nothing is wrong, or a kind of difference and the beginning of it."""

    step: str
    kind: str = ""
    shown: str = ""
    has_ended: bool = False


@dataclass(frozen=True, slots=True)
class Measured:
    """A file that mlir-translate imports, and what came of it."""

    name: str
    results: list[Result] = field(default_factory=list[Result])


def oracle(option: str, text: str) -> str | None:
    """What mlir-translate makes of a text; None of what it does not take."""
    tool = find_tool("mlir-translate")
    assert tool, "the measure needs mlir-translate 22"
    given = text.encode(errors="surrogateescape")
    try:
        done = subprocess.run([tool, option], input=given, capture_output=True, timeout=TIMEOUT, check=False)
    except subprocess.TimeoutExpired:
        return None
    return done.stdout.decode(errors="surrogateescape") if done.returncode == 0 else None


def translate(option: str, text: str) -> Asked:
    return ask_fathom(["translate", option], text)


def compared(step: str, expected: str, asked: Asked) -> Result:
    """What Fathom printed, beside what is expected."""
    if asked.crash:
        return Result(step, asked.crash, has_ended=True)
    if asked.status:
        return Result(step, f"refused: {normalise(first_error(asked.stderr))}", asked.stderr[:2000])
    if asked.stdout == expected:
        return Result(step)
    lines = [*difflib.unified_diff(expected.splitlines(), asked.stdout.splitlines(), n=0, lineterm="")]
    first = next((line for line in lines[2:] if line[0] in "+-"), "white space at the end")
    return Result(step, normalise(first)[:120], "\n".join(lines[2:30]))


def measured(task: tuple[str, str]) -> Measured | None:
    """One file, by its name and text; None if mlir-translate does not import it."""
    name, text = task
    expected = oracle(IMPORT, text)
    if expected is None:
        return None
    own = translate(IMPORT, text)
    results = [compared(IMPORTED, expected, own)]
    exported = oracle(EXPORT, expected)
    if exported is not None:
        results.append(compared(EXPORTED, exported, translate(EXPORT, expected)))
    first = translate(EXPORT, own.stdout)
    if not own.status and not first.status:
        again = translate(IMPORT, first.stdout)
        results.append(compared(IDENTITY, first.stdout, translate(EXPORT, again.stdout) if not again.status else again))
    return Measured(name, results)


def _ended(task: tuple[str, str]) -> Measured:
    return Measured(task[0], [Result(IMPORTED, "by a signal", has_ended=True)])


def page(found: Sequence[Measured], count: int, seed: int) -> str:
    """The figures, as a page."""
    lines = ["# LLVM's own tests", ""]
    lines += paragraph(
        f"""Of the `.ll` files of LLVM 22.1.8's own tests ({", ".join(f"`{each}`" for each in FOLDERS)}), {count} that
        are taken with seed {seed}: those that `mlir-translate --import-llvm` takes, {len(found)}. `make llvm-ir` writes
        this page."""
    )
    lines += ["| | files | share | at least |", "|---|---:|---:|---:|"]
    for step, (said, least) in STEPS.items():
        of_step = [result for measure in found for result in measure.results if result.step == step]
        same = sum(not result.kind for result in of_step)
        lines.append(f"| {said} | {len(of_step)} | {share(same, len(of_step))} | {least:.0f} % |")
    ended = sum(result.has_ended for measure in found for result in measure.results)
    lines += ["", f"Files that ended the process: {ended}.", ""]
    for step, (said, _) in STEPS.items():
        kinds = Counter(
            result.kind for measure in found for result in measure.results if result.step == step and result.kind
        )
        if kinds:
            common = sorted(kinds.items(), key=lambda item: (-item[1], item[0]))
            lines += [f"Not {said}, by the first line that differs:", "", "| files | first difference |", "|---:|---|"]
            lines += [*commonest([(f"`{kind}`", many) for kind, many in common], KINDS, "kinds"), ""]
    return "\n".join(lines)


def main() -> int:
    parser = argparse.ArgumentParser(description="LLVM's own tests through the LLVM dialect and back")
    parser.add_argument("--count", type=int, default=COUNT, help="how many files are taken")
    parser.add_argument("--seed", type=int, default=SEED, help="by which they are chosen")
    parser.add_argument("--only", default="", help="the files whose path contains this")
    parser.add_argument("--show", type=int, default=0, metavar="N", help="print the first N differences")
    parser.add_argument("--kind", default="", help="show those whose step or kind contains this")
    parser.add_argument("--folder", type=Path, help="the files of this folder, instead of LLVM's own tests")
    parser.add_argument("--workers", type=int, default=1, help="how many processes ask")
    options = parser.parse_args()
    if tool_version("mlir-translate") is None:
        sys.exit("this needs mlir-translate 22 (Debian's mlir-22-tools)")
    try:
        chosen = sorted(options.folder.rglob("*.ll")) if options.folder else files()
    except NoSource as problem:
        sys.exit(f"this needs LLVM's own tests: {problem}")
    Random(options.seed).shuffle(chosen)
    chosen = [path for path in chosen if options.only in str(path)][: options.count]
    tasks = [(str(path), path.read_text(encoding="utf-8", errors="surrogateescape")) for path in chosen]
    found = [each for each in run(measured, tasks, _ended, options.workers) if each is not None]
    found.sort(key=lambda measure: measure.name)
    text = page(found, len(chosen), options.seed)
    if not (options.only or options.folder or options.count != COUNT or options.seed != SEED):
        PAGE.write_text(text, encoding="utf-8")
    print(text)
    shown = 0
    for measure in found:
        for result in measure.results:
            if result.kind and options.kind in f"{result.step}: {result.kind}" and shown < options.show:
                shown += 1
                print(f"==== {measure.name}: {result.step}: {result.kind}\n{result.shown}")
    return int(any(result.has_ended for measure in found for result in measure.results))


if __name__ == "__main__":
    sys.exit(main())
