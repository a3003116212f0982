"""Generated programs, run by mlir-opt and mlir-runner, and by `fathom.compile`, on the same arguments.

All results, and what became of the memrefs, are the same, bit for bit. Programs are taken together, many in one module,
so that a tool starts once for them; those of a module that one side does not run are taken again each alone.
"""

from __future__ import annotations

import subprocess
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from random import Random
from typing import Final

import fathom
from tests.generated import compare as lowered
from tests.generated.compare import PIPELINE, Difference
from tests.generated.returning import Program, functions, numbers, returning_program, with_main
from tests.oracles import mlir_opt, require_tool

BATCH: Final = 25
"""So many programs are in one module."""
SECONDS: Final = 300.0
"""mlir-runner takes no longer for a module."""


@dataclass(slots=True)
class Tally(lowered.Tally):
    """Also how many numbers the programs gave that are the same."""

    numbers: int = 0


def generated(count: int, start: int = 0) -> Iterator[list[Program]]:
    """So many programs, the same each time, in groups."""
    for number in range(start, start + -(-count // BATCH)):
        source = Random(number)
        yield [returning_program(source) for _ in range(BATCH)]


@cache
def libraries() -> str:
    """The options that name the libraries which mlir-runner's programs print with."""
    folder = Path(require_tool("mlir-runner")).resolve().parents[1] / "lib"
    return ",".join(str(folder / f"libmlir_{name}runner_utils.so") for name in ("", "c_"))


def by_runner(programs: Sequence[Program]) -> list[int]:
    """What mlir-runner prints of them; an assertion fails where it does not run them."""
    done = subprocess.run(
        [require_tool("mlir-runner"), "-e", "main", "-entry-point-result=void", f"-shared-libs={libraries()}"],
        input=mlir_opt(with_main(programs), f"--pass-pipeline={PIPELINE}"),
        capture_output=True,
        text=True,
        timeout=SECONDS,
        check=False,
    )
    assert done.returncode == 0, f"mlir-runner ends with {done.returncode}: {done.stderr[:1000]}"
    return [int(line) for line in done.stdout.split()]


def by_fathom(programs: Sequence[Program]) -> list[list[int]]:
    """What Fathom's functions give, for each of them."""
    given: list[list[int]] = []
    try:
        with fathom.compile(functions(programs)) as module:
            for number, program in enumerate(programs):
                arguments = program.arguments()
                results: object = module[f"f{number}"](*arguments)
                given.append(numbers(program, results, arguments[-2:]))
    except (fathom.CompileError, fathom.RunError) as problem:
        raise AssertionError(f"Fathom: {problem}") from problem
    return given


def compare(programs: Sequence[Program], tally: Tally) -> None:
    """Adds what became of some programs."""
    try:
        printed, given = by_runner(programs), by_fathom(programs)
        count = sum(map(len, given))
        assert len(printed) == count, f"mlir-runner prints {len(printed)} numbers, Fathom gives {count}"
    except AssertionError as problem:
        if len(programs) > 1:
            for program in programs:
                compare([program], tally)
        else:
            tally.differences.append(Difference(with_main(programs), str(problem)))
        return
    for program, ours in zip(programs, given, strict=True):
        theirs, printed = printed[: len(ours)], printed[len(ours) :]
        if theirs == ours:
            tally.equal += 1
            tally.numbers += len(ours)
        else:
            what = f"returns {', '.join(program.results)}\n// mlir-runner's: {theirs}\n// Fathom's:      {ours}"
            tally.differences.append(Difference(with_main([program]), what))
