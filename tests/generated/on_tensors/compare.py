"""Programs on tensors, each by three ways: what NumPy computes, Fathom's lowering, and mlir-opt's own passes; and their
bufferization by Fathom and by mlir-opt, byte for byte.

    python -m tests.generated.on_tensors.compare COUNT [FIRST]

tries so many, and prints what differs. Ends with status 1 if something does that is not a mistake of mlir-opt alone:
bufferization takes what a loop carries for several buffers, each of which may be written without a look at the others.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from fathom.execution import Worker
from tests.generated.on_tensors.programs import Program, program
from tests.generated.on_tensors.ways import bufferized_by_fathom, bufferized_by_mlir, by_fathom, by_mlir, differs

BATCH = 20
"""So many programs are given to a tool at once."""
FATHOM, MLIR, BUFFERIZED = "lowered by Fathom", "lowered by mlir-opt", "bufferized"


@dataclass(slots=True)
class Tally:
    """How many programs there were; by number, what differs in those in which something does."""

    count: int = 0
    found: list[tuple[int, str, str]] = field(default_factory=list[tuple[int, str, str]])

    @property
    def ours(self) -> list[tuple[int, str, str]]:
        """What is not a mistake of mlir-opt alone."""
        return [difference for difference in self.found if difference[1] != MLIR]

    def of(self, kind: str) -> int:
        return sum(one == kind for _, one, _ in self.found)


def compare(numbers: Iterable[int]) -> Tally:
    """Tries the programs of some numbers."""
    tally, rest = Tally(), list(numbers)
    with Worker() as worker:
        while rest:
            taken, rest = rest[:BATCH], rest[BATCH:]
            _compare(taken, [program(number) for number in taken], worker, tally)
            _report(tally)
    return tally


def _compare(numbers: Sequence[int], made: Sequence[Program], worker: Worker, tally: Tally) -> None:
    tally.count += len(numbers)
    texts = [source.text for source in made]
    columns = (numbers, made, by_mlir(texts), bufferized_by_mlir(texts))
    for number, source, code, bufferized in zip(*columns, strict=True):
        if why := differs(source, by_fathom(source.text), worker, keeps=True):
            tally.found.append((number, FATHOM, why))
        if why := differs(source, code, worker):
            tally.found.append((number, MLIR, why))
        if bufferized_by_fathom(source.text) != bufferized:
            tally.found.append((number, BUFFERIZED, "otherwise than by mlir-opt"))


def _report(tally: Tally) -> None:
    kinds = ", ".join(f"{tally.of(kind)} {kind}" for kind in (FATHOM, MLIR, BUFFERIZED))
    print(f"\rof {tally.count} differ {kinds}", end="", file=sys.stderr, flush=True)


def main() -> int:
    first = int(sys.argv[2]) if len(sys.argv) > 2 else 0
    tally = compare(range(first, first + int(sys.argv[1])))
    print(file=sys.stderr)
    for number, kind, why in tally.found:
        print(f"{number}, {kind}: {why}")
    return int(bool(tally.ours))


if __name__ == "__main__":
    sys.exit(main())
