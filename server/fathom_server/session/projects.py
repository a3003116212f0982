"""What the file `fathom.toml` in a folder of the workspace says: the settings of a project, which come before those of
the one who works on it.

    mlir = "19"                         the edition of MLIR that its files are in, or the folder of an MLIR
    pipeline = "--lower-affine …"       what is wrong is found at its own line
    dialects = ["dialects/*.toml"]

    [lowering]                          how `lower-to-llvm` lowers, where no pipeline is named
    convention = "bare-pointers"

    [run]
    timeoutSeconds = 60
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from difflib import get_close_matches
from pathlib import Path
from typing import Final

from fathom.descriptions.files import finding_of
from fathom.descriptions.places import Finding, Severity
from fathom.descriptions.reading import read_text
from fathom.editions.folder.places import find, is_folder
from fathom.irdl.sections import Sections, Table
from fathom.records import field, record
from fathom_server.model.settings import COMPILE, LIMITS, Settings, edition_of, known_so_far, problems_of, updated
from fathom_server.model.tool_settings import Tool, tools_from
from fathom_server.session.lowering_table import KEYS as LOWERING
from fathom_server.session.lowering_table import pipeline_from
from fathom_server.session.workspace import CONFIGURATION

TABLES: Final[Mapping[str, tuple[str, ...]]] = {
    "compile": (*COMPILE, "remarks"),
    "diagnostics": ("lowering", "unused", "workspace"),
    "lowering": LOWERING,
    "run": (*(name for name, _, _ in LIMITS), "checked"),
    "workspace": ("index",),
}
"""The keys of each table."""
_OF_USERS: Final = {"run.contained": "programs are contained", "run.cache": "code of programs is kept"}
"""What a project does not say, and what that would be about."""
TOP: Final = ("mlir", "pipeline", "dialects", "includes")
TOOL: Final = "tool"
"""The tables of tools of other people, `[tool.iree-opt]`."""
NOT_RUN: Final = (
    "a tool that a project names is run only where the setting `fathom.projectTools` allows it; it would run: {}"
)


@record
class Project:
    """What the file of a folder says: a pipeline, empty for none; settings, shaped like `fathom.*`; and names of files,
    in paths from the folder."""

    pipeline: str = ""
    section: Mapping[str, Table] = field(default_factory=dict[str, Table])
    dialects: tuple[str, ...] = ()
    includes: tuple[str, ...] = ()
    unless_known: tuple[Finding, ...] = ()
    """What is wrong with the pipeline, unless code of the workspace has its passes."""
    tools: tuple[Tool, ...] = ()
    mlir: str = ""
    """The edition of MLIR that its files are in, or the path of a folder; empty for that of the settings."""


class ProjectFile:
    """A `fathom.toml` as it is read, and what is wrong with it; of a folder whose code and tools may be run, or
    not."""

    def __init__(self, path: str, text: str, *, runs_code: bool = False, runs_tools: bool = False) -> None:
        self._text = text
        self._runs_code = runs_code
        self._runs_tools = runs_tools
        self._folder = Path(path).parent
        self._unless_known: list[Finding] = []
        self._sections = Sections(text, path)
        self._is_broken = bool(self._sections.mistakes)
        self.findings: list[Finding] = [finding_of(text, mistake) for mistake in self._sections.mistakes]

    def report(
        self, message: str, key: str, name: str = "", *, at: int = 0, table: str = "", severity: Severity = "error"
    ) -> None:
        """Notes what is wrong with the value of a key, or with a `name` in it, from a character of that on; of no TOML
        that alone is said."""
        if not self._is_broken:
            self.findings.append(self._finding(message, key, name, table, severity, at))

    def _finding(self, message: str, key: str, name: str, table: str, severity: Severity, at: int = 0) -> Finding:
        mistake = self._sections.mistake(message, "", "", key, name, at)
        finding = finding_of(self._text, mistake, severity)
        return finding if not table else Finding(message, finding.place, finding.severity, f"{table}.{key}")

    def read(self, former: Project | None = None) -> Project:
        """What it says; what is wrong counts as not said. While it is no TOML, what it said before, if it did."""
        if self._is_broken and former is not None:
            return former
        top = self._sections.top
        self._check_names((*top, *self._sections.kinds), (*TOP, *TABLES, TOOL))
        section: dict[str, Table] = {}
        for name, keys in TABLES.items():
            table = top.get(name)
            if isinstance(table, dict):
                self._check_names(table, keys, name)
                section[name] = {key: value for key, value in table.items() if key in keys}
            elif table is not None:
                self.report("expected a table", name)
        pipeline = self._pipeline(top, section.pop("lowering", {}))
        for problem in updated(Settings(), section)[1]:
            table, _, key = problem.key.partition(".")
            value = section[table][key]
            self.report(
                problem.message, key, value if problem.at and isinstance(value, str) else "", at=problem.at, table=table
            )
            del section[table][key]
        names = self._names(top, "dialects"), self._names(top, "includes")
        return Project(pipeline, section, *names, tuple(self._unless_known), self._tools(), self._edition(top))

    def _edition(self, top: Table) -> str:
        """The edition of MLIR that is named."""
        said = top.get("mlir", "")
        try:
            edition = edition_of(said) if said != "" else ""
            return find(edition, str(self._folder)).named if is_folder(edition) else edition
        except ValueError as problem:
            self.report(str(problem), "mlir", str(said) if isinstance(said, str) else "")
            return ""

    def _tools(self) -> tuple[Tool, ...]:
        """The tools that are named, which run where a person says so."""
        tables = {name: self._sections.table(TOOL, name) for name in self._sections.names(TOOL)}
        tools, wrong = tools_from(tables, self._folder)
        for name, key, message in wrong:
            self._report_of_tool(message, name, key if key in tables[name] else "", "error")
        for tool in () if self._runs_tools else tools:
            self._report_of_tool(NOT_RUN.format(tool.shown), tool.name, "command", "note")
        return tools

    def _report_of_tool(self, message: str, name: str, key: str, severity: Severity) -> None:
        mistake = self._sections.mistake(message, TOOL, name, key)
        self.findings.append(finding_of(self._text, mistake, severity))

    def _check_names(self, given: Iterable[str], known: Iterable[str], table: str = "") -> None:
        names = tuple(known)
        for key in given:
            if (what := _OF_USERS.get(f"{table}.{key}")) is not None:
                self.report(f"whether {what} is for the one who runs them to say", key, table=table)
            elif key not in names:
                near = get_close_matches(key, names, 1)
                hint = f"; did you mean '{near[0]}'?" if near else ""
                self.report(f"unknown key '{key}'{hint}", key, table=table)

    def _pipeline(self, top: Table, lowering: Table) -> str:
        """The pipeline that is named, or that follows from how it is to be lowered."""
        text = top.get("pipeline", "")
        if not isinstance(text, str):
            self.report("expected a string", "pipeline")
            text = ""
        elif problems := problems_of(text):
            message = "; ".join(problems)
            if known_so_far(text, runs_code=self._runs_code) is not None:
                self._unless_known.append(self._finding(message, "pipeline", text, "", "error"))
            else:
                self.report(message, "pipeline", text)
                text = ""
        made, wrong = pipeline_from(lowering)
        for key, message in wrong:
            self.report(message, key, table="lowering")
        if text and made:
            self.report(
                "the pipeline says how to lower: its options belong there", next(iter(lowering)), table="lowering"
            )
        return text or made

    def _names(self, top: Table, key: str) -> tuple[str, ...]:
        names = top.get(key, [])
        if not isinstance(names, list):
            self.report("expected a list of paths", key)
            return ()
        if any(not isinstance(name, str) for name in names):
            self.report("expected a path", key)
        return tuple(name for name in names if isinstance(name, str))


def project_file(folder: Path, *, runs_code: bool = False, runs_tools: bool = False) -> ProjectFile | None:
    """The file of a folder, whose code and tools may be run or not; None where there is none."""
    path = str(folder / CONFIGURATION)
    text = read_text(path)
    return ProjectFile(path, text, runs_code=runs_code, runs_tools=runs_tools) if text is not None else None
