"""What it costs to look on at passes: `python -m benchmarks.observers [--rounds N]`.

Fourteen passes and `--canonicalize` run on a file of some 9,000 lines with nobody looking on, with who is told of each
pass, and with who is told of each pattern that is tried; they take turns. Shown is the least processor time of the
rounds, in seconds. Bar: who is told of patterns costs no more than the passes themselves.
"""

from __future__ import annotations

import argparse
import gc
import time
from collections.abc import Callable, Sequence

from benchmarks.passes import PASSES, source
from fathom.context import default_context
from fathom.elaborate import load
from fathom.ir.clone import clone
from fathom.ir.operation import Operation
from fathom.pipeline.language import parse_pipeline
from fathom.pipeline.lowering import run
from fathom.pipeline.observer import Observer
from fathom.rewriting.observers import Effect, PatternObserver
from fathom.rewriting.pattern import Pattern


class Patterns(Observer, PatternObserver):
    """Notes each pattern that was tried, and what came of it."""

    def __init__(self) -> None:
        self.found: list[tuple[str, str]] = []

    def refused(self, pattern: Pattern, op: Operation, reason: str) -> None:
        self.found.append((pattern.name, reason))

    def applied(self, pattern: Pattern, op: Operation, effect: Effect) -> None:
        self.found.append((pattern.name, op.name))


LOOKING_ON: dict[str, Callable[[], list[Observer]]] = {
    "nobody": lambda: [],
    "passes": lambda: [Observer()],
    "patterns": lambda: [Patterns()],
}


def processor_time(flags: Sequence[str], module: Operation, observers: list[Observer]) -> float:
    """How long passes take on a copy of the module."""
    pipeline, copy = parse_pipeline(flags), clone(module)
    gc.collect()
    started = time.process_time()
    run(pipeline, copy, default_context(), observers=observers, verifying="never", most_operations=1 << 19)
    return time.process_time() - started


def main() -> None:
    parser = argparse.ArgumentParser(description="what it costs to look on at passes")
    parser.add_argument("--rounds", type=int, default=3)
    rounds: int = parser.parse_args().rounds
    module = load(source()).module
    for name, flags in (("fourteen passes", PASSES), ("--canonicalize", ("--canonicalize",))):
        times: dict[str, list[float]] = {who: [] for who in LOOKING_ON}
        tried = 0
        for _ in range(rounds):
            for who, make in LOOKING_ON.items():
                observers = make()
                times[who].append(processor_time(flags, module, observers))
                tried += sum(len(observer.found) for observer in observers if isinstance(observer, Patterns))
        print(f"{name}: {tried // rounds} patterns tried")
        for who, measured in times.items():
            print(f"  {who:<10} {min(measured):6.2f}")


if __name__ == "__main__":
    main()
