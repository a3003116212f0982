"""Claims of a text, put to the test: each call is made in the worker, and what comes of it held against the claim."""

from __future__ import annotations

from time import perf_counter
from typing import TYPE_CHECKING, Final

from fathom.budget import MOST_ELEMENTS
from fathom.checking.comments import Claim, Unclear, Values
from fathom.checking.values import difference
from fathom.execution.outcome import ArgumentProblem, Failure, FailureKind, Limits
from fathom.programs.lowering import lower_checked
from fathom.programs.preparing import Part, Prepared, Readings, Unprepared, cut, placed, prepare
from fathom.records import record, replace

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from fathom.checking.comments import Expectation
    from fathom.diagnostics import Diagnostic
    from fathom.execution.outcome import Json, RunOutcome
    from fathom.execution.process import Worker
    from fathom.inputs.loading import Loading
    from fathom.ir.types import FunctionType, Type
    from fathom.messages.source import Source
    from fathom.pipeline.language import Pipeline

_OF_THE_PROGRAM: Final[tuple[FailureKind, ...]] = (
    "assertion",
    "timeout",
    "crash",
    "exit",
    "deadlock",
    "memory-limit",
    "output-limit",
    "thread-limit",
    "refused",
)
"""How a program may fail. All other failures are those of the one who wrote the claim."""


@record
class Verdict:
    """What came of a claim. `message` says in one line what is not as it is claimed; it is empty if all is. `reasons`
    are the diagnostics behind it, and `notes` what else the run told. It took so many `seconds`."""

    claim: Claim | Unclear
    message: str = ""
    reasons: tuple[Diagnostic, ...] = ()
    notes: tuple[str, ...] = ()
    seconds: float = 0.0

    @property
    def holds(self) -> bool:
        """Whether all is as it is claimed."""
        return not self.message


class Checking:
    """Puts the claims of one text to the test. The text is read once, and a function is lowered once, with checks,
    however many claims there are about it."""

    def __init__(
        self,
        source: Source,
        loading: Loading,
        worker: Worker,
        pipeline: Pipeline | None = None,
        limits: Limits | None = None,
        libraries: Sequence[str] = (),
    ) -> None:
        self._source = source
        self._loading = loading
        self._worker = worker
        self._pipeline = pipeline
        self._limits = replace(limits or Limits(), elements=MOST_ELEMENTS)
        self._libraries = tuple(libraries)
        self._programs: dict[str, Prepared | Unprepared] = {}
        self._readings: Readings | None = None

    def verdicts(self, claims: Iterable[Claim | Unclear]) -> Iterator[Verdict]:
        """What comes of each claim, as soon as it is known."""
        claims = list(claims)
        if len({claim.function for claim in claims if isinstance(claim, Claim)}) > 1:
            self._readings = Readings(self._loading)
        for claim in claims:
            begun = perf_counter()
            yield replace(self._verdict(claim), seconds=perf_counter() - begun)

    def _verdict(self, claim: Claim | Unclear) -> Verdict:
        if isinstance(claim, Unclear):
            return Verdict(claim, claim.reason)
        program = self._program(claim.function)
        if isinstance(program, Unprepared):
            return Verdict(claim, program.message, program.problems)
        # What LLVM would do away with, such as memory that nobody reads, is there if it optimises nothing.
        request = program.request(claim.arguments, 0, self._libraries, counts_memory=True)
        ran = placed(self._worker.run(request, self._limits), program)
        try:
            message = unlike_claim(claim, ran.outcome, program.part.entry, program.signature)
        except ArgumentProblem as problem:
            message = problem.failure.message
        reasons = (ran.failed,) if ran.failed is not None and message else ()
        return Verdict(claim, message or "", (*program.problems, *reasons), ran.outcome.notes)

    def _program(self, function: str) -> Prepared | Unprepared:
        program = self._programs.get(function)
        if program is None:
            part = cut(self._source, function, self._loading, readings=self._readings)
            program = prepare(part, self._pipeline, lower_checked) if isinstance(part, Part) else part
            self._programs[function] = program
        return program


def unlike_claim(claim: Claim, outcome: RunOutcome, entry: str, signature: FunctionType) -> str | None:
    """What of an outcome is not as it is claimed. Raises ArgumentProblem where the claim expects what is no value of
    the type."""
    if outcome.failure is not None:
        return _failed_otherwise(claim, outcome.failure)
    if claim.has_to_fail:
        return f"{claim.function} does not fail"
    for expected in claim.expected:
        wrong = _unlike(expected, outcome, entry, signature)
        if wrong is not None:
            return wrong
    return None


def _failed_otherwise(claim: Claim, failure: Failure) -> str | None:
    """What is wrong with a failure, if it is not the one that was expected."""
    if not claim.has_to_fail or failure.kind not in _OF_THE_PROGRAM:
        return failure.message
    wanted = next(what.text for what in claim.expected if not isinstance(what, Values))
    return None if wanted in failure.message else f"{claim.function} fails otherwise: {failure.message}"


def _unlike(expected: Expectation, outcome: RunOutcome, entry: str, signature: FunctionType) -> str | None:
    """In what an outcome is not as it is expected."""
    if not isinstance(expected, Values):
        is_printed = outcome.stdout == expected.text
        return None if is_printed else f"it prints {_quoted(outcome.stdout)}, not {_quoted(expected.text)}"
    if expected.argument is None:
        given, types = outcome.results, signature.results
        if len(given) != len(expected.values):
            return f"{entry} gives {_counted(len(given))}, not {len(expected.values)}"
        return _first_unlike(expected, given, types, f"{entry} gives", "result")
    number = expected.argument
    if number >= len(outcome.arguments) or outcome.arguments[number] is None:
        return f"#{number} is no argument that the call may change"
    given, types = outcome.arguments[number : number + 1], signature.inputs[number : number + 1]
    return _first_unlike(expected, given, types, f"#{number} holds", f"#{number}")


def _first_unlike(expected: Values, given: Sequence[Json], types: Sequence[Type], says: str, path: str) -> str | None:
    several = len(given) > 1
    for number, (value, wanted, type) in enumerate(zip(given, expected.values, types, strict=True)):
        place = f"{path}[{number}]" if several else path
        wrong = difference(value, wanted, type, expected.tolerance, place)
        if wrong is not None:
            return f"{says}{f' as result #{number}' if several else ''} {wrong}"
    return None


def _counted(results: int) -> str:
    return "no result" if not results else "1 result" if results == 1 else f"{results} results"


def _quoted(text: str, shown: int = 60) -> str:
    from json import dumps

    return dumps(text if len(text) <= shown else f"{text[:shown]}…", ensure_ascii=False)
