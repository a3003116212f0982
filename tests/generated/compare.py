"""`python -m tests.generated.compare [COUNT]`: so many generated programs, lowered by Fathom and by mlir-opt's own
passes, both run on the same inputs, and what each returns compared. Ends with status 1 if results differ.

Programs are taken together, many in one module, so that a tool starts once for them; those of a module that one side
does not lower are taken again each alone.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import cast

from hypothesis import Phase, given, seed, settings

import fathom
from fathom.dialects.llvm.signatures import signature_of
from fathom.elaborate import load
from fathom.execution import RunRequest, parse_arguments, run
from fathom.ir.operation import Operation
from fathom.irdl.interfaces import symbol_name
from fathom.translation import translate
from tests.generated.rich import rich_programs, together
from tests.oracles import mlir_opt, mlir_translate
from tests.properties import UNHURRIED

BATCH = 20
"""So many programs are in one module."""

LOWERED = ",".join(
    """
    func.func(lower-vector-multi-reduction) convert-vector-to-scf convert-complex-to-standard
    expand-strided-metadata lower-affine convert-math-to-funcs convert-math-to-llvm math-expand-ops{ops=clampf}
    convert-math-to-libm arith-expand convert-scf-to-cf convert-vector-to-llvm convert-complex-to-llvm
    convert-index-to-llvm convert-ub-to-llvm convert-arith-to-llvm convert-cf-to-llvm finalize-memref-to-llvm
    convert-func-to-llvm reconcile-unrealized-casts
    """.split()
)
PIPELINE = f"builtin.module({LOWERED})"
"""mlir-opt's own passes, in an order of their own."""
DIRECT = PIPELINE.replace("convert-complex-to-standard,", "")
"""The same, where complex numbers are divided as `convert-complex-to-llvm` has it: `convert-complex-to-standard` has
another way, which gives some zeros the other sign."""


@dataclass(frozen=True, slots=True)
class Difference:
    """A program on which the two do not agree, and how."""

    text: str
    what: str


@dataclass(slots=True)
class Tally:
    """How many programs returned the same, and those that did not."""

    equal: int = 0
    differences: list[Difference] = field(default_factory=list[Difference])


def generated(count: int, start: int = 0) -> Iterator[list[str]]:
    """So many programs, the same each time, in groups."""
    for number in range(start, start + -(-count // BATCH)):
        made: list[str] = []

        @seed(number)
        @settings(
            max_examples=BATCH + 1,
            database=None,
            deadline=None,
            phases=[Phase.generate],
            suppress_health_check=UNHURRIED,
        )
        @given(rich_programs())
        def take(program: str) -> None:
            made.append(program)  # noqa: B023

        take()
        # The first is the simplest that there is.
        yield made[1 : BATCH + 1]


def entry(text: str) -> Operation:
    """The function of a module that calls all programs."""
    return next(op for op in load(text).module.regions[0].operations() if symbol_name(op) == "all")


def by_fathom(text: str) -> tuple[str, Operation]:
    """LLVM IR, and the function to call, before it was lowered."""
    lowered = fathom.lower(text)
    assert not lowered.diagnostics, lowered.diagnostics[0].message
    translation = translate(lowered.module)
    assert not translation.diagnostics, translation.diagnostics[0].message
    return translation.text, entry(text)


def by_mlir(text: str, pipeline: str = PIPELINE) -> str:
    """LLVM IR."""
    return mlir_translate(mlir_opt(text, f"--pass-pipeline={pipeline}"))


def by_another_way(program: str) -> object:
    """What a program returns if mlir-opt divides complex numbers directly; why it does not, if so."""
    text = together([program])
    try:
        values = returned(by_mlir(text, DIRECT), entry(text), 1)
    except AssertionError as problem:
        return str(problem)
    return cast("list[object]", values)[0] if isinstance(values, list) else values


def returned(ir: str, function: Operation, count: int) -> object:
    """What the programs return; or why they did not."""
    signature = signature_of(function)
    assert signature is not None
    values = parse_arguments(f"{{shape: [{count}], fill: 0}}")
    outcome = run(RunRequest(ir, "all", signature.inputs, signature.results, values))
    if outcome.failure is not None:
        return outcome.failure.message
    (numbers,) = outcome.arguments
    assert isinstance(numbers, dict)
    return numbers["data"]


def compare(programs: Sequence[str], tally: Tally) -> None:
    """Adds what became of some programs."""
    text = together(programs)
    try:
        expected, (ours, function) = by_mlir(text), by_fathom(text)
        theirs = returned(expected, function, len(programs))
        ours_returned = returned(ours, function, len(programs))
        if not isinstance(theirs, list) or not isinstance(ours_returned, list):
            raise AssertionError(f"mlir-opt's: {theirs}; Fathom's: {ours_returned}")
    except AssertionError as problem:
        if len(programs) == 1:
            tally.differences.append(Difference(text, str(problem)))
        else:
            for program in programs:
                compare([program], tally)
        return
    for program, one, other in zip(programs, theirs, ours_returned, strict=True):
        if one == other or ("complex.div" in program and other == by_another_way(program)):
            tally.equal += 1
        else:
            tally.differences.append(Difference(together([program]), f"mlir-opt's returns {one}, Fathom's {other}"))


def main() -> int:
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 100
    start = int(sys.argv[2]) if len(sys.argv) > 2 else 0
    tally = Tally()
    for programs in generated(count, start):
        compare(programs, tally)
        print(f"\r{tally.equal} equal, {len(tally.differences)} not", end="", file=sys.stderr, flush=True)
    print(file=sys.stderr)
    for difference in tally.differences[:5]:
        print(f"{difference.text}\n// {difference.what}\n")
    print(f"{tally.equal} programs return the same, {len(tally.differences)} do not")
    return int(bool(tally.differences))


if __name__ == "__main__":
    sys.exit(main())
