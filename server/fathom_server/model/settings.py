"""The settings under `fathom.*`, read leniently: what is of the wrong type keeps its former value and is reported."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Final, Literal, TypeAlias, cast

from fathom.execution.outcome import Limits
from fathom.llvm.codegen.wanted import NotWanted, Wanted, machine_of, optimization_of
from fathom.passes import find
from fathom.pipeline.defaults import LOWER_TO_LLVM, pipeline_of
from fathom.pipeline.editing import mended
from fathom.pipeline.language import UNKNOWN_PLACE, Find, Pipeline, unnested
from fathom.records import field, record, replace
from fathom_server.model.tool_settings import Tool, in_tables, tools_from

if TYPE_CHECKING:
    from pathlib import Path

    from fathom.passes.definition import Pass, PassPipeline

Reporting: TypeAlias = Literal["asked", "always", "never"]
"""Where each operation is reported that a pipeline would leave behind: where somebody asked for LLVM IR, everywhere, or
nowhere."""
_LOWERING: Final[Mapping[object, Reporting]] = {
    "asked": "asked",
    "always": "always",
    "never": "never",
    True: "always",
    False: "never",
}


@record
class Hints:
    """The inlay hints that are shown."""

    types: bool = True
    llvm_types: bool = False
    predecessors: bool = True
    operands: bool = True
    in_place: bool = False
    values: bool = True


@record
class Compile:
    """How LLVM makes code for previews: as it is said, and what that means."""

    optimize: str = "2"
    target: str = ""
    cpu: str = ""
    features: str = ""
    remarks: bool = False
    """Whether LLVM's remarks about a function are shown while a preview of its code is."""
    wanted: Wanted = field(default_factory=Wanted)


@record
class Settings:
    """`docs/configuration.md` says what each means."""

    pipeline_text: str = ""
    pipeline: Pipeline = LOWER_TO_LLVM
    project: Pipeline | None = None
    """What the `fathom.toml` of the folder says instead."""
    project_text: str = ""
    lowering_diagnostics: Reporting = "asked"
    unused_diagnostics: bool = True
    workspace_diagnostics: bool = True
    """Whether what is wrong with files that are not open is told."""
    mlir: str = ""
    """The edition of MLIR that documents are in which do not say so themselves, by the name that contexts know it by;
    empty for that of the library. As it is said, it may be a folder."""
    dialects: tuple[str, ...] = ()
    includes: tuple[str, ...] = ()
    dialect_code: bool = False
    """Whether Python that is named among the dialects is run. A project cannot say so of itself."""
    tools: tuple[Tool, ...] = ()
    """The tools of other people: those that the settings name, and those of the project."""
    project_tools: bool = False
    """Whether tools that a project names are run. It cannot say so of itself."""
    checked: bool = True
    keeps_code: bool = True
    """Whether code that was compiled is kept for later runs. A project cannot say so, nor that programs are
    contained."""
    index: bool = True
    """Whether the files of the folder are in the index of the workspace."""
    hints: Hints = field(default_factory=Hints)
    limits: Limits = field(default_factory=lambda: Limits(seconds=10.0, memory=1024 << 20, output=256 << 10))
    compile: Compile = field(default_factory=lambda: Compile())


@record
class Problem:
    """What is wrong with a setting; `key` is its name behind `fathom.`, empty for all of them. Of a text `at` is where
    in it."""

    key: str
    message: str
    at: int = 0

    def __str__(self) -> str:
        return f"fathom.{self.key}: {self.message}" if self.key else f"fathom: {self.message}"


def lowers_anew(former: Settings, settings: Settings) -> bool:
    """Whether a document has to be lowered again under other settings."""

    def of(known: Settings) -> tuple[object, ...]:
        texts = known.pipeline_text, known.project_text  # Two that name passes of code are not known here.
        return *texts, known.project, known.lowering_diagnostics, known.unused_diagnostics

    return of(former) != of(settings)


