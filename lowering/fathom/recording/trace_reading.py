"""Traces, the files that `fathom opt --record` writes, read again: what passes did, and the texts of the stages.

    trace = read_trace(data)
    trace.parts[0].runs, trace.parts[0].stage(2).text

A file may be anything. What is not as `docs/trace.schema.json` says, or does not fit together, is said in one line with
its place in the file, `parts[0].passes[3].steps[7].root: …`, and nothing of the file is believed.
"""

from __future__ import annotations

import json
from bisect import bisect_right
from math import isfinite
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, cast, get_args

from fathom.ir.operation import Span
from fathom.recording.numbers import Known
from fathom.recording.recording import Journal, Kind, PassRecord, Refusal, Step
from fathom.recording.stages import Place, StageText
from fathom.recording.trace import FORMAT, VERSION
from fathom.records import field, record, replace

if TYPE_CHECKING:
    from collections.abc import Iterator

MOST_BYTES: Final = 1 << 29
"""No larger file is read."""
MOST_NUMBER: Final = 1 << 40
"""No count or index is greater."""
_KINDS: Final = frozenset(get_args(Kind))


@record
class Unreadable:
    """Why a file is not read as a trace."""

    reason: str


@record(frozen=False, eq=False)
class TracePart(Journal):
    """A run of a pipeline as a file tells it: with the text that it began with, and the stages that are another than
    those before them, by how many passes they are behind."""

    pipeline: str
    text: str
    source: tuple[int, ...] = ()
    runs: list[PassRecord] = field(default_factory=list[PassRecord])
    steps: list[Step] = field(default_factory=list[Step])
    parents: dict[int, tuple[int, ...]] = field(default_factory=dict[int, "tuple[int, ...]"])
    operations: dict[int, Known] = field(default_factory=dict[int, Known])
    stages: dict[int, StageText] = field(default_factory=dict[int, StageText])

    @property
    def known(self) -> dict[int, Known]:
        return self.operations

    def stage(self, passes: int) -> StageText:
        """The text behind so many passes."""
        places = list(self.stages)
        return self.stages[places[bisect_right(places, passes) - 1]]


@record
class Trace:
    """A file: its name as it says it, and the parts of the input."""

    name: str
    parts: tuple[TracePart, ...]


class _Wrong(Exception):
    """Something is not as it must be. It never leaves this module."""


def opened(path: str) -> Trace | Unreadable:
    """The trace in a file; or why it cannot be opened, or is none. Reading it takes a while."""
    try:
        file = Path(path)
        if file.stat().st_size > MOST_BYTES:
            return Unreadable(f"{path}: it has more than {MOST_BYTES >> 20} MiB")
        data = file.read_bytes()
    except (OSError, ValueError) as problem:
        return Unreadable(f"{path}: {getattr(problem, 'strerror', None) or problem}")
    trace = read_trace(data)
    return replace(trace, reason=f"{path}: {trace.reason}") if isinstance(trace, Unreadable) else trace


def read_trace(data: bytes) -> Trace | Unreadable:
    """A trace; or why it is none."""
    if len(data) > MOST_BYTES:
        return Unreadable(f"it has more than {MOST_BYTES >> 20} MiB")
    try:
        made = json.loads(data)
    except RecursionError:
        return Unreadable("it is nested too deep")
    except json.JSONDecodeError as problem:
        return Unreadable(f"it is no JSON: line {problem.lineno}: {problem.msg}")
    except ValueError:
        return Unreadable("it is no JSON that is read: it is not in UTF-8, or has a number of thousands of digits")
    try:
        return _trace(made)
    except _Wrong as wrong:
        return Unreadable(str(wrong))


def _trace(made: object) -> Trace:
    top = _Object(made, "")
    if top.fields.get("format") != FORMAT:
        raise _Wrong(f"it is no trace: `format` is not {FORMAT!r}")
    version = top.integer("version")
    if version != VERSION:
        raise _Wrong(f"it is a trace of version {version}; this reads version {VERSION}")
    return Trace(top.string("name"), tuple(_part(part) for part in top.objects("parts")))


