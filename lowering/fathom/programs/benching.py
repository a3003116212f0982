"""How long functions take: measured in several processes, until that is certain enough.

    (measured,) = measure([Subject(code, plan, (a, b))])
    measured.median, measured.spread, measured.is_certain, str(measured)
    first, second = measure([Subject(…), Subject(…)])
    compare(first, second)

Each process calls a function so often in a row that a clock can tell, throws the first of its values away, and gives
some more. Processes are added until it is certain, to 95 in 100, that the mean is known within 1 %, or until the time
is up; of several functions they take turns. The arguments are copied once for a process: what a function does to its
memrefs it does again to what it made of them.

Source of the rules: *pyperf*, "Run a benchmark" and "Analyze benchmark results".
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Final

from fathom.execution.outcome import Limits, RunProblem
from fathom.messages.source import Source
from fathom.programs.compiling import compiled_code
from fathom.programs.errors import CompileError
from fathom.programs.resident import Resident, physical_memory
from fathom.programs.work import Work, counting
from fathom.records import record

if TYPE_CHECKING:
    from collections.abc import Sequence

    import pyperf

    from fathom.execution.outcome import Json
    from fathom.programs.calling import Code, Plan

SECONDS: Final = 5.0
"""How long to measure."""
_LEAST: Final = 0.01
"""A value takes no fewer seconds, so that the clock and what the system does beside it are small in it."""
_LONGEST: Final = 10.0
"""How many times as long one may wait for a value, when memory is freed between its calls."""
_VALUES: Final = 4
"""So many values of each process count, besides the one that warms it up."""
_PROCESSES: Final = 3
"""No fewer processes are asked: addresses and the state of caches differ from one to the other."""
_MOST_CALLS: Final = 1 << 40


@record
class Subject:
    """A function to measure, with arguments, under a name that tells it from others."""

    name: str
    code: Code
    plan: Plan
    values: tuple[object, ...]


@record
class Measured:
    """What was measured. `values` are the seconds of a call, by the processes that gave them, each the mean of so many
    `calls` in a row. `more` is how many more processes it may take to be certain. `work` is what a call does, if that
    is known."""

    name: str
    values: tuple[tuple[float, ...], ...]
    calls: int
    more: int
    work: Work | None = None

    @property
    def median(self) -> float:
        """Seconds."""
        return _benchmark(self).median()

    @property
    def spread(self) -> float:
        """The standard deviation of the values, in seconds."""
        return _benchmark(self).stdev()

    @property
    def is_certain(self) -> bool:
        """Whether the mean is known within 1 %, to 95 in 100."""
        return self.more <= 0

    def to_json(self) -> dict[str, Json]:
        """The measurement as JSON-like data, with the line in which it is told; times are in seconds."""
        return {
            "name": self.name,
            "median": self.median,
            "spread": self.spread,
            "isCertain": self.is_certain,
            "values": self.values,
            "calls": self.calls,
            "work": {"flops": self.work.flops, "bytes": self.work.bytes} if self.work is not None else None,
            "told": str(self),
        }

    def __str__(self) -> str:
        count = sum(map(len, self.values))
        median, spread = _benchmark(self).format_values((self.median, self.spread))
        told = f"{self.name}: {median} ± {spread}, the median of {count} values of {len(self.values)} processes"
        rates = self.work.rates(self.median) if self.work is not None else ""
        known = "certain within 1 %" if self.is_certain else f"not certain within 1 %: {self.more} more processes"
        return "; ".join(filter(None, (told, known, rates)))


def measure(
    subjects: Sequence[Subject],
    *,
    seconds: float = SECONDS,
    contained: bool = True,
    counts: bool = True,
    timeout: float | None = None,
    memory: int | None = None,
) -> list[Measured]:
    """Measures functions, each for so many seconds or a little more. With `counts`, what each does is counted too. A
    value may take `timeout` seconds, by default a minute more than it is measured, and a process allocate `memory`
    bytes, by default as many as there are. Raises RunProblem."""
    most = Limits(
        seconds=seconds + 60 if timeout is None else timeout,
        memory=physical_memory() if memory is None else memory,
        contained=contained,
    )
    deadline = time.monotonic() + seconds * len(subjects)
    benches = [_Bench(subject, most) for subject in subjects]
    while True:
        waiting = [bench for bench in benches if bench.is_open(time.monotonic() < deadline)]
        if not waiting:
            break
        for bench in waiting:
            bench.go_on()
    return [bench.measured(_work(bench.subject, most) if counts else None) for bench in benches]


class _Bench:
    """What is known of one function by now."""

    def __init__(self, subject: Subject, most: Limits) -> None:
        self.subject = subject
        self._most = most
        self._values: list[tuple[float, ...]] = []
        self._calls = 0

    def is_open(self, is_time: bool) -> bool:
        """Whether another process is to be asked."""
        return len(self._values) < _PROCESSES or (is_time and self._more() > 0)

    def go_on(self) -> None:
        """Ask one more process."""
        subject = self.subject
        resident = _started(subject.code, self._most)
        try:
            resident.function(subject.plan)
            self._calls = self._calls or self._calibrated(resident)
            values, _ = resident.timed(subject.plan, subject.values, _VALUES + 1, self._calls)
        finally:
            resident.close()
        self._values.append(tuple(value / self._calls for value in values[1:]))

    def measured(self, work: Work | None) -> Measured:
        return Measured(self.subject.name, tuple(self._values), self._calls, max(self._more(), 0), work)

    def _calibrated(self, resident: Resident) -> int:
        """How many calls in a row take long enough."""
        # The first call starts the process.
        resident.timed(self.subject.plan, self.subject.values, 1, 1)
        calls = 1
        while calls < _MOST_CALLS:
            begun = time.monotonic()
            (taken,), _ = resident.timed(self.subject.plan, self.subject.values, 1, calls)
            if taken >= _LEAST or time.monotonic() - begun > _LEAST * _LONGEST:
                break
            calls *= 2 if taken > _LEAST / 8 else 8
        return calls

    def _more(self) -> int:
        """How many more processes it may take to be certain."""
        known = Measured(self.subject.name, tuple(self._values), self._calls, 0)
        return int(_benchmark(known).required_nprocesses() or len(self._values)) - len(self._values)


def _started(code: Code, most: Limits) -> Resident:
    """A process for a program."""
    return Resident(code, contained=most.contained, seconds=most.seconds, memory=most.memory)


def _work(subject: Subject, most: Limits) -> Work | None:
    """What a call does, counted in one; None if that takes too long, or cannot be."""
    source = Source(subject.name, "")
    try:
        text = counting(subject.code.llvm_ir)
        name = subject.plan.name
        code = compiled_code(
            text, {name: subject.plan.type}, 1, subject.code.libraries, source, {name: subject.plan.entry.convention}
        )
        plan = subject.plan.with_entry(code.entries[name])
        resident = _started(code, most)
        try:
            resident.function(plan)
            _, (flops, moved) = resident.timed(plan, subject.values, 1, 1)
        finally:
            resident.close()
    except (CompileError, RunProblem):
        return None
    return Work(flops, moved)


def _benchmark(measured: Measured) -> pyperf.Benchmark:
    import pyperf

    metadata = {"name": measured.name, "unit": "second"}
    return pyperf.Benchmark([pyperf.Run(run, metadata=metadata, collect_metadata=False) for run in measured.values])


@record
class Comparison:
    """Two measurements, side by side. `ratio` is how many times as long the second takes as the first."""

    first: Measured
    second: Measured
    ratio: float
    is_noise: bool

    def __str__(self) -> str:
        if self.is_noise:
            return f"between {self.first.name} and {self.second.name} is no difference that is more than noise"
        faster, slower = (self.second, self.first) if self.ratio < 1 else (self.first, self.second)
        return f"{faster.name} is {max(self.ratio, 1 / self.ratio):.2f} times as fast as {slower.name}"


def compare(first: Measured, second: Measured) -> Comparison:
    """The two beside one another. A difference that may be chance, to 95 in 100 by a t-test of two samples, is
    noise."""
    # pyperf has this for its command `compare_to` alone.
    from pyperf._utils import is_significant

    samples = [[value for run in each.values for value in run] for each in (first, second)]
    significant, _ = is_significant(*samples)
    return Comparison(first, second, second.median / first.median, not significant)