def updated(settings: Settings, section: object) -> tuple[Settings, list[Problem]]:
    """The settings with those that `section`, an object shaped like `fathom.*`, gives; and what is wrong with it."""
    problems: list[Problem] = []
    if not isinstance(section, Mapping):
        return settings, [Problem("", "expected an object")]
    values = _flatten(cast("Mapping[str, object]", section))
    problems += [
        Problem(name, "expected an object")
        for name in ("compile", "diagnostics", "inlayHints", "run", "tools", "workspace")
        if values.get(name) is not None
    ]
    text = values.get("pipeline")
    if isinstance(text, str) and text != settings.pipeline_text:
        runs_code = values.get("dialectCode", settings.dialect_code) is True
        pipeline = known_so_far(text, runs_code=runs_code)
        if pipeline is None:
            problems.append(Problem("pipeline", "; ".join(problems_of(text))))
        else:
            settings = replace(settings, pipeline_text=text, pipeline=pipeline)
    elif text is not None and not isinstance(text, str):
        problems.append(Problem("pipeline", "expected a string"))
    settings, unlike_edition = _with_edition(settings, values.get("mlir"))
    problems += unlike_edition
    lowering = values.get("diagnostics.lowering")
    if isinstance(lowering, (str, bool)) and lowering in _LOWERING:
        settings = replace(settings, lowering_diagnostics=_LOWERING[lowering])
    elif lowering is not None:
        problems.append(Problem("diagnostics.lowering", "expected 'asked', 'always' or 'never'"))
    for name, change in _FLAGS.items():
        flag = values.get(name)
        if isinstance(flag, bool):
            settings = change(settings, flag)
        elif flag is not None:
            problems.append(Problem(name, "expected true or false"))
    for name, name_paths in _PATHS.items():
        paths = values.get(name)
        if isinstance(paths, (list, tuple)) and all(isinstance(path, str) for path in cast("list[object]", paths)):
            settings = name_paths(settings, tuple(cast("list[str]", paths)))
        elif paths is not None:
            problems.append(Problem(name, "expected a list of paths"))
    limits, more = limits_from(settings.limits, {k.removeprefix("run."): v for k, v in values.items()})
    made, wrong = _compile_from(settings.compile, values)
    problems += wrong
    settings, unlike_tools = _with_own_tools(settings, values)
    problems += unlike_tools
    return replace(settings, limits=limits, compile=made), [
        *problems,
        *(Problem(f"run.{problem.key}", problem.message) for problem in more),
    ]


def _with_edition(settings: Settings, said: object) -> tuple[Settings, list[Problem]]:
    """The settings with an edition of MLIR that is said by a version, or a folder; and what is wrong with it."""
    if said is None:
        return settings, []
    if said == "":
        return replace(settings, mlir=""), []
    try:
        return replace(settings, mlir=edition_of(said)), []
    except ValueError as problem:
        return settings, [Problem("mlir", str(problem))]


def edition_of(said: object) -> str:
    """The edition of MLIR for a version, or a folder as it is said. Raises ValueError, which says what is expected."""
    from fathom.editions.edition import FIRST_RELEASE, nearest
    from fathom.editions.folder.places import is_folder

    is_version = isinstance(said, (str, int)) and not isinstance(said, bool)
    found = nearest(str(said)) if is_version else None
    if found is None and isinstance(said, str) and is_folder(said):
        return said
    if found is None:
        expected = f'a version of MLIR from {FIRST_RELEASE} on, such as "19", or a folder, such as "./llvm"'
        raise ValueError(f"expected {expected}")
    return found


def holding(section: object, former: Mapping[str, object]) -> tuple[dict[str, object], list[Problem]]:
    """What holds of a section that takes the place of a `former` one: what is not said any more does not, and of what
    is wrong the former value does. By their names behind `fathom.`; and what is wrong."""
    problems = updated(Settings(), section)[1]
    if not isinstance(section, Mapping):
        return dict(former), problems
    wrong = {problem.key for problem in problems}
    said = _flatten(cast("Mapping[str, object]", section))
    return {
        **{name: value for name, value in former.items() if name in wrong},
        **{name: value for name, value in said.items() if name not in wrong},
    }, problems


def with_project(settings: Settings, text: str) -> Settings:
    """The settings with the pipeline of a project; without one where the text is empty or wrong."""
    pipeline = known_so_far(text, runs_code=settings.dialect_code) if text else None
    if pipeline is None:
        return replace(settings, project=None, project_text="")
    return replace(settings, project=pipeline, project_text=text)


def with_tools(settings: Settings, project: Iterable[Tool], folder: Path | None) -> Settings:
    """The settings with the tools of a project, in a folder, beside their own, which run there too. Of two that are
    called alike the settings' own counts."""
    own = {tool.name: replace(tool, folder=folder) for tool in settings.tools}
    named = {tool.name: replace(tool, is_allowed=settings.project_tools) for tool in project}
    return replace(settings, tools=tuple({**named, **own}.values()))


def _with_own_tools(settings: Settings, values: Mapping[str, object]) -> tuple[Settings, list[Problem]]:
    """The settings with the tools that they name, whose owner so allows them; and what is wrong with these."""
    tables = in_tables(values)
    if not tables:
        return settings, []
    tools, wrong = tools_from(tables, None)
    own = {tool.name: tool for tool in settings.tools} | {tool.name: replace(tool, is_allowed=True) for tool in tools}
    problems = [Problem(f"tools.{name}.{key}", message) for name, key, message in wrong]
    return replace(settings, tools=tuple(own.values())), problems