def _part(given: _Object) -> TracePart:
    part = TracePart(given.string("pipeline"), given.string("source"))
    operations = list(given.objects("operations"))
    for number, operation in enumerate(operations):
        span = operation.span("source", len(part.text)) if "source" in operation.fields else None
        part.known[number] = Known(operation.string("name"), span)
    for number, operation in enumerate(operations):
        if "madeOf" in operation.fields:
            part.parents[number] = operation.numbers("madeOf", part)
    _check_no_circle(part, given.path)
    for run, made in enumerate(given.objects("passes")):
        part.runs.append(_pass(made, run, part))
    for stage in given.objects("stages"):
        _read_stage(stage, part)
    if 0 not in part.stages:
        raise _Wrong(f"{given.path}.stages: the first is that of the source, behind 0 passes")
    part.source = tuple(part.stages[0].places)
    return part


def _check_no_circle(part: TracePart, path: str) -> None:
    """No operation is made of itself, however many others are between."""
    done: set[int] = set()
    for start in part.parents:
        open_ones: dict[int, Iterator[int]] = {}
        pending = [start] if start not in done else []
        while pending:
            number = pending[-1]
            if number not in open_ones:
                open_ones[number] = iter(part.parents.get(number, ()))
            parent = next((each for each in open_ones[number] if each not in done), None)
            if parent is None:
                done.add(pending.pop())
                del open_ones[number]
            elif parent in open_ones:
                raise _Wrong(f"{path}.operations[{parent}].madeOf: it is made of itself")
            else:
                pending.append(parent)


def _pass(given: _Object, run: int, part: TracePart) -> PassRecord:
    made = PassRecord(
        given.string("name"),
        given.string("options"),
        given.integer("index"),
        given.number("on", part),
        given.string("symbol") if "symbol" in given.fields else "",
        given.milliseconds("milliseconds") / 1000,
        given.integer("before"),
        given.integer("after"),
        given.boolean("changed"),
        given.boolean("failed") if "failed" in given.fields else False,
        len(part.steps),
    )
    made.tried = given.integer("tried")
    made.lost = given.integer("lost") if "lost" in given.fields else 0
    for step in given.objects("steps"):
        part.steps.append(_step(step, run, part))
        made.steps = max(made.steps, part.steps[-1].number)
    made.last_step = len(part.steps)
    made.refusals = tuple(_refusal(refusal, part) for refusal in given.objects("refusals"))
    return made


def _step(given: _Object, run: int, part: TracePart) -> Step:
    kind = given.string("kind")
    if kind not in _KINDS:
        raise _Wrong(f"{given.path}.kind: there is no kind {kind[:40]!r}")
    made, changed, gone = (
        given.numbers(what, part) if what in given.fields else () for what in ("made", "changed", "gone")
    )
    return Step(
        run,
        given.integer("number"),
        given.integer("depth") if "depth" in given.fields else 0,
        cast("Kind", kind),
        given.string("pattern") if "pattern" in given.fields else "",
        given.number("root", part) if "root" in given.fields else None,
        made,
        changed,
        gone,
    )


def _refusal(given: _Object, part: TracePart) -> Refusal:
    return Refusal(
        given.number("on", part),
        given.string("pattern"),
        given.string("reason"),
        given.integer("times") if "times" in given.fields else 1,
        given.boolean("undone") if "undone" in given.fields else False,
    )


