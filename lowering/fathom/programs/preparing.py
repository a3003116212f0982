"""From a text and the name of a function to a program that can be compiled: found, cut to what it needs, verified,
lowered, translated.

    part = cut(source, "inner::f", Loading(context=context))
    prepared = prepare(part, pipeline) if isinstance(part, Part) else part
    if isinstance(prepared, Prepared):
        outcome = worker.run(prepared.request(arguments), limits)

What stands in the way is an `Unprepared`. Nothing runs here, and nothing is raised for what a text says.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, TypeAlias

from fathom.diagnostics import LLVM, RUN, Diagnostic
from fathom.dialects.llvm.signatures import signature_of
from fathom.elaborate.symbol_paths import read_numbered, write_numbered
from fathom.execution import Check, Convention, Failure, Given, RunOutcome, RunRequest
from fathom.execution.conventions import convention_of
from fathom.execution.masks import combine_masks
from fathom.inputs.splitting import Chunk
from fathom.irdl.interfaces import InlineAssembly, symbol_name
from fathom.modernising.in_memory import modernise_in_memory
from fathom.pipeline.defaults import whole_lowering
from fathom.programs.functions import (
    argument_names,
    callable_functions,
    concerning,
    copied,
    find_function,
    has_body,
    keep_only,
    names_in,
    needed_by,
    parts_of,
    symbols_of_path,
)
from fathom.programs.lowering import Made, lower
from fathom.records import record, replace
from fathom.verify import verify
from fathom.verify.symbols import enclosing_table

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from fathom.context import Context
    from fathom.elaborate import Loaded
    from fathom.inputs.loading import Loading
    from fathom.ir.operation import Operation
    from fathom.ir.types import FunctionType
    from fathom.messages.source import Source
    from fathom.pipeline.language import Pipeline

Lower: TypeAlias = "Callable[[Operation, Pipeline, Source, Context], Made]"
"""How a module becomes LLVM IR: `lower`, `lower_checked` or `lower_debugged` of `programs.lowering`."""
Read: TypeAlias = "Callable[[Chunk], tuple[Loaded, list[Diagnostic]]]"
"""How it is found out what a text holds."""
_SHOWN: Final = 20
"""How many functions are listed where the one that was named is not there."""


@record
class Absent:
    """That no function with a body has a name, and the names of those that have one."""

    name: str
    there: tuple[str, ...]

    def message(self, hint: str = "there are") -> str:
        """That in a sentence. `hint` stands before the names."""
        if not self.there:
            return f"no function '{self.name}' with a body; the input has none"
        shown = ", ".join(self.there[:_SHOWN])
        more = f" and {len(self.there) - _SHOWN} more" if len(self.there) > _SHOWN else ""
        return f"no function '{self.name}' with a body; {hint}: {shown}{more}"


@record
class Unprepared:
    """Why there is no program: the mistakes, in the order in which they are told, and that no function has the name.
    `loaded` is what the text holds all the same."""

    loaded: Loaded
    problems: tuple[Diagnostic, ...]
    absent: Absent | None = None

    @property
    def message(self) -> str:
        """The reason in one sentence."""
        if self.absent is not None:
            return self.absent.message()
        errors = (problem.message for problem in self.problems if problem.severity == "error")
        return next(errors, "the program is not lowered")


class Readings:
    """Texts that are read and verified once, however many functions are cut from them: each gets a copy of its part."""

    def __init__(self, loading: Loading) -> None:
        self._loading = loading
        self._read: dict[str, tuple[Loaded, list[Diagnostic]]] = {}
        self._wrong: dict[Operation, list[Diagnostic]] = {}

    def read(self, chunk: Chunk) -> tuple[Loaded, list[Diagnostic]]:
        """What a chunk holds, which is not to be changed, and the mistakes in its text."""
        if chunk.text not in self._read:
            self._read[chunk.text] = self._loading.read(chunk)
        return self._read[chunk.text]

    def wrong(self, loaded: Loaded) -> list[Diagnostic]:
        """What verification has to say of what was read."""
        module = loaded.module
        if module not in self._wrong:
            self._wrong[module] = verify(module, None, self._loading.context, loaded.elaborated.template)
        return self._wrong[module]


@record
class Part:
    """A module with what a function needs and no more, verified and not lowered yet. A lowering changes `module`, so
    whoever lowers it more than once lowers a clone, or cuts the text again.

    `name` is the function's in its symbol table, and in LLVM IR; `convention` says how it is called; `entry` is the
    path by which it was asked for. `beside` has the names of the symbols that stood around it, `loaded` what else the
    text holds. `argument_names` are those that a caller gives values for, without `%`, if the text names them.
    `readings` are those that it was cut from a copy of.
    """

    source: Source
    entry: str
    loading: Loading
    loaded: Loaded
    module: Operation
    function: Operation
    name: str
    signature: FunctionType
    convention: Convention
    beside: frozenset[str]
    argument_names: tuple[str, ...] = ()
    readings: Readings | None = None


@record
class Prepared:
    """A program in LLVM IR, with the name of the function to call, its type before it was lowered, and the checks in
    it. `problems` are warnings, and what else was said of it on the way. `part` is what it was made of; its module has
    been lowered. `objections` says what LLVM has to say against it, where it was not asked yet."""

    part: Part
    llvm_ir: str
    name: str
    signature: FunctionType
    checks: tuple[Check, ...] = ()
    problems: tuple[Diagnostic, ...] = ()
    objections: Callable[[], list[Diagnostic]] | None = None

    def request(
        self,
        arguments: Sequence[Given] = (),
        optimization: int = 2,
        libraries: Sequence[str] = (),
        *,
        counts_memory: bool = False,
        rows_first: bool = False,
    ) -> RunRequest:
        """What a worker is asked to call the function (see `RunRequest`)."""
        types = self.signature.inputs, self.signature.results
        asked = arguments, optimization, libraries, self.checks, counts_memory, rows_first
        return RunRequest(
            self.llvm_ir,
            self.name,
            *types,
            *asked,
            convention=self.part.convention,
            argument_names=self.part.argument_names,
        )


@record
class Placed:
    """What came of a run; and, if what failed has a place in the source, that as a diagnostic there."""

    outcome: RunOutcome
    failed: Diagnostic | None = None


def program_of(
    source: Source,
    entry: str,
    loading: Loading,
    pipeline: Pipeline | None = None,
    lowered: Lower = lower,
) -> Prepared | Unprepared:
    """The program that calls a function of a text: `cut` and `prepare` in one."""
    part = cut(source, entry, loading)
    return prepare(part, pipeline, lowered) if isinstance(part, Part) else part


def cut(
    source: Source,
    entry: str,
    loading: Loading,
    names: frozenset[str] = frozenset(),
    readings: Readings | None = None,
) -> Part | Unprepared:
    """The part of a text that the function with a path such as `inner::f` or `f#2` needs, and the symbols of some names
    beside it. Only the mistakes in that part count. With `readings` the text is not read again."""
    loaded, problems, function = enter(loading.read if readings is None else readings.read, source.text, entry)
    if function is None:
        # What the mistakes are in may have been the function, so they are not kept back.
        there = callable_functions(loaded.module)
        is_missing = not problems or there
        return Unprepared(loaded, tuple(problems), _absent(entry, there) if is_missing else None)
    needed, beside = needed_by(function, names), names_in(enclosing_table(function))
    problems = concerning(problems, needed, loaded.tree)
    if readings is None:
        module = keep_only(needed)
        problems = problems or verify(module, None, loading.context, loaded.elaborated.template)
    else:
        problems = problems or concerning(readings.wrong(loaded), needed, loaded.tree)
        module, function = copied(needed, function)
    if problems:
        return Unprepared(loaded, tuple(problems))
    signature = signature_of(function)
    name = symbol_name(function)
    if signature is None or not name:
        return Unprepared(loaded, (_unknown_signature(function),))
    return Part(
        source,
        entry,
        loading,
        loaded,
        module,
        function,
        name,
        signature,
        convention_of(function),
        beside,
        argument_names(function, source.text),
        readings,
    )


def prepare(part: Part, pipeline: Pipeline | None = None, lowered: Lower = lower) -> Prepared | Unprepared:
    """A part as LLVM IR, by a pipeline, or else by `lower-to-llvm`. Its module is what passes make of it afterwards.

    Where passes would make a symbol that the source has, they have to see that: the text is cut again with it.
    """
    older = part.loading.context
    context = older.newest
    chosen = pipeline if pipeline is not None else whole_lowering(older.find_pass)
    names: frozenset[str] = frozenset()
    while True:
        if refused := modernise_in_memory(part.module, older):
            return Unprepared(part.loaded, tuple(refused))
        own = names_in(part.module)
        combined = combine_masks(part.module, context)
        made = lowered(part.module, chosen, part.source, context)
        if not (taken := (made.names - own) & part.beside):
            break
        names |= taken
        again = cut(part.source, part.entry, part.loading, names, part.readings)
        if isinstance(again, Unprepared):
            return again
        part = again
    problems = (*combined, *made.problems)
    if made.text is None:
        return Unprepared(part.loaded, problems)
    return Prepared(part, made.text, part.name, part.signature, made.checks, problems, made.objections)


def enter(read: Read, text: str, name: str) -> tuple[Loaded, list[Diagnostic], Operation | None]:
    """What a text holds, the mistakes in it, and the function of a name, if it is there. One with a number, as `f#2`,
    is looked for in the parts between lines `// -----`, and there is nothing but its own part."""
    path, number = read_numbered(name)
    for part in parts_of(text) if number > 1 else ():
        loaded, problems = read(Chunk(part, 0))
        symbols = symbols_of_path(loaded.module, path)
        if number <= len(symbols):
            if not has_body(symbols[number - 1]):
                break
            return loaded, problems, symbols[number - 1]
        number -= len(symbols)
    loaded, problems = read(Chunk(text, 0))
    return loaded, problems, find_function(loaded.module, name)


def placed(outcome: RunOutcome, program: Prepared) -> Placed:
    """A failure at its place: a check that failed where the operation stands that asked for it, and what LLVM makes no
    code of at the inline assembly or the function."""
    failure = outcome.failure
    if failure is None:
        return Placed(outcome)
    if failure.kind == "compile-error":
        return Placed(outcome, _not_compiled(failure, program.part))
    if failure.kind != "assertion":
        return Placed(outcome)
    return failed_check(outcome, program.checks, program.part.source)


def failed_check(outcome: RunOutcome, checks: Sequence[Check], source: Source) -> Placed:
    """The failure of a check, at its place."""
    failure = outcome.failure
    assert failure is not None, "a check failed"
    span = checks[int(str(failure.details["check"]))].span
    place = source.location(span.start) if span is not None else None
    details = {"line": place.line, "column": place.column} if place is not None else {}
    failure = Failure(failure.kind, failure.message, details)
    return Placed(replace(outcome, failure=failure), Diagnostic(failure.message, span, code=RUN))


def _not_compiled(failure: Failure, part: Part) -> Diagnostic:
    """That LLVM makes no code of the program: at the inline assembly that it does not understand, if it can be told
    which, or else at the function."""
    if "assembly" in failure.details:
        assemblies = [op for op in part.module.walk() if op.interface(InlineAssembly) is not None]
        if len(assemblies) == 1:
            message = f"'{assemblies[0].name}' op is refused by LLVM: {failure.details['assembly']}"
            return Diagnostic(message, assemblies[0].span, code=LLVM)
    return Diagnostic(failure.message, part.function.span, code=LLVM)


def _absent(wanted: str, there: list[str]) -> Absent:
    path, number = read_numbered(wanted)
    return Absent(write_numbered(path or (wanted,), number), tuple(there))


def _unknown_signature(function: Operation) -> Diagnostic:
    return Diagnostic(f"'{function.name}' op has no type that can be called", function.span, code=RUN)
