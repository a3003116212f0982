"""What it costs to record a run, and to look at what was recorded: `python -m benchmarks.recording [--rounds N]`.

Fourteen passes, `--canonicalize` and `--lower-to-llvm` run on a file of some 9,000 lines with nobody looking on, and
recorded; they take turns. Shown is the least processor time of the rounds, in seconds; and then what it takes to list
the passes, and to compare the first stage and the last, when the run is over. The garbage collector looks as seldom as
in commands. Bars: a run that is recorded takes at most twice as long; a timeline is there 1 s after the run.
"""

from __future__ import annotations

import argparse
import gc
import time
from typing import TYPE_CHECKING

from benchmarks.passes import PASSES, source
from fathom.cli import COLLECT
from fathom.context import default_context
from fathom.elaborate import load
from fathom.ir.clone import clone
from fathom.pipeline.language import parse_pipeline
from fathom.pipeline.lowering import run
from fathom.recording import Recorder
from fathom.recording.differences import differences
from fathom.recording.lives import blame
from fathom.recording.stages import stage_text
from fathom.recording.telling import timeline

if TYPE_CHECKING:
    from collections.abc import Sequence

    from fathom.ir.operation import Operation
    from fathom.recording import Recording

RUNS = {"fourteen passes": PASSES, "--canonicalize": ("--canonicalize",), "--lower-to-llvm": ("--lower-to-llvm",)}


def processor_time(flags: Sequence[str], module: Operation, *, recorded: bool) -> tuple[float, Recording | None]:
    """How long passes take on a copy of the module, and what was recorded."""
    pipeline, copy, context = parse_pipeline(flags), clone(module), default_context()
    gc.collect()
    started = time.process_time()
    recorder = Recorder(pipeline, copy, context) if recorded else None
    observers = [recorder] if recorder is not None else []
    run(pipeline, copy, context, observers=observers, verifying="never", most_operations=1 << 19)
    return time.process_time() - started, recorder.recording if recorder is not None else None


def looked_at(recording: Recording) -> dict[str, float]:
    """How long it takes to look at what was recorded."""
    times: dict[str, float] = {}
    started = time.process_time()
    timeline(recording)
    times["list of the passes"] = time.process_time() - started
    started = time.process_time()
    first, last = stage_text(recording, 0), stage_text(recording, recording.last_stage)
    times["two stages as text"] = time.process_time() - started
    started = time.process_time()
    differences(recording.parents, first, last)
    times["their difference"] = time.process_time() - started
    started = time.process_time()
    blame(recording, recording.last_stage, last)
    times["blame"] = time.process_time() - started
    return times


def main() -> None:
    parser = argparse.ArgumentParser(description="what it costs to record a run")
    parser.add_argument("--rounds", type=int, default=3)
    rounds: int = parser.parse_args().rounds
    module = load(source()).module
    print(f"{sum(1 for _ in module.walk())} operations")
    gc.set_threshold(*COLLECT)
    for name, flags in RUNS.items():
        times: dict[bool, list[float]] = {False: [], True: []}
        last: Recording | None = None
        for _ in range(rounds):
            for recorded, measured in times.items():
                seconds, recording = processor_time(flags, module, recorded=recorded)
                measured.append(seconds)
                last = recording or last
        assert last is not None
        plain, recorded_time = min(times[False]), min(times[True])
        print(f"{name}: {len(last.runs)} passes, {len(last.steps)} steps")
        print(
            f"  nobody looks on {plain:6.2f}\n  recorded        {recorded_time:6.2f}  ({recorded_time / plain:.2f} x)"
        )
        for what, seconds in looked_at(last).items():
            print(f"  {what:<20} {seconds:6.3f}")


if __name__ == "__main__":
    main()
