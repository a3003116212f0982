"""Lowering as a library: a module through a pipeline, with the stages on the way and the way back to the source; in a
context that knows one's own dialects, if there are such.

lowered = fathom.lower(text, "--lower-to-llvm=index-bitwidth=32")
for stage in lowered.stages:
    print(stage.name, stage.text)

module = fathom.compile(text)
print(module.f(True, 21))
"""

from __future__ import annotations

from os import fspath
from typing import TYPE_CHECKING

from fathom.budget import MOST_ON_COMMAND_LINE
from fathom.context import default_context
from fathom.editions.chosen import context_for
from fathom.elaborate import load
from fathom.ir.clone import clone
from fathom.ir.printer import linked_text
from fathom.pipeline.defaults import is_whole, pipeline_of
from fathom.pipeline.language import Pipeline
from fathom.pipeline.lowering import run
from fathom.pipeline.observer import Observer
from fathom.records import record
from fathom.verify import verify
from fathom.verify.printing import flags_for

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from os import PathLike

    from fathom.context import Context
    from fathom.diagnostics import Diagnostic
    from fathom.ir.operation import Operation
    from fathom.ir.printer import Link
    from fathom.passes.definition import Pass
    from fathom.programs.calling import Caller, Code
    from fathom.programs.modules import Module


@record
class Stage:
    """A copy of the module after a pass that ran. Each of its operations has the span of the source that it came
    from."""

    use: Pass
    module: Operation

    @property
    def name(self) -> str:
        """The name of the pass."""
        return self.use.name

    @property
    def text(self) -> str:
        """The module as `mlir-opt` prints it."""
        return self.linked_text()[0]

    @property
    def source_map(self) -> tuple[Link, ...]:
        """What stands where in `text`, and where in the source it came from."""
        return self.linked_text()[1]

    def linked_text(self) -> tuple[str, tuple[Link, ...]]:
        """The text and its map."""
        return linked_text(self.module, flags_for(self.module))


@record
class Lowered:
    """A module after a pipeline, or as far as that went; the stages on the way, one for each pass that ran; what is
    wrong in the source, in the pipeline, or with what it left; and what stands where in `text`, with the place in the
    source that it came from."""

    module: Operation
    stages: tuple[Stage, ...]
    diagnostics: tuple[Diagnostic, ...]
    text: str
    source_map: tuple[Link, ...]

    @property
    def failed(self) -> bool:
        """Whether there is an error."""
        return any(diagnostic.severity == "error" for diagnostic in self.diagnostics)


def lower(module: Operation | str, pipeline: Pipeline | str = "", context: Context | None = None) -> Lowered:
    """Lowers a copy of a module, or the module that a text stands for, by a pipeline: mlir-opt's flags, its pipeline
    language, or nothing for `lower-to-llvm`.

    Raises for nothing that a text or a pipeline says: mistakes are diagnostics, and a source that has some is not
    lowered. If the pipeline was to reach the LLVM dialect, each operation that it left behind has one, but for
    terminators and what is a part of a structured operation.
    """
    context = context or default_context()
    if isinstance(module, str):
        context = context_for(module, context)
    problems: list[Diagnostic] = []
    if isinstance(module, str):
        loaded = load(module, context)
        given, problems = loaded.module, loaded.diagnostics
    else:
        given = clone(module)
    problems = problems or verify(given, context=context)
    stages: list[Stage] = []
    if not _has_errors(problems):
        chosen = pipeline if isinstance(pipeline, Pipeline) else pipeline_of(pipeline, context.find_pass)
        lowering = run(
            chosen,
            given,
            context,
            observers=[_Keeper(given, stages)],
            verifying="each",
            remembers=chosen.is_to_reach_llvm,
            most_operations=MOST_ON_COMMAND_LINE,
        )
        said = lowering.diagnostics
        if chosen.is_to_reach_llvm:

            def source() -> Operation:
                return load(module, context).module if isinstance(module, str) else module

            # The pipeline of its own has all passes that there are.
            verdict = lowering.verdict(source if not is_whole(chosen) else None)
            said = [*verdict.failures, *verdict.remarks, *verdict.leftovers]
        problems = [*problems, *said]
    return Lowered(given, tuple(stages), tuple(problems), *linked_text(given, flags_for(given)))