_FLAGS: Final[Mapping[str, Callable[[Settings, bool], Settings]]] = {
    "inlayHints.types": lambda settings, flag: replace(settings, hints=replace(settings.hints, types=flag)),
    "inlayHints.llvmTypes": lambda settings, flag: replace(settings, hints=replace(settings.hints, llvm_types=flag)),
    "inlayHints.predecessors": lambda settings, flag: replace(
        settings, hints=replace(settings.hints, predecessors=flag)
    ),
    "inlayHints.operands": lambda settings, flag: replace(settings, hints=replace(settings.hints, operands=flag)),
    "inlayHints.inPlace": lambda settings, flag: replace(settings, hints=replace(settings.hints, in_place=flag)),
    "inlayHints.values": lambda settings, flag: replace(settings, hints=replace(settings.hints, values=flag)),
    "diagnostics.unused": lambda settings, flag: replace(settings, unused_diagnostics=flag),
    "diagnostics.workspace": lambda settings, flag: replace(settings, workspace_diagnostics=flag),
    "compile.remarks": lambda settings, flag: replace(settings, compile=replace(settings.compile, remarks=flag)),
    "run.checked": lambda settings, flag: replace(settings, checked=flag),
    "run.cache": lambda settings, flag: replace(settings, keeps_code=flag),
    "run.contained": lambda settings, flag: replace(settings, limits=replace(settings.limits, contained=flag)),
    "projectTools": lambda settings, flag: replace(settings, project_tools=flag),
    "dialectCode": lambda settings, flag: replace(settings, dialect_code=flag),
    "workspace.index": lambda settings, flag: replace(settings, index=flag),
}


_PATHS: Final[Mapping[str, Callable[[Settings, tuple[str, ...]], Settings]]] = {
    "dialects": lambda settings, paths: replace(settings, dialects=paths),
    "includes": lambda settings, paths: replace(settings, includes=paths),
}


def known_so_far(text: str, *, runs_code: bool) -> Pipeline | None:
    """The pipeline that a text names; None if something is wrong with it. Where code of the workspace is run, it may
    have passes that lower dialects of one's own. Until these are known, `lower-to-llvm` stands in its place, and what
    is wrong with it then, `problems_of` says later."""
    pipeline = pipeline_of(text)
    if not pipeline.errors:
        return pipeline
    return LOWER_TO_LLVM if runs_code and not pipeline_of(text, _find_awaited).errors else None


def _find_awaited(name: str) -> type[Pass] | type[PassPipeline] | None:
    """The pass of a name, or one that stands for that which code of the workspace may have."""
    from fathom.passes.foreign import pass_to_come
    from fathom.rewriting.lowerings import pass_name

    return find(name) or (pass_to_come(name) if name.startswith(pass_name("")) else None)


def problems_of(text: str, find: Find = find) -> list[str]:
    """What is wrong with a pipeline, and if that is only where passes stand, the pipeline with them where they can
    run."""
    problems = [error.removeprefix(UNKNOWN_PLACE).partition("\n")[0] for error in pipeline_of(text, find).errors]
    loose = unnested(text, find) if problems else None
    return [*problems, f"nested where it can run: {mended(loose)}"] if loose is not None else problems


LIMITS: Final = (
    ("timeoutSeconds", "seconds", 1.0),
    ("memoryMegabytes", "memory", 1 << 20),
    ("outputKilobytes", "output", 1 << 10),
)
"""The settings that limit a run, what they set, and in units of how many seconds or bytes they are given."""


def limits_from(limits: Limits, values: Mapping[str, object]) -> tuple[Limits, list[Problem]]:
    """Limits with those that `values` gives in seconds, megabytes and kilobytes."""
    problems: list[Problem] = []
    for name, attribute, scale in LIMITS:
        value = values.get(name)
        if value is None:
            continue
        if isinstance(value, bool) or not isinstance(value, (int, float)) or not 0 < value < 1e9:
            problems.append(Problem(name, "expected a positive number"))
            continue
        amount = float(value) if attribute == "seconds" else int(value * scale)
        limits = replace(limits, **{attribute: amount})
    return limits, problems


COMPILE: Final = ("optimize", "target", "cpu", "features")
"""The settings that say how code is made."""


def _compile_from(former: Compile, values: Mapping[str, object]) -> tuple[Compile, list[Problem]]:
    """How code is made, with what `values` says of it. What makes no sense is left as it was: each by itself, since the
    processor of another target may come in the same breath."""
    problems: list[Problem] = []
    made = former
    for name in COMPILE:
        value = values.get(f"compile.{name}")
        if isinstance(value, int) and not isinstance(value, bool) and name == "optimize":
            value = str(value)
        if value is None:
            continue
        if not isinstance(value, str):
            problems.append(Problem(f"compile.{name}", "expected a string"))
            continue
        try:
            made = _understood(replace(made, **{name: value}))
        except NotWanted as problem:
            problems.append(Problem(f"compile.{name}", str(problem), problem.at))
    return made, problems


def _understood(said: Compile) -> Compile:
    """Raises NotWanted."""
    wanted = Wanted(optimization_of(said.optimize), machine_of(said.target, said.cpu, said.features))
    return replace(said, wanted=wanted)


def _flatten(section: Mapping[str, object], prefix: str = "") -> dict[str, object]:
    flat: dict[str, object] = {}
    for key, value in section.items():
        if isinstance(value, Mapping):
            flat.update(_flatten(cast("Mapping[str, object]", value), f"{prefix}{key}."))
        else:
            flat[f"{prefix}{key}"] = value
    return flat