def _read_stage(given: _Object, part: TracePart) -> None:
    passes, text = given.integer("passes"), given.string("text")
    if part.stages and passes <= max(part.stages):
        raise _Wrong(f"{given.path}.passes: stages are in the order of the pipeline")
    places: dict[int, Place] = {}
    around: list[tuple[int, int]] = []
    last = 0
    for index, entry in enumerate(given.list_of("operations")):
        path = f"{given.path}.operations[{index}]"
        number, start, end = _integers(entry, path, 3)
        if number >= len(part.known) or number in places:
            raise _Wrong(f"{path}: {number} is no operation, or stands there twice")
        while around and around[-1][1] <= start:
            around.pop()
        if not last <= start <= end <= (around[-1][1] if around else len(text)):
            raise _Wrong(f"{path}: its place is not in the text, or overlaps others")
        last = start
        line_end = text.find("\n", start, end)
        head = line_end if line_end >= 0 else end
        places[number] = Place(Span(start, end), Span(start, head), around[-1][0] if around else None)
        around.append((number, end))
    part.stages[passes] = StageText(text, places)


def _integers(given: object, path: str, count: int | None = None) -> list[int]:
    values = cast("list[object]", given) if isinstance(given, list) else None
    if values is None or (count is not None and len(values) != count):
        raise _Wrong(f"{path}: {count if count is not None else 'a list of'} numbers are expected")
    for value in values:
        _check_integer(value, path)
    return cast("list[int]", values)


def _check_integer(value: object, path: str) -> None:
    if not isinstance(value, int) or isinstance(value, bool) or not 0 <= value <= MOST_NUMBER:
        raise _Wrong(f"{path}: a number from 0 on is expected")


class _Object:
    """An object of a file, with its place in that; what it lacks, or has of another type, is said."""

    def __init__(self, given: object, path: str) -> None:
        if not isinstance(given, dict):
            raise _Wrong(f"{path or 'the file'}: an object is expected")
        self.fields: Final = cast("dict[str, object]", given)
        self.path: Final = path

    def _of(self, name: str) -> tuple[Any, str]:
        path = f"{self.path}.{name}" if self.path else name
        if name not in self.fields:
            raise _Wrong(f"{path}: it is missing")
        return self.fields[name], path

    def string(self, name: str) -> str:
        value, path = self._of(name)
        if not isinstance(value, str):
            raise _Wrong(f"{path}: a text is expected")
        return value

    def boolean(self, name: str) -> bool:
        value, path = self._of(name)
        if not isinstance(value, bool):
            raise _Wrong(f"{path}: true or false is expected")
        return value

    def integer(self, name: str) -> int:
        value, path = self._of(name)
        _check_integer(value, path)
        return value

    def milliseconds(self, name: str) -> float:
        value, path = self._of(name)
        is_number = isinstance(value, (int, float)) and not isinstance(value, bool)
        if not is_number or not 0 <= value <= MOST_NUMBER or not isfinite(value):
            raise _Wrong(f"{path}: a time is expected")
        return float(value)

    def number(self, name: str, part: TracePart) -> int:
        """The number of an operation."""
        value = self.integer(name)
        if value >= len(part.known):
            raise _Wrong(f"{self.path}.{name}: there is no operation {value}")
        return value

    def numbers(self, name: str, part: TracePart) -> tuple[int, ...]:
        value, path = self._of(name)
        numbers = _integers(value, path)
        if numbers and max(numbers) >= len(part.known):
            raise _Wrong(f"{path}: there is no operation {max(numbers)}")
        return tuple(numbers)

    def span(self, name: str, length: int) -> Span:
        value, path = self._of(name)
        start, end = _integers(value, path, 2)
        if not start <= end <= length:
            raise _Wrong(f"{path}: it is no place in the source")
        return Span(start, end)

    def list_of(self, name: str) -> list[object]:
        value, path = self._of(name)
        if not isinstance(value, list):
            raise _Wrong(f"{path}: a list is expected")
        return cast("list[object]", value)

    def objects(self, name: str) -> Iterator[_Object]:
        path = f"{self.path}.{name}" if self.path else name
        for index, entry in enumerate(self.list_of(name)):
            yield _Object(entry, f"{path}[{index}]")