def with_dialects(*files: str, includes: Iterable[str] = ()) -> Context:
    """A context that knows the dialects of the library and those that files describe (`.toml`, `.td`, `.mlir` with
    IRDL), with what modules in Python say of them (`fathom.dialect`), which are run. `.td` files look for what they
    include in the folders `includes` too.

    Raises ValueError for mistakes in the files, each with its place, and OSError for one that is not there.
    """
    from fathom.descriptions.knowing import context_of

    return context_of(files, includes)


def compile(
    source: str | PathLike[str],
    *,
    optimize: int = 2,
    pipeline: Pipeline | str = "",
    dialects: Sequence[str | PathLike[str]] = (),
    isolated: bool = True,
    contained: bool = True,
    timeout: float | None = None,
    memory: int | None = None,
    libraries: Sequence[str | PathLike[str]] = (),
) -> Module:
    """A module of MLIR, compiled: its functions are called as functions of Python.

    `source` is a text, or the path of a file with one. `optimize` is 0 to 3, as in `-O3`. `pipeline` lowers it to the
    LLVM dialect: flags of mlir-opt, its pipeline language, or nothing for `lower-to-llvm`. `dialects` are files that
    describe dialects of one's own, as `with_dialects` takes them. `libraries` are shared libraries with functions that
    it calls.

    Its functions run in a process of their own, which is `contained`, may take `timeout` seconds for a call, without
    end if that is None, and allocate so many bytes of `memory`: what goes wrong there is a `RunError`. With
    `isolated=False` they run in this process, where a call costs microseconds and a fault is the end of the process.

    Raises CompileError for mistakes in the text, the pipeline or what it leaves, OSError for a file that cannot be
    read, and ValueError for a level that is none and for mistakes in descriptions of dialects.
    """
    from fathom.inputs.loading import Loading
    from fathom.programs.compiling import check_pipeline, compile_function, compile_module, read_source
    from fathom.programs.modules import Module, Recipe

    if optimize not in range(4):
        raise ValueError(f"optimize is 0, 1, 2 or 3, not {optimize!r}")
    context = with_dialects(*(fspath(each) for each in dialects)) if dialects else default_context()
    text, shared = read_source(source), tuple(fspath(each) for each in libraries)
    context = context_for(text.text, context)
    loading = Loading(context=context)
    chosen = pipeline if isinstance(pipeline, Pipeline) else pipeline_of(pipeline, context.find_pass)
    check_pipeline(chosen, text)
    compiled, paths = compile_module(text, loading, chosen, optimize, shared)

    def caller(code: Code) -> Caller:
        if isolated:
            from fathom.programs.resident import Resident

            return Resident(code, contained=contained, seconds=timeout, memory=memory)
        from fathom.programs.calling import InProcess

        return InProcess(code)

    recipe = Recipe(
        text,
        optimize,
        lambda: lower(text.text, chosen, context).stages,
        lambda path: compile_function(text, path, loading, chosen, optimize, shared),
        caller,
    )
    return Module(recipe, compiled, paths)


def _has_errors(diagnostics: list[Diagnostic]) -> bool:
    return any(diagnostic.severity == "error" for diagnostic in diagnostics)


class _Keeper(Observer):
    """Keeps the module as it is after each pass."""

    def __init__(self, module: Operation, stages: list[Stage]) -> None:
        self._module = module
        self._stages = stages

    def after_pass(self, use: Pass, op: Operation, *, failed: bool) -> None:
        self._stages.append(Stage(use, clone(self._module)))
